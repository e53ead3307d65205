import type { FilterOptions, Medium, VariantOptions } from '../../../database/tables/jewelry.ts'
import { type Rejection, rejectionOf } from '../../../feeds/drafting/gem-draft.ts'
import { withoutFormatCurrency } from '../../../feeds/reading/excel/format-currency.ts'
import { isTaken, readAvailability } from '../../../feeds/values/availability.ts'
import { readCountry } from '../../../feeds/values/country.ts'
import { readDays } from '../../../feeds/values/numbers.ts'
import { isBlankWord } from '../../../feeds/values/spelling.ts'
import { VENDOR_SKU_CHARS_MAX } from '../../../gems/gem.ts'
import type { Supplier } from '../../../gems/supplier.ts'
import type { ColumnMeaning } from '../columns.ts'
import type { FileRow } from '../reading/kept-rows.ts'
import { draftAttributes, draftOptions } from './draft-attributes.ts'
import { draftPrices, hasRetail } from './draft-prices.ts'
import { draftQuantity } from './draft-quantity.ts'
import type { DraftSettings } from './draft-settings.ts'
import type { JewelryNotes } from './jewelry-notes.ts'
import { isKnownKind, plainText, readKind, readMedia, readYesNo } from './read-values.ts'
import { required, type Texts, Unsaleable } from './row-texts.ts'
import { takeOptions } from './shop-options.ts'

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
  /** The row has no retail price. */
  isRetailComputed: boolean
}

export function draftVariant(file: FileRow, settings: DraftSettings): VariantDraft | Rejection {
  if (file.unreadable !== undefined) return rejectionOf(file, '', '', file.unreadable)
  try {
    return draft(file, settings)
  } catch (error) {
    if (!(error instanceof Unsaleable)) throw error
    const column = columnOf(settings.meanings, error.field) ?? error.field
    // The supplier knows its own text, not the translation of it.
    const value = file.ownCells?.get(column) ?? error.value
    return rejectionOf(file, column, value, error.message)
  }
}

export function isRejection(draft: VariantDraft | Rejection): draft is Rejection {
  return 'reason' in draft
}

function columnOf(meanings: DraftSettings['meanings'], field: ColumnMeaning): string | undefined {
  for (const [column, meaning] of meanings) if (meaning === field) return column
  return undefined
}

const TITLE_CHARS_MAX = 300
const DESCRIPTION_CHARS_MAX = 5_000
const TYPE_CHARS_MAX = 200
const DETAIL_CHARS_MAX = 1_000

function draft({ cells, part }: FileRow, settings: DraftSettings): VariantDraft {
  const { supplier, notes } = settings
  const texts = textsOf(cells, settings.meanings)
  const options = takeOptions(texts)
  const vendorSku = required(texts, 'vendor_sku', VENDOR_SKU_CHARS_MAX)
  if (readYesNo(texts.gift_card ?? '') === true) {
    throw new Unsaleable(
      'gift_card',
      texts.gift_card ?? '',
      'A gift card is not a piece of jewelry',
    )
  }
  const kind = draftKind(texts, notes)
  const title = required(texts, 'title', TITLE_CHARS_MAX)
  const prices = draftPrices(texts, cells, settings)
  const attributes = draftAttributes(texts, cells, kind)
  return {
    product: {
      vendor_sku: (texts.parent_vendor_sku ?? vendorSku).slice(0, VENDOR_SKU_CHARS_MAX),
      type: kind.type,
      title,
      description: descriptionOf(texts),
    },
    variant: {
      vendor_sku: vendorSku,
      variant_options: options ?? draftOptions(texts, cells, attributes, kind.type),
      filter_variant_options: attributes,
      ...prices,
      feed_quantity: draftQuantity(texts, part, settings),
      returnable: readYesNo(texts.returnable ?? '') ?? supplier.returnable,
      days_to_return: supplier.days_to_return,
      memo: supplier.memo,
      memo_days_to_return: supplier.memo_days_to_return,
      ...draftDelivery(texts, supplier),
      media: draftMedia(texts, notes),
      country_code: countryOf(texts, settings),
      details: detailsOf(cells, settings.meanings),
    },
    isRetailComputed: !hasRetail(texts),
  }
}

