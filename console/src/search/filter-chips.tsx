import { capitalize, decimal, humanize } from '../lib/format.ts'
import type { Range } from '../parts/range-slider.tsx'
import { CHOICE_LABELS, FLAG_LABELS, RANGE_LABELS, VALUE_LABELS } from './labels.ts'
import { type ChoiceName, changeFilter, RANGES, type RangeName, type SearchQuery } from './query.ts'

/** What is wished for, in a row; one press takes a query back. */
export function FilterChips(props: { query: SearchQuery; onChange: (query: SearchQuery) => void }) {
  const { query, onChange } = props
  const items = [...choiceItems(query), ...rangeItems(query), ...flagItems(query)]
  if (items.length === 0) return null
  return (
    <ul class="filter-chips" aria-label="What you look for">
      {items.map(({ label, without }) => (
        <li key={label}>
          <button type="button" class="filter-chip" onClick={() => onChange(without)}>
            {label} <span aria-hidden="true">×</span>
            <span class="visually-hidden"> – remove</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface Item {
  label: string
  without: SearchQuery
}

function choiceItems(query: SearchQuery): Item[] {
  return Object.entries(query.choices)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => ({
      label: `${CHOICE_LABELS[name as ChoiceName]}: ${values.map(valueLabel).join(', ')}`,
      without: changeFilter(query, name, []),
    }))
}

export function valueLabel(value: string): string {
  return VALUE_LABELS[value] ?? capitalize(humanize(value))
}

function rangeItems(query: SearchQuery): Item[] {
  const isSet = ({ min, max }: Range) => min !== undefined || max !== undefined
  return RANGES.filter((name) => isSet(query.ranges[name])).map((name: RangeName) => ({
    label: `${RANGE_LABELS[name]}: ${rangeText(query.ranges[name])}`,
    without: { ...query, ranges: { ...query.ranges, [name]: {} } },
  }))
}

function rangeText({ min, max }: Range): string {
  if (min === undefined) return `to ${decimal(max)}`
  return max === undefined ? `from ${decimal(min)}` : `${decimal(min)} – ${decimal(max)}`
}

function flagItems(query: SearchQuery): Item[] {
  return query.flags.map((name) => ({
    label: FLAG_LABELS[name],
    without: changeFilter(query, name, undefined),
  }))
}
