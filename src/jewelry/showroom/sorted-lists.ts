/**
 * The sort orders that were requested, as lists of row numbers that stay sorted while rows change,
 * so that a page needs no sort. Equal keys are sorted by id, ascending in both directions: the
 * order is total, and pages neither repeat nor lose a row.
 */
export interface SortedLists<Row> {
  /** `name` identifies the key: the same name must always mean the same order. */
  get(name: string, keyOf: (row: Row) => SortKey, direction: Direction): readonly number[]
  /** Replaces the rows with the same numbers, in the rows and in all lists. */
  replace(changed: ReadonlyMap<number, Row>): void
}

export type SortKey = number | string
type Direction = 'asc' | 'desc'

interface Identified {
  id: string
}

/** Prices in every currency and both directions are about forty lists; the oldest are dropped. */
const LISTS_MAX = 64
/** With more changed rows than this, sorting again is cheaper than moving them one by one. */
const MOVED_MAX = 500

export function createSortedLists<Row extends Identified>(rows: Row[]): SortedLists<Row> {
  const lists = new Map<string, SortedList<Row>>()
  return {
    get(name, keyOf, direction) {
      const key = `${name} ${direction}`
      let list = lists.get(key)
      if (!list) {
        if (lists.size >= LISTS_MAX) lists.delete(lists.keys().next().value ?? '')
        list = createSortedList(rows, keyOf, direction)
        lists.set(key, list)
      }
      return list.numbers
    },
    replace(changed) {
      if (changed.size > MOVED_MAX) lists.clear()
      // Rows are removed by their old keys before they are replaced, and inserted by the new ones.
      const moved = [...lists.values()].map((list) => ({ list, numbers: list.remove(changed) }))
      for (const [number, row] of changed) rows[number] = row
      for (const { list, numbers } of moved) for (const number of numbers) list.insert(number)
    },
  }
}

interface SortedList<Row> {
  numbers: number[]
  /** Removes the rows whose keys change; returns their numbers and those of new rows. */
  remove(changed: ReadonlyMap<number, Row>): number[]
  insert(number: number): void
}

function createSortedList<Row extends Identified>(
  rows: Row[],
  keyOf: (row: Row) => SortKey,
  direction: Direction,
): SortedList<Row> {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (keyA: SortKey, a: Row, keyB: SortKey, b: Row) => {
    if (keyA !== keyB) return keyA < keyB ? -sign : sign
    return a.id < b.id ? -1 : Number(a.id > b.id)
  }
  const keys = rows.map(keyOf)
  const numbers = rows.map((_, number) => number)
  numbers.sort((a, b) => compare(keys[a], rows[a], keys[b], rows[b]))

  function positionOf(row: Row): number {
    const key = keyOf(row)
    let low = 0
    let high = numbers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = rows[numbers[middle]]
      if (compare(keyOf(other), other, key, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    numbers,
    remove(changed) {
      const moved: number[] = []
      for (const [number, row] of changed) {
        const old = number < rows.length ? rows[number] : undefined
        if (old && keyOf(old) === keyOf(row)) continue
        if (old) numbers.splice(positionOf(old), 1)
        moved.push(number)
      }
      return moved
    },
    insert(number) {
      numbers.splice(positionOf(rows[number]), 0, number)
    },
  }
}
