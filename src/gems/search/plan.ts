import type { Order, Place, Predicate } from '../../index/index.ts'
import { scaleDown, scaleUp } from '../../lib/decimals.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { microsecondsFrom } from '../../lib/timestamps.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { GEM_TYPES } from '../../reference/attributes.ts'
import {
  type Field,
  type FieldTable,
  type FlagField,
  fieldsFor,
  type OneOfField,
  type PairsField,
  type PriceField,
  type RangeField,
  type SearchTable,
} from './fields.ts'
import type { TierScope } from './price-bounds.ts'
import { priceOrder, priceRange } from './prices.ts'

/** A search as the caller wrote it, validated by the request schema. */
export interface SearchRequest {
  filters?: SearchFilters
  limit: number
  offset: number
  /** Where the page before ended; then `offset` is only how many stones were before. */
  place?: Place
  sort_col: string
  sort_order: 'asc' | 'desc'
  include?: readonly ('facets' | 'relaxations')[]
  /** Treated diamonds are found, too, whatever their treatment; as with the filter `treatment`. */
  include_treated?: boolean
}

export type SearchFilters = Readonly<Record<string, FilterValue | undefined>>
export type FilterValue = readonly (string | null)[] | number | boolean | string

/** What the index is asked for, decided from the request and the price rules alone. */
interface SearchPlan {
  predicates: Predicate[]
  order: Order
}

export function planSearch(
  table: SearchTable,
  request: SearchRequest,
  rules: PriceRules,
): SearchPlan {
  return {
    predicates: planFilters(table, request.filters ?? {}, rules),
    order: planSort(table.fields, request, rules),
  }
}

export function planFilters(
  table: SearchTable,
  filters: SearchFilters,
  rules: PriceRules,
): Predicate[] {
  const { fields } = table
  const errors: FieldError[] = []
  const predicates: Predicate[] = []
  for (const name of fieldsFor(table, filters)) {
    predicates.push(...planField(name, fields[name], fields, filters, rules, errors))
  }
  if (errors.length > 0) {
    throw new Refusal('invalid_request', errors.map(({ message }) => message).join('. '), {
      errors,
    })
  }
  return predicates
}

function planField(
  name: string,
  field: Field,
  fields: FieldTable,
  filters: SearchFilters,
  rules: PriceRules,
  errors: FieldError[],
): Predicate[] {
  switch (field.kind) {
    case 'text':
      return isList(filters[name]) ? [{ kind: 'texts', column: name, values: filters[name] }] : []
    case 'oneOf':
      return planOneOf(name, field, filters, errors)
    case 'pairs':
      return planPairs(name, field, fields, filters, errors)
    case 'flag':
      return planFlag(name, field, filters)
    case 'range':
      return planRange(name, field, filters, errors)
    case 'price':
      return planPrice(name, field, filters, rules, errors)
    case 'timestamp':
      return planSince(name, field.since, filters, errors)
  }
}

export function isList(value: FilterValue | undefined): value is readonly (string | null)[] {
  return Array.isArray(value)
}

function planOneOf(
  column: string,
  field: OneOfField,
  filters: SearchFilters,
  errors: FieldError[],
): Predicate[] {
  const wanted = filters[column]
  if (!isList(wanted)) return []
  const { values: reserved, flag } = field.onlyWith ?? { values: [], flag: '' }
  for (const [i, value] of wanted.entries()) {
    if (value === null || !reserved.includes(value) || filters[flag] === true) continue
    const message = `${value} is allowed only together with ${flag}: true`
    errors.push({ field: `filters.${column}[${i}]`, message })
  }
  const values = wanted.map((value) => (field.noneWord && value === 'None' ? null : value))
  return [{ kind: 'oneOf', column, values }]
}

function planPairs(
  name: string,
  { of }: PairsField,
  fields: FieldTable,
  filters: SearchFilters,
  errors: FieldError[],
): Predicate[] {
  const wanted = filters[name]
  if (!isList(wanted)) return []
  const [first, second] = of.map((part) => valuesOf(fields[part]))
  const pairs: [string, string][] = []
  for (const [i, text] of wanted.entries()) {
    const [a = '', b = '', ...more] = (text ?? '').split(':')
    const isPair = more.length === 0
    if (isPair && first.includes(a) && second.includes(b)) pairs.push([a, b])
    else if (isPair && first.includes(b) && second.includes(a)) pairs.push([b, a])
    else {
      const message = `${text} is not of the form ${of.join(':')} with two known values`
      errors.push({ field: `filters.${name}[${i}]`, message })
    }
  }
  return [{ kind: 'pairs', columns: of, pairs }]
}

