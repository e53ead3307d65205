import { sql } from 'kysely'
import { isUniqueViolation } from '../../database/errors.ts'
import type { Tx } from '../../database/open.ts'
import type { GemState } from '../../database/tables/gems.ts'
import type { OrderType } from '../../database/tables/orders.ts'
import { executeTogether } from '../../database/transaction.ts'
import type { StoneChange } from '../../events/change-log.ts'
import { COLUMNS_OF_GEM, type Gem } from '../../gems/gem.ts'
import { changeKindOf } from '../../gems/gem-life.ts'
import { NO_TEMPLATE, pricedFrom, renderStone, renderTerms } from '../../gems/gem-rendering.ts'
import { recordExpired } from '../../gems/holds/end-holds.ts'
import { clearLeases, holdOf } from '../../gems/holds/hold-store.ts'
import { type OtherOffers, offersLock, otherOffers } from '../../gems/offer-store.ts'
import { centsFrom, scaledFrom } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { wholesaleFor } from '../../pricing/price-adjustment.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { meleeUnitPrice } from '../../pricing/prices.ts'
import type { Buyer } from '../placing/buyer.ts'
import type { Allocated, Allocation, Product, Restock, StockKind } from '../product.ts'
import { describeGem, weightWord } from './describe-gem.ts'

/**
 * Diamonds, gemstones and melee parcels. A single stone changes its state (see gems/gem-life.ts);
 * of a parcel only the quantity falls and rises.
 */
export const gemStock: StockKind = {
  find: findGems,
  allocate: allocateGems,
  restock: restockGems,
  withdraw: withdrawGems,
  sell: sellGems,
}

async function findGems(
  tx: Tx,
  skus: readonly string[],
  buyer: Buyer,
  lock: boolean,
): Promise<Product[]> {
  // Compared with the order's own time, so that an order never precedes the end of a hold that
  // did not stop it.
  const now = sql`${buyer.now}::timestamptz`
  // The planner does not see how many SKUs the inner select has, and so keeps its plan.
  const read = sql<FoundGem>`
    select ${sql.raw(COLUMNS_OF_GEM)}, coalesce(gem.hold_expires_on > ${now}, false) as is_held,
      (select confirms from supplier where id = gem.supplier_id) as confirms,
      to_jsonb(others) as others
    from gem cross join lateral (${otherOffers(now)}) as others
    where gem.sku = any(array(select unnest(${skus}::text[]))) order by gem.sku`
  const rows = lock
    ? (await executeTogether(tx, [offersLock(skus), read]))[1]
    : (await read.execute(tx)).rows
  return rows.map((row) => productFrom(row, buyer))
}

type FoundGem = Gem & { is_held: boolean; confirms: boolean; others: OtherOffers }

function productFrom({ is_held: held, confirms, others, ...gem }: FoundGem, buyer: Buyer): Product {
  const rules = gem.product_type === 'gemstone' ? buyer.gemstoneRules : buyer.diamondRules
  const isMelee = gem.product_type === 'melee'
  const baseCents = wholesaleFor(rules, gem)
  const scaledWeight = Number(scaledFrom(gem.weight, WEIGHT_DECIMALS))
  const unitOf = (cents: number) => (isMelee ? meleeUnitPrice(scaledWeight, cents) : cents * 100)
  return {
    kind: 'gem',
    stock_id: String(gem.id),
    sku: gem.sku,
    product_id: String(gem.id),
    product_type: 'gem',
    name: `Gem ${gem.sku}`,
    description: describeGem(gem),
    vendor: null,
    single: !isMelee,
    state: gem.state,
    // The feed dropped it while it was held, and the expired hold has not been cleared yet.
    quantity: gem.feed_gone && !held ? 0 : gem.quantity,
    held_by: held ? gem.hold_merchant_uuid : others.held_by,
    ended_hold: held ? null : holdOf(gem),
    stone: { certificate: gem.apart ? null : gem.certificate, ...others },
    memo: gem.memo,
    memo_days_to_return: gem.memo_days_to_return,
    unit_price: unitOf(baseCents),
    supplier_id: gem.supplier_id,
    confirms,
    supplier_cost: gem.cost,
    unit_cost: unitOf(centsFrom(gem.cost)),
    fields: copyGem(gem, rules, buyer.publicUrl),
    words: [gem.sku, gem.cert_num ?? '', weightWord(gem.weight), gem.vendor_sku],
  }
}

