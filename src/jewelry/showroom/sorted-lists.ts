/**
 * The orders that somebody asked for, as lists of row numbers that stay sorted while rows change:
 * a page is then a walk and not a sort. Equal keys stand by id, ascending in both directions, so
 * the order is total, and pages neither repeat nor lose a row.
 */
export interface SortedLists<Row> {
  /** `name` stands for the key: the same name must always mean the same order. */
  get(name: string, keyOf: (row: Row) => SortKey, direction: Direction): readonly number[]
  /** Puts new rows in place of those with the same numbers, in the rows and in all lists. */
  replace(changed: ReadonlyMap<number, Row>): void
}

export type SortKey = number | string
export type Direction = 'asc' | 'desc'

interface Identified {
  id: string
}

/** Prices in every currency and both directions are some forty lists; more are forgotten. */
const LISTS_MAX = 64
/** From this many changed rows on, sorting anew is cheaper than moving them one by one. */
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
      // A row is found by its old key and put back by its new one.
      const moved = [...lists.values()].map((list) => ({ list, numbers: list.takeOut(changed) }))
      for (const [number, row] of changed) rows[number] = row
      for (const { list, numbers } of moved) for (const number of numbers) list.putIn(number)
    },
  }
}

interface SortedList<Row> {
  numbers: number[]
  /** Takes out the rows whose key changes, and answers which those and the new ones are. */
  takeOut(changed: ReadonlyMap<number, Row>): number[]
  putIn(number: number): void
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

  function placeOf(row: Row): number {
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
    takeOut(changed) {
      const moved: number[] = []
      for (const [number, row] of changed) {
        const old = number < rows.length ? rows[number] : undefined
        if (old && keyOf(old) === keyOf(row)) continue
        if (old) numbers.splice(placeOf(old), 1)
        moved.push(number)
      }
      return moved
    },
    putIn(number) {
      numbers.splice(placeOf(rows[number]), 0, number)
    },
  }
}
