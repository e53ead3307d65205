import { markupFactor, type Supplier } from '../../gems/supplier.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { readMeasurements } from '../values/measurements.ts'
import { type NumberStyle, readNumber, readPositive } from '../values/numbers.ts'
import { learnShapeCodes, type ShapeCodes } from '../values/shape.ts'

/** How this file writes discounts. */
interface DiscountStyle {
  /** 100 where -0.30 means 30 % below the list, 1 where -30 does. */
  factor: number
  /** -1 where discounts are written without their minus sign. */
  sign: 1 | -1
}

/** Everything besides the row itself that decides what stone a row describes. */
export interface DraftSettings {
  mapping: FeedMapping
  shapeCodes: ShapeCodes
  discount: DiscountStyle
  supplier: Supplier
  currency: string
  /** Units of a currency for one US dollar, as exact digits. */
  rates: ReadonlyMap<string, string>
  markup: number
  markupUs: number
}

export function draftSettings(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  supplier: Supplier,
  currency: string,
  rates: ReadonlyMap<string, string>,
): DraftSettings {
  return {
    mapping,
    shapeCodes: learnShapeCodes(shapesAndRatios(mapping, sample)),
    discount: learnDiscount(mapping, sample),
    supplier,
    currency,
    rates,
    markup: markupFactor(supplier.markup),
    markupUs: markupFactor(supplier.markup_us),
  }
}

/** Raise it with every change of meaning, so that unchanged rows are drafted again. */
const DRAFTING_VERSION = 2

/**
 * Returns a text of all settings that affect drafting. It is part of every row's digest, so that a
 * new markup or exchange rate makes every row count as changed.
 */
export function settingsKey(settings: DraftSettings): string {
  const { supplier, mapping } = settings
  return JSON.stringify([
    DRAFTING_VERSION,
    mapping.columns.map(({ column, field }) => [column, field]),
    mapping.style,
    settings.shapeCodes,
    settings.discount,
    settings.currency,
    settings.rates.get(settings.currency),
    mapping.at.currency_code === undefined ? null : [...settings.rates],
    settings.markup,
    settings.markupUs,
    supplier.country_code,
    supplier.si3,
    supplier.memo,
    supplier.returnable,
    supplier.days_to_return,
    supplier.memo_days_to_return,
    supplier.internal_days_to_return,
    supplier.delivery_days_min,
    supplier.delivery_days_max,
  ])
}

function shapesAndRatios({ at, style }: FeedMapping, sample: readonly RawRow[]) {
  const shapeAt = at.shape
  if (shapeAt === undefined) return []
  return sample.map(({ cells }) => ({
    shape: cells[shapeAt] ?? '',
    ratio: ratioOf(at, cells, style),
  }))
}

function ratioOf(at: FeedMapping['at'], cells: string[], style: NumberStyle): number | undefined {
  const sides =
    at.length !== undefined && at.width !== undefined
      ? [readPositive(cells[at.length] ?? '', style), readPositive(cells[at.width] ?? '', style)]
      : []
  const [a, b] = sides
  if (a !== undefined && b !== undefined) return Math.max(a, b) / Math.min(a, b)
  const written = at.measurements === undefined ? '' : (cells[at.measurements] ?? '')
  const read = readMeasurements(written, style)
  return read?.length && read.width ? read.length / read.width : undefined
}

/** In a column of fractions instead of percentages, most values stay below this. */
const SHARE_MAX = 1.5

function learnDiscount({ at, style }: FeedMapping, sample: readonly RawRow[]): DiscountStyle {
  const index = at.discount_percentage
  if (index === undefined) return { factor: 1, sign: 1 }
  const values = sample
    .map(({ cells }) => readNumber(cells[index] ?? '', style))
    .filter((value) => value !== undefined && value !== 0) as number[]
  const small = values.filter((value) => Math.abs(value) <= SHARE_MAX).length
  const positive = values.filter((value) => value > 0).length
  return {
    factor: values.length > 0 && small > values.length * 0.9 ? 100 : 1,
    // Prices above the list are rare, so a column of positive numbers only means discounts.
    sign: values.length > 0 && positive > values.length * 0.9 ? -1 : 1,
  }
}