/**
 * The gem as an order keeps it, at the buyer's prices of this moment: what a search shows, and
 * what an order shows besides. The quantity is what was in stock just before. It is not on hold:
 * the order consumes the buyer's own hold.
 */
function copyGem(gem: Gem, rules: PriceRules, publicUrl: string): Record<string, unknown> {
  const terms = { ...pricedFrom(gem, rules), on_hold: false }
  // Assigning to the new object takes a tenth of the time of several spreads in Node 20.
  return Object.assign(renderStone(gem, publicUrl), renderTerms(terms, rules), NO_TEMPLATE, {
    off_rap_price: gem.list_price === null ? null : Number(gem.list_price),
    created_on: isoWithOffset(gem.created_on),
    updated_on: isoWithOffset(gem.updated_on),
    supplier_id: gem.supplier_id,
    vendor_sku: gem.vendor_sku,
  })
}

/** A parcel is counted; a single stone changes its state. */
const IS_PARCEL = sql`gem.product_type = 'melee'`

/**
 * One guarded update for all lines. It clears the hold of a single stone, which is the buyer's
 * own, or an expired one that was not cleared yet. The buyer's hold on another offer of the stone
 * ends, too.
 */
async function allocateGems(
  tx: Tx,
  allocations: readonly Allocation[],
  orderType: OrderType,
): Promise<Allocated> {
  const state: GemState = orderType === 'memo' ? 'memo' : 'sold'
  const released = await releaseOthers(tx, allocations)
  const ended = allocations.flatMap(({ product }) => product.ended_hold ?? [])
  await recordExpired(tx, ended)
  const statement = sql`
    update gem set
      quantity = case when ${IS_PARCEL} then gem.quantity - allocated.quantity else 0 end,
      state = case when ${IS_PARCEL} then gem.state else ${state} end,
      mover = case when ${IS_PARCEL} then null else 'order' end,
      hold_uuid = case when ${IS_PARCEL} then hold_uuid end,
      hold_merchant_uuid = case when ${IS_PARCEL} then hold_merchant_uuid end,
      hold_created_on = case when ${IS_PARCEL} then hold_created_on end,
      hold_expires_on = case when ${IS_PARCEL} then hold_expires_on end,
      updated_on = market_now()
    from unnest(${allocations.map(({ product }) => Number(product.stock_id))}::bigint[],
      ${allocations.map(({ taken_quantity }) => taken_quantity)}::int[],
      ${allocations.map(({ product }) => product.state)}::text[])
      as allocated (id, quantity, state)
    where gem.id = allocated.id and gem.state = allocated.state
      and gem.quantity >= allocated.quantity
    returning gem.id`
  const taken = allocations.flatMap(({ product, taken_quantity }) =>
    product.single
      ? change(Number(product.stock_id), product.sku, kindOfSale(product.state, state))
      : taken_quantity > 0
        ? change(
            Number(product.stock_id),
            product.sku,
            kindOfParcel(product.quantity, -taken_quantity),
          )
        : [],
  )
  const changes = [...taken, ...released]
  return { changes, update: { statement, rows: allocations.length } }
}

/** Nobody who follows the market has a stone that was gone when the operator ordered it. */
function kindOfSale(from: GemState, to: GemState) {
  return from === 'gone' ? null : changeKindOf(from, to)
}

/** A parcel keeps its state; its last stones are sold and come back. */
function kindOfParcel(quantity: number, added: number) {
  if (quantity === 0) return 'back'
  return quantity + added === 0 ? 'sold' : 'details'
}

async function releaseOthers(tx: Tx, allocations: readonly Allocation[]): Promise<StoneChange[]> {
  const held = allocations.flatMap(({ product }) => product.stone?.held ?? [])
  if (held.length === 0) return []
  const ends = await clearLeases(
    tx,
    held.map(({ id }) => id),
  )
  return held.flatMap(({ id, sku }) => change(id, sku, ends.get(id) ?? null))
}

/** The last defence: all offers of the stone are locked and were looked at before. */
export function refuseSecondSale(error: unknown): never {
  if (!isUniqueViolation(error, 'one_sale_per_stone')) throw error
  throw new Refusal('sku_unavailable', 'A stone was just sold by another offer of it.')
}

