import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/open.ts'
import {
  type Found,
  jewelryValues,
  named,
  operatorOrderValues,
  operatorStockValues,
} from './operator-values.ts'

/**
 * Things of the demo market that examples name, so that they work as pasted: `order.get` is the
 * uuid of an order that can be read, `order.cancel` of another that can be cancelled. What one
 * example changes or removes, no other one needs.
 */
export type DemoValues = ReadonlyMap<string, string>

/** The merchant whose key the first start prints. A market without it has no demo. */
const DEMO_MERCHANT = 'buying@facet-street.example'
const STONES = ['get', 'hold', 'quote', 'offer', 'order', 'set', 'unhold', 'search', 'skip']

/** Anybody may read the documents: they are not made of new values more often than this. */
const KEPT_MS = 5_000

/** Returns a function that reads them now and then; none while the database is away. */
export function createDemoReader(db: Db): () => Promise<DemoValues> {
  let reading: Promise<DemoValues> | undefined
  return () => {
    if (reading) return reading
    setTimeout(() => {
      reading = undefined
    }, KEPT_MS).unref()
    reading = readDemoValues(db).catch(() => new Map())
    return reading
  }
}

/** Reads them from the market; of a market that is not the demo nothing is shown. */
async function readDemoValues(db: Db): Promise<DemoValues> {
  const merchant = await db
    .selectFrom('merchant')
    .select('uuid')
    .where('email', '=', DEMO_MERCHANT)
    .where('deleted', '=', false)
    .executeTakeFirst()
  return merchant ? readValuesOf(db, merchant.uuid) : new Map()
}

async function readValuesOf(db: Db, merchant: string): Promise<DemoValues> {
  const found: Found[] = [{ name: 'merchant', value: merchant }]
  const queries = [
    stockValues(),
    settingValues(merchant),
    orderValues(merchant),
    sideValues(merchant),
    operatorOrderValues(merchant),
    operatorStockValues(),
    jewelryValues(merchant),
  ]
  for (const query of queries) found.push(...(await query.execute(db)).rows)
  return new Map(found.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))
}