function valuesOf(field: Field): readonly string[] {
  return field.kind === 'oneOf' && field.values !== 'open' ? field.values : []
}

function planFlag(column: string, field: FlagField, filters: SearchFilters): Predicate[] {
  const wanted = filters[column] ?? field.absent
  if (typeof wanted !== 'boolean') return []
  return [{ kind: 'oneOf', column, values: [wanted ? 't' : 'f'] }]
}

interface Bounds {
  min: number
  max: number
}

/** The two bounds as scaled integers, or undefined when the caller gave neither. */
function boundsOf(
  name: string,
  decimals: number,
  filters: SearchFilters,
  errors: FieldError[],
): Bounds | undefined {
  const [min, max] = [filters[`${name}_min`], filters[`${name}_max`]]
  if (typeof min !== 'number' && typeof max !== 'number') return undefined
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const message = `${name}_min (${min}) is above ${name}_max (${max})`
    errors.push({ field: `filters.${name}_min`, message })
  }
  return {
    min: typeof min === 'number' ? scaleUp(min, decimals) : Number.NEGATIVE_INFINITY,
    max: typeof max === 'number' ? scaleDown(max, decimals) : Number.POSITIVE_INFINITY,
  }
}

function planRange(
  name: string,
  { decimals, bounds, sortOnly }: RangeField,
  filters: SearchFilters,
  errors: FieldError[],
): Predicate[] {
  const wanted = sortOnly ? undefined : boundsOf(name, decimals, filters, errors)
  if (!wanted) return []
  if (!bounds) return [{ kind: 'range', column: name, ...wanted }]
  // The stone has a range of its own here; each bound applies to one end of it.
  const all = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
  const predicates: Predicate[] = []
  if (filters[`${name}_min`] !== undefined) {
    predicates.push({ kind: 'range', column: bounds.min, ...all, min: wanted.min })
  }
  if (filters[`${name}_max`] !== undefined) {
    predicates.push({ kind: 'range', column: bounds.max, ...all, max: wanted.max })
  }
  return predicates
}

/** Cents, and hundredths of a percent: all prices have two decimals. */
const PRICE_DECIMALS = 2

function planPrice(
  name: string,
  { price }: PriceField,
  filters: SearchFilters,
  rules: PriceRules,
  errors: FieldError[],
): Predicate[] {
  const wanted = boundsOf(name, PRICE_DECIMALS, filters, errors)
  return wanted ? [priceRange(rules, price, wanted.min, wanted.max)] : []
}

function planSince(
  column: string,
  since: string | undefined,
  filters: SearchFilters,
  errors: FieldError[],
): Predicate[] {
  const wanted = since === undefined ? undefined : filters[since]
  if (since === undefined || typeof wanted !== 'string') return []
  const min = microsecondsFrom(wanted)
  if (Number.isNaN(min)) {
    errors.push({ field: `filters.${since}`, message: `${wanted} is not a timestamp` })
  }
  return [{ kind: 'range', column, min, max: Number.POSITIVE_INFINITY }]
}

function planSort(fields: FieldTable, request: SearchRequest, rules: PriceRules): Order {
  const { sort_col: column } = request
  const descending = request.sort_order === 'desc'
  const field = fields[column]
  if (field.kind !== 'price') return { kind: 'column', column, descending }
  return priceOrder(rules, field.price, descending, tiersOf(request))
}

/** Which margin tiers the filters leave: the fewer there are, the sooner a page is complete. */
export function tiersOf({ filters = {} }: SearchRequest): TierScope {
  const { weight_min: min, weight_max: max, type } = filters
  return {
    weightMin: typeof min === 'number' ? scaleUp(min, WEIGHT_DECIMALS) : 0,
    weightMax: typeof max === 'number' ? scaleDown(max, WEIGHT_DECIMALS) : Number.POSITIVE_INFINITY,
    types: isList(type) ? type : GEM_TYPES,
  }
}
