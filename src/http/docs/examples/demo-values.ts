import { sql } from 'kysely'
import type { Db } from '../../../database/open.ts'

/**
 * Things of the demo market that examples name, so that they work as pasted: `order.get` is the uuid
 * of an order that can be read, `order.cancel` of another that can be cancelled. What one example
 * changes or removes, no other one needs.
 */
export type DemoValues = ReadonlyMap<string, string>

/** The merchant whose key the first start prints. A market without it has no demo. */
const DEMO_MERCHANT = 'buying@facet-street.example'
const STONES = ['get', 'hold', 'quote', 'offer', 'order', 'set', 'unhold', 'search', 'skip']

/** Reads them from the market; of a market that is not the demo nothing is shown. */
export async function readDemoValues(db: Db): Promise<DemoValues> {
  const { rows } = await sql<{ name: string; value: string | null }>`
    with demo as (
      select uuid from merchant where email = ${DEMO_MERCHANT} and not deleted
    ), stones as (
      select sku, row_number() over (order by id desc) as n from gem, demo
      where product_type = 'diamond' and state = 'available' and quantity = 1
        and hold_uuid is null and can_hold and not is_fancy and treatment is null
        and feed_gone is not true and overrides is null and cert_num is not null
        and not exists (select from offer where offer.gem_id = gem.id)
      order by id desc limit ${STONES.length}
    ), placed as (
      select orders.uuid, row_number() over (order by ordered_on desc) as n
      from orders join demo on demo.uuid = merchant_uuid
      where fulfillment_status is null and order_status is null
        and not exists (select from order_line where order_uuid = orders.uuid
          and (confirmed_by is distinct from 'placement' or cancelled_quantity > 0))
    ), returnable as (
      select order_line.order_uuid, order_line.uuid as line_uuid
      from order_line join orders on orders.uuid = order_line.order_uuid
      join demo on demo.uuid = merchant_uuid
      join fulfillment on fulfillment.order_uuid = orders.uuid
      where order_type = 'invoice' and fulfilled_quantity = 1 and returned_quantity = 0
        and (product->>'returnable')::boolean
        and fulfillment.created_on + (product->>'days_to_return')::int * interval '1 day'
          > market_now() + interval '1 day'
        and not exists (select from order_return_line as other where other.line_uuid = order_line.uuid)
      order by orders.ordered_on desc limit 1
    ), waiting as (
      select order_line.order_uuid, row_number() over (
        order by bool_or(confirmed_by is not null) desc, order_line.order_uuid) as n
      from order_line join supplier on supplier.id = supplier_id and confirms and ships
      where open_quantity > 0 group by order_line.order_uuid
    ), invoiced as (
      select document.order_uuid, number from document
      join orders on orders.uuid = order_uuid join demo on demo.uuid = merchant_uuid
      where kind = 'invoice' order by document.created_on desc limit 1
    )
    select 'stone.' || (${STONES}::text[])[n::int] as name, sku as value from stones
    union all select 'melee', sku from (select sku from gem, demo
      where product_type = 'melee' and state = 'available' and quantity > 100 order by id limit 1) m
    union all select 'merchant', uuid::text from demo
    union all ${numbered('margin', sql`profit_margin`, ['get', 'patch', 'delete'], sql`t.uuid`)}
    union all ${numbered('address', sql`merchant_address`, ['get', 'patch', 'delete'], sql`t.uuid`)}
    union all ${numbered('template', sql`merchant_template`, ['get', 'patch', 'delete'], sql`t.uuid`)}
    union all ${numbered('search', sql`saved_search`, ['get', 'patch', 'delete'], sql`t.uuid`)}
    union all ${numbered('user', sql`(select * from app_user where role <> 'owner')`, ['patch', 'delete'], sql`t.uuid`)}
    union all ${numbered(
      'quote',
      sql`(select * from quote where status = 'open'
      and expires_on > market_now())`,
      ['get', 'delete'],
      sql`t.uuid`,
    )}
    union all ${numbered('return', sql`order_return`, ['get'], sql`t.uuid`)}
    union all select 'return.order', order_uuid::text from (select order_uuid from order_return
      join demo on demo.uuid = merchant_uuid order by created_on, order_return.uuid limit 1) r
    union all ${numbered('order', sql`orders`, ['get'], sql`t.uuid`)}
    union all select 'order.id', order_id from (select order_id from orders
      join demo on demo.uuid = merchant_uuid order by ordered_on desc limit 1) o
    union all ${numbered(
      'token',
      sql`(select * from token where made_by is not null
      and not is_session and revoked_on is null)`,
      ['delete', 'rotate'],
      sql`t.uuid`,
    )}
    union all select 'return.make', order_uuid::text from returnable
    union all select 'return.line', line_uuid::text from returnable
    union all select 'supplier', supplier.uuid::text from supplier, demo where confirms and ships
    union all select 'supplier.' || (array['fulfill', 'confirm', 'decline'])[n::int],
      order_uuid::text from waiting where n <= 3
    union all select 'user.operator.' || (array['patch', 'delete'])[n::int], uuid::text from (
      select app_user.uuid, row_number() over (order by app_user.uuid) as n from app_user, demo
      where merchant_uuid is null and supplier_uuid is null and role <> 'admin') o where n <= 2
    union all select 'order.cancel', uuid::text from placed where n = 1
    union all select 'invoice.order', order_uuid::text from invoiced
    union all select 'invoice.number', number from invoiced
    union all select 'hold.delete', hold_uuid::text from (select hold_uuid from gem
      join demo on demo.uuid = hold_merchant_uuid where hold_expires_on > market_now()
      order by gem.id limit 1) h
    union all select 'change', greatest(0, last - 5)::text from change_clock, demo
    union all select 'now', to_char(market_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      from demo`.execute(db)
  return new Map(rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))
}

/** The first rows of the demo merchant, one for each use. */
function numbered(
  kind: string,
  table: ReturnType<typeof sql>,
  uses: readonly string[],
  column: ReturnType<typeof sql>,
) {
  const names = uses.map((use) => `${kind}.${use}`)
  return sql`select (${names}::text[])[n::int], value from (
    select ${column}::text as value, row_number() over (order by t.uuid) as n
    from ${table} as t join demo on demo.uuid = t.merchant_uuid) numbered
    where n <= ${uses.length}`
}
