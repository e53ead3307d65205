import type { ProductType } from '../../database/tables/jewelry.ts'
import { findNearestName } from '../../lib/nearest-name.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { attributeKeysOf, labelOf } from '../attributes.ts'
import { foldText } from './free-text.ts'
import type { Floor } from './showroom.ts'
import { gateOf, type Viewer, visibleProducts } from './viewer.ts'

/** An attribute that products of a type are filtered by, with the values that the caller can see. */
export interface ProductFilter {
  key: string
  label: string
  values: { value: string; count: number }[]
}

/**
 * The filters for one type of product. Values are those of all variants that the caller can see;
 * the count is of those in stock, so a value that is sold out is still known, with a count of 0.
 */
export function listFilters(floor: Floor, viewer: Viewer, type: ProductType): ProductFilter[] {
  const name = `filters ${type} ${gateOf(floor, viewer)}`
  const remembered = floor.remembered.get(name) as ProductFilter[] | undefined
  if (remembered) return remembered
  const filters = filtersOf(floor, visibleProducts(floor, viewer, [type]), type)
  floor.remembered.set(name, filters)
  return filters
}

function filtersOf(floor: Floor, visible: Uint8Array, type: ProductType): ProductFilter[] {
  const valuesOfKey = new Map<string, ProductFilter['values']>()
  for (const [text, term] of floor.variants.attributes.entries()) {
    const [ofType, key, value] = text.split('\n')
    const count = ofType === type ? countRows(floor, visible, term) : undefined
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

/** How many variants with the term are in stock; undefined when the caller sees none at all. */
function countRows(
  { variants: { attributes, columns } }: Floor,
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

/** Sizes by number, words by letter. */
function compareValues(a: string, b: string): number {
  const [numberA, numberB] = [Number.parseFloat(a), Number.parseFloat(b)]
  if (numberA !== numberB && !Number.isNaN(numberA) && !Number.isNaN(numberB)) {
    return numberA - numberB
  }
  return a < b ? -1 : Number(a > b)
}

const LISTED_MAX = 60

/**
 * The wanted attributes of jewelry in their known spelling. A key or value that the caller cannot see is
 * refused, with those that it can: a filter that is silently ignored sells the wrong ring.
 */
export function checkAttributes(
  floor: Floor,
  viewer: Viewer,
  wanted: Readonly<Record<string, string | readonly string[]>>,
): { key: string; values: string[] }[] {
  if (Object.keys(wanted).length === 0) return []
  const filters = new Map(
    listFilters(floor, viewer, 'jewelry').map((filter) => [filter.key, filter]),
  )
  const errors: FieldError[] = []
  const checked = Object.entries(wanted).map(([key, value]) => {
    const filter = filters.get(key)
    const field = `filter_variant_options.${key.slice(0, 100)}`
    if (!filter) {
      errors.push({ field, message: `is not known here; ${suggestion(key, [...filters.keys()])}` })
      return { key, values: [] }
    }
    const known = new Map(filter.values.map((each) => [foldText(each.value), each.value]))
    const values = [value].flat().flatMap((each, place) => {
      const spelled = known.get(foldText(each.trim()))
      if (spelled !== undefined) return [spelled]
      const path = typeof value === 'string' ? field : `${field}[${place}]`
      errors.push({
        field: path,
        message: `is not known here; ${suggestion(each, [...known.values()])}`,
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

function suggestion(typed: string, known: readonly string[]): string {
  if (known.length === 0) return 'there are no values yet'
  const nearest = findNearestName(typed, known)
  const shown = known.slice(0, LISTED_MAX).join(', ')
  const listed = known.length > LISTED_MAX ? `${shown}, …` : shown
  return nearest ? `did you mean ${nearest}? Known: ${listed}` : `known: ${listed}`
}
