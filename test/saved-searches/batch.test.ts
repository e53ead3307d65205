import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemColumnsOf } from '../../src/gems/indexing/columns.ts'
import { DIAMOND_FIELDS_V3, DIAMOND_SEARCH_V3 } from '../../src/gems/search/field-tables.ts'
import { planFilters } from '../../src/gems/search/plan.ts'
import {
  buildSegment,
  copyRows,
  newRowMatcher,
  newRows,
  newStore,
  putRow,
  remove,
  rowsLike,
  type Store,
  upsert,
} from '../../src/index/index.ts'
import { Refusal } from '../../src/lib/refusal.ts'
import { matchingIds } from '../../src/saved-searches/alerts/plan-alert.ts'
import {
  decodeStones,
  encodeStones,
  mergeStones,
  withoutKnown,
} from '../../src/saved-searches/known-stones.ts'
import {
  bruteMatches,
  callerArbitrary,
  printStone,
  requestArbitrary,
  rulesOf,
  type Stone,
  stoneArbitrary,
} from '../gems/search-oracle.ts'

const columns = gemColumnsOf(DIAMOND_FIELDS_V3)

function storeOf(stones: readonly Stone[]): Store {
  const rows = newRows(columns.spec)
  for (const stone of stones) {
    const { id, values } = columns.read(printStone(stone), rows.dictionaries)
    putRow(rows, rows.size, id, values)
  }
  return newStore(columns.spec, buildSegment(rows))
}

const market = fc
  .integer({ min: 1, max: 40 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => stoneArbitrary(i + 1))))
  .map((stones) => stones as Stone[])
const requests = fc.array(requestArbitrary, { minLength: 1, maxLength: 20 })
const chosen = fc.array(fc.integer({ min: 1, max: 45 }), { maxLength: 30 })

describe('a small index of some stones', () => {
  it('finds of them what brute force does, from a base, from changes and from two indexes', () => {
    fc.assert(
      fc.property(
        market,
        market,
        chosen,
        callerArbitrary,
        requests,
        (old, now, ids, caller, asked) => {
          const store = storeOf(old)
          for (const stone of now) {
            const { id, values } = columns.read(printStone(stone), store.dictionaries)
            upsert(store, id, values)
          }
          for (const stone of old) if (stone.id > now.length) remove(store, stone.id)
          const other = storeOf(now)
          const wanted = [...new Set(ids)]
          const rows = rowsLike(store)
          const half = wanted.length >> 1
          copyRows(rows, store, wanted.slice(0, half), { texts: true })
          // A new base has other codes for the words of suppliers.
          copyRows(rows, other, wanted.slice(half), { texts: true })
          const small = newStore(columns.spec, buildSegment(rows))
          const stones = now.filter(({ id }) => wanted.includes(id))
          const rules = rulesOf(caller)
          for (const { filters = {} } of asked) {
            const planned = plan(filters, rules)
            if (!planned) continue
            const expected = bruteMatches(stones, filters, caller).map(({ id }) => id)
            const found = { table: DIAMOND_SEARCH_V3, filters, rules, predicates: planned }
            expect(matchingIds({ store: small, few: newRowMatcher(small) }, found)).toEqual(
              expected.sort((a, b) => a - b),
            )
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

/** Random filters may contradict each other. */
function plan(
  ...[filters, rules]: [Parameters<typeof planFilters>[1], ReturnType<typeof rulesOf>]
) {
  try {
    return planFilters(DIAMOND_SEARCH_V3, filters, rules)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

describe('a set of stones as bytes', () => {
  const ids = fc
    .uniqueArray(fc.oneof(fc.nat({ max: 300 }), fc.maxSafeNat()), { maxLength: 50 })
    .map((list) => list.sort((a, b) => a - b))

  it('is the same set when it is read again, merged or subtracted', () => {
    fc.assert(
      fc.property(ids, ids, (some, others) => {
        expect(decodeStones(encodeStones(some))).toEqual(some)
        const both = [...new Set([...some, ...others])].sort((a, b) => a - b)
        expect(decodeStones(mergeStones([some, others].map((set) => encodeStones(set))))).toEqual(
          both,
        )
        const rest = others.filter((id) => !some.includes(id))
        expect(withoutKnown(others, encodeStones(some))).toEqual(rest)
      }),
    )
  })
})