/** Stones that nobody else of the demo's stories uses, a parcel, and places in time. */
function stockValues(): RawBuilder<Found> {
  return sql`
    select ${named('stone', STONES)} as name, value from (
      select sku as value, row_number() over (order by id desc) as n from gem
      where product_type = 'diamond' and state = 'available' and quantity = 1
        and hold_uuid is null and can_hold and not is_fancy and treatment is null
        and feed_gone is not true and overrides is null and cert_num is not null
        and not exists (select from offer where offer.gem_id = gem.id)
      order by id desc limit ${STONES.length}) stones
    union all select 'melee', sku from (
      select sku from gem where product_type = 'melee' and state = 'available' and quantity > 100
      order by id limit 1) parcel
    union all select 'picture', sku from (
      select sku from gem where product_type = 'diamond' and image_top_url is not null
      order by id limit 1) pictured
    union all select 'turning', sku from (
      select sku from gem where product_type = 'diamond' and v360_json_base_url is not null
      order by id limit 1) turning
    union all select 'change', greatest(0, last - 5)::text from change_clock
    union all
    select 'now', to_char(market_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
}

/** Rows of the merchant that examples read, change and delete. */
function settingValues(merchant: string): RawBuilder<Found> {
  const READ_AND_WRITTEN = ['get', 'patch', 'delete']
  const tables = [
    ['margin', sql`profit_margin`, READ_AND_WRITTEN],
    ['address', sql`merchant_address`, READ_AND_WRITTEN],
    ['template', sql`merchant_template`, READ_AND_WRITTEN],
    ['search', sql`saved_search`, READ_AND_WRITTEN],
    ['share', sql`(select * from share where revoked_on is null)`, ['delete']],
    ['user', sql`(select * from app_user where role <> 'owner')`, ['patch', 'delete']],
    [
      'token',
      sql`(select * from token
        where made_by is not null and not is_session and revoked_on is null)`,
      ['delete', 'rotate'],
    ],
    [
      'quote',
      sql`(select * from quote where status = 'open' and expires_on > market_now())`,
      ['get', 'delete'],
    ],
    ['return', sql`order_return`, ['get']],
    ['webhook', sql`webhook_endpoint`, ['get', 'delete']],
    [
      'session',
      sql`(select * from token
        where is_session and revoked_on is null and expires_on > market_now())`,
      ['get', 'delete'],
    ],
    ['order', sql`orders`, ['get']],
  ] as const
  return sql.join(
    tables.map(
      ([kind, table, uses]) => sql`
        select ${named(kind, uses)} as name, value from (
          select t.uuid::text as value, row_number() over (order by t.uuid) as n
          from ${table} as t where t.merchant_uuid = ${merchant}) numbered
        where n <= ${uses.length}`,
    ),
    sql` union all `,
  ) as RawBuilder<Found>
}

/** Orders of the merchant in the state that an example needs, and what belongs to them. */
function orderValues(merchant: string): RawBuilder<Found> {
  return sql`
    with own as (select * from orders where merchant_uuid = ${merchant}), returnable as (
      select line.order_uuid, line.uuid as line_uuid
      from order_line as line join own on own.uuid = line.order_uuid
      join fulfillment on fulfillment.order_uuid = own.uuid
      where order_type = 'invoice' and fulfilled_quantity = 1 and returned_quantity = 0
        and (product->>'returnable')::boolean
        and fulfillment.created_on + (product->>'days_to_return')::int * interval '1 day'
          > market_now() + interval '1 day'
        and not exists (select from order_return_line as other where other.line_uuid = line.uuid)
      order by own.ordered_on desc limit 1
    ), invoiced as (
      select document.order_uuid, number from document join own on own.uuid = order_uuid
      where kind = 'invoice' order by document.created_on desc limit 1
    )
    select 'return.make' as name, order_uuid::text as value from returnable
    union all select 'return.line', line_uuid::text from returnable
    union all select 'invoice.order', order_uuid::text from invoiced
    union all select 'invoice.number', number from invoiced
    union all select 'return.order', order_uuid::text from (select order_uuid from order_return
      where merchant_uuid = ${merchant} order by created_on, uuid limit 1) returned
    union all select 'order.id', order_id from (
      select order_id from own order by ordered_on desc limit 1) latest
    union all select ${named('hold', ['delete', 'operator'])}, value from (
      select case n when 1 then hold_uuid::text else sku end as value, n from (
        select hold_uuid, sku, row_number() over (order by id) as n from gem
        where hold_merchant_uuid = ${merchant} and hold_expires_on > market_now()) numbered
    ) held where n <= 2`
}

/** What the examples of the operator, the supplier and webhooks need besides. */
function sideValues(merchant: string): RawBuilder<Found> {
  return sql`
    select 'supplier' as name, uuid::text as value from supplier where confirms and ships
    union all select 'address.other', min(address.uuid::text) from merchant_address as address
      join merchant on merchant.uuid = merchant_uuid
      where email = 'einkauf@elbkontor.example' and not deleted
    union all select ${named('user.operator', ['patch', 'delete'])}, value from (
      select uuid::text as value, row_number() over (order by uuid) as n from app_user
      where merchant_uuid is null and supplier_uuid is null and role <> 'admin') people
    where n <= 2
    union all select ${named('user.supplier', ['patch', 'delete'])}, value from (
      select app_user.uuid::text as value, row_number() over (order by app_user.uuid) as n
      from app_user join supplier on supplier.uuid = supplier_uuid and confirms and ships
      where role <> 'owner') people
    where n <= 2
    union all select ${named('watched', ['get', 'delete'])}, value from (
      select sku as value, row_number() over (order by sku) as n from watched_stone
      where merchant_uuid = ${merchant}) watched
    where n <= 2
    union all select 'delivery', uuid::text from (
      select delivery.uuid from webhook_delivery as delivery join (
        select uuid from webhook_endpoint where merchant_uuid = ${merchant} order by uuid limit 1
      ) as endpoint on endpoint.uuid = endpoint_uuid
      order by delivery.sequence, delivery.uuid limit 1) delivered`
}
