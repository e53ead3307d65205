/**
 * Rows kept in one order, so that a page is a walk and not a sort. Equal keys stand by id,
 * ascending in both directions: the order is total, and pages neither repeat nor lose a row.
 */
export interface SortedRows<Row> {
  readonly rows: readonly Row[]
  add(row: Row): void
  remove(row: Row): void
}

export type SortKey = number | string

interface Identified {
  id: string
}

export function sortRows<Row extends Identified>(
  all: Iterable<Row>,
  keyOf: (row: Row) => SortKey,
  direction: 'asc' | 'desc',
): SortedRows<Row> {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (keyA: SortKey, a: Row, keyB: SortKey, b: Row) => {
    if (keyA !== keyB) return keyA < keyB ? -sign : sign
    return a.id < b.id ? -1 : Number(a.id > b.id)
  }
  const entries = Array.from(all, (row) => ({ row, key: keyOf(row) }))
  entries.sort((a, b) => compare(a.key, a.row, b.key, b.row))
  const rows = entries.map(({ row }) => row)

  function placeOf(row: Row): number {
    const key = keyOf(row)
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(keyOf(rows[middle]), rows[middle], key, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    rows,
    add(row) {
      rows.splice(placeOf(row), 0, row)
    },
    remove(row) {
      const place = placeOf(row)
      if (rows[place] !== row) throw new Error(`row ${row.id} does not stand where it belongs`)
      rows.splice(place, 1)
    },
  }
}

/** The orders that somebody asked for, kept sorted while rows come and go. */
export interface SortedLists<Row> {
  /** `name` stands for the key: the same name must always mean the same order. */
  get(name: string, keyOf: (row: Row) => SortKey, direction: 'asc' | 'desc'): readonly Row[]
  exchange(out: readonly Row[], into: readonly Row[]): void
  forget(): void
}

/** Prices in every currency and both directions are some forty lists; more are forgotten. */
const LISTS_MAX = 64

export function createSortedLists<Row extends { id: string }>(
  all: () => Iterable<Row>,
): SortedLists<Row> {
  const lists = new Map<string, SortedRows<Row>>()
  return {
    get(name, keyOf, direction) {
      const key = `${name} ${direction}`
      let list = lists.get(key)
      if (!list) {
        if (lists.size >= LISTS_MAX) lists.delete(lists.keys().next().value ?? '')
        list = sortRows(all(), keyOf, direction)
        lists.set(key, list)
      }
      return list.rows
    },
    exchange(out, into) {
      for (const list of lists.values()) {
        for (const row of out) list.remove(row)
        for (const row of into) list.add(row)
      }
    },
    forget: () => lists.clear(),
  }
}
