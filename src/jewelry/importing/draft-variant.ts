import type { FilterOptions, Medium, VariantOptions } from '../../database/tables/jewelry.ts'
import type { Rejection } from '../../feeds/drafting/gem-draft.ts'
import { readCountry } from '../../feeds/values/country.ts'
import { type NumberStyle, readNumber } from '../../feeds/values/numbers.ts'
import { markupFactor, type Supplier, wholesaleCents } from '../../gems/supplier.ts'
import { digitsFrom } from '../../lib/money.ts'
import { ATTRIBUTE_LABELS } from '../attributes.ts'
import { usdCentsFrom } from '../price-conversion.ts'
import type { ColumnMeaning, JewelryField } from './columns.ts'
import { ATTRIBUTE_PREFIX, OPTION_PREFIX } from './columns.ts'
import type { FileRow } from './kept-rows.ts'
import {
  readAvailability,
  readKind,
  readMedia,
  readMetal,
  readStones,
  readYesNo,
  subTypeKeyOf,
} from './read-values.ts'

/** A variant and its product as a row describes them. */
export interface VariantDraft {
  product: { vendor_sku: string; type: 'jewelry' | 'watch'; title: string; description: string }
  variant: {
    vendor_sku: string
    variant_options: VariantOptions
    filter_variant_options: FilterOptions
    cost: string
    wholesale_price: string
    wholesale_price_us: string
    retail_price: string
    feed_quantity: number
    returnable: boolean
    days_to_return: number
    memo: boolean
    memo_days_to_return: number
    delivery_days_min: number
    delivery_days_max: number
    media: Medium[]
    country_code: string | null
    details: Record<string, string>
  }
}

export interface DraftSettings {
  supplier: Supplier
  meanings: ReadonlyMap<string, ColumnMeaning>
  /** The currency of rows that name none. */
  currency: string
  /** Digits of the rate per currency. */
  rates: ReadonlyMap<string, string>
  style: NumberStyle
}

/** Thrown while a row is drafted; `draftVariant` turns it into a rejection. */
class Unsaleable extends Error {
  readonly field: JewelryField
  readonly value: string
  constructor(field: JewelryField, value: string, reason: string) {
    super(reason)
    this.field = field
    this.value = value
  }
}

export function draftVariant(file: FileRow, settings: DraftSettings): VariantDraft | Rejection {
  const { row, unreadable } = file
  if (unreadable !== undefined) return { row, column: '', value: '', reason: unreadable }
  try {
    return draft(file, settings)
  } catch (error) {
    if (!(error instanceof Unsaleable)) throw error
    const column = columnOf(settings.meanings, error.field) ?? error.field
    return { row, column, value: error.value.slice(0, 200), reason: error.message }
  }
}

export function isRejection(draft: VariantDraft | Rejection): draft is Rejection {
  return 'reason' in draft
}

function columnOf(meanings: DraftSettings['meanings'], field: ColumnMeaning): string | undefined {
  for (const [column, meaning] of meanings) if (meaning === field) return column
  return undefined
}

type Texts = Partial<Record<JewelryField, string>>

const TITLE_MAX = 300
const DESCRIPTION_MAX = 5_000
const VENDOR_SKU_MAX = 100

function draft({ cells }: FileRow, settings: DraftSettings): VariantDraft {
  const { supplier } = settings
  const texts = textsOf(cells, settings.meanings)
  const vendorSku = required(texts, 'vendor_sku', VENDOR_SKU_MAX)
  const kind = readKind(required(texts, 'jewelry_type', 200))
  const title = required(texts, 'title', TITLE_MAX)
  const prices = draftPrices(texts, settings)
  const attributes = draftAttributes(texts, cells, kind)
  return {
    product: {
      vendor_sku: (texts.parent_vendor_sku ?? vendorSku).slice(0, VENDOR_SKU_MAX),
      type: kind.type,
      title,
      description: (texts.description ?? '').slice(0, DESCRIPTION_MAX),
    },
    variant: {
      vendor_sku: vendorSku,
      variant_options: draftOptions(texts, cells, attributes, kind.type),
      filter_variant_options: attributes,
      ...prices,
      feed_quantity: draftQuantity(texts),
      returnable: readYesNo(texts.returnable ?? '') ?? supplier.returnable,
      days_to_return: supplier.days_to_return,
      memo: supplier.memo,
      memo_days_to_return: supplier.memo_days_to_return,
      ...draftDelivery(texts, supplier),
      media: [...readMedia(texts.image ?? '', 'image'), ...readMedia(texts.video ?? '', 'video')],
      country_code: (texts.country && readCountry(texts.country)) || supplier.country_code,
      details: detailsOf(cells, settings.meanings),
    },
  }
}

function textsOf(cells: FileRow['cells'], meanings: DraftSettings['meanings']): Texts {
  const texts: Texts = {}
  for (const [column, text] of cells) {
    const meaning = meanings.get(column)
    // Of two columns with one meaning, the first that is not empty counts.
    if (meaning !== undefined && meaning !== 'details') texts[meaning] ??= text
  }
  return texts
}

function detailsOf(cells: FileRow['cells'], meanings: DraftSettings['meanings']) {
  const details = [...cells].filter(([column]) => meanings.get(column) === 'details')
  return Object.fromEntries(details.map(([column, text]) => [column, text.slice(0, 1000)]))
}

