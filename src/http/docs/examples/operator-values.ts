import { type RawBuilder, sql } from 'kysely'

/** A thing of the demo market, or none of that name. */
export interface Found {
  name: string
  value: string | null
}

/** The name of row `n`: `order.get`, `order.patch` and so on. */
export function named(kind: string, uses: readonly string[]): RawBuilder<string> {
  return sql`(${uses.map((use) => `${kind}.${use}`)}::text[])[n::int]`
}

/** The orders of the demo are among the newest; a market with more has other things to show. */
const ORDERS_READ_MAX = 200

/**
 * Orders in the state that a step needs, each for one step: what is open, what waits for its
 * supplier, what is unpaid, and what is out on memo. Those that a merchant's own examples take are
 * the first of its own.
 */
export function operatorOrderValues(merchant: string): RawBuilder<Found> {
  const OPEN = ['operator.fulfill', 'operator.cancel', 'operator.charge', 'operator.invoice']
  const WAITING = [
    'supplier.fulfill',
    'supplier.confirm',
    'supplier.decline',
    'operator.confirm',
    'operator.decline',
  ]
  const UNPAID = ['operator.pay', 'operator.payment']
  const MEMOS = ['operator.return', 'operator.convert', 'operator.extend']
  return sql`
    with recent as (
      select uuid, order_type, order_status, fulfillment_status, merchant_uuid, invoiced_on,
        ordered_on, merchant_uuid = ${merchant} as is_own
      from orders order by ordered_on desc limit ${ORDERS_READ_MAX}
    ), open as (
      select uuid, is_own,
        row_number() over (partition by is_own order by ordered_on desc) as n
      from recent where order_type = 'invoice' and invoiced_on is null
        and fulfillment_status is null and order_status is null
        and not exists (select from order_line where order_uuid = recent.uuid
          and (confirmed_by is distinct from 'placement' or cancelled_quantity > 0))
    ), waiting as (
      select recent.uuid, is_own, row_number() over (
        partition by is_own order by bool_or(confirmed_by is not null), ordered_on desc) as n
      from recent join order_line on order_uuid = recent.uuid
      join supplier on supplier.id = supplier_id and confirms and ships
      where open_quantity > 0 group by recent.uuid, is_own, ordered_on
      having bool_or(confirmed_by is null)
    ), unpaid as (
      select recent.uuid, is_own,
        row_number() over (partition by is_own order by ordered_on desc) as n
      from recent join ledger_entry on order_uuid = recent.uuid
      where invoiced_on is not null group by recent.uuid, is_own, ordered_on
      having sum(amount) > 500
    ), memos as (
      select uuid, row_number() over (order by ordered_on desc) as n from recent
      where order_type = 'memo' and fulfillment_status = 'fulfilled' and order_status is null
    ), free_open as (
      select uuid, row_number() over (order by is_own desc, n) as n from open
      where not is_own or n > 2
    ), free_waiting as (
      select uuid, row_number() over (order by is_own, n) as n from waiting
      where not is_own or n > 1
    ), free_unpaid as (
      select uuid, row_number() over (order by n) as n from unpaid where not is_own or n > 1
    )
    select ${named('order', ['cancel', 'sandbox.fulfill'])} as name, uuid::text as value
      from open where is_own and n <= 2
    union all select 'order.sandbox.decline', uuid::text from waiting where is_own and n = 1
    union all select 'order.sandbox.pay', uuid::text from unpaid where is_own and n = 1
    union all select ${named('order', OPEN)}, uuid::text from free_open where n <= ${OPEN.length}
    union all select ${named('order', WAITING)}, uuid::text from free_waiting
      where n <= ${WAITING.length}
    union all select ${named('order', UNPAID)}, uuid::text from free_unpaid
      where n <= ${UNPAID.length}
    union all select ${named('order', MEMOS)}, uuid::text from memos where n <= ${MEMOS.length}`
}

/** The first rows of a query, one for each use. */
function numbered(kind: string, uses: readonly string[], from: RawBuilder<unknown>) {
  return sql`
    select ${named(kind, uses)} as name, value from (
      select uuid::text as value, row_number() over () as n from (${from}) rows) numbered
    where n <= ${uses.length}`
}

