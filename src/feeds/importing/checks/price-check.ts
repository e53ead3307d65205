import { sql } from 'kysely'
import type { Db } from '../../../database/open.ts'
import { CLARITIES, COLORS } from '../../../reference/attributes.ts'
import type { PriceSource } from '../../drafting/draft-price.ts'
import type { GemDraft } from '../../drafting/gem-draft.ts'
import { MINED_PER_CARAT_USD, scaleOf } from '../../values/price-scale.ts'
import type { RejectionLog } from '../rejection-log.ts'

/**
 * Finds prices that differ more than tenfold from those of similar stones. Stones are made
 * comparable by a scale of our own: the price per carat divided by the scale's price for weight,
 * color and clarity is about the same for all stones of a kind, and its median is the kind's level.
 */
export interface PriceCheck {
  /** Adds a stone to its kind; returns the three cells that are staged with it. */
  add(stone: PricedStone): string
  /** Whether the stone added last may turn out to be too far from its kind. */
  isDoubtful(): boolean
  levels(): PriceLevel[]
}

type PricedStone = Pick<
  GemDraft,
  'product_type' | 'type' | 'treatment' | 'weight' | 'is_fancy' | 'color' | 'clarity' | 'cost'
>

export interface PriceLevel {
  kind: string
  level: number
  per_carat: number
  stones: number
  /** The level of stones whose grades and weight the scale fits best, and their number. */
  ordinary: {
    level: number
    stones: number
    /** How many of them are priced like lab grown ones; unknown in readings of older versions. */
    cheap?: number
  }
}

/** Fewer stones than this are not compared. */
const STONES_MIN = 6
/** A feed with fewer stones of a kind is compared with the market, if that has enough. */
const OWN_LEVEL_MIN = 50
const SAMPLE_MAX = 20_000
const MARKET_SAMPLE = 2_000
const TENFOLD = Math.log(10)
/** Hues differ more than white grades: a red diamond is worth a hundred brown ones. */
const FANCY_FOLD = Math.log(300)
/** The scale may not suit a supplier, so the plain price per carat must differ as well. */
const BARE_FOLD = Math.log(3)

/** Hardly any ordinary mined stone costs less than a sixth of what the scale says. */
const CHEAP_LEVEL = Math.log(MINED_PER_CARAT_USD / 6)

interface Sample {
  level: number[]
  per_carat: number[]
  ordinary: number[]
  seen: number
  /** The sum of all levels, for the mean of those seen so far. */
  sum: number
}

export function createPriceCheck(): PriceCheck {
  const samples = new Map<string, Sample>()
  let isDoubtful = false
  return {
    add(draft) {
      const kind = kindOf(draft)
      const perWeight = draft.product_type === 'melee' ? 1 : draft.weight
      const perCarat = Math.log(Number(draft.cost) / perWeight)
      const level = perCarat - Math.log(scaleOf(draft))
      const sample = samples.get(kind) ?? newSample()
      samples.set(kind, sample)
      isDoubtful = kind !== '' && isFarOff(sample, level, foldOf(kind) / 2)
      sample.seen++
      sample.sum += level
      if (sample.seen <= SAMPLE_MAX) {
        sample.level.push(level)
        sample.per_carat.push(perCarat)
        if (isOrdinary(draft)) sample.ordinary.push(level)
      }
      return `${thousandths(level)}\t${thousandths(perCarat)}\t${kind}`
    },
    isDoubtful: () => isDoubtful,
    levels: () =>
      [...samples].map(([kind, sample]) => ({
        kind,
        level: medianOf(sample.level),
        per_carat: medianOf(sample.per_carat),
        stones: sample.seen,
        ordinary: {
          level: medianOf(sample.ordinary),
          stones: sample.ordinary.length,
          cheap: sample.ordinary.filter((level) => level < CHEAP_LEVEL).length,
        },
      })),
  }
}

function newSample(): Sample {
  return { level: [], per_carat: [], ordinary: [], seen: 0, sum: 0 }
}

/** Of the first stones nothing is known yet, and a small feed is compared with the market. */
function isFarOff({ seen, sum }: Sample, level: number, fold: number): boolean {
  return seen < OWN_LEVEL_MIN || Math.abs(level - sum / seen) > fold
}

function foldOf(kind: string): number {
  return kind.includes('fancy') ? FANCY_FOLD : TENFOLD
}

/** Logarithms are staged as whole thousandths, which are much faster to write than fractions. */
function thousandths(logarithm: number): number {
  return Math.round(logarithm * 1_000)
}

/** Gemstones and treated diamonds are too different from each other to be compared. */
function kindOf(draft: PricedStone): string {
  if (draft.product_type === 'gemstone' || draft.treatment !== null) return ''
  return `${draft.type}|${draft.is_fancy ? 'fancy' : 'white'}|${draft.product_type}`
}

