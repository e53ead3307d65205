import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import { centsFrom, scaledFrom } from '../lib/money.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { GemType } from '../reference/attributes.ts'
import { BASE_CURRENCY } from './exchange-rates.ts'
import { type MarginProduct, planTiers } from './margin.ts'
import { listMargins, type TierTable } from './margin-store.ts'
import { listColumn, priceListOf } from './price-list.ts'
import { type MarginTier, type PriceRules, priceRulesFrom, WEIGHT_DECIMALS } from './price-rules.ts'
import { priceStone } from './prices.ts'

/** What a draft of margins would do to the retail prices of the stones on sale. */
interface MarginPreview {
  stones: number
  share_up: number
  share_down: number
  share_same: number
  median_change_percent: number | null
}

/** Enough for shares that are exact to half a percent; a larger market is sampled. */
const STONES_MAX = 50_000
/** Other callers have their turn after this many. */
const STONES_AT_A_TIME = 5_000

/** Computes what the draft would change, and saves nothing. */
export async function previewMargins(
  db: Db,
  merchant: Merchant,
  table: TierTable,
): Promise<MarginPreview> {
  planTiers(table.tiers, table.mode)
  const own = await listMargins(db, merchant.uuid, [table.product_type])
  const now = rulesOf(merchant, table.product_type, own)
  const drafted = { ...merchant, margin_mode: table.mode }
  const then = rulesOf(drafted, table.product_type, draftTiers(table))
  const stones = await sampleStones(db, merchant, table.product_type)
  const changes = new Float64Array(stones.length)
  for (const [position, stone] of stones.entries()) {
    changes[position] = changeOf(stone, now, then)
    if (position % STONES_AT_A_TIME === STONES_AT_A_TIME - 1) await nextTurn()
  }
  return summaryOf(changes)
}

function rulesOf(
  merchant: Merchant,
  product: MarginProduct,
  ownTiers: readonly MarginTier[],
): PriceRules {
  const rate = { currency_code: BASE_CURRENCY, exchange_rate: '1' }
  return priceRulesFrom({ merchant, product, ownTiers, ...rate })
}

function draftTiers({ mode, tiers }: TierTable): MarginTier[] {
  return tiers.map(({ min, mined_percent, lab_percent }) => ({
    weight_or_price: mode,
    weight_min: mode === 'weight' ? min : 0,
    price_min: mode === 'price' ? min : 0,
    mined_percent,
    lab_percent,
  }))
}

interface Stone {
  type: GemType
  weight: string
  price: string
}

/** By what share the draft changes the retail price. */
function changeOf({ type, weight, price }: Stone, now: PriceRules, then: PriceRules): number {
  const weightScaled = Number(scaledFrom(weight, WEIGHT_DECIMALS))
  const cents = centsFrom(price)
  const before = priceStone(now, type, weightScaled, cents).base_retail_price
  return priceStone(then, type, weightScaled, cents).base_retail_price / before - 1
}

function summaryOf(changes: Float64Array): MarginPreview {
  const stones = changes.length
  const share = (count: number) => (stones === 0 ? 0 : rounded(count / stones, 4))
  const up = changes.filter((change) => change > 0).length
  const down = changes.filter((change) => change < 0).length
  const sorted = changes.toSorted()
  const middle = stones / 2
  const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2
  return {
    stones,
    share_up: share(up),
    share_down: share(down),
    share_same: share(stones - up - down),
    median_change_percent: stones === 0 ? null : rounded(median * 100, 2),
  }
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0
}

/**
 * The stones on sale, of each the leading offer, or a sample of the table's pages when there are
 * too many. The sample is the same in every call, so that two drafts can be compared. Gemstones are
 * few and never sampled.
 */
async function sampleStones(
  db: Db,
  merchant: Merchant,
  productType: MarginProduct,
): Promise<Stone[]> {
  const list = priceListOf(merchant)
  const price = sql.ref(listColumn('wholesale_price', list))
  const leads = sql.ref(`offer.${listColumn('leads', list)}`)
  const percent = productType === 'gemstone' ? 100 : await samplePercent(db)
  const { rows } = await sql<Stone>`
    select type, weight, ${price} as price
    from gem ${percent === 100 ? sql`` : sql`tablesample system (${percent}) repeatable (1)`}
    left join offer on offer.gem_id = gem.id
    where product_type = ${productType} and state = 'available' and quantity > 0
      and coalesce(${leads}, true)
    limit ${STONES_MAX}`.execute(db)
  return rows
}

async function samplePercent(db: Db): Promise<number> {
  const { rows } = await sql<{ estimate: number }>`
    select reltuples::float8 as estimate from pg_class where oid = 'gem'::regclass`.execute(db)
  return Math.min(100, (STONES_MAX / Math.max(1, rows[0].estimate)) * 100)
}
