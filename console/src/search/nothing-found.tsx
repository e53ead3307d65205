import type { Relaxation } from '../api/diamonds.ts'
import { plural } from '../lib/format.ts'
import { Empty } from '../parts/feedback.tsx'
import { valueLabel } from './filter-chips.tsx'
import { CHOICE_LABELS, FLAG_LABELS, RANGE_LABELS } from './labels.ts'
import { type ChoiceName, changeFilter, type RangeName, type SearchQuery } from './query.ts'

const SHOWN_MAX = 6

/** Nothing matches: what would, as buttons. */
export function NothingFound(props: {
  query: SearchQuery
  relaxations: Relaxation[]
  onChange: (query: SearchQuery) => void
}) {
  const { query, relaxations, onChange } = props
  return (
    <Empty title="No stone is like this today">
      {relaxations.length > 0 ? (
        <>
          <p>These small changes would bring some:</p>
          <div class="row">
            {relaxations.slice(0, SHOWN_MAX).map((each) => (
              <button
                key={each.filter + each.change}
                type="button"
                class="button"
                onClick={() => onChange(changeFilter(query, each.filter, each.value))}
              >
                {relaxationText(each)}
                <span class="tag is-accent">{plural(each.total_count, 'stone')}</span>
              </button>
            ))}
          </div>
        </>
      ) : (
        <p>Take a query back, one at a time, with the buttons above.</p>
      )}
    </Empty>
  )
}

function relaxationText({ filter, change, value }: Relaxation): string {
  const bound = /^(.*)_(min|max)$/.exec(filter)
  const name = nameOf(bound ? bound[1] : filter)
  if (change === 'dropped' || value === null) {
    return bound ? `No ${bound[2] === 'min' ? 'lower' : 'upper'} limit for ${name}` : `Any ${name}`
  }
  if (Array.isArray(value)) {
    return `${name}: also ${value.map((each) => valueLabel(String(each))).join(', ')}`
  }
  return `${name} ${bound?.[2] === 'min' ? 'from' : 'to'} ${String(value)}`
}

function nameOf(filter: string): string {
  const known: Record<string, string> = { ...CHOICE_LABELS, ...RANGE_LABELS, ...FLAG_LABELS }
  return (known[filter as ChoiceName | RangeName] ?? filter.replaceAll('_', ' ')).toLowerCase()
}
