import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { numberChanges } from '../../src/events/number-changes.ts'
import { auditSample } from '../../src/gems/indexing/audit.ts'
import {
  type GemIndex,
  type GemIndexOptions,
  startGemIndex,
} from '../../src/gems/indexing/follower.ts'
import { DIAMOND_SEARCH_V3 } from '../../src/gems/search/field-tables.ts'
import { searchGems } from '../../src/gems/search/search.ts'
import { type Store, setCode, sizeOf } from '../../src/index/index.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { indexRows, loadedRows } from '../support/index-rows.ts'
import {
  bruteSearch,
  requestArbitrary,
  rulesOf,
  type Stone,
  stoneArbitrary,
} from './search-oracle.ts'
import { changeStone, removeStone, stockStones } from './search-stock.ts'

let clone: ClonedDatabase
let database: Database
let stones: Stone[]
const started: GemIndex[] = []

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url })
  stones = Array.from(
    { length: 80 },
    (_, i) => fc.sample(stoneArbitrary(i + 1), { seed: 500 + i, numRuns: 1 })[0],
  )
  await stockStones(database.db, stones)
})

afterAll(async () => {
  for (const index of started) await index.stop()
  await database.close()
  await clone.drop()
})

async function start(options: Partial<GemIndexOptions> = {}): Promise<GemIndex> {
  const index = startGemIndex({ database, name: 'diamond', now: Date.now, ...options })
  started.push(index)
  await expect.poll(() => index.sequence()).toBeDefined()
  await index.catchUp()
  return index
}

const caller = {
  us: false,
  mode: 'weight' as const,
  tiers: [{ from: 0, mined: 10, lab: 20 }],
  rate: '1',
  adjustment: null,
}

function answersOf(store: Store): unknown {
  const requests = fc.sample(requestArbitrary, { seed: 3, numRuns: 40 })
  return requests.map((request) => {
    const { found, total } = searchGems(store, DIAMOND_SEARCH_V3, request, rulesOf(caller), [])
    return [total, found.map(({ id }) => id)]
  })
}

function expectedAnswers(): unknown {
  const requests = fc.sample(requestArbitrary, { seed: 3, numRuns: 40 })
  return requests.map((request) => {
    const { total, ids } = bruteSearch(stones, request, caller)
    return [total, ids]
  })
}

/** Changes some stones and removes others. */
async function disturb(seed: number): Promise<void> {
  for (const at of fc.sample(fc.nat(stones.length - 1), { seed, numRuns: 10 })) {
    const [fresh] = fc.sample(stoneArbitrary(0), { seed: seed + at, numRuns: 1 })
    stones[at] = { ...fresh, id: stones[at].id, sku: stones[at].sku }
    await changeStone(database.db, stones[at])
  }
  await removeStone(database.db, stones[seed % stones.length])
  stones = stones.filter((_, at) => at !== seed % stones.length)
}

