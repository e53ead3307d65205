import { capital, decimal, words } from '../lib/format.ts'
import type { Range } from '../parts/double-slider.tsx'
import { FLAG_WORDS, GRADE_WORDS, RANGE_WORDS, VALUE_WORDS } from './labels.ts'
import { changeFilter, type GradeName, RANGES, type RangeName, type SearchWish } from './query.ts'

/** What is wished for, in a row; one press takes a wish back. */
export function Wishes(props: { wish: SearchWish; onChange: (wish: SearchWish) => void }) {
  const { wish, onChange } = props
  const items = [...gradeWishes(wish), ...rangeWishes(wish), ...flagWishes(wish)]
  if (items.length === 0) return null
  return (
    <ul class="wishes" aria-label="What you look for">
      {items.map(({ label, without }) => (
        <li key={label}>
          <button type="button" class="wish" onClick={() => onChange(without)}>
            {label} <span aria-hidden="true">×</span>
            <span class="unseen"> – remove</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface Item {
  label: string
  without: SearchWish
}

function gradeWishes(wish: SearchWish): Item[] {
  return Object.entries(wish.chosen)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => ({
      label: `${GRADE_WORDS[name as GradeName]}: ${values.map(valueWord).join(', ')}`,
      without: changeFilter(wish, name, []),
    }))
}

export function valueWord(value: string): string {
  return VALUE_WORDS[value] ?? capital(words(value))
}

function rangeWishes(wish: SearchWish): Item[] {
  const isSet = ({ min, max }: Range) => min !== undefined || max !== undefined
  return RANGES.filter((name) => isSet(wish.ranges[name])).map((name: RangeName) => ({
    label: `${RANGE_WORDS[name]}: ${rangeText(wish.ranges[name])}`,
    without: { ...wish, ranges: { ...wish.ranges, [name]: {} } },
  }))
}

function rangeText({ min, max }: Range): string {
  if (min === undefined) return `to ${decimal(max)}`
  return max === undefined ? `from ${decimal(min)}` : `${decimal(min)} – ${decimal(max)}`
}

function flagWishes(wish: SearchWish): Item[] {
  return wish.flags.map((name) => ({
    label: FLAG_WORDS[name],
    without: changeFilter(wish, name, undefined),
  }))
}