/** A category names the type where the column of types does not: it may be that of a stone. */
function draftKind(texts: Texts, notes: JewelryNotes) {
  const { jewelry_type: type, category } = texts
  const text = [type, category].find((each) => each !== undefined && isKnownKind(readKind(each)))
  texts.jewelry_type = text ?? type ?? category
  const kindText = required(texts, 'jewelry_type', TYPE_CHARS_MAX)
  const kind = readKind(kindText)
  if (/^\d+$/.test(kindText)) {
    throw new Unsaleable('jewelry_type', kindText, 'The jewelry type is a number')
  }
  if (!isKnownKind(kind)) notes.count('jewelry_type', kindText)
  return kind
}

/** A place that is not understood does not become the supplier's country. */
function countryOf({ country = '' }: Texts, { supplier, notes }: DraftSettings): string | null {
  if (isBlankWord(country)) return supplier.country_code
  const code = readCountry(country)
  if (code === undefined) notes.count('country', country)
  return code ?? null
}

function descriptionOf({ description, short_description }: Texts): string {
  return plainText(description ?? short_description ?? '').slice(0, DESCRIPTION_CHARS_MAX)
}

/** The picture of the variant comes first, then those of its product. */
function draftMedia({ variant_image, image, video }: Texts, notes: JewelryNotes): Medium[] {
  const images = [variant_image, image].flatMap((text) => {
    if (text === undefined) return []
    const media = readMedia(text, 'image')
    if (media.length === 0) notes.count('image', text)
    return media
  })
  const all = [...images, ...readMedia(video ?? '', 'video')]
  return all.filter(({ url }, at) => all.findIndex((other) => other.url === url) === at)
}

/** The meanings in which the currency of a cell's format counts. */
const AMOUNTS: ReadonlySet<ColumnMeaning> = new Set(['price', 'sale_price', 'retail_price'])

function textsOf(cells: FileRow['cells'], meanings: DraftSettings['meanings']): Texts {
  const texts: Texts = {}
  for (const [column, shown] of cells) {
    const meaning = meanings.get(column)
    if (meaning === undefined || meaning === 'details') continue
    const text = AMOUNTS.has(meaning) ? shown : plainCell(shown)
    // Of two columns with one meaning, the first that is not empty counts; pictures all do, and
    // of `Sold` and `Hold` one yes is enough, as one no is of `Status` and `Availability`.
    const first = texts[meaning]
    if (first === undefined || takesOff(meaning, text)) texts[meaning] = text
    else if (meaning === 'image') texts.image = `${first} | ${text}`
  }
  return texts
}

/** A spreadsheet marks a number that is a text by an apostrophe: `'00123`. */
function plainCell(text: string): string {
  return withoutFormatCurrency(text).replace(/^'(?=\d)/, '')
}

function takesOff(meaning: ColumnMeaning, text: string): boolean {
  if (meaning === 'availability') return readAvailability(text) === false
  return meaning === 'sold' && isTaken(text)
}

function detailsOf(cells: FileRow['cells'], meanings: DraftSettings['meanings']) {
  const details = [...cells].filter(([column]) => meanings.get(column) === 'details')
  return Object.fromEntries(
    details.map(([column, text]) => [column, plainCell(text).slice(0, DETAIL_CHARS_MAX)]),
  )
}

function draftDelivery({ delivery_days_max: text }: Texts, supplier: Supplier) {
  const max = readDays(text ?? '') ?? supplier.delivery_days_max
  const min = Math.min(supplier.delivery_days_min, max)
  return { delivery_days_min: min, delivery_days_max: max }
}