describe('a gem index', () => {
  it('loads the same in a worker thread as in this one', async () => {
    const aside = await start({ inlineMax: 0 })
    const inline = await start()
    expect(answersOf(aside.store())).toEqual(expectedAnswers())
    expect(answersOf(inline.store())).toEqual(expectedAnswers())
  })

  it('contains a change when catchUp resolves, and equals a newly built index', async () => {
    const index = await start()
    for (const seed of [1, 2, 3]) {
      await disturb(seed)
      await index.catchUp()
      expect(answersOf(index.store())).toEqual(expectedAnswers())
      expect(answersOf((await start()).store())).toEqual(expectedAnswers())
    }
  })

  it('follows the changes of another node without being called', async () => {
    const other = openDatabase({ url: clone.url })
    const [here, there] = [await start(), await start({ database: other })]
    await disturb(4)
    const goal = expectedAnswers()
    for (const node of [here, there]) await expect.poll(() => answersOf(node.store())).toEqual(goal)
    await there.stop()
    await other.close()
  })

  it('recovers when its connections are cut and notifications are missed', async () => {
    const index = await start()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and usename = current_user`.execute(database.db)
    await disturb(5)
    await expect.poll(() => answersOf(index.store())).toEqual(expectedAnswers())
    expect(index.problem()).toBeUndefined()
  })

  it('builds a new base when the log no longer has the changes it needs', async () => {
    const index = await start()
    await disturb(6)
    await numberChanges(database.db)
    await sql`delete from change`.execute(database.db)
    await disturb(7)
    await index.catchUp()
    expect(answersOf(index.store())).toEqual(expectedAnswers())
  })

  it('merges what changed into its base, without loading the table again', async () => {
    let loads = 0
    const onReplaced = async () => void loads++
    const index = await start({ driftMin: 0, onReplaced })
    for (const seed of [21, 22, 23]) {
      const { base } = index.store()
      await disturb(seed)
      await index.catchUp()
      expect(answersOf(index.store())).toEqual(expectedAnswers())
      await expect.poll(() => index.store().base !== base).toBe(true)
      expect(answersOf(index.store())).toEqual(expectedAnswers())
      expect(indexRows(index.store())).toEqual(await loadedRows(database, 'diamond'))
    }
    expect(loads).toBe(1)
  })

  it('loads the table again when more changes wait than half of its stones, of any number', async () => {
    let loads = 0
    const onReplaced = async () => void loads++
    const odd = stones.length % 2 === 1 ? stones : stones.slice(1)
    if (odd !== stones) await removeStone(database.db, stones[0])
    stones = odd
    const index = await start({ behindMin: 0, onReplaced })
    const [changed] = stones
    await database.db.transaction().execute(async (tx) => {
      const change = { gem_id: changed.id, sku: String(changed.sku), kind: 'details' } as const
      for (let count = 0; count < 2_100; count++) await logChanges(tx, [change])
    })
    await index.catchUp()
    await expect.poll(() => loads).toBe(2)
    expect(index.problem()).toBeUndefined()
    expect(answersOf(index.store())).toEqual(expectedAnswers())
  })

  it('loads the table again when it is found to differ', async () => {
    const index = await start()
    const [stone] = stones.filter(({ shape }) => shape !== 'asscher')
    setCode(index.store(), stone.id, 'shape', 'asscher')
    expect(indexRows(index.store())).not.toEqual(await loadedRows(database, 'diamond'))
    await index.reload()
    expect(indexRows(index.store())).toEqual(await loadedRows(database, 'diamond'))
  })

  it('replaces the base only when the caches of stones are ready for it', async () => {
    const seen: (number | undefined)[] = []
    const told = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      seen.push(index?.sequence())
    }
    let index: GemIndex | undefined
    index = await start({ onReplaced: told })
    const before = Number(index.sequence())
    // The log skips numbers, so the index cannot follow the changes one by one.
    await sql`update change_clock set last = last + 5`.execute(database.db)
    await index.catchUp()
    expect(seen).toEqual([undefined, before])
    expect(index.sequence()).toBe(before + 5)
  })

  it('ends a hold by the clock alone', async () => {
    let nowMs = Date.now()
    const index = await start({ now: () => nowMs })
    const { uuid } = await createMerchant(database.db, {
      email: 'holder@shop.example',
      legal_dba: 'Holder',
      country_code: 'US',
    })
    const [stone] = stones
    const held = () =>
      searchGems(
        index.store(),
        DIAMOND_SEARCH_V3,
        {
          filters: { on_hold: true, is_fancy: Boolean(stone.is_fancy) },
          limit: 9,
          offset: 0,
          sort_col: 'weight',
          sort_order: 'asc',
        },
        rulesOf(caller),
        [],
      ).found.map(({ id }) => id)
    await database.db.transaction().execute(async (tx) => {
      await sql`update gem set hold_uuid = ${newUuid()}, hold_merchant_uuid = ${uuid},
        hold_created_on = now(), hold_expires_on = now() + interval '10 minutes', mover = 'hold'
        where id = ${stone.id}`.execute(tx)
    })
    await changeStone(database.db, stone)
    await index.catchUp()
    expect(held()).toEqual([stone.id])
    nowMs += 11 * 60_000
    expect(held()).toEqual([])
    // A base that is built while the hold is live ends it at the same moment.
    const fresh = await start({ now: () => nowMs })
    expect(sizeOf(fresh.store())).toBe(stones.length)
  })

  it('is reported by the audit when a row differs from the table', async () => {
    const index = await start()
    expect(await auditSample(database, index)).toMatchObject({ drifted: [] })
    const [stone] = stones.filter(({ shape }) => shape !== 'asscher')
    setCode(index.store(), stone.id, 'shape', 'asscher')
    let drifted: number[] = []
    // The sample is random, but so large that it covers this small market.
    for (let i = 0; i < 20 && drifted.length === 0; i++) {
      drifted = (await auditSample(database, index))?.drifted ?? []
    }
    expect(drifted).toEqual([stone.id])
  })
})