/**
 * Puts gems back to where the order found them: on sale, or gone when it was a backorder. A stone
 * that its feed dropped since then is gone, too, and one that the operator disabled is disabled.
 * Units of a parcel whose number its feed gave to a single stone have nowhere to go.
 */
async function restockGems(tx: Tx, returns: readonly Restock[]): Promise<StoneChange[]> {
  const { rows } = await sql<RestockedGem>`
    with locked as (
      select gem.id, gem.state, returned.quantity, gem.feed_gone,
        case when gem.overrides @> '{"enabled": false}' then 'disabled'
          when gem.feed_gone then 'gone' else returned.state end as goes_to,
        returned.state = 'gone' as was_gone
      from gem
      join unnest(${returns.map(({ stock_id }) => Number(stock_id))}::bigint[],
        ${returns.map(({ quantity }) => quantity)}::int[],
        ${returns.map(({ taken_from }) => taken_from)}::text[],
        ${returns.map(({ parcel }) => parcel)}::boolean[])
        as returned (id, quantity, state, parcel)
        on returned.id = gem.id and returned.parcel = (${IS_PARCEL})
      order by gem.sku for update of gem
    )
    update gem set
      quantity = case when ${IS_PARCEL} then gem.quantity + locked.quantity
        when locked.feed_gone then 0 else locked.quantity end,
      feed_gone = locked.feed_gone and not locked.was_gone,
      state = case when ${IS_PARCEL} then gem.state else locked.goes_to end,
      mover = case when ${IS_PARCEL} then null else 'order' end,
      updated_on = market_now()
    from locked
    where gem.id = locked.id and (${IS_PARCEL} or gem.state in ('sold', 'memo'))
    returning gem.id, gem.sku, ${IS_PARCEL} as is_parcel, locked.quantity,
      gem.quantity as quantity_now,
      locked.state as came_from, gem.state as goes_to`.execute(tx)
  const single = returns.filter(({ parcel }) => !parcel)
  const found = rows.filter(({ is_parcel }) => !is_parcel).length
  // They were locked and checked before: a missing one is a bug.
  if (found !== single.length) throw new Error(`${found} of ${single.length} gems were restocked`)
  return rows.flatMap((gem) =>
    gem.is_parcel
      ? gem.quantity > 0
        ? change(gem.id, gem.sku, kindOfParcel(gem.quantity_now - gem.quantity, gem.quantity))
        : []
      : change(gem.id, gem.sku, changeKindOf(gem.came_from, gem.goes_to)),
  )
}

interface RestockedGem {
  id: number
  sku: string
  is_parcel: boolean
  quantity: number
  quantity_now: number
  came_from: GemState
  goes_to: GemState
}

/**
 * The stones are gone. The feed that lists them next brings them back; a file that dropped them
 * before no longer counts.
 */
async function withdrawGems(tx: Tx, stockIds: readonly string[]): Promise<StoneChange[]> {
  const { rows } = await sql<{ id: number; sku: string; came_from: GemState; goes_to: GemState }>`
    with locked as (
      select id, state from gem where id = any(${stockIds.map(Number)}::bigint[])
        and state in ('sold', 'memo')
      order by sku for update
    )
    update gem set quantity = 0, feed_gone = false, mover = 'order', updated_on = market_now(),
      state = case when overrides @> '{"enabled": false}' then 'disabled' else 'gone' end
    from locked where gem.id = locked.id
    returning gem.id, gem.sku, locked.state as came_from, gem.state as goes_to`.execute(tx)
  return rows.flatMap((gem) => change(gem.id, gem.sku, changeKindOf(gem.came_from, gem.goes_to)))
}

async function sellGems(tx: Tx, stockIds: readonly string[]): Promise<StoneChange[]> {
  const { rows } = await sql<{ id: number; sku: string }>`
    with locked as (
      select id from gem where id = any(${stockIds.map(Number)}::bigint[]) and state = 'memo'
      order by sku for update
    )
    update gem set state = 'sold', mover = 'order', updated_on = market_now()
    from locked where gem.id = locked.id
    returning gem.id, gem.sku`.execute(tx)
  return rows.flatMap(({ id, sku }) => change(id, sku, changeKindOf('memo', 'sold')))
}

/** A stone that no follower saw before or sees now is logged, too: it may have other offers. */
function change(gem_id: number, sku: string, kind: ReturnType<typeof changeKindOf>): StoneChange[] {
  return kind === 'prices' ? [] : [{ gem_id, sku, kind }]
}
