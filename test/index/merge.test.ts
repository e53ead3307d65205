import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buildSegment,
  codeAt,
  encode,
  find,
  idAt,
  mergeStore,
  newRows,
  newStore,
  putRow,
  type RowValues,
  remove,
  type Segment,
  type Store,
  setCode,
  sizeOf,
  type TableSpec,
  textOf,
  upsert,
} from '../../src/index/index.ts'
import { mergeSegment } from '../../src/index/merge-worker.ts'
import { dictionaryOf } from '../../src/index/segment/rows.ts'

/** A base merged with its delta is the base that would be built from the rows themselves. */

const SPEC: TableSpec = {
  primary: 'price',
  columns: [
    { kind: 'text', name: 'sku' },
    { kind: 'number', name: 'price', ranged: true },
    { kind: 'number', name: 'price_us', ranged: true, sorted: true, follows: true },
    { kind: 'number', name: 'weight', ranged: true, sorted: true },
    { kind: 'number', name: 'angle', ranged: true },
    { kind: 'code', name: 'color', values: ['D', 'E', 'F'] },
    { kind: 'code', name: 'lab', values: 'open' },
    { kind: 'code', name: 'held', values: ['f', 't'] },
    { kind: 'sparse', name: 'held_until' },
  ],
}

interface Stone {
  sku: string | null
  price: number
  weight: number | null
  angle: number | null
  color: string | null
  lab: string | null
  held: string
  held_until: number | null
}

/** Few values, so that many rows are equal, and some that need a wider array. */
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(300, 70_000, 5e9, null))
const stone: fc.Arbitrary<Stone> = fc.record({
  sku: fc.constantFrom('A-1', 'A-2', 'é', null),
  price: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1000, 6e9)),
  weight: number,
  angle: number,
  color: fc.constantFrom('D', 'E', 'F', null),
  lab: fc.oneof(fc.constant(null), fc.string({ minLength: 1, maxLength: 1 })),
  held: fc.constantFrom('f', 't'),
  held_until: fc.constantFrom(5, 6, null),
})

const ID_MAX = 40
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ id: fc.integer({ min: 1, max: ID_MAX }), put: stone }) },
  { weight: 2, arbitrary: fc.record({ id: fc.integer({ min: 1, max: ID_MAX }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      id: fc.integer({ min: 1, max: ID_MAX }),
      held: fc.constantFrom('f', 't'),
    }),
  },
)
type Step = { id: number; put?: Stone; held?: string }
const history = fc.array(step, { maxLength: 60 }) as fc.Arbitrary<Step[]>

type Model = Map<number, Stone>

function rowOf(stone: Stone, { dictionaries }: Pick<Store, 'dictionaries'>): RowValues {
  return [
    stone.sku,
    stone.price,
    stone.price * 2,
    stone.weight,
    stone.angle,
    encode(dictionaries.color, stone.color),
    encode(dictionaries.lab, stone.lab),
    encode(dictionaries.held, stone.held),
    stone.held_until,
  ]
}

function apply(store: Store, model: Model, steps: readonly Step[]): void {
  for (const { id, put, held } of steps) {
    const before = model.get(id)
    if (put) {
      model.set(id, put)
      upsert(store, id, rowOf(put, store))
    } else if (held) {
      if (before) model.set(id, { ...before, held })
      setCode(store, id, 'held', held)
    } else {
      model.delete(id)
      remove(store, id)
    }
  }
}

function segmentOf(model: Model, dictionaries: Segment['dictionaries'] = {}): Segment {
  const known = Object.entries(dictionaries).map(
    ([name, values]) => [name, dictionaryOf(values, name === 'lab')] as const,
  )
  const rows = newRows(SPEC, known.length > 0 ? Object.fromEntries(known) : undefined)
  for (const [id, stone] of model) putRow(rows, rows.size, id, rowOf(stone, rows))
  return buildSegment(rows)
}

/** Everything but where in memory it is, and the order of the sparse values, which has no meaning. */
function contentOf({ arena: _, sparse, ...content }: Segment): unknown {
  return { ...content, sparse: [...sparse.held_until].sort(([a], [b]) => a - b) }
}

/** As a thread does: the delta is copied at once, and the base is shared. */
function mergeDuring(change: () => void | Promise<void>) {
  return async (parts: Parameters<typeof mergeSegment>[0]) => {
    const delta = structuredClone(parts.delta)
    await change()
    return mergeSegment({ ...parts, delta })
  }
}

async function merged(store: Store, change: () => void | Promise<void> = () => {}): Promise<Store> {
  let next: Store | undefined
  await mergeStore(
    store,
    (made) => {
      next = made
    },
    mergeDuring(change),
  )
  if (!next) throw new Error('it was not merged')
  return next
}

