import type { FilterOptions, Medium, VariantOptions } from '../../database/tables/jewelry.ts'
import type { Rejection } from '../../feeds/drafting/gem-draft.ts'
import { readCountry } from '../../feeds/values/country.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { ATTRIBUTE_LABELS } from '../attributes.ts'
import type { ColumnMeaning } from './columns.ts'
import { ATTRIBUTE_PREFIX, OPTION_PREFIX } from './columns.ts'
import { draftPrices } from './draft-prices.ts'
import type { DraftSettings } from './draft-settings.ts'
import type { JewelryNotes } from './jewelry-notes.ts'
import {
  isKnownKind,
  plainText,
  readAvailability,
  readKind,
  readMedia,
  readMetal,
  readPublished,
  readStones,
  readYesNo,
  subTypeKeyOf,
} from './read-values.ts'
import type { FileRow } from './reading/kept-rows.ts'
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
}

export function draftVariant(file: FileRow, settings: DraftSettings): VariantDraft | Rejection {
  const { row, unreadable, part } = file
  const rejected = (column: string, value: string, reason: string): Rejection => {
    const said = part === undefined ? reason : `${reason} (${part})`
    return { row, column, value: value.slice(0, 200), reason: said }
  }
  if (unreadable !== undefined) return rejected('', '', unreadable)
  try {
    return draft(file, settings)
  } catch (error) {
    if (!(error instanceof Unsaleable)) throw error
    const column = columnOf(settings.meanings, error.field) ?? error.field
    // The supplier knows its own text, not the translation of it.
    return rejected(column, file.ownCells?.get(column) ?? error.value, error.message)
  }
}

export function isRejection(draft: VariantDraft | Rejection): draft is Rejection {
  return 'reason' in draft
}

function columnOf(meanings: DraftSettings['meanings'], field: ColumnMeaning): string | undefined {
  for (const [column, meaning] of meanings) if (meaning === field) return column
  return undefined
}

const TITLE_MAX = 300
const DESCRIPTION_MAX = 5_000
const VENDOR_SKU_MAX = 100

function draft({ cells }: FileRow, settings: DraftSettings): VariantDraft {
  const { supplier, notes } = settings
  const texts = textsOf(cells, settings.meanings)
  const options = takeOptions(texts)
  const vendorSku = required(texts, 'vendor_sku', VENDOR_SKU_MAX)
  if (readYesNo(texts.gift_card ?? '') === true) {
    throw new Unsaleable(
      'gift_card',
      texts.gift_card ?? '',
      'A gift card is not a piece of jewelry',
    )
  }
  texts.jewelry_type ??= texts.category
  const kindText = required(texts, 'jewelry_type', 200)
  const kind = readKind(kindText)
  if (!isKnownKind(kind)) notes.count('jewelry_type', kindText)
  const title = required(texts, 'title', TITLE_MAX)
  const prices = draftPrices(texts, settings)
  const attributes = draftAttributes(texts, cells, kind)
  return {
    product: {
      vendor_sku: (texts.parent_vendor_sku ?? vendorSku).slice(0, VENDOR_SKU_MAX),
      type: kind.type,
      title,
      description: descriptionOf(texts),
    },
    variant: {
      vendor_sku: vendorSku,
      variant_options: options ?? draftOptions(texts, cells, attributes, kind.type),
      filter_variant_options: attributes,
      ...prices,
      feed_quantity: draftQuantity(texts),
      returnable: readYesNo(texts.returnable ?? '') ?? supplier.returnable,
      days_to_return: supplier.days_to_return,
      memo: supplier.memo,
      memo_days_to_return: supplier.memo_days_to_return,
      ...draftDelivery(texts, supplier),
      media: draftMedia(texts, notes),
      country_code: (texts.country && readCountry(texts.country)) || supplier.country_code,
      details: detailsOf(cells, settings.meanings),
    },
  }
}

function descriptionOf({ description, short_description }: Texts): string {
  return plainText(description ?? short_description ?? '').slice(0, DESCRIPTION_MAX)
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

const QUANTITY_MAX = 1_000_000

/** Available without a quantity means one piece; out on memo or sold means none. */
function draftQuantity({ availability, quantity, published }: Texts): number {
  const isPublished = published === undefined ? true : readPublished(published)
  if (isPublished === undefined) {
    throw new Unsaleable('published', published ?? '', 'Whether it is published is not known')
  }
  const isAvailable = availability === undefined ? true : readAvailability(availability)
  if (isAvailable === undefined) {
    throw new Unsaleable('availability', availability ?? '', 'The availability is not known')
  }
  if (!isAvailable || !isPublished) return 0
  if (quantity === undefined) return 1
  const count = Number(quantity.replace(/\.0+$/, ''))
  // A shop may have sold more than it had.
  if (Number.isInteger(count) && count <= QUANTITY_MAX) return Math.max(0, count)
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
