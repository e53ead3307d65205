import type { ProductType } from '../../database/tables/jewelry.ts'
import { findNearestName } from '../../lib/nearest-name.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { attributeKeysOf, labelOf } from '../attributes.ts'
import { foldText } from './free-text.ts'
import type { ShowroomIndex } from './showroom.ts'
import { type Viewer, visibilityKeyOf, visibleProducts } from './viewer.ts'

/** An attribute that products of a type are filtered by, with the values that a viewer sees. */
interface ProductFilter {
  key: string
  label: string
  values: { value: string; count: number }[]
}

/**
 * Lists the filters for one type of product with the values of all variants that the viewer can
 * see. Only variants in stock are counted, so a value that is sold out has a count of 0.
 */
export function listFilters(
  index: ShowroomIndex,
  viewer: Viewer,
  type: ProductType,
): ProductFilter[] {
  const name = `filters ${type} ${visibilityKeyOf(index, viewer)}`
  const cached = index.cache.get(name) as ProductFilter[] | undefined
  if (cached) return cached
  const filters = filtersOf(index, visibleProducts(index, viewer, [type]), type)
  index.cache.set(name, filters)
  return filters
}

function filtersOf(index: ShowroomIndex, visible: Uint8Array, type: ProductType): ProductFilter[] {
  const valuesOfKey = new Map<string, ProductFilter['values']>()
  for (const [text, term] of index.variants.attributes.entries()) {
    const [ofType, key, value] = text.split('\n')
    const count = ofType === type ? countRows(index, visible, term) : undefined
    if (count === undefined) continue
    const values = valuesOfKey.get(key) ?? []
    values.push({ value, count })
    valuesOfKey.set(key, values)
  }
  return attributeKeysOf(type).map((key) => ({
    key,
    label: labelOf(type, key),
    values: (valuesOfKey.get(key) ?? []).sort((a, b) => compareValues(a.value, b.value)),
  }))
}

/** Counts the variants with the term in stock; undefined when the viewer sees none at all. */
function countRows(
  { variants: { attributes, columns } }: ShowroomIndex,
  visible: Uint8Array,
  term: number,
): number | undefined {
  let seen = 0
  let inStock = 0
  for (const number of attributes.rowsOf(term)) {
    if (visible[columns.product[number]] === 0) continue
    seen++
    if (columns.quantity[number] > 0) inStock++
  }
  return seen === 0 ? undefined : inStock
}

/** Sorts sizes by number and words alphabetically. */
function compareValues(a: string, b: string): number {
  const [numberA, numberB] = [Number.parseFloat(a), Number.parseFloat(b)]
  if (numberA !== numberB && !Number.isNaN(numberA) && !Number.isNaN(numberB)) {
    return numberA - numberB
  }
  return a < b ? -1 : Number(a > b)
}

const LISTED_MAX = 60

/**
 * Returns the requested attributes in their known spelling. Refuses a key or a value that no
 * product of these types has for the viewer and lists those there are: ignoring a filter would
 * sell the wrong ring.
 */
export function checkAttributes(
  index: ShowroomIndex,
  viewer: Viewer,
  types: readonly ProductType[],
  wanted: Readonly<Record<string, string | readonly string[]>>,
): { key: string; values: string[] }[] {
  if (Object.keys(wanted).length === 0) return []
  const known = knownValues(index, viewer, types)
  const errors: FieldError[] = []
  const checked = Object.entries(wanted).map(([key, value]) => {
    const spellings = known.get(key)
    const field = `filter_variant_options.${key.slice(0, 100)}`
    if (!spellings) {
      errors.push({ field, message: `is not known; ${suggestion(key, [...known.keys()])}` })
      return { key, values: [] }
    }
    const values = [value].flat().flatMap((each, position) => {
      const spelled = spellings.get(foldText(each.trim()))
      if (spelled !== undefined) return [...spelled]
      const path = typeof value === 'string' ? field : `${field}[${position}]`
      errors.push({
        field: path,
        message: `is not known; ${suggestion(
          each,
          [...spellings.values()].flatMap((all) => [...all]),
        )}`,
      })
      return []
    })
    return { key, values }
  })
  if (errors.length > 0) {
    const [first] = errors
    throw new Refusal('invalid_request', `${first.field} ${first.message}.`, { errors })
  }
  return checked
}

/** By attribute: the values of all types, as they are spelled, by the text that is compared. */
function knownValues(index: ShowroomIndex, viewer: Viewer, types: readonly ProductType[]) {
  const known = new Map<string, Map<string, Set<string>>>()
  for (const { key, values } of types.flatMap((type) => listFilters(index, viewer, type))) {
    const spellings = known.get(key) ?? new Map<string, Set<string>>()
    for (const { value } of values) {
      const folded = foldText(value)
      spellings.set(folded, (spellings.get(folded) ?? new Set()).add(value))
    }
    known.set(key, spellings)
  }
  return known
}

function suggestion(typed: string, known: readonly string[]): string {
  if (known.length === 0) return 'there are no values yet'
  const nearest = findNearestName(typed, known)
  const shown = known.slice(0, LISTED_MAX).join(', ')
  const listed = known.length > LISTED_MAX ? `${shown}, …` : shown
  return nearest ? `did you mean ${nearest}? Known: ${listed}` : `known: ${listed}`
}
