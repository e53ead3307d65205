import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { GemState } from '../database/tables/gems.ts'
import type { OrderType } from '../database/tables/orders.ts'
import type { StoneChange } from '../events/change-log.ts'
import { changeKindOf } from '../gems/gem-life.ts'
import type { Gem } from '../gems/gem-rendering.ts'
import { meleeUnitPrice } from '../pricing/prices.ts'
import type { Buyer } from './buyer.ts'
import { baseCentsOf, copyGem, scaledWeightOf } from './gem-copy.ts'
import type { GivingBack, Product, Taking } from './product.ts'
import type { StockKind } from './stock.ts'

/**
 * Diamonds, gemstones and melee parcels. A single stone moves along its life (see
 * gems/gem-life.ts); of a parcel only the quantity falls and rises.
 */
export const gemStock: StockKind = {
  find: findGems,
  take: takeGems,
  giveBack: giveBackGems,
  sell: sellGems,
}

async function findGems(
  tx: Tx,
  skus: readonly string[],
  buyer: Buyer,
  lock: boolean,
): Promise<Product[]> {
  const query = tx
    .selectFrom('gem')
    .selectAll()
    // At the order's own moment: it never says that it came before a hold's end, and yet got through.
    .select(sql<boolean>`hold_expires_on > ${buyer.now}::timestamptz`.as('held'))
    .where('sku', '=', (eb) => eb.fn.any(eb.val([...skus])))
    .orderBy('sku')
  const gems = await (lock ? query.forUpdate() : query).execute()
  return gems.map(({ held, ...gem }) => productFrom(gem, held, buyer))
}

function productFrom(gem: Gem, held: boolean, buyer: Buyer): Product {
  const rules = gem.product_type === 'gemstone' ? buyer.gemstoneRules : buyer.diamondRules
  const isMelee = gem.product_type === 'melee'
  const baseCents = baseCentsOf(gem, rules)
  return {
    kind: 'gem',
    stock_id: String(gem.id),
    sku: gem.sku,
    product_id: String(gem.id),
    product_type: 'gem',
    name: `Gem ${gem.sku}`,
    description: describe(gem),
    vendor: null,
    single: !isMelee,
    state: gem.state,
    // Dropped by its feed while it was held: the end of the hold has not been noted yet.
    quantity: gem.feed_gone && !held ? 0 : gem.quantity,
    held_by: held ? gem.hold_merchant_uuid : null,
    memo: gem.memo,
    memo_days_to_return: gem.memo_days_to_return,
    unit_price: isMelee ? meleeUnitPrice(scaledWeightOf(gem), baseCents) : baseCents * 100,
    supplier_cost: gem.cost,
    fields: copyGem(gem, rules, buyer.publicUrl),
    words: [gem.sku, gem.cert_num ?? '', weightWord(gem.weight)],
    vendor_codes: [gem.vendor_sku],
  }
}

/** `1.52 ct round brilliant cut, lab grown, F VS1, GIA 2201234567` */
function describe(gem: Gem): string {
  const cut = `${gem.shape} ${gem.cut_code}`.replaceAll('_', ' ')
  const color = gem.color_max === null ? gem.color : `${gem.color_max}-${gem.color}`
  const clarity = gem.clarity_max === null ? gem.clarity : `${gem.clarity_max}-${gem.clarity}`
  const grade = [gem.species, color, clarity].filter((word) => word !== null).join(' ')
  const certificate = [gem.lab ?? gem.lab_original, gem.cert_num]
    .filter((word) => word !== null)
    .join(' ')
  return [`${Number(gem.weight)} ct ${cut}`, gem.type, grade, gem.cert_num ? certificate : '']
    .filter((part) => part !== '')
    .join(', ')
}

