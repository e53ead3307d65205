/**
 * A file of updates may have a few columns only, such as a list of new prices. What none of its
 * columns tells of a known piece stays as it was: without this, a list of prices would empty
 * pictures and stones, and put pieces back that were sold. A row with another type of jewelry is
 * another piece, and keeps nothing.
 */
import type { FilterOptions, Medium, VariantOptions } from '../../database/tables/jewelry.ts'
import { centsFrom } from '../../lib/money.ts'
import { ATTRIBUTE_PREFIX, type ColumnMeaning, meaningOf, OPTION_PREFIX } from './columns.ts'
import type { VariantDraft } from './drafting/draft-variant.ts'
import type { KnownVariant } from './import-store.ts'
import type { MappedFile } from './map-file.ts'

/** What the columns of a file tell. */
export interface ToldColumns {
  columns: ReadonlySet<string>
  fields: ReadonlySet<ColumnMeaning>
  /** The file names what a buyer chooses itself. */
  hasOptions: boolean
}

export function toldColumns({ columns, meanings }: MappedFile): ToldColumns {
  const fields = new Set(meanings.values())
  const hasOptions =
    fields.has('option_1_value') || columns.some((column) => OPTION_PREFIX.test(column))
  return { columns: new Set(columns), fields, hasOptions }
}

export function keepUntold(
  draft: VariantDraft,
  known: KnownVariant,
  told: ToldColumns,
): VariantDraft {
  const { product, variant } = draft
  const { fields } = told
  const { jewelry_type } = variant.filter_variant_options
  const isSamePiece =
    known.type === product.type && known.filter_variant_options.jewelry_type === jewelry_type
  if (!isSamePiece) return draft
  // One that was computed from the wholesale price before follows it.
  const wasComputed = centsFrom(known.retail_price) === 2 * centsFrom(known.wholesale_price)
  const isRetailKept = !fields.has('retail_price') && !wasComputed
  const isDescribed = fields.has('description') || fields.has('short_description')
  return {
    product: {
      ...product,
      ...(!fields.has('parent_vendor_sku') && { vendor_sku: known.product_vendor_sku }),
      ...(!isDescribed && { description: known.description }),
    },
    variant: {
      ...variant,
      variant_options: keptOptions(variant.variant_options, known.variant_options, told),
      filter_variant_options: keptAttributes(variant, known, told),
      ...(isRetailKept && { retail_price: known.retail_price }),
      feed_quantity: keptQuantity(variant, known, told),
      media: keptMedia(variant.media, known.media, told),
      details: keptDetails(variant.details, known.details, told),
    },
    isRetailComputed: draft.isRetailComputed && !isRetailKept,
  }
}

/** The fields that tell an attribute, where they are not called as it is. */
const TELLING = new Map<string, readonly ColumnMeaning[]>([
  ['metal', ['metal', 'karat']],
  ['size', ['size', 'length']],
])

function isToldAttribute(key: string, { columns, fields, hasOptions }: ToldColumns): boolean {
  const own = key.endsWith('_sub_type') || key === 'watch_type' ? 'sub_type' : key
  const telling = TELLING.get(key) ?? [own as ColumnMeaning]
  if (hasOptions || telling.some((field) => fields.has(field))) return true
  return [...columns].some((column) => column.replace(ATTRIBUTE_PREFIX, '') === key)
}

function keptAttributes(
  { filter_variant_options: drafted }: VariantDraft['variant'],
  { filter_variant_options: known }: KnownVariant,
  told: ToldColumns,
): FilterOptions {
  const isKept = (key: string) => Object.hasOwn(drafted, key) || !isToldAttribute(key, told)
  return { ...entriesOf(known, isKept), ...drafted }
}

/** A shop's `Ring Size` is told by a column of sizes. */
function keptOptions(
  drafted: VariantOptions,
  known: VariantOptions,
  { fields, hasOptions }: ToldColumns,
): VariantOptions {
  if (hasOptions) return drafted
  return {
    ...entriesOf(known, (name) => {
      const field = meaningOf(name)
      const telling = TELLING.get(name) ?? (field === undefined ? [] : [field])
      return Object.hasOwn(drafted, name) || !telling.some((each) => fields.has(each))
    }),
    ...drafted,
  }
}

/** Only a column of quantities says how many there are; one of availability, whether there are. */
function keptQuantity(
  { feed_quantity }: VariantDraft['variant'],
  known: KnownVariant,
  { fields }: ToldColumns,
): number {
  if (fields.has('quantity')) return feed_quantity
  const before = known.feed_quantity ?? known.quantity
  const isOfferTold = OFFER_FIELDS.some((field) => fields.has(field))
  return !isOfferTold || (feed_quantity > 0 && before > 0) ? before : feed_quantity
}

const OFFER_FIELDS: readonly ColumnMeaning[] = ['availability', 'sold', 'published']

/** A cell of pictures may have a film, too. */
function keptMedia(drafted: Medium[], known: Medium[], { fields }: ToldColumns): Medium[] {
  const hasImages = fields.has('image') || fields.has('variant_image')
  const ofKind = (kind: Medium['kind'], isTold: boolean) =>
    (isTold ? drafted : known).filter((medium) => medium.kind === kind)
  return [...ofKind('image', hasImages), ...ofKind('video', hasImages || fields.has('video'))]
}

function keptDetails(
  drafted: Record<string, string>,
  known: Record<string, string>,
  { columns }: ToldColumns,
): Record<string, string> {
  const isKept = (name: string) => Object.hasOwn(drafted, name) || !columns.has(name)
  return { ...entriesOf(known, isKept), ...drafted }
}

function entriesOf<Value>(
  values: Record<string, Value>,
  isKept: (key: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isKept(key)))
}
