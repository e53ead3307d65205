import type { Filters } from '../../api/gems.ts'
import { t } from '../../language/language.ts'
import { capitalize, decimal, humanize, placeName } from '../../lib/format.ts'
import { filterLabels } from '../chips.ts'
import { gemstoneUrl } from '../gemstones/filters.ts'
import { choiceLabel, FLAG_LABELS, nameOf } from '../labels.ts'
import {
  CHOICES,
  changeFilter,
  EVERYTHING,
  FLAG_FILTERS,
  FLAGS,
  type FlagName,
  filtersOf,
  parseQuery,
  type SearchQuery,
  searchUrl,
} from '../query.ts'
import type { SavedSearch } from './requests.ts'

type Value = NonNullable<Filters[string]>
type Conditions = Pick<SavedSearch, 'kind' | 'filters' | 'max_retail_price'>

/** Where the search page shows it; undefined where it has no place for one of the filters. */
export function addressOf(search: Conditions): string | undefined {
  const filters = conditionsOf(search)
  if (search.kind === 'gemstone') return gemstoneUrl(filters)
  const { query, others } = readFilters(filters)
  return others.length === 0 ? searchUrl(query) : undefined
}

/** What is searched for, in words. */
export function filterTexts(search: Conditions): string[] {
  const filters = conditionsOf(search)
  const isGemstone = search.kind === 'gemstone'
  const { query, others } = isGemstone
    ? { query: EVERYTHING, others: entriesOf(filters) }
    : readFilters(filters)
  const texts = [...filterLabels(query), ...others.map(([name, value]) => textOf(name, value))]
  if (texts.length > 0) return texts
  return [isGemstone ? t('All gemstones') : t('All diamonds')]
}

/** The filters with which the server runs it: the lower of two limits of the price counts. */
function conditionsOf({ filters, max_retail_price: limit }: Conditions): Filters {
  if (limit === null) return filters
  const { retail_price_max: own } = filters
  return { ...filters, retail_price_max: typeof own === 'number' ? Math.min(own, limit) : limit }
}

/** The filters as the search page has them, and those that it does not have. */
function readFilters(filters: Filters): { query: SearchQuery; others: [string, Value][] } {
  const given = entriesOf(filters).filter(
    // It is false unless given.
    ([name, value]) => !(name === 'is_fancy' && value === false),
  )
  const fancy = { ...EVERYTHING, fancy: filters.is_fancy === true }
  const raw = given.reduce((query, [name, value]) => withFilter(query, name, value), fancy)
  // What does not survive in the address would be lost when the page is opened.
  const query = parseQuery(new URL(searchUrl(raw), 'http://console').searchParams)
  const shown = filtersOf(query)
  const others = given.filter(([name, value]) => textForm(shown[name]) !== textForm(value))
  const clear = others.reduce(
    (rest, [name]) => (Object.hasOwn(shown, name) ? changeFilter(rest, name, undefined) : rest),
    query,
  )
  return { query: clear, others }
}

function entriesOf(filters: Filters): [string, Value][] {
  return Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, Value]],
  )
}

function withFilter(query: SearchQuery, name: string, value: Value): SearchQuery {
  const flag = flagOf(name, value)
  if (flag) return { ...query, flags: [...query.flags, flag] }
  const isShown = typeof value === 'number' || Object.hasOwn(CHOICES, name)
  return isShown ? changeFilter(query, name, value) : query
}

function flagOf(name: string, value: Value): FlagName | undefined {
  return FLAGS.find((flag) => {
    const [field, wanted] = FLAG_FILTERS[flag]
    return field === name && wanted === value
  })
}

const byText = (a: unknown, b: unknown) => String(a).localeCompare(String(b))

function textForm(value: Value | undefined): string {
  return JSON.stringify(Array.isArray(value) ? value.toSorted(byText) : value) ?? ''
}

function textOf(filter: string, value: Value): string {
  const flag = flagOf(filter, value)
  if (flag) return FLAG_LABELS[flag]
  if (typeof value === 'boolean') return offText(filter, value)
  const { name, end } = nameOf(filter)
  if (typeof value === 'number') {
    const bound = decimal(value)
    return end === 'min'
      ? t('{name}: from {value}', { name, value: bound })
      : t('{name}: up to {value}', { name, value: bound })
  }
  const label = filter === 'origin' ? t('Country of origin') : name
  if (typeof value === 'string') return `${label}: ${valueText(filter, value)}`
  return `${label}: ${value.map((each) => valueText(filter, each)).join(', ')}`
}

/** Filters that are on or off, the other way round than the search page has them. */
function offText(filter: string, value: boolean): string {
  if (filter === 'on_hold') return t('On hold')
  const flag = flagOf(filter, !value)
  if (flag) return t('Without “{filter}”', { filter: FLAG_LABELS[flag] })
  return `${nameOf(filter).name}: ${value ? t('yes') : t('no')}`
}

function valueText(filter: string, value: string | null): string {
  if (value === null) return t('not known')
  if (filter === 'origin') return placeName(value)
  return filter === 'species' ? capitalize(humanize(value)) : choiceLabel(filter, value)
}