/** With two decimals at least: then `1.5`, `1.50` and `1` all find 1.5 ct. */
function weightWord(weight: string): string {
  const [whole, fraction = ''] = weight.split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

/**
 * One guarded statement for all lines. Clearing the hold consumes the buyer's own lease, or what
 * an expired one left behind.
 */
async function takeGems(
  tx: Tx,
  takings: readonly Taking[],
  orderType: OrderType,
): Promise<StoneChange[]> {
  const state: GemState = orderType === 'memo' ? 'memo' : 'sold'
  const rows = takings.map(({ product, taken_quantity }) => ({
    id: Number(product.stock_id),
    quantity: taken_quantity,
    from: product.state,
    to: product.single ? state : product.state,
  }))
  const moved = await sql<{ id: number }>`
    update gem set
      quantity = case when taken.goes_to = taken.came_from then gem.quantity - taken.quantity
        else 0 end,
      state = taken.goes_to,
      mover = case when taken.goes_to <> taken.came_from then 'order' end,
      hold_uuid = case when taken.goes_to = taken.came_from then hold_uuid end,
      hold_merchant_uuid = case when taken.goes_to = taken.came_from then hold_merchant_uuid end,
      hold_created_on = case when taken.goes_to = taken.came_from then hold_created_on end,
      hold_expires_on = case when taken.goes_to = taken.came_from then hold_expires_on end,
      updated_on = now()
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ quantity }) => quantity)}::int[],
      ${rows.map(({ from }) => from)}::text[], ${rows.map(({ to }) => to)}::text[])
      as taken (id, quantity, came_from, goes_to)
    where gem.id = taken.id and gem.state = taken.came_from and gem.quantity >= taken.quantity
    returning gem.id`.execute(tx)
  expectAll(moved.rows.length, rows.length, 'taken out of stock')
  return takings.flatMap(({ product, taken_quantity }) =>
    product.single
      ? change(Number(product.stock_id), product.sku, changeKindOf(product.state, state))
      : taken_quantity > 0
        ? change(Number(product.stock_id), product.sku, 'details')
        : [],
  )
}

/**
 * Back to where the order found it: on sale, or gone when it was a backorder. A stone that its
 * feed dropped meanwhile is gone too.
 */
async function giveBackGems(tx: Tx, returns: readonly GivingBack[]): Promise<StoneChange[]> {
  const { rows } = await sql<ReturnedGem>`
    with locked as (
      select gem.id, gem.state, given.quantity, gem.feed_gone,
        case when gem.feed_gone then 'gone' else given.state end as goes_to,
        given.state = 'gone' as was_gone
      from gem
      join unnest(${returns.map(({ stock_id }) => Number(stock_id))}::bigint[],
        ${returns.map(({ quantity }) => quantity)}::int[],
        ${returns.map(({ taken_from }) => taken_from)}::text[])
        as given (id, quantity, state) on given.id = gem.id
      order by gem.sku for update of gem
    )
    update gem set
      quantity = case when product_type = 'melee' then gem.quantity + locked.quantity
        when locked.feed_gone then 0 else locked.quantity end,
      feed_gone = locked.feed_gone and not locked.was_gone,
      state = case when product_type = 'melee' then gem.state else locked.goes_to end,
      mover = case when product_type = 'melee' then null else 'order' end,
      updated_on = now()
    from locked
    where gem.id = locked.id and (product_type = 'melee' or gem.state in ('sold', 'memo'))
    returning gem.id, gem.sku, gem.product_type, locked.quantity,
      locked.state as came_from, gem.state as goes_to`.execute(tx)
  expectAll(rows.length, returns.length, 'given back')
  return rows.flatMap((gem) =>
    gem.product_type === 'melee'
      ? gem.quantity > 0
        ? change(gem.id, gem.sku, 'details')
        : []
      : change(gem.id, gem.sku, changeKindOf(gem.came_from, gem.goes_to)),
  )
}

interface ReturnedGem {
  id: number
  sku: string
  product_type: string
  quantity: number
  came_from: GemState
  goes_to: GemState
}

async function sellGems(tx: Tx, stockIds: readonly string[]): Promise<StoneChange[]> {
  const { rows } = await sql<{ id: number; sku: string }>`
    with locked as (
      select id from gem where id = any(${stockIds.map(Number)}::bigint[]) and state = 'memo'
        and product_type <> 'melee'
      order by sku for update
    )
    update gem set state = 'sold', mover = 'order', updated_on = now()
    from locked where gem.id = locked.id
    returning gem.id, gem.sku`.execute(tx)
  return rows.flatMap(({ id, sku }) => change(id, sku, changeKindOf('memo', 'sold')))
}

function change(gem_id: number, sku: string, kind: ReturnType<typeof changeKindOf>): StoneChange[] {
  return kind === null || kind === 'prices' ? [] : [{ gem_id, sku, kind }]
}

/** The rows were locked and checked before: a missing one is a mistake of ours. */
function expectAll(found: number, expected: number, what: string): void {
  if (found !== expected) throw new Error(`${found} of ${expected} gems were ${what}`)
}