const ORDINARY_COLORS: ReadonlySet<string | null> = new Set(COLORS.slice(0, 8))
const ORDINARY_CLARITIES: ReadonlySet<string | null> = new Set(CLARITIES.slice(1, 8))

/** The scale fits D to K, IF to SI2 and 0.2 to 5 carats best: the bulk of the trade. */
function isOrdinary({ is_fancy, color, clarity, weight }: PricedStone): boolean {
  const isGraded = ORDINARY_COLORS.has(color) && ORDINARY_CLARITIES.has(clarity)
  return !is_fancy && isGraded && weight >= 0.2 && weight <= 5
}

function medianOf(values: number[]): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[sorted.length >> 1] ?? 0
}

/**
 * Takes of each kind the level that more stones decided, of this file and of the supplier's last
 * one: rows that did not change are not priced again, so the same file imported twice would
 * otherwise judge its remaining rows by themselves.
 */
export function largestLevels(own: PriceLevel[], earlier: readonly PriceLevel[]): PriceLevel[] {
  const levels = new Map(earlier.map((level) => [level.kind, level]))
  for (const level of own) {
    const before = levels.get(level.kind)
    if (before === undefined || level.stones >= before.stones) levels.set(level.kind, level)
  }
  return [...levels.values()]
}

interface Quarantined {
  row: number
  vendor_sku: string
  priced_by: PriceSource
  price_text: string
  level: number
  draft: string
  is_dismissed: boolean
}

/** What is compared, and where the rows that are too far off are reported. */
interface PriceJudgement {
  levels: PriceLevel[]
  supplierId: number
  rejections: RejectionLog
  columnOf: (field: PriceSource) => string
}

/**
 * Moves the stones whose price differs too much from the stage into quarantine, except those that
 * the operator has released at this price. Those that were dismissed are only rejected.
 */
export async function quarantinePrices(
  db: Db,
  { levels, supplierId, rejections, columnOf }: PriceJudgement,
): Promise<void> {
  const isDecided = (decision: string) => sql`exists (
    select from quarantine_decision d
    where d.supplier_id = ${supplierId} and d.vendor_sku = s.vendor_sku
      and d.decision = ${decision} and d.price_text = coalesce(s.price_text, '')
      and d.weight = s.weight)`
  const expected = await levelsFor(db, levels)
  for (const { kind, level, per_carat } of expected) {
    const fold = foldOf(kind)
    const { rows } = await sql<Quarantined>`
      delete from feed_stage s where price_kind = ${kind}
        and abs(level - ${thousandths(level)}::int) > ${thousandths(fold)}::int
        and abs(per_carat - ${thousandths(per_carat)}::int) > ${thousandths(BARE_FOLD)}::int
        and not ${isDecided('released')}
      returning "row", vendor_sku, priced_by, coalesce(price_text, '') as price_text,
        level, to_jsonb(s)::text as draft, ${isDecided('dismissed')} as is_dismissed`.execute(db)
    for (const { row, vendor_sku, priced_by, price_text: value, ...found } of rows) {
      const distance = found.level / 1_000 - level
      const times = Math.round(Math.exp(Math.abs(distance)))
      const comparison = `${times} times ${distance > 0 ? 'higher' : 'lower'}`
      const doubt = `The price is about ${comparison} than for similar stones`
      const reason = found.is_dismissed ? `${doubt}, and the row was dismissed` : doubt
      const more = found.is_dismissed ? {} : { draft: found.draft }
      rejections.add({ row, column: columnOf(priced_by), value, reason }, vendor_sku, more)
    }
  }
}

/** A large feed is compared with itself, a small one with the stones on sale. */
async function levelsFor(db: Db, levels: PriceLevel[]): Promise<PriceLevel[]> {
  const expected: PriceLevel[] = []
  for (const own of levels) {
    if (own.kind === '') continue
    const market = own.stones < OWN_LEVEL_MIN ? await marketLevel(db, own.kind) : undefined
    if (market && market.stones >= OWN_LEVEL_MIN) expected.push(market)
    else if (own.stones >= STONES_MIN) expected.push(own)
  }
  return expected
}

/** The level of the stones on sale, without those of one supplier if it is given. */
export async function marketLevel(
  db: Db,
  kind: string,
  exceptSupplierId = 0,
): Promise<PriceLevel | undefined> {
  const [type, hue, productType] = kind.split('|')
  // Without other suppliers, PostgreSQL need not look at all stones of this one to find none.
  const { rows } = await sql<PricedStone>`
    select product_type, type, treatment, weight::float8 as weight, is_fancy, color, clarity, cost
    from gem where state = 'available' and type = ${type} and product_type = ${productType}
      and treatment is null
      and is_fancy = ${hue === 'fancy'} and supplier_id <> ${exceptSupplierId}
      and exists (select from supplier where id <> ${exceptSupplierId})
    limit ${MARKET_SAMPLE}`.execute(db)
  const check = createPriceCheck()
  for (const stone of rows) check.add(stone)
  return check.levels()[0]
}
