import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemColumnsOf } from '../../src/gems/indexing/columns.ts'
import { DIAMOND_FIELDS_V3, DIAMOND_SEARCH_V3 } from '../../src/gems/search/field-tables.ts'
import { searchGems } from '../../src/gems/search/search.ts'
import {
  buildSegment,
  newRows,
  newStore,
  putRow,
  remove,
  type Store,
  setCode,
  upsert,
} from '../../src/index/index.ts'
import { CLARITIES, COLORS, FINISH_GRADES, SHAPES } from '../../src/reference/attributes.ts'
import {
  bruteMatches,
  bruteSearch,
  callerArbitrary,
  pricesOf,
  printStone,
  requestArbitrary,
  rulesOf,
  type Stone,
  stoneArbitrary,
} from './search-oracle.ts'

const columns = gemColumnsOf(DIAMOND_FIELDS_V3)

function storeOf(stones: Stone[]): Store {
  const rows = newRows(columns.spec)
  for (const stone of stones) {
    const { id, values } = columns.read(printStone(stone), rows.dictionaries)
    putRow(rows, rows.size, id, values)
  }
  return newStore(columns.spec, buildSegment(rows))
}

function put(store: Store, stone: Stone): void {
  const { id, values } = columns.read(printStone(stone), store.dictionaries)
  upsert(store, id, values)
}

const market = (least: number, most: number) =>
  fc
    .integer({ min: least, max: most })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => stoneArbitrary(i + 1))))
    .map((stones) => stones as Stone[])

/** Stones that are added, changed or removed after the base was built. */
const changeArbitrary = fc.integer({ min: 1, max: 70 }).chain((id) =>
  fc.oneof(
    stoneArbitrary(id).map((stone) => ({ id, stone })),
    fc.constant({ id, stone: null }),
  ),
)

