import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemColumnsOf } from '../../src/gems/indexing/columns.ts'
import { DIAMOND_FIELDS_V3, DIAMOND_SEARCH_V3 } from '../../src/gems/search/field-tables.ts'
import { sortableFields } from '../../src/gems/search/fields.ts'
import type { SearchRequest } from '../../src/gems/search/plan.ts'
import { searchGems } from '../../src/gems/search/search.ts'
import {
  buildSegment,
  newRows,
  newStore,
  putRow,
  remove,
  type Store,
  upsert,
} from '../../src/index/index.ts'
import {
  bruteSearch,
  type Caller,
  callerArbitrary,
  printStone,
  requestArbitrary,
  rulesOf,
  type Stone,
  stoneArbitrary,
} from './search-oracle.ts'

const columns = gemColumnsOf(DIAMOND_FIELDS_V3)

function storeOf(stones: Iterable<Stone>): Store {
  const rows = newRows(columns.spec)
  for (const stone of stones) {
    const { id, values } = columns.read(printed(stone), rows.dictionaries)
    putRow(rows, rows.size, id, values)
  }
  return newStore(columns.spec, buildSegment(rows))
}

const printedBefore = new WeakMap<Stone, ReturnType<typeof printStone>>()

/** The same stones are put into many indexes. */
function printed(stone: Stone): ReturnType<typeof printStone> {
  const row = printedBefore.get(stone) ?? printStone(stone)
  printedBefore.set(stone, row)
  return row
}

/** Reads all pages, with something happening between them; returns the ids in the order met. */
function readAll(
  request: SearchRequest,
  caller: Caller,
  storeAt: (page: number) => Store,
): number[] {
  const met: number[] = []
  let place: SearchRequest['place']
  for (let page = 0; ; page++) {
    const asked = { ...request, offset: 0, place }
    const { found, next } = searchGems(storeAt(page), DIAMOND_SEARCH_V3, asked, rulesOf(caller), [])
    met.push(...found.map(({ id }) => id))
    if (found.length < request.limit) expect(next).toBe(null)
    if (next === null) return met
    place = next
  }
}

const everything = { offset: 0, limit: 100_000 }

describe('pages one behind the other', () => {
  it('are the whole result in its order', () => {
    fc.assert(
      fc.property(
        stones(60),
        stones(12),
        callerArbitrary,
        requestArbitrary,
        (base, later, ...asked) => {
          const [caller, request] = asked
          const store = storeOf(base)
          const now = new Map(base.map((stone) => [stone.id, stone]))
          for (const stone of later) {
            put(store, stone)
            now.set(stone.id, stone)
          }
          const { ids } = bruteSearch([...now.values()], { ...request, ...everything }, caller)
          expect(readAll(request, caller, () => store)).toEqual(ids)
        },
      ),
      { numRuns: 100 },
    )
  })

  // Beyond a thousand matches a page is read from a place in a stored order.
  const many = fc.sample(stones(3_000), { numRuns: 1, seed: 7 })[0]
  const tiers = [
    { from: 0, mined: 10, lab: 45.5 },
    { from: 1, mined: 250, lab: 25 },
    { from: 2, mined: 33.33, lab: 0 },
  ]
  const callers: Caller[] = [
    { us: false, mode: 'weight', tiers, rate: '1', adjustment: null },
    { us: true, mode: 'price', tiers, rate: '0.92', adjustment: { mined: -12.5, lab: 7 } },
  ]
  const sorts = sortableFields(DIAMOND_FIELDS_V3).flatMap((sort_col) => [
    { sort_col, sort_order: 'asc' as const },
    { sort_col, sort_order: 'desc' as const },
  ])

  // Reading changes nothing, so that all orders read the same index.
  const most = storeOf(many.slice(0, 2_950))
  for (const stone of many.slice(2_950)) put(most, stone)

  it.each(sorts)('are the whole result by $sort_col $sort_order, also of many stones', (sort) => {
    for (const [i, caller] of callers.entries()) {
      const filters = i % 2 === 0 ? {} : { weight_max: 2.1 }
      const request = { ...sort, filters, limit: 211, offset: 0 }
      const { ids } = bruteSearch(many, { ...request, ...everything }, caller)
      expect(ids.length).toBeGreaterThan(1_000)
      expect(readAll(request, caller, () => most)).toEqual(ids)
    }
  })

  it.each(sorts)('by $sort_col $sort_order meet once what remains as it was', (sort) => {
    let seed = sort.sort_col.length
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    const caller = callers[sort.sort_order === 'asc' ? 0 : 1]
    const now = new Map(many.map((stone) => [stone.id, stone]))
    const touched = new Set<number>()
    let store = storeOf(now.values())
    const met = readAll({ ...sort, filters: {}, limit: 97, offset: 0 }, caller, (page) => {
      for (let change = 0; page > 0 && change < 12; change++) {
        const id = 1 + random(4_000)
        touched.add(id)
        const stone = { ...many[random(3_000)], id, sku: `SKU-${id}` }
        if (random(3) > 0) {
          now.set(id, stone)
          put(store, stone)
        } else {
          now.delete(id)
          remove(store, id)
        }
      }
      // Now and then a new base, as on another node.
      if (random(8) === 0) store = storeOf(now.values())
      return store
    })
    const request = { ...sort, filters: {}, ...everything }
    const left = bruteSearch([...now.values()], request, caller).ids
    const untouched = (ids: number[]) => ids.filter((id) => !touched.has(id))
    expect(untouched(met)).toEqual(untouched(left))
    expect(untouched(met).length).toBeGreaterThan(1_000)
  })
})

function put(store: Store, stone: Stone): void {
  const { id, values } = columns.read(printed(stone), store.dictionaries)
  upsert(store, id, values)
}

/** Up to this many stones; fewer only while a failing example is made smaller. */
function stones(count: number): fc.Arbitrary<Stone[]> {
  return fc
    .tuple(...Array.from({ length: count }, (_, i) => stoneArbitrary(i + 1)))
    .map((made) => made as Stone[])
}
