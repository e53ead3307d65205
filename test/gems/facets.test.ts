import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemColumnsOf } from '../../src/gems/indexing/columns.ts'
import { DIAMOND_FIELDS_V3, DIAMOND_SEARCH_V3 } from '../../src/gems/search/field-tables.ts'
import type { SearchFilters } from '../../src/gems/search/plan.ts'
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
import { openTestMarket } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'
import {
  bruteMatches,
  type Caller,
  callerArbitrary,
  pricesOf,
  printStone,
  requestArbitrary,
  rulesOf,
  type Stone,
  stoneArbitrary,
} from './search-oracle.ts'

const columns = gemColumnsOf(DIAMOND_FIELDS_V3)
const page = { limit: 1, offset: 0, sort_col: 'weight', sort_order: 'asc' as const }

/**
 * A market, if it has thousands of stones large enough that values are counted by bitmaps and prices
 * by ranges of them.
 */
function marketOf(
  size: number,
  change: (stone: Stone) => Stone = (stone) => stone,
): { stones: Map<number, Stone>; store: Store } {
  const stones = new Map<number, Stone>()
  const rows = newRows(columns.spec)
  for (let id = 1; id <= size; id++) {
    const stone = change(fc.sample(stoneArbitrary(id), { seed: id, numRuns: 1 })[0])
    const { values } = columns.read(printStone(stone), rows.dictionaries)
    putRow(rows, rows.size, id, values)
    stones.set(id, stone)
  }
  return { stones, store: newStore(columns.spec, buildSegment(rows)) }
}

function changeSome({ stones, store }: ReturnType<typeof marketOf>): void {
  for (let id = 5; id <= stones.size; id += 9) {
    const [stone] = fc.sample(stoneArbitrary(id), { seed: -id, numRuns: 1 })
    upsert(store, id, columns.read(printStone(stone), store.dictionaries).values)
    stones.set(id, stone)
  }
  for (let id = 7; id <= stones.size; id += 11) {
    remove(store, id)
    stones.delete(id)
  }
  for (let id = 2; id <= stones.size; id += 40) {
    const stone = stones.get(id)
    if (!stone) continue
    setCode(store, id, 'polish_grade', 'VG')
    stone.polish_grade = 'VG'
  }
}

function histogramOf(keys: number[], scale: number) {
  if (keys.length === 0) return { min: null, max: null, bins: Array.from({ length: 30 }, () => 0) }
  const [min, max] = [Math.min(...keys), Math.max(...keys)]
  const bins = Array.from({ length: 30 }, () => 0)
  for (const key of keys) {
    bins[min === max ? 0 : Math.min(29, Math.floor(((key - min) * 30) / (max - min)))]++
  }
  return { min: min / scale, max: max / scale, bins }
}

function facetsOf(found: Stone[], caller: Caller) {
  const values = Object.fromEntries(
    DIAMOND_SEARCH_V3.facets.map((column) => [column, countsOf(found, column)]),
  )
  const prices = found.map((stone) => Math.round(100 * pricesOf(stone, caller).retail_price))
  const weights = found.map((stone) => Math.round(10_000 * Number(stone.weight)))
  return {
    values,
    histograms: { retail_price: histogramOf(prices, 100), weight: histogramOf(weights, 10_000) },
  }
}

function countsOf(found: Stone[], column: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const stone of found) {
    const value = String(stone[column])
    counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}

describe('facets of a large market', () => {
  it('count every value and every bin as brute force does, for any prices', () => {
    const market = marketOf(3_000)
    changeSome(market)
    const stones = [...market.stones.values()]
    const check = (caller: Caller, filters: SearchFilters) => {
      const found = bruteMatches(stones, filters, caller)
      const asked = { ...page, filters, include: ['facets' as const] }
      const { facets } = searchGems(market.store, DIAMOND_SEARCH_V3, asked, rulesOf(caller), [])
      const values = Object.entries(facets?.values ?? {}).map(([column, counted]) => [
        column,
        Object.fromEntries(counted.map(({ value, count }) => [String(value), count])),
      ])
      const counted = { ...facets, values: Object.fromEntries(values) }
      expect(counted).toEqual(facetsOf(found, caller))
    }
    fc.assert(
      fc.property(callerArbitrary, requestArbitrary, (caller, { filters = {} }) => {
        check(caller, filters)
        // Where all stones have one factor, prices are counted as ranges of stored ones.
        check(caller, { ...filters, type: ['mined'], weight_min: 1, weight_max: 1.45 })
      }),
      { numRuns: 80 },
    )
  })
})

describe('a histogram', () => {
  it('counts a stone at which a bin begins in that bin', async () => {
    const market = await openTestMarket()
    const { key } = await market.merchant()
    // The bins are 0.0049 ct wide, which no binary fraction is.
    const stones = await stockStones(
      market,
      ...['0.3000', '0.3049', '0.3098', '0.4470'].map((weight) => ({ weight })),
    )
    const { body } = await market.call('POST', '/api/v3/diamonds/merchant_search', {
      token: key,
      body: { filters: { sku: stones.map(({ sku }) => sku) }, include: ['facets'] },
    })
    const { min, max, bins } = body.facets.histograms.weight
    expect([min, max, bins.slice(0, 4), bins[29]]).toEqual([0.3, 0.447, [1, 1, 1, 0], 1])
    await market.close()
  })

  it('ends and counts every stone where prices are too large to be counted up', () => {
    const { store, stones } = marketOf(300, (stone) => ({
      ...stone,
      wholesale_price_us: `${100_000 * Number(stone.wholesale_price_us)}`,
    }))
    const tiers = [{ from: 0, mined: 10, lab: 10 }]
    const caller: Caller = { us: true, mode: 'weight', tiers, rate: '9999999999', adjustment: null }
    const asked = { ...page, filters: {}, include: ['facets' as const] }
    const { facets } = searchGems(store, DIAMOND_SEARCH_V3, asked, rulesOf(caller), [])
    const { max, bins } = facets!.histograms.retail_price
    expect(max).toBeGreaterThan(Number.MAX_SAFE_INTEGER)
    expect(bins.reduce((sum, count) => sum + count)).toBe(
      bruteMatches([...stones.values()], {}, caller).length,
    )
  })
})
