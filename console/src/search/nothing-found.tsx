import type { Relaxation } from '../api/gems.ts'
import { capitalize, humanize, plural } from '../lib/format.ts'
import { Empty } from '../parts/feedback.tsx'
import { CHOICE_LABELS, choiceTexts, FLAG_LABELS, RANGE_LABELS } from './labels.ts'
import { changeFilter, type FlagName, type SearchQuery } from './query.ts'

const SHOWN_MAX = 6

/** No stone matches: offers the smallest changes to the search that would find some. */
export function NothingFound(props: {
  query: SearchQuery
  relaxations: Relaxation[]
  onChange: (query: SearchQuery) => void
}) {
  const { query, relaxations, onChange } = props
  return (
    <Empty title="No stones match your search">
      {relaxations.length > 0 ? (
        <>
          <p>One of these changes would find some:</p>
          <div class="row">
            {relaxations.slice(0, SHOWN_MAX).map((each) => (
              <button
                key={each.filters.join() + each.change}
                type="button"
                class="button"
                onClick={() => onChange(changeFilters(query, each))}
              >
                {relaxationText(each)}
                <span class="tag is-accent">{plural(each.total_count, 'stone')}</span>
              </button>
            ))}
          </div>
        </>
      ) : (
        <p>Try removing filters, one at a time, with the buttons above.</p>
      )}
    </Empty>
  )
}

function changeFilters(query: SearchQuery, { filters, value }: Relaxation): SearchQuery {
  return filters.reduce((changed, filter) => changeFilter(changed, filter, value), query)
}

function relaxationText({ filters, change, value }: Relaxation): string {
  const [first, ...others] = filters.map((filter) => textOf(filter, change, value))
  return [first, ...others.map((other) => other[0].toLowerCase() + other.slice(1))].join(' and ')
}

function textOf(filter: string, change: Relaxation['change'], value: Relaxation['value']): string {
  const flag = FLAG_LABELS[filter as FlagName]
  if (flag) return `Without “${flag}”`
  const bound = /^(.*)_(min|max)$/.exec(filter)
  const name = nameOf(bound ? bound[1] : filter)
  if (change === 'dropped' || value === null) {
    return bound ? `No ${bound[2] === 'min' ? 'lower' : 'upper'} limit for ${name}` : `Any ${name}`
  }
  if (Array.isArray(value)) {
    return `${capitalize(name)}: also ${choiceTexts(filter, value.map(String))}`
  }
  return `${capitalize(name)} ${bound?.[2] === 'min' ? 'from' : 'up to'} ${String(value)}`
}

function nameOf(filter: string): string {
  const known: Record<string, string> = { ...CHOICE_LABELS, ...RANGE_LABELS }
  return (known[filter] ?? humanize(filter)).toLowerCase()
}
