import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createRenderedStones, type RenderedStones } from '../../src/gems/search/rendered-stones.ts'
import { createStoneReads } from '../../src/gems/search/stone-reads.ts'
import { createByteCache } from '../../src/lib/byte-cache.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { stoneArbitrary } from './search-oracle.ts'
import { stockStones } from './search-stock.ts'

let clone: ClonedDatabase
let database: Database
let ids: number[]

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url })
  const stones = Array.from(
    { length: 60 },
    (_, i) => fc.sample(stoneArbitrary(i + 1), { seed: 40 + i, numRuns: 1 })[0],
  )
  await stockStones(database.db, stones)
  ids = stones.map(({ id }) => id)
})

afterAll(async () => {
  await database.close()
  await clone.drop()
})

async function filmsOf(stones: RenderedStones, wanted: readonly number[]): Promise<unknown[]> {
  const bytes = await stones.get(wanted)
  return bytes.map((stone) => JSON.parse(`${stone?.toString()}}`).video_url)
}

describe('rendered stones', () => {
  it('are read again, as they are now, when they were used recently', async () => {
    const stones = createRenderedStones(database.db, 'http://127.0.0.1')
    const asked = ids.slice(0, 55)
    await stones.get(ids)
    await stones.get(asked)
    await sql`update gem set video_url = 'https://media.example/new.mp4'`.execute(database.db)
    expect(await filmsOf(stones, asked)).not.toContain('https://media.example/new.mp4')
    await stones.renew()
    expect(stones.peek(asked)).toHaveLength(asked.length)
    const films = new Set(await filmsOf(stones, ids))
    expect(films).toEqual(new Set(['https://media.example/new.mp4']))
  })

  it('are not stored when they change while they are read again', async () => {
    const stones = createRenderedStones(database.db, 'http://127.0.0.1')
    await stones.get(ids)
    await stones.get(ids)
    const renewal = stones.renew()
    stones.forget(new Set([ids[0]]))
    await renewal
    expect(stones.peek([ids[1]])).toHaveLength(1)
    expect(stones.peek([ids[0]])).toBeUndefined()
  })
})

describe('reads of stones', () => {
  const renderedBy = (calls: number[][]) => async (wanted: readonly number[]) => {
    calls.push([...wanted])
    await new Promise((resolve) => setImmediate(resolve))
    return new Map(wanted.map((id) => [id, Buffer.from(`${id} of ${calls.length}`)]))
  }

  it('are shared by all callers that want the same stone at once', async () => {
    const calls: number[][] = []
    const stored = new Map<number, Buffer>()
    const reads = createStoneReads(renderedBy(calls))
    const store = (id: number, bytes: Buffer) => stored.set(id, bytes)
    const [first, second] = await Promise.all([
      reads.readShared([1, 2], store),
      reads.readShared([2, 3], store),
    ])
    expect(calls).toEqual([[1, 2], [3]])
    expect(second[0]).toBe(first[1])
    expect(new Set(stored.keys())).toEqual(new Set([1, 2, 3]))
  })

  it('are neither stored nor shared once their stone has changed', async () => {
    const calls: number[][] = []
    const stored = new Map<number, Buffer>()
    const reads = createStoneReads(renderedBy(calls))
    const store = (id: number, bytes: Buffer) => stored.set(id, bytes)
    const storedEarly: number[] = []
    const early = reads.readShared([1, 2], (id) => storedEarly.push(id))
    reads.forget(new Set([2]))
    await reads.readShared([1, 2], store)
    await early
    expect(calls).toEqual([[1, 2], [2]])
    expect(storedEarly).toEqual([1])
    expect([...stored.keys()]).toEqual([2])
  })

  it('store nothing when everything was forgotten meanwhile', async () => {
    const stored: number[] = []
    const reads = createStoneReads(renderedBy([]))
    const reading = reads.read([1], (id) => stored.push(id))
    reads.forget('all')
    expect((await reading).size).toBe(1)
    expect(stored).toEqual([])
  })
})

describe('a cache of bytes', () => {
  it('lists what was used recently', () => {
    const cache = createByteCache(10_000)
    for (const key of [1, 2, 3]) cache.keep(key, Buffer.alloc(10))
    for (const key of [1, 2, 2, 3, 3]) cache.use(key)
    expect(cache.recent(2)).toEqual([3])
    expect(cache.recent(4)).toEqual([2, 3])
    expect(cache.recent(100)).toEqual([1, 2, 3])
  })
})
