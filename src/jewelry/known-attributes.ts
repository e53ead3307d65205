import type { ProductType } from '../database/jewelry-tables.ts'
import { findNearestName } from '../lib/nearest-name.ts'
import { type FieldError, Refusal } from '../lib/refusal.ts'
import { attributeKeysOf, labelOf } from './attributes.ts'
import { foldText } from './free-text.ts'
import type { Floor } from './showroom.ts'
import { isVisible, type Viewer, visibleCatalogues } from './viewer.ts'

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
  const visible = visibleCatalogues(floor, viewer)
  const gate = visible === null ? 'all' : [...visible].sort().join(' ')
  const name = `filters ${type} ${gate}`
  const remembered = floor.remembered.get(name) as ProductFilter[] | undefined
  if (remembered) return remembered
  const filters = filtersOf(type, countAttributes(floor, visible, type), floor)
  floor.remembered.set(name, filters)
  return filters
}

/** For every attribute value: -1 when the caller sees none, otherwise how many are in stock. */
function countAttributes(floor: Floor, visible: Set<string> | null, type: ProductType): Int32Array {
  const counts = new Int32Array(floor.terms.attributes.size).fill(-1)
  for (const product of floor.products.values()) {
    if (product.type !== type || !isVisible(product, visible)) continue
    for (const { attributes, quantity } of product.variants) {
      for (const id of attributes) {
        if (counts[id] === -1) counts[id] = 0
        if (quantity > 0) counts[id]++
      }
    }
  }
  return counts
}

function filtersOf(type: ProductType, counts: Int32Array, floor: Floor): ProductFilter[] {
  const keys = attributeKeysOf(type)
  const valuesOfKey = new Map(keys.map((key) => [key, [] as ProductFilter['values']]))
  for (const [id, count] of counts.entries()) {
    if (count === -1) continue
    const [, key, value] = floor.terms.attributes.textOf(id).split('\n')
    valuesOfKey.get(key)?.push({ value, count })
  }
  return keys.map((key) => ({
    key,
    label: labelOf(type, key),
    values: (valuesOfKey.get(key) ?? []).sort((a, b) => compareValues(a.value, b.value)),
  }))
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
 * The wanted attributes in their known spelling. A key or value that the caller cannot see is
 * refused, with those that it can: a filter that is silently ignored sells the wrong ring.
 */
export function checkAttributes(
  floor: Floor,
  viewer: Viewer,
  type: ProductType,
  wanted: Readonly<Record<string, string | readonly string[]>>,
): { key: string; values: string[] }[] {
  const filters = new Map(listFilters(floor, viewer, type).map((filter) => [filter.key, filter]))
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
