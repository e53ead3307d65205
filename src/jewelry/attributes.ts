import type { FilterOptions, ProductType } from '../database/tables/jewelry.ts'

/** The attributes that products of a type are filtered by, in the order of their listing. */
export const ATTRIBUTE_LABELS = {
  jewelry: {
    jewelry_type: 'Jewelry type',
    ring_sub_type: 'Ring type',
    earring_sub_type: 'Earring type',
    necklace_sub_type: 'Necklace type',
    bracelet_sub_type: 'Bracelet type',
    pendant_sub_type: 'Pendant type',
    metal: 'Metal',
    stone: 'Stone',
    stone_shape: 'Stone shape',
    size: 'Size',
    style: 'Style',
    collection: 'Collection',
    condition: 'Condition',
  },
  watch: {
    watch_type: 'Watch type',
    movement: 'Movement',
    metal: 'Case metal',
    stone: 'Stone',
    strap: 'Strap',
    dial: 'Dial',
    size: 'Case size',
    style: 'Style',
    collection: 'Collection',
    condition: 'Condition',
  },
} as const satisfies Record<ProductType, Record<string, string>>

export const PRODUCT_TYPES = ['watch', 'jewelry'] as const satisfies readonly ProductType[]

/** Free text searches these attributes besides SKU, vendor SKU, title and description. */
export const SEARCHED_ATTRIBUTES = ['metal', 'stone', 'jewelry_type'] as const

export function attributeKeysOf(type: ProductType): string[] {
  return Object.keys(ATTRIBUTE_LABELS[type])
}

export function labelOf(type: ProductType, key: string): string {
  const labels: Record<string, string> = ATTRIBUTE_LABELS[type]
  return Object.hasOwn(labels, key) ? labels[key] : key
}

/** Returns the values of an attribute, which may have one or several. */
export function valuesOf(options: FilterOptions, key: string): readonly string[] {
  if (!Object.hasOwn(options, key)) return []
  const value = options[key]
  return typeof value === 'string' ? [value] : value
}

/** The sort key for the order by category: jewelry type, then sub type. */
export function categoryOf(type: ProductType, options: FilterOptions): string {
  const kind = type === 'watch' ? 'watch' : (valuesOf(options, 'jewelry_type')[0] ?? '')
  const subTypeKey = Object.keys(options).find((key) => key.endsWith('_sub_type'))
  const subType = subTypeKey ? valuesOf(options, subTypeKey)[0] : ''
  // A line break sorts before every letter, so `ring` without a sub type comes before the others.
  return `${kind}\n${subType ?? ''}`
}
