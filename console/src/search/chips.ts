import { t } from '../language/language.ts'
import { decimal } from '../lib/format.ts'
import { CHOICE_LABELS, choiceTexts, FLAG_LABELS, RANGE_LABELS } from './labels.ts'
import { type ChoiceName, changeFilter, RANGES, type Range, type SearchQuery } from './query.ts'

/** The filters of a search, each in words. */
export function filterLabels(query: SearchQuery): string[] {
  return chipsOf(query).map(({ label }) => label)
}

/** The filters of a search, in the order of the page. */
export function chipsOf(query: SearchQuery): Chip[] {
  const fancy = { label: t('Fancy colors'), without: changeFilter(query, 'is_fancy', undefined) }
  return [
    ...choiceChips(query),
    ...(query.fancy && query.choices.color.length === 0 ? [fancy] : []),
    ...rangeChips(query),
    ...flagChips(query),
  ]
}

interface Chip {
  label: string
  /** The query without this filter. */
  without: SearchQuery
}

function choiceChips(query: SearchQuery): Chip[] {
  return Object.entries(query.choices)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => ({
      label: `${CHOICE_LABELS[name as ChoiceName]}: ${choiceTexts(name, values)}`,
      without: changeFilter(query, name, []),
    }))
}

function rangeChips(query: SearchQuery): Chip[] {
  const isSet = ({ min, max }: Range) => min !== undefined || max !== undefined
  return RANGES.filter((name) => isSet(query.ranges[name])).map((name) => ({
    label: `${RANGE_LABELS[name]}: ${rangeText(query.ranges[name])}`,
    without: { ...query, ranges: { ...query.ranges, [name]: {} } },
  }))
}

function rangeText({ min, max }: Range): string {
  if (min === undefined) return t('up to {value}', { value: decimal(max) })
  return max === undefined
    ? t('from {value}', { value: decimal(min) })
    : `${decimal(min)} – ${decimal(max)}`
}

function flagChips(query: SearchQuery): Chip[] {
  return query.flags.map((name) => ({
    label: FLAG_LABELS[name],
    without: changeFilter(query, name, undefined),
  }))
}
