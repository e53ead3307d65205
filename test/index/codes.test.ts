import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buildSegment,
  codeAt,
  countValues,
  encode,
  match,
  newRows,
  newStore,
  type Order,
  page,
  pageBehind,
  placeBehind,
  putRow,
  remove,
  type Store,
  setCode,
  type TableSpec,
  upsert,
} from '../../src/index/index.ts'
import { layOutCodes } from '../../src/index/segment/code-words.ts'

/** Codes that share words: where they are, how they are counted, and pages in their order. */

const GRADES = ['D', 'E', 'F', 'G', 'H']
const SPEC: TableSpec = {
  primary: 'price',
  columns: [
    { kind: 'number', name: 'price' },
    { kind: 'code', name: 'color', values: GRADES },
    { kind: 'code', name: 'held', values: ['f', 't'] },
    { kind: 'code', name: 'lab', values: 'open' },
    { kind: 'code', name: 'maker', values: 'open' },
  ],
}
const ROWS = 5_000

interface Stone {
  id: number
  color: string | null
  held: string
  lab: string | null
  maker: string | null
}

const column = (name: keyof Omit<Stone, 'id'>) => (stone: Stone) => stone[name]

/** Colors are unevenly frequent, and makers are more than one byte can tell apart. */
function stoneOf(id: number): Stone {
  const random = Math.imul(id, 0x9e3779b1) >>> 0
  const color = random % 50 === 0 ? null : GRADES[Math.min(random % 7, random % 5)]
  return {
    id,
    color,
    held: random % 11 === 0 ? 't' : 'f',
    lab: random % 3 === 0 ? null : `lab ${random % 20}`,
    maker: `maker ${random % 700}`,
  }
}

function storeOf(stones: readonly Stone[]): Store {
  const rows = newRows(SPEC)
  for (const stone of stones) putRow(rows, rows.size, stone.id, valuesOf(rows, stone))
  return newStore(SPEC, buildSegment(rows))
}

function valuesOf({ dictionaries }: Pick<Store, 'dictionaries'>, stone: Stone) {
  const code = (name: keyof Omit<Stone, 'id'>) => encode(dictionaries[name], stone[name])
  const price = 1 + (Math.imul(stone.id, 7919) >>> 12)
  return [price, code('color'), code('held'), code('lab'), code('maker')]
}

/** A market with some stones changed after the base was built, one of them in place. */
function changedMarket(): { store: Store; stones: Stone[] } {
  const stones = Array.from({ length: ROWS }, (_, i) => stoneOf(i + 1))
  const store = storeOf(stones)
  for (let id = 3; id < ROWS; id += 97) {
    stones[id - 1] = { ...stoneOf(id + 1), id }
    upsert(store, id, valuesOf(store, stones[id - 1]))
  }
  for (let id = 5; id < ROWS; id += 89) {
    stones[id - 1].held = 't'
    setCode(store, id, 'held', 't')
  }
  remove(store, ROWS)
  return { store, stones: stones.slice(0, -1) }
}

const { store, stones } = changedMarket()
const held = fc.constantFrom<string[]>(['f'], ['t'], ['f', 't'])

describe('the words of codes', () => {
  it('have space for every value of a column, in bits that no other column uses', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 60_001 }), { maxLength: 40 })
    const property = fc.property(counts, (valueCounts) => {
      const { fields, widths } = layOutCodes(valueCounts.map((count, i) => [`${i}`, count]))
      const used = widths.map(() => 0n)
      for (const [i, count] of valueCounts.entries()) {
        const { word = 0, shift = 0, mask = 0 } = fields.get(`${i}`) ?? {}
        const bits = BigInt(mask) << BigInt(shift)
        expect(mask).toBeGreaterThanOrEqual(count - 1)
        expect(used[word] & bits).toBe(0n)
        used[word] |= bits
      }
      for (const [word, width] of widths.entries()) {
        expect(used[word]).toBeLessThan(1n << BigInt(8 * width))
      }
    })
    fc.assert(property)
  })

  it('hold the codes of all columns, also after one was written in place', () => {
    const base = storeOf(stones.slice(0, 1_000))
    for (let id = 1; id <= 1_000; id += 7) setCode(base, id, 'held', id % 2 === 0 ? 't' : 'f')
    for (let row = 0; row < 1_000; row++) {
      const stone = stones[base.base.ids.values[row] + base.base.ids.base - 1]
      const expected = { ...stone }
      if (stone.id % 7 === 1) expected.held = stone.id % 2 === 0 ? 't' : 'f'
      for (const name of ['color', 'held', 'lab', 'maker'] as const) {
        const code = codeAt(base.base.codes[name], row)
        expect(base.dictionaries[name].values[code]).toBe(expected[name])
      }
    }
  })
})

describe('facets', () => {
  const labs = fc.uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 20 })

  it('count the values of columns that share a word, of few matches and of many', () => {
    const property = fc.property(labs, held, (numbers, wanted) => {
      const values = numbers.map((number) => `lab ${number}`)
      const found = match(store, [
        { kind: 'oneOf', column: 'lab', values },
        { kind: 'oneOf', column: 'held', values: wanted },
      ])
      const matching = stones.filter(
        (stone) => values.includes(stone.lab ?? '') && wanted.includes(stone.held),
      )
      const names = ['color', 'held', 'lab', 'maker'] as const
      const counted = countValues(found, names)
      for (const name of names) {
        const expected = new Map<string | null, number>()
        for (const value of matching.map(column(name))) {
          expected.set(value, (expected.get(value) ?? 0) + 1)
        }
        const values = counted.get(name)?.map(({ value, count }) => [value, count] as const)
        expect(new Map(values)).toEqual(expected)
      }
    })
    fc.assert(property)
  })
})

describe('a page in the order of a code column', () => {
  const rankOf = ({ color }: Stone, descending: boolean) => {
    if (color === null) return Number.POSITIVE_INFINITY
    return descending ? -GRADES.indexOf(color) : GRADES.indexOf(color)
  }
  const sorted = (wanted: readonly string[], descending: boolean) =>
    stones
      .filter((stone) => wanted.includes(stone.held))
      .toSorted((a, b) => {
        const [first, second] = [rankOf(a, descending), rankOf(b, descending)]
        return first === second ? a.id - b.id : first - second
      })
      .map(({ id }) => id)
  const cases = {
    wanted: held,
    descending: fc.boolean(),
    offset: fc.integer({ min: 0, max: ROWS + 50 }),
    limit: fc.integer({ min: 1, max: 300 }),
  }
  const orderOf = (descending: boolean): Order => ({ kind: 'column', column: 'color', descending })
  const matches = (values: string[]) => match(store, [{ kind: 'oneOf', column: 'held', values }])

  it('has the rows at its offset, equal ones by id', () => {
    const property = fc.property(fc.record(cases), ({ wanted, descending, offset, limit }) => {
      const rows = page(matches(wanted), orderOf(descending), offset, limit)
      const expected = sorted(wanted, descending).slice(offset, offset + limit)
      expect(rows.map(({ id }) => id)).toEqual(expected)
    })
    fc.assert(property)
  })

  it('goes on behind any row', () => {
    const property = fc.property(fc.record(cases), ({ wanted, descending, offset, limit }) => {
      const order = orderOf(descending)
      const found = matches(wanted)
      const [last] = page(found, order, offset, 1)
      if (!last) return
      const rows = pageBehind(found, order, placeBehind(last, order), limit)
      const expected = sorted(wanted, descending).slice(offset + 1, offset + 1 + limit)
      expect(rows.map(({ id }) => id)).toEqual(expected)
    })
    fc.assert(property)
  })
})