describe('search', () => {
  it('finds, counts and orders what brute force does, after any changes', () => {
    fc.assert(
      fc.property(
        market(0, 60),
        fc.array(changeArbitrary, { maxLength: 12 }),
        callerArbitrary,
        fc.array(requestArbitrary, { minLength: 5, maxLength: 10 }),
        (stones, changes, caller, requests) => {
          const store = storeOf(stones)
          const current = new Map(stones.map((stone) => [stone.id, stone]))
          for (const { id, stone } of changes) {
            if (stone) {
              current.set(id, stone)
              put(store, stone)
            } else {
              current.delete(id)
              remove(store, id)
            }
          }
          const rules = rulesOf(caller)
          for (const request of [...requests, ...requests]) {
            const result = searchGems(store, DIAMOND_SEARCH_V3, request, rules, [
              'type',
              'cut_code',
            ])
            const wanted = bruteSearch([...current.values()], request, caller)
            expect({ ids: result.found.map(({ id }) => id), total: result.total }).toEqual({
              ids: wanted.ids,
              total: wanted.total,
            })
            const types = new Set(wanted.found.map(({ type }) => type))
            expect(new Set(result.occurring.type)).toEqual(types)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('agrees with brute force in a market large enough for slices and long orders', () => {
    const stones = Array.from({ length: 3_000 }, (_, i) => {
      const [stone] = fc.sample(stoneArbitrary(i + 1), { seed: i, numRuns: 1 })
      return stone
    })
    const store = storeOf(stones)
    for (const stone of fc.sample(stoneArbitrary(0), { seed: 7, numRuns: 400 })) {
      const id = 1 + ((Number(stone.created_on) * 31 + stones.length) % 3_000)
      stones[id - 1] = { ...stone, id, sku: `SKU-${id}` }
      put(store, stones[id - 1])
    }
    const offsets = fc.constantFrom(0, 10, 500, 1_400, 2_990)
    fc.assert(
      fc.property(callerArbitrary, requestArbitrary, offsets, (caller, request, offset) => {
        const asked = { ...request, offset }
        const { ids, total } = bruteSearch(stones, asked, caller)
        // The second time, the bitmaps of the filters come from the cache.
        for (let time = 0; time < 3; time++) {
          const result = searchGems(store, DIAMOND_SEARCH_V3, asked, rulesOf(caller), [])
          expect({ ids: result.found.map(({ id }) => id), total: result.total }).toEqual({
            ids,
            total,
          })
        }
      }),
      { numRuns: 250 },
    )
  })

  it('searches by more filters than the bitmap cache has entries', () => {
    const stones = Array.from({ length: 1_500 }, (_, i) => {
      const [stone] = fc.sample(stoneArbitrary(i + 1), { seed: i, numRuns: 1 })
      return stone
    })
    const store = storeOf(stones)
    const [caller] = fc.sample(callerArbitrary, { seed: 3, numRuns: 1 })
    const rules = rulesOf(caller)
    let found = 0
    for (let step = 0; step < 40; step++) {
      const filters = {
        shape: SHAPES.slice(0, 9 + (step % 3)),
        color: COLORS.slice(0, 6 + (step % 5)),
        clarity: CLARITIES.slice(0, 7 + (step % 2)),
        polish_grade: FINISH_GRADES.slice(0, 3),
        weight_min: 0.2 + 0.01 * (step % 4),
        weight_max: 4.5,
        wholesale_price_min: 2 + (step % 3),
        retail_price_min: 3,
        retail_price_max: 90_000 + (step % 2),
        price_per_carat_min: 1.5,
        price_per_carat_max: 80_000,
        delivery_days_max: 9,
      }
      const request = {
        filters,
        limit: 20,
        offset: 0,
        sort_col: 'weight',
        sort_order: 'asc' as const,
      }
      const result = searchGems(store, DIAMOND_SEARCH_V3, request, rules, [])
      const { ids, total } = bruteSearch(stones, request, caller)
      expect(result.total).toBe(total)
      expect(result.found.map(({ id }) => id)).toEqual(ids)
      found += total
    }
    expect(found).toBeGreaterThan(0)
  })

  it('drops the cached bitmaps of a column when a value in it changes', () => {
    const stones = Array.from({ length: 50 }, (_, i) => {
      const [stone] = fc.sample(stoneArbitrary(i + 1), { seed: i, numRuns: 1 })
      const treatment = { treatment: null, visibility: null }
      return { ...stone, ...treatment, is_fancy: false, polish_grade: i === 0 ? 'P' : 'EX' }
    })
    const store = storeOf(stones)
    const [caller] = fc.sample(callerArbitrary, { seed: 3, numRuns: 1 })
    const filters = { polish_grade: ['EX', 'VG'] }
    const page = { limit: 1, offset: 0, sort_col: 'weight', sort_order: 'asc' as const }
    const total = () =>
      searchGems(store, DIAMOND_SEARCH_V3, { filters, ...page }, rulesOf(caller), []).total
    expect([total(), total(), total()]).toEqual([49, 49, 49])
    setCode(store, 1, 'polish_grade', 'VG')
    expect(total()).toBe(50)
  })

  it('counts facets and histograms over all matches', () => {
    fc.assert(
      fc.property(
        market(1, 60),
        fc.array(changeArbitrary, { maxLength: 6 }),
        callerArbitrary,
        requestArbitrary,
        (stones, changes, caller, request) => {
          const store = storeOf(stones)
          const current = new Map(stones.map((stone) => [stone.id, stone]))
          for (const { id, stone } of changes) {
            if (!stone) continue
            current.set(id, stone)
            put(store, stone)
          }
          const asked = { ...request, include: ['facets' as const] }
          const { facets } = searchGems(store, DIAMOND_SEARCH_V3, asked, rulesOf(caller), [])
          const found = bruteMatches([...current.values()], request.filters ?? {}, caller)
          for (const column of ['shape', 'cut_grade', 'overtone', 'milky', 'treatment']) {
            const wanted = new Map<unknown, number>()
            for (const stone of found)
              wanted.set(stone[column], (wanted.get(stone[column]) ?? 0) + 1)
            const counted = facets?.values[column].map(({ value, count }) => [value, count])
            expect(new Map(counted as [string, number][])).toEqual(wanted)
          }
          const { min, max, bins } = facets!.histograms.retail_price
          const prices = found.map((stone) => pricesOf(stone, caller).retail_price)
          expect(bins.reduce((sum, count) => sum + count, 0)).toBe(found.length)
          expect(bins).toHaveLength(30)
          expect([min, max]).toEqual(
            found.length > 0 ? [Math.min(...prices), Math.max(...prices)] : [null, null],
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('names the filter, or the pair of filters, without which there are stones, most stones first', () => {
    fc.assert(
      fc.property(market(5, 40), callerArbitrary, requestArbitrary, (stones, caller, request) => {
        const asked = { ...request, include: ['relaxations' as const] }
        const result = searchGems(storeOf(stones), DIAMOND_SEARCH_V3, asked, rulesOf(caller), [])
        if (result.total > 0) {
          expect(result.relaxations).toEqual([])
          return
        }
        const totals = result.relaxations?.map(({ total_count }) => total_count) ?? []
        expect(totals).toEqual(totals.toSorted((a, b) => b - a))
        for (const each of result.relaxations ?? []) {
          const { filters: changed, change, value, total_count } = each
          const filters: Record<string, unknown> = { ...request.filters }
          expect(changed).toHaveLength(each.filter === undefined ? 2 : 1)
          for (const filter of changed) {
            if (change === 'dropped') delete filters[filter]
            else filters[filter] = value
          }
          expect(total_count).toBe(bruteMatches(stones, filters as never, caller).length)
          expect(total_count).toBeGreaterThan(0)
        }
      }),
      { numRuns: 200 },
    )
  })
})
