import type { ComponentChildren } from 'preact'
import { locale } from '../../language/language.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'

/**
 * What a table is sorted by. It is in the address (`?sort=name`, the other way round
 * `?sort=-name`), so that Back returns to the order before.
 */
export interface Sort<Column extends string = string> {
  by: Column
  order: 'asc' | 'desc'
}

/** The sort in the address, if it is by one of these columns. */
export function useSort<Column extends string>(
  columns: readonly Column[],
): Sort<Column> | undefined {
  const { params } = useLocation()
  const [, minus, name] = /^(-?)(.*)$/.exec(params.get('sort') ?? '') ?? []
  const by = columns.find((column) => column === name)
  return by && { by, order: minus ? 'desc' : 'asc' }
}

/** The sort as lists of the interface take it; none is the list's own. */
export function sortParams<Column extends string>(sort: Sort<Column> | undefined) {
  return sort && { sort_col: sort.by, sort_order: sort.order }
}

/**
 * The head of a column. The first click sorts by it, the second the other way round, the third
 * shows the list in its own order again.
 */
export function SortHead(props: {
  by: string
  /** What the first click does: the largest amount or the latest day is often wanted first. */
  first?: Sort['order']
  class?: string
  children: ComponentChildren
}) {
  const { by, first = 'asc' } = props
  const chosen = useSort([by])?.order
  const second = first === 'asc' ? 'desc' : 'asc'
  const next = chosen === undefined ? first : chosen === first ? second : undefined
  const sort = () => {
    const name = next === 'desc' ? `-${by}` : by
    go(withParams({ sort: next && name, offset: undefined, cursor: undefined }))
  }
  return (
    <th scope="col" class={props.class} aria-sort={chosen && SPOKEN[chosen]}>
      <button type="button" class="sort-button" onClick={sort}>
        {props.children}
        <span aria-hidden="true" class={chosen ? undefined : 'is-unsorted'}>
          {chosen ? ARROWS[chosen] : '↕'}
        </span>
      </button>
    </th>
  )
}

const SPOKEN = { asc: 'ascending', desc: 'descending' } as const
const ARROWS = { asc: '↑', desc: '↓' } as const

export type Value = string | number | boolean | null | undefined

/** Sorts a list that the page has as a whole. What has no value comes last, either way. */
export function useSorted<Row>(
  rows: readonly Row[],
  values: Readonly<Record<string, (row: Row) => Value>>,
): readonly Row[] {
  const sort = useSort(Object.keys(values))
  if (!sort) return rows
  const valueIn = values[sort.by]
  const sign = sort.order === 'desc' ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [valueIn(one), valueIn(other)]
    if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b))
    return sign * compare(a, b)
  })
}

function isMissing(value: Value): value is null | undefined | '' {
  return value === null || value === undefined || value === ''
}

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })

/** Text as the reader's language sorts it, with numbers in it by their size. */
function compare(a: Exclude<Value, null | undefined>, b: typeof a): number {
  if (typeof a === 'string' || typeof b === 'string') return collator.compare(`${a}`, `${b}`)
  return Number(a) - Number(b)
}
