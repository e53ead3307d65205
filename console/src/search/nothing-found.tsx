import type { Relaxation } from '../api/diamonds.ts'
import { plural } from '../lib/format.ts'
import { Empty } from '../parts/notes.tsx'
import { valueWord } from './filter-chips.tsx'
import { FLAG_WORDS, GRADE_WORDS, RANGE_WORDS } from './labels.ts'
import { changeFilter, type GradeName, type RangeName, type SearchWish } from './query.ts'

const SHOWN_MAX = 6

/** Nothing matches: what would, as buttons. */
export function NothingFound(props: {
  wish: SearchWish
  relaxations: Relaxation[]
  onChange: (wish: SearchWish) => void
}) {
  const { wish, relaxations, onChange } = props
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
                onClick={() => onChange(changeFilter(wish, each.filter, each.value))}
              >
                {relaxationText(each)}
                <span class="tag is-accent">{plural(each.total_count, 'stone')}</span>
              </button>
            ))}
          </div>
        </>
      ) : (
        <p>Take a wish back, one at a time, with the buttons above.</p>
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
    return `${name}: also ${value.map((each) => valueWord(String(each))).join(', ')}`
  }
  return `${name} ${bound?.[2] === 'min' ? 'from' : 'to'} ${String(value)}`
}

function nameOf(filter: string): string {
  const known: Record<string, string> = { ...GRADE_WORDS, ...RANGE_WORDS, ...FLAG_WORDS }
  return (known[filter as GradeName | RangeName] ?? filter.replaceAll('_', ' ')).toLowerCase()
}
