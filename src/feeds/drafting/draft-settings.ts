import { markupFactor, type Supplier } from '../../gems/supplier.ts'
import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { type RawRow, textAt } from '../reading/raw-row.ts'
import { currencyOfHeader } from '../values/currency.ts'
import { readCutGrade } from '../values/grades.ts'
import { grownPrefixOf } from '../values/growth.ts'
import { hasDecimalPoints } from '../values/numbers.ts'
import { learnShapeCodes, type ShapeCodes } from '../values/shape-codes.ts'
import { findGemSigns, type GemSigns } from './kind/draft-species.ts'
import { type DiscountStyle, learnDiscount, mayBeShareOfList } from './learn-discount.ts'
import { createShiftCheck, type ShiftCheck } from './shifted-row.ts'

/** Everything besides the row itself that decides what stone a row describes. */
export interface DraftSettings {
  mapping: FeedMapping
  shapeCodes: ShapeCodes
  discount: DiscountStyle
  supplier: Supplier
  /** The currency of prices that name none. */
  currency: string
  /** The currencies that the headers of the price columns name. */
  headerCurrencies: ReadonlyMap<FieldName, string>
  /** Units of a currency for one US dollar, as exact digits. */
  rates: ReadonlyMap<string, string>
  markup: number
  markupUs: number
  /** Finds rows whose values are in the wrong columns. */
  findShift: ShiftCheck
  /** All stock numbers start with the same letters that others mark grown stones by. */
  isHousePrefix: boolean
  gemSigns: GemSigns
  /** Some prices have decimals after a point, so that it groups no thousands. */
  hasDecimalPrices: boolean
}

interface DraftContext extends Pick<DraftSettings, 'supplier' | 'currency' | 'rates'> {
  /** What was understood of the supplier's last file. */
  learned?: { discount: DiscountStyle; shape_codes: ShapeCodes }
  /** Texts above the header, and the name of the sheet. */
  titles: readonly string[]
}

export function draftSettings(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  { supplier, currency, rates, learned, titles }: DraftContext,
): DraftSettings {
  const discount = learnDiscount(mapping, sample, learned?.discount)
  noteUnsureDiscount(mapping, discount)
  return {
    mapping,
    shapeCodes: learnShapeCodes(shapesAndGrades(mapping, sample), learned?.shape_codes),
    discount,
    supplier,
    currency,
    headerCurrencies: headerCurrenciesOf(mapping),
    rates,
    markup: markupFactor(supplier.markup),
    markupUs: markupFactor(supplier.markup_us),
    findShift: createShiftCheck(mapping, sample),
    isHousePrefix: isHousePrefix(mapping, sample),
    gemSigns: findGemSigns(mapping, sample, titles),
    hasDecimalPrices: hasDecimalPoints(pricesIn(mapping, sample)),
  }
}

/** No price is computed from a discount that may mean two things, and the report says so. */
function noteUnsureDiscount(mapping: FeedMapping, { factor, sign }: DiscountStyle): void {
  const index = mapping.at.discount_percentage
  if (index === undefined || (factor !== null && sign !== null)) return
  const direction = mayBeShareOfList(mapping.columns[index].column)
    ? 'discounts or shares of the list'
    : 'below or above the list price'
  const doubt = sign === null ? direction : 'percentages or fractions'
  const reason = `its numbers may be ${doubt}, so no price is computed from them`
  mapping.columns[index] = { ...mapping.columns[index], confidence: UNSURE_CONFIDENCE, reason }
}

const UNSURE_CONFIDENCE = 0.3

const PRICE_FIELDS = ['price_per_carat', 'total_price', 'list_price'] as const

function headerCurrenciesOf({ at, columns }: FeedMapping): Map<FieldName, string> {
  const currencies = new Map<FieldName, string>()
  for (const field of PRICE_FIELDS) {
    const index = at[field]
    const currency = index === undefined ? undefined : currencyOfHeader(columns[index].column)
    if (currency) currencies.set(field, currency)
  }
  return currencies
}

/** Raise it with every change of meaning, so that unchanged rows are drafted again. */
const DRAFTING_VERSION = 23

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
    ...(mapping.rules === '' ? [] : [mapping.rules]),
    // Not the objects: what is remembered in the database has its keys in another order.
    settings.shapeCodes.grades_fancies,
    [settings.discount.factor, settings.discount.sign],
    settings.currency,
    [...settings.headerCurrencies],
    // A cell may name any currency, so every rate may decide a price.
    [...settings.rates],
    settings.markup,
    settings.markupUs,
    supplier.country_code,
    supplier.si3,
    supplier.stone_type,
    settings.isHousePrefix,
    settings.gemSigns,
    settings.hasDecimalPrices,
    supplier.can_hold,
    supplier.memo,
    supplier.returnable,
    supplier.days_to_return,
    supplier.memo_days_to_return,
    supplier.internal_days_to_return,
    supplier.delivery_days_min,
    supplier.delivery_days_max,
  ])
}

function* pricesIn({ at }: FeedMapping, sample: readonly RawRow[]): Generator<string> {
  for (const field of PRICE_FIELDS) {
    if (at[field] !== undefined) for (const { cells } of sample) yield textAt(cells, at[field])
  }
}

/** Fewer stock numbers may start alike by chance. */
const PREFIXES_MIN = 3

function isHousePrefix({ at }: FeedMapping, sample: readonly RawRow[]): boolean {
  const index = at.vendor_sku
  if (index === undefined || sample.length < PREFIXES_MIN) return false
  const prefixes = new Set(sample.map(({ cells }) => grownPrefixOf(textAt(cells, index))))
  return prefixes.size === 1 && !prefixes.has(undefined)
}

function shapesAndGrades({ at }: FeedMapping, sample: readonly RawRow[]) {
  return sample.map(({ cells }) => ({
    shape: at.shape === undefined ? '' : (cells[at.shape] ?? ''),
    hasCutGrade:
      at.cut_grade !== undefined && readCutGrade(cells[at.cut_grade] ?? '') !== undefined,
  }))
}
