import {
  type BandKeys,
  type ColumnKeys,
  countValues,
  type FillKeys,
  type Found,
  type Histogram,
  histogram,
  type Match,
  match,
  type Order,
  occurringValues,
  type Place,
  type Predicate,
  page,
  pageBehind,
  placeBehind,
  type Store,
  type ValueCount,
} from '../../index/index.ts'
import { amountFrom } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import type { SearchTable } from './fields.ts'
import { type FilterValue, planFilters, planSearch, type SearchRequest, tiersOf } from './plan.ts'
import { retailKeys } from './prices.ts'
import { relaxedFilters, withoutPairs } from './relaxations.ts'
import { visibleTo } from './visibility.ts'

/** A search result without its page. */
type Counts = Pick<SearchResult, 'facets' | 'relaxations'>

/** The parts that the request included, as the response has them. */
export function renderIncluded({ facets, relaxations }: Counts): Record<string, unknown> {
  return {
    ...(facets && { facets: { ...facets.values, histograms: facets.histograms } }),
    ...(relaxations && { relaxations }),
  }
}

export interface SearchResult {
  found: Found[]
  /** Where the page ends; null when nothing is behind it. */
  next: Place | null
  total: number
  /** The values that occur in some columns, among all matches and not only on the page. */
  occurring: Record<string, string[]>
  facets?: Facets
  relaxations?: Relaxation[]
}

interface Facets {
  values: Record<string, ValueCount[]>
  histograms: { retail_price: Histogram; weight: Histogram }
}

interface Relaxation {
  /** The one filter that changes; not set for a pair. */
  filter?: string
  /** The filters that change: one, or two that must both be dropped. */
  filters: readonly string[]
  change: 'dropped' | 'widened'
  value: FilterValue | null
  total_count: number
}

export function searchGems(
  store: Store,
  table: SearchTable,
  request: SearchRequest,
  rules: PriceRules,
  occurringIn: readonly string[],
): SearchResult {
  const plan = planSearch(table, request, rules)
  const matches = match(store, completed(store, table, plan.predicates, request, rules))
  const result: SearchResult = {
    ...readPage(matches, plan.order, request),
    total: matches.total,
    occurring: Object.fromEntries(
      occurringIn.map((column) => [column, occurringValues(matches, column)]),
    ),
  }
  // A match is valid until the next one, so facets are counted before relaxations are tried.
  if (request.include?.includes('facets')) {
    result.facets = countFacets(matches, table, retailKeys(rules, tiersOf(request)))
  }
  if (request.include?.includes('relaxations')) {
    result.relaxations = matches.total > 0 ? [] : relax(store, table, request, rules)
  }
  return result
}

function readPage(
  matches: Match,
  order: Order,
  { place, offset, limit }: SearchRequest,
): Pick<SearchResult, 'found' | 'next'> {
  // One more than the page has shows whether anything is behind it.
  const rows = place
    ? pageBehind(matches, order, place, limit + 1)
    : page(matches, order, offset, limit)
  const found = rows.slice(0, limit)
  const last = found.at(-1)
  const isLast = place ? rows.length <= limit : offset + rows.length >= matches.total
  return { found, next: last && !isLast ? placeBehind(last, order) : null }
}

type AskedStones = Pick<SearchRequest, 'filters' | 'include_treated'>

/** Adds to the predicates of a request what only the index knows. */
export function completed(
  store: Store,
  table: SearchTable,
  predicates: readonly Predicate[],
  { filters, include_treated = false }: AskedStones,
  { list }: PriceRules,
): Predicate[] {
  const viewer = { list, treated: include_treated || filters?.treatment !== undefined }
  const wanted = predicates.map((predicate) => inAnyCase(store, table, predicate))
  return [...wanted, ...visibleTo(store, viewer)]
}

/** Where the case of letters does not matter, every spelling that occurs is wanted. */
function inAnyCase(store: Store, { fields }: SearchTable, predicate: Predicate): Predicate {
  if (predicate.kind !== 'oneOf' || !Object.hasOwn(fields, predicate.column)) return predicate
  const field = fields[predicate.column]
  if (field.kind !== 'oneOf' || !field.anyCase) return predicate
  const wanted = new Set(predicate.values.map((value) => value?.toLowerCase() ?? null))
  const { values } = store.dictionaries[predicate.column]
  return { ...predicate, values: values.filter((each) => wanted.has(each?.toLowerCase() ?? null)) }
}

const BINS = 30

function countFacets(
  matches: Match,
  { facets }: SearchTable,
  prices: ColumnKeys | BandKeys | FillKeys,
): Facets {
  const retail = histogram(matches, prices, BINS)
  const weight = histogram(matches, WEIGHT, BINS)
  return {
    values: Object.fromEntries(countValues(matches, facets)),
    histograms: {
      retail_price: scaleEnds(retail, amountFrom),
      weight: scaleEnds(weight, (scaled) => scaled / 10_000),
    },
  }
}

const WEIGHT: ColumnKeys = {
  column: 'weight',
  keyOf: (weight) => weight,
  valueFrom: (weight) => weight,
}

function scaleEnds({ min, max, bins }: Histogram, scale: (value: number) => number): Histogram {
  return { min: min === null ? null : scale(min), max: max === null ? null : scale(max), bins }
}

/**
 * How many stones would be found if one filter were dropped or widened by one step. When no single
 * one suffices, pairs of filters are dropped.
 */
function relax(
  store: Store,
  table: SearchTable,
  request: SearchRequest,
  rules: PriceRules,
): Relaxation[] {
  const relaxations: Relaxation[] = []
  for (const { filter, change, value, filters } of relaxedFilters(
    table.fields,
    request.filters ?? {},
  )) {
    const total = countMatches(store, table, { ...request, filters }, rules)
    if (total > 0) {
      relaxations.push({ filter, filters: [filter], change, value, total_count: total })
    }
  }
  if (relaxations.length === 0) {
    for (const { pair, filters } of withoutPairs(request.filters ?? {})) {
      const total_count = countMatches(store, table, { ...request, filters }, rules)
      if (total_count > 0) {
        relaxations.push({ filters: pair, change: 'dropped', value: null, total_count })
      }
    }
  }
  return relaxations.toSorted((a, b) => b.total_count - a.total_count)
}

/** Some relaxed filters contradict the others (a hue without is_fancy): they match nothing. */
function countMatches(
  store: Store,
  table: SearchTable,
  asked: AskedStones,
  rules: PriceRules,
): number {
  try {
    const predicates = planFilters(table, asked.filters ?? {}, rules)
    return match(store, completed(store, table, predicates, asked, rules)).total
  } catch (error) {
    if (error instanceof Refusal) return 0
    throw error
  }
}