/** The fields that every row must have, as messages call them. */
export const LABELS = {
  vendor_sku: 'stock number',
  jewelry_type: 'jewelry type',
  title: 'title',
  price: 'price',
} as const satisfies Partial<Record<JewelryField, string>>

function required(texts: Texts, field: keyof typeof LABELS, lengthMax: number): string {
  const text = texts[field]
  if (text === undefined) throw new Unsaleable(field, '', `The ${LABELS[field]} is missing`)
  if (text.length > lengthMax) {
    const reason = `The ${LABELS[field]} has more than ${lengthMax} characters`
    throw new Unsaleable(field, text, reason)
  }
  return text
}

const CENTS_MAX = 1e11

function draftPrices(texts: Texts, settings: DraftSettings) {
  const { supplier } = settings
  const currency = (texts.currency ?? settings.currency).toUpperCase()
  const rate = settings.rates.get(currency)
  if (rate === undefined) {
    throw new Unsaleable('currency', currency, `There is no exchange rate for ${currency}`)
  }
  const centsOf = (field: 'price' | 'retail_price', text: string) => {
    const amount = readNumber(text, settings.style)
    const cents = amount === undefined ? 0 : usdCentsFrom(amount, rate)
    if (cents <= 0) throw new Unsaleable(field, text, 'The price is not a number above zero')
    if (cents > CENTS_MAX) throw new Unsaleable(field, text, 'The price is out of range')
    return cents
  }
  const cost = centsOf('price', required(texts, 'price', 50))
  const wholesale = wholesaleCents(cost, markupFactor(supplier.markup))
  // Without a retail price it is the trade's usual one, twice the wholesale price.
  const retail = texts.retail_price ? centsOf('retail_price', texts.retail_price) : wholesale * 2
  return {
    cost: digitsFrom(cost),
    wholesale_price: digitsFrom(wholesale),
    wholesale_price_us: digitsFrom(wholesaleCents(cost, markupFactor(supplier.markup_us))),
    retail_price: digitsFrom(retail),
  }
}

const QUANTITY_MAX = 1_000_000

/** Available without a quantity means one piece; out on memo or sold means none. */
function draftQuantity({ availability, quantity }: Texts): number {
  const isAvailable = availability === undefined ? true : readAvailability(availability)
  if (isAvailable === undefined) {
    throw new Unsaleable('availability', availability ?? '', 'The availability is not known')
  }
  if (!isAvailable) return 0
  if (quantity === undefined) return 1
  const count = Number(quantity.replace(/\.0+$/, ''))
  if (Number.isInteger(count) && count >= 0 && count <= QUANTITY_MAX) return count
  throw new Unsaleable('quantity', quantity, 'The quantity is not a whole number')
}

function draftDelivery({ delivery_days_max: text }: Texts, supplier: Supplier) {
  const named = Number(text?.match(/\d+/g)?.at(-1) ?? Number.NaN)
  const max = named <= 3650 ? named : supplier.delivery_days_max
  const min = Math.min(supplier.delivery_days_min, max)
  return { delivery_days_min: min, delivery_days_max: max }
}

function draftAttributes(
  texts: Texts,
  cells: FileRow['cells'],
  { type, jewelry_type, sub_type }: ReturnType<typeof readKind>,
): FilterOptions {
  const subTypeKey = subTypeKeyOf(jewelry_type)
  const subType = texts.sub_type?.toLowerCase() ?? sub_type
  const drafted: Record<string, string | string[] | null | undefined> = {
    ...(type === 'jewelry' && { jewelry_type }),
    ...(subTypeKey && { [subTypeKey]: subType }),
    metal: readMetal(texts.metal, texts.karat),
    stone: texts.stone && readStones(texts.stone),
    stone_shape: type === 'jewelry' ? texts.stone_shape?.toLowerCase() : null,
    size: texts.size ?? texts.length,
    style: texts.style,
    collection: texts.collection,
    condition: texts.condition?.toLowerCase(),
    ...(type === 'watch' && {
      movement: texts.movement?.toLowerCase(),
      strap: texts.strap?.toLowerCase(),
      dial: texts.dial?.toLowerCase(),
    }),
  }
  for (const [column, text] of cells) {
    const key = column.replace(ATTRIBUTE_PREFIX, '')
    if (key === column || !Object.hasOwn(ATTRIBUTE_LABELS[type], key)) continue
    const values = text.split(' | ')
    drafted[key] = values.length === 1 ? values[0] : values
  }
  const said = Object.entries(drafted).filter(([, value]) => value != null && value !== '')
  return Object.fromEntries(said) as FilterOptions
}

/** What a buyer chooses: the options that a JSON file names, otherwise metal, size etc. */
function draftOptions(
  texts: Texts,
  cells: FileRow['cells'],
  attributes: FilterOptions,
  type: 'jewelry' | 'watch',
): VariantOptions {
  const named = [...cells].filter(([column]) => OPTION_PREFIX.test(column))
  if (named.length > 0) {
    return Object.fromEntries(
      named.map(([column, text]) => [column.replace(OPTION_PREFIX, ''), text.slice(0, 200)]),
    )
  }
  const keys = type === 'watch' ? ['metal', 'dial', 'strap', 'size'] : ['metal', 'size']
  const options = keys.flatMap((key) => {
    const value = attributes[key]
    // The length of a chain is filtered as its size, but chosen as its length.
    const name = key === 'size' && texts.size === undefined ? 'length' : key
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(options)
}