/** Offers and returns that wait, keys, files, mails, and stones that need a decision. */
export function operatorStockValues(): RawBuilder<Found> {
  const requested = sql`select uuid from quote
    where status = 'requested' and expires_on > market_now()`
  const ownImports = sql`select import.uuid from import join supplier on supplier.id = supplier_id
    where import.status = 'done' and rejected = 0`
  return sql.join(
    [
      numbered('offer', ['accept', 'decline', 'counter'], sql`${requested} order by uuid`),
      sql`select 'offer.sku', min(sku) from quote_line
        where quote_uuid = (${requested} order by uuid offset 2 limit 1)`,
      numbered(
        'return',
        ['approve', 'reject'],
        sql`select uuid from order_return where status = 'requested' order by uuid`,
      ),
      numbered(
        'return',
        ['receive'],
        sql`select uuid from order_return where status = 'approved' order by uuid`,
      ),
      numbered(
        'token.operator',
        ['delete', 'rotate'],
        sql`select uuid from token where name = 'old key' and revoked_on is null
          and expires_on is null order by uuid`,
      ),
      sql`select 'merchant.other', uuid::text from merchant
        where email = 'einkauf@elbkontor.example' and not deleted`,
      numbered(
        'import',
        ['undo'],
        sql`${ownImports} and not (confirms and ships) order by supplier.name`,
      ),
      numbered(
        'import',
        ['get'],
        sql`select uuid from import where status = 'done' and rejected > 0
          order by started_on, uuid`,
      ),
      numbered('import', ['supplier'], sql`${ownImports} and confirms and ships`),
      numbered(
        'source',
        ['get', 'pause', 'delete'],
        sql`select uuid from feed_source order by created_on, uuid`,
      ),
      numbered(
        'quarantine',
        ['get', 'release', 'dismiss'],
        sql`select uuid from import_rejection where quarantined and vendor_sku not in (
          select vendor_sku from quarantine_decision) order by vendor_sku`,
      ),
      numbered(
        'mail',
        ['get', 'retry'],
        sql`select uuid from mail where state = 'failed'
        order by recipient`,
      ),
      numbered('rule', ['get', 'delete'], sql`select uuid from charge_rule order by created_on`),
      conflictValues(),
      sql`(select 'quarantine.supplier', supplier.name
        from import_rejection join import on import.uuid = import_uuid
        join supplier on supplier.id = import.supplier_id
        where quarantined and vendor_sku not in (select vendor_sku from quarantine_decision)
        order by vendor_sku limit 1)`,
    ],
    sql` union all `,
  ) as RawBuilder<Found>
}

/** A certificate whose offers differ in clarity, and one of the offers. */
function conflictValues(): RawBuilder<unknown> {
  return sql`
    select unnest(array['conflict.lab', 'conflict.cert', 'conflict.sku']),
      unnest(array[split_part(certificate, '/', 2), split_part(certificate, '/', 1), sku])
    from (select offer.certificate, min(gem.sku) as sku
      from offer join gem on gem.id = offer.gem_id
      where offer.certificate not in (select certificate from certificate_decision)
      group by offer.certificate having count(distinct clarity) > 1
      order by offer.certificate limit 1) differing`
}

/** Catalogues and their products. */
export function jewelryValues(merchant: string): RawBuilder<Found> {
  return sql`
    select case when published then 'catalogue.shared' else 'catalogue.set' end as name,
      uuid::text as value
    from catalogue where not published or uuid in (
      select catalogue_uuid from catalogue_merchant where merchant_uuid = ${merchant})
    union all select ${named('product', ['remove', 'add'])}, value from (
      select product_id::text as value, row_number() over (order by published, product_id) as n
      from (
        (select product_id, published from catalogue join catalogue_product
          on catalogue_uuid = uuid where not published order by product_id limit 1)
        union all
        (select product_id, published from catalogue join catalogue_product
          on catalogue_uuid = uuid where published order by product_id limit 1)) either) products
    union all select 'import.jewelry', uuid::text from (
      select uuid from jewelry_import where undone_on is null and failure is null
      order by created_on limit 1) imported`
}
