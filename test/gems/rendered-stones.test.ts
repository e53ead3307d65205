import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createRenderedStones, type RenderedStones } from '../../src/gems/search/rendered-stones.ts'
import { createStoneReadings } from '../../src/gems/search/stone-readings.ts'
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
  const bytes = await stones.bytesOf(wanted)
  return bytes.map((stone) => JSON.parse(`${stone?.toString()}}`).video_url)
}

describe('rendered stones', () => {
  it('are read again, as they are now, when they were asked for lately', async () => {
    const stones = createRenderedStones(database.db, 'http://127.0.0.1')
    const asked = ids.slice(0, 55)
    await stones.bytesOf(ids)
    await stones.bytesOf(asked)
    await sql`update gem set video_url = 'https://media.example/new.mp4'`.execute(database.db)
    expect(await filmsOf(stones, asked)).not.toContain('https://media.example/new.mp4')
    await stones.renew()
    // At hand without a reading: an array, no promise.
    expect(Array.isArray(stones.bytesOf(asked))).toBe(true)
    const films = new Set(await filmsOf(stones, ids))
    expect(films).toEqual(new Set(['https://media.example/new.mp4']))
  })

  it('are not kept when they changed while they were read again', async () => {
    const stones = createRenderedStones(database.db, 'http://127.0.0.1')
    await stones.bytesOf(ids)
    await stones.bytesOf(ids)
    const renewal = stones.renew()
    stones.forget(new Set([ids[0]]))
    await renewal
    expect(Array.isArray(stones.bytesOf([ids[1]]))).toBe(true)
    expect(stones.bytesOf([ids[0]])).toBeInstanceOf(Promise)
  })
})

describe('readings of stones', () => {
  const renderedBy = (calls: number[][]) => async (wanted: readonly number[]) => {
    calls.push([...wanted])
    await new Promise((resolve) => setImmediate(resolve))
    return new Map(wanted.map((id) => [id, Buffer.from(`${id} of ${calls.length}`)]))
  }

  it('are shared by all who ask for the same stone at once', async () => {
    const calls: number[][] = []
    const kept = new Map<number, Buffer>()
    const readings = createStoneReadings(renderedBy(calls))
    const keep = (id: number, bytes: Buffer) => kept.set(id, bytes)
    const [first, second] = await Promise.all([
      readings.readOnce([1, 2], keep),
      readings.readOnce([2, 3], keep),
    ])
    expect(calls).toEqual([[1, 2], [3]])
    expect(second[0]).toBe(first[1])
    expect(new Set(kept.keys())).toEqual(new Set([1, 2, 3]))
  })

  it('are neither kept nor shared once their stone has changed', async () => {
    const calls: number[][] = []
    const kept = new Map<number, Buffer>()
    const readings = createStoneReadings(renderedBy(calls))
    const keep = (id: number, bytes: Buffer) => kept.set(id, bytes)
    const keptEarly: number[] = []
    const early = readings.readOnce([1, 2], (id) => keptEarly.push(id))
    readings.forget(new Set([2]))
    await readings.readOnce([1, 2], keep)
    await early
    expect(calls).toEqual([[1, 2], [2]])
    expect(keptEarly).toEqual([1])
    expect([...kept.keys()]).toEqual([2])
  })

  it('keep nothing of what was read when all was forgotten', async () => {
    const kept: number[] = []
    const readings = createStoneReadings(renderedBy([]))
    const reading = readings.read([1], (id) => kept.push(id))
    readings.forget('all')
    expect((await reading).size).toBe(1)
    expect(kept).toEqual([])
  })
})

describe('a cache of bytes', () => {
  it('tells what was used lately', () => {
    const cache = createByteCache(10_000)
    for (const key of [1, 2, 3]) cache.keep(key, Buffer.alloc(10))
    for (const key of [1, 2, 2, 3, 3]) cache.use(key)
    expect(cache.recent(2)).toEqual([3])
    expect(cache.recent(4)).toEqual([2, 3])
    expect(cache.recent(100)).toEqual([1, 2, 3])
  })
})
