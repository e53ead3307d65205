import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { CLARITIES, COLORS } from '../../reference/attributes.ts'
import type { PriceSource } from '../drafting/draft-price.ts'
import type { GemDraft } from '../drafting/gem-draft.ts'
import type { RejectionLog } from './rejection-log.ts'

/**
 * Finds prices that are off by more than tenfold against like stones. Stones are made alike by a
 * scale of our own: the price of a carat over the scale's price for the weight, colour and clarity
 * is about the same for all stones of a kind, and its median is the kind's level.
 */
export interface PriceCheck {
  /** Notes the stone's place on the scale; answers the three cells that are staged with it. */
  weigh(draft: GemDraft): string
  levels(): PriceLevel[]
}

export interface PriceLevel {
  kind: string
  level: number
  per_carat: number
  stones: number
}

/** Fewer stones are no measure; a feed with fewer is measured by the levels of earlier feeds. */
const STONES_MIN = 6
const STONES_REMEMBERED_MIN = 50
const SAMPLE_MAX = 20_000
const TENFOLD = Math.log(10)
/** Hues differ more than white grades do: a red diamond is worth a hundred brown ones. */
const FANCY_FOLD = Math.log(300)
/** Besides the scale, which may not suit a supplier, the bare price of a carat must stand out. */
const BARE_FOLD = Math.log(3)

interface Sample {
  level: number[]
  per_carat: number[]
  seen: number
}

export function createPriceCheck(): PriceCheck {
  const samples = new Map<string, Sample>()
  return {
    weigh(draft) {
      const kind = kindOf(draft)
      const perWeight = draft.product_type === 'melee' ? 1 : draft.weight
      const perCarat = Math.log(Number(draft.cost) / perWeight)
      const level = perCarat - Math.log(scaleOf(draft))
      const sample = samples.get(kind) ?? { level: [], per_carat: [], seen: 0 }
      samples.set(kind, sample)
      sample.seen++
      if (sample.seen <= SAMPLE_MAX) {
        sample.level.push(level)
        sample.per_carat.push(perCarat)
      }
      return `${thousandths(level)}\t${thousandths(perCarat)}\t${kind}`
    },
    levels: () =>
      [...samples].map(([kind, sample]) => ({
        kind,
        level: medianOf(sample.level),
        per_carat: medianOf(sample.per_carat),
        stones: sample.seen,
      })),
  }
}

/** Logarithms are staged as whole thousandths, which are written much faster than fractions. */
function thousandths(logarithm: number): number {
  return Math.round(logarithm * 1_000)
}

/** Coloured gemstones are each their own kind and are not compared. */
function kindOf(draft: GemDraft): string {
  if (draft.product_type === 'gemstone') return ''
  return `${draft.type} ${draft.is_fancy ? 'fancy' : 'white'} ${draft.product_type}`
}

/** Roughly how dear a carat is beside one of a G VS2 of one carat. */
function scaleOf({ type, weight, is_fancy, color, clarity }: GemDraft): number {
  const byWeight = type === 'mined' ? weight : weight ** 0.3
  const colorRank = is_fancy ? 3 : (COLORS as readonly string[]).indexOf(color ?? '')
  const clarityRank = (CLARITIES as readonly string[]).indexOf(clarity ?? 'VS2')
  return byWeight * 0.87 ** (colorRank - 3) * 0.82 ** (clarityRank - 5)
}

function medianOf(values: number[]): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[sorted.length >> 1] ?? 0
}

interface Quarantined {
  row: number
  vendor_sku: string
  priced_by: PriceSource
  price_text: string
  level: number
}

/** Takes the stones whose price is off out of the stage, into quarantine. */
export async function quarantinePrices(
  db: Db,
  levels: PriceLevel[],
  rejections: RejectionLog,
  columnOf: (field: PriceSource) => string,
): Promise<void> {
  const measures = await measuresFor(db, levels)
  for (const { kind, level, per_carat } of measures) {
    const fold = kind.includes('fancy') ? FANCY_FOLD : TENFOLD
    const { rows } = await sql<Quarantined>`
      delete from feed_stage where price_kind = ${kind}
        and abs(level - ${thousandths(level)}::int) > ${thousandths(fold)}::int
        and abs(per_carat - ${thousandths(per_carat)}::int) > ${thousandths(BARE_FOLD)}::int
      returning "row", vendor_sku, priced_by, coalesce(price_text, '') as price_text,
        level`.execute(db)
    for (const { row, vendor_sku, priced_by, price_text: value, level: own } of rows) {
      const distance = own / 1_000 - level
      const times = Math.round(Math.exp(Math.abs(distance)))
      const reason = `is about ${times} times ${distance > 0 ? 'above' : 'below'} like stones`
      rejections.add({ row, column: columnOf(priced_by), value, reason }, vendor_sku, true)
    }
  }
}

async function measuresFor(db: Db, levels: PriceLevel[]): Promise<PriceLevel[]> {
  const remembered = await sql<PriceLevel>`select * from price_level`.execute(db)
  return levels.flatMap((own) => {
    if (own.kind === '') return []
    const known = remembered.rows.find(({ kind }) => kind === own.kind)
    if (own.stones >= STONES_MIN) return [own]
    return known ? [known] : []
  })
}

/** Keeps the levels of a large feed as a measure for small ones. */
export async function rememberLevels(db: Db, levels: PriceLevel[]): Promise<void> {
  for (const { kind, level, per_carat, stones } of levels) {
    if (kind === '' || stones < STONES_REMEMBERED_MIN) continue
    await sql`
      insert into price_level (kind, level, per_carat, stones)
      values (${kind}, ${level}, ${per_carat}, ${stones})
      on conflict (kind) do update set level = excluded.level, per_carat = excluded.per_carat,
        stones = excluded.stones`.execute(db)
  }
}
