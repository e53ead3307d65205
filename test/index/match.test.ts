import { beforeEach, describe, expect, it } from 'vitest'
import {
  buildSegment,
  countValues,
  eachView,
  encode,
  type FillKeys,
  find,
  histogram,
  idAt,
  type Match,
  match,
  newRows,
  newStore,
  type Order,
  occurringValues,
  page,
  putRow,
  remove,
  type Store,
  setCode,
  type TableSpec,
  upsert,
} from '../../src/index/index.ts'

const SPEC: TableSpec = {
  primary: 'price',
  columns: [
    { kind: 'number', name: 'price' },
    { kind: 'code', name: 'color', values: ['D', 'E', 'F'] },
  ],
}
const prices: FillKeys = ({ numbers: { price } }, rows, count, keys) => {
  for (let i = 0; i < count; i++) keys[i] = price.values[rows[i]] + price.base
}
const BY_PRICE: Order = {
  kind: 'key',
  follows: 'price',
  descending: false,
  keys: prices,
  bound: (key) => key,
  parts: () => [{ low: (key) => key, high: (key) => key }],
}

let store: Store

beforeEach(() => {
  const rows = newRows(SPEC)
  for (let id = 1; id <= 100; id++) {
    putRow(rows, rows.size, id, [1000 - id, encode(rows.dictionaries.color, 'DEF'[id % 3])])
  }
  store = newStore(SPEC, buildSegment(rows))
  for (let id = 101; id <= 104; id++) upsert(store, id, [id, 1])
})

const colored = (color: string) =>
  match(store, [{ kind: 'oneOf', column: 'color', values: [color] }])

/** Everything that can be done with a match. */
const USES: Record<string, (found: Match) => unknown> = {
  page: (found) => page(found, BY_PRICE, 0, 10),
  eachView: (found) => eachView(found, () => {}),
  countValues: (found) => countValues(found, ['color']),
  histogram: (found) => histogram(found, prices, 4),
  occurringValues: (found) => occurringValues(found, 'color'),
}

describe('a match', () => {
  it.each(Object.entries(USES))('can be used by %s until the next match, not after', (_, use) => {
    const first = colored('E')
    use(first)
    use(first)
    const second = colored('F')
    expect(() => use(first)).toThrow('A match was used after the next match')
    expect(() => use(second)).not.toThrow()
    expect(first.total).toBe(34)
  })

  it.each(Object.entries(USES))('cannot be used by %s after a change of the store', (_, use) => {
    const changes = [
      () => upsert(store, 105, [1, 1]),
      () => remove(store, 101),
      () => remove(store, 7),
      () => setCode(store, 8, 'color', 'D'),
    ]
    for (const change of changes) {
      const found = colored('D')
      use(found)
      change()
      expect(() => use(found)).toThrow('a change of it')
    }
  })

  it('fails when its rows are visited and another match is made meanwhile', () => {
    expect(() => eachView(colored('E'), () => colored('F'))).toThrow('A match was used after')
  })

  it('of one store is not affected by those of another', () => {
    const other = newStore(SPEC, buildSegment(newRows(SPEC)))
    const found = colored('E')
    expect(match(other, []).total).toBe(0)
    expect(page(found, BY_PRICE, 0, 100)).toHaveLength(34)
  })
})

describe('a row of a page', () => {
  it('shows by its id whether it is still the same stone', () => {
    const rows = page(match(store, []), BY_PRICE, 0, 104)
    expect(rows.every(({ id, view, row }) => idAt(view, row) === id)).toBe(true)
    // The last row of the delta takes the number of the removed one.
    const stale = rows.find(({ id }) => id === 101)
    remove(store, 101)
    expect(stale && idAt(stale.view, stale.row)).toBe(104)
    expect(find(store, 101)).toBeUndefined()
    expect(find(store, 104)).toMatchObject({ id: 104, row: stale?.row })
  })
})