function expectRows(store: Store, model: Model): void {
  expect(sizeOf(store)).toBe(model.size)
  for (let id = 0; id <= ID_MAX + 1; id++) {
    const found = find(store, id)
    const stone = model.get(id)
    expect(found === undefined).toBe(stone === undefined)
    if (!found || !stone) continue
    expect(idAt(found.view, found.row)).toBe(id)
    expect(textOf(store, id, 'sku')).toBe(stone.sku)
    for (const name of ['price', 'weight', 'angle'] as const) {
      const { values, base, none } = found.view.numbers[name]
      const value = values[found.row]
      expect(value === none ? null : value + base).toBe(stone[name])
    }
    for (const name of ['color', 'lab', 'held'] as const) {
      const code = codeAt(found.view.codes[name], found.row)
      expect(store.dictionaries[name].values[code]).toBe(stone[name])
    }
  }
}

describe('a merge of base and delta', () => {
  it('makes the base that the rows themselves would make', async () => {
    await fc.assert(
      fc.asyncProperty(history, history, async (first, then) => {
        const model: Model = new Map()
        const empty = newStore(SPEC, segmentOf(model))
        apply(empty, model, first)
        const once = await merged(empty)
        expect(contentOf(once.base)).toEqual(contentOf(segmentOf(model, once.base.dictionaries)))
        apply(once, model, then)
        const twice = await merged(once)
        expect(contentOf(twice.base)).toEqual(contentOf(segmentOf(model, twice.base.dictionaries)))
        const labs = new Set([null, ...[...model.values()].map(({ lab }) => lab)])
        expect(new Set(twice.base.dictionaries.lab)).toEqual(labs)
        expect(twice.base.dictionaries.lab).toHaveLength(labs.size)
      }),
    )
  })

  it('contains what changed while it was made', async () => {
    await fc.assert(
      fc.asyncProperty(history, history, history, async (first, before, during) => {
        const model: Model = new Map()
        apply(newStore(SPEC, segmentOf(new Map())), model, first)
        const store = newStore(SPEC, segmentOf(model))
        apply(store, model, before)
        const next = await merged(store, () => apply(store, model, during))
        expectRows(next, model)
        expectRows(store, model)
        const last = await merged(next)
        expect(contentOf(last.base)).toEqual(contentOf(segmentOf(model, last.base.dictionaries)))
      }),
    )
  })

  it('contains what changed while the changes were copied, over many turns', async () => {
    const [example] = fc.sample(stone, { seed: 7, numRuns: 1 })
    const store = newStore(SPEC, segmentOf(new Map()))
    const put = (id: number, price: number) =>
      upsert(store, id, rowOf({ ...example, price }, store))
    for (let id = 1; id <= 3_000; id++) put(id, id)
    let next: Store | undefined
    const merging = mergeStore(
      store,
      (made) => {
        next = made
      },
      mergeDuring(() => {
        for (let id = 1; id <= 2_000; id++) put(id, id + 1)
      }),
    )
    let turns = 0
    for (; !next; turns++) {
      await nextTurn()
      // These were copied before, and those are new.
      if (turns < 5) put(1 + turns, 7_000 + turns)
      if (turns < 5) put(5_000 + turns, 1)
      if (turns < 5) remove(store, 100 + turns)
    }
    await merging
    expect(turns).toBeGreaterThan(5)
    expect(sizeOf(next)).toBe(sizeOf(store))
    const priceIn = (from: Store, id: number) => {
      const found = find(from, id)
      return found && found.view.numbers.price.values[found.row] + found.view.numbers.price.base
    }
    for (let id = 1; id <= 5_010; id++) expect(priceIn(next, id)).toBe(priceIn(store, id))
    expect(priceIn(next, 1)).toBe(7_000)
    expect(priceIn(next, 100)).toBeUndefined()
  })

  it('leaves the store as it is when it fails, and can be tried again', async () => {
    const model: Model = new Map()
    const store = newStore(SPEC, segmentOf(model))
    apply(store, model, fc.sample(history, { seed: 1, numRuns: 1 })[0])
    const fails = mergeStore(
      store,
      () => expect.unreachable(),
      () => Promise.reject(new Error('no')),
    )
    await expect(fails).rejects.toThrow('no')
    expectRows(store, model)
    expectRows(await merged(store), model)
  })

  it('runs in a thread', async () => {
    const model: Model = new Map()
    const store = newStore(SPEC, segmentOf(model))
    apply(store, model, fc.sample(history, { seed: 2, numRuns: 1 })[0])
    let next: Store | undefined
    await mergeStore(store, (made) => {
      next = made
    })
    expect(next && contentOf(next.base)).toEqual(
      contentOf(segmentOf(model, next?.base.dictionaries)),
    )
  })
})
