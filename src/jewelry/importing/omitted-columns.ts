/**
 * A file of updates may have a few columns only, such as a list of new prices. Whatever it has no
 * column for stays as it was on a known piece: without this, a list of prices would empty pictures
 * and stones, and put pieces back that were sold. A row with another type of jewelry is another
 * piece, and keeps nothing.
 */
import type { FilterOptions, Medium, VariantOptions } from '../../database/tables/jewelry.ts'
import { centsFrom } from '../../lib/money.ts'
import { ATTRIBUTE_PREFIX, type ColumnMeaning, meaningOf, OPTION_PREFIX } from './columns.ts'
import type { VariantDraft } from './drafting/draft-variant.ts'
import type { KnownVariant } from './import-store.ts'
import type { MappedFile } from './map-file.ts'

/** The columns that a file has, and what they mean. */
export interface GivenColumns {
  columns: ReadonlySet<string>
  fields: ReadonlySet<ColumnMeaning>
  /** The file itself names the options that a buyer chooses from. */
  hasOptions: boolean
}

export function givenColumns({ columns, meanings }: MappedFile): GivenColumns {
  const fields = new Set(meanings.values())
  const hasOptions =
    fields.has('option_1_value') || columns.some((column) => OPTION_PREFIX.test(column))
  return { columns: new Set(columns), fields, hasOptions }
}

export function keepOmitted(
  draft: VariantDraft,
  known: KnownVariant,
  given: GivenColumns,
): VariantDraft {
  const { product, variant } = draft
  const { fields } = given
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
      variant_options: keptOptions(variant.variant_options, known.variant_options, given),
      filter_variant_options: keptAttributes(variant, known, given),
      ...(isRetailKept && { retail_price: known.retail_price }),
      feed_quantity: keptQuantity(variant, known, given),
      media: keptMedia(variant.media, known.media, given),
      details: keptDetails(variant.details, known.details, given),
    },
    isRetailComputed: draft.isRetailComputed && !isRetailKept,
  }
}

/** The fields that an attribute is drafted from, where it is not the one of its own name. */
const SOURCE_FIELDS = new Map<string, readonly ColumnMeaning[]>([
  ['metal', ['metal', 'karat', 'metal_color']],
  ['stone', ['stone', 'side_stone', 'stone_growth']],
  ['size', ['size', 'length']],
])

function isGivenAttribute(key: string, { columns, fields, hasOptions }: GivenColumns): boolean {
  const own = key.endsWith('_sub_type') || key === 'watch_type' ? 'sub_type' : key
  const sources = SOURCE_FIELDS.get(key) ?? [own as ColumnMeaning]
  if (hasOptions || sources.some((field) => fields.has(field))) return true
  return [...columns].some((column) => column.replace(ATTRIBUTE_PREFIX, '') === key)
}

function keptAttributes(
  { filter_variant_options: drafted }: VariantDraft['variant'],
  { filter_variant_options: known }: KnownVariant,
  given: GivenColumns,
): FilterOptions {
  const isKept = (key: string) => Object.hasOwn(drafted, key) || !isGivenAttribute(key, given)
  return { ...entriesOf(known, isKept), ...drafted }
}

/** The option `Ring Size` of a shop is given by a column of sizes. */
function keptOptions(
  drafted: VariantOptions,
  known: VariantOptions,
  { fields, hasOptions }: GivenColumns,
): VariantOptions {
  if (hasOptions) return drafted
  return {
    ...entriesOf(known, (name) => {
      const field = meaningOf(name)
      const sources = SOURCE_FIELDS.get(name) ?? (field === undefined ? [] : [field])
      return Object.hasOwn(drafted, name) || !sources.some((each) => fields.has(each))
    }),
    ...drafted,
  }
}

/** A column of quantities says how many there are, one of availability whether there are any. */
function keptQuantity(
  { feed_quantity }: VariantDraft['variant'],
  known: KnownVariant,
  { fields }: GivenColumns,
): number {
  if (fields.has('quantity')) return feed_quantity
  const before = known.feed_quantity ?? known.quantity
  const isOfferGiven = OFFER_FIELDS.some((field) => fields.has(field))
  return !isOfferGiven || (feed_quantity > 0 && before > 0) ? before : feed_quantity
}

const OFFER_FIELDS: readonly ColumnMeaning[] = ['availability', 'sold', 'published']

/** A cell of pictures may also have a video. */
function keptMedia(drafted: Medium[], known: Medium[], { fields }: GivenColumns): Medium[] {
  const hasImages = fields.has('image') || fields.has('variant_image')
  const ofKind = (kind: Medium['kind'], isGiven: boolean) =>
    (isGiven ? drafted : known).filter((medium) => medium.kind === kind)
  return [...ofKind('image', hasImages), ...ofKind('video', hasImages || fields.has('video'))]
}

function keptDetails(
  drafted: Record<string, string>,
  known: Record<string, string>,
  { columns }: GivenColumns,
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
