import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { logChanges, type StoneChange } from '../../src/events/change-log.ts'
import { numberChanges } from '../../src/events/number-changes.ts'
import type { FileMessage } from '../../src/gems/indexing/index-file.ts'
import { type DiamondSearch, startDiamondSearch } from '../../src/gems/search/diamonds.ts'
import { createRenderedStones } from '../../src/gems/search/rendered-stones.ts'
import { find } from '../../src/index/index.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { type Line, openLine } from '../support/line.ts'
import { type Stone, stoneArbitrary } from './search-oracle.ts'
import { changeStone, stockStones } from './search-stock.ts'

const BLOCK = 256
const PUBLIC_URL = 'http://pavilion.test'
/** Two weeks after the epoch: the age of a file that is written again when it is due. */
const LONG_AGO = 1_209_600

let clone: ClonedDatabase
let line: Line
/** Writes over a connection that is not cut. */
let writers: Database
let stones: Stone[]
let holder: string
let folder: string
let path: string
/** What the searches have said about the file of their stones. */
let messages: FileMessage[]
const started: { search: DiamondSearch; database: Database }[] = []

beforeAll(async () => {
  clone = await cloneDatabase()
  line = await openLine(clone.url)
  writers = openDatabase({ url: clone.url })
  stones = drawStones(60, 300)
  await stockStones(writers.db, stones)
  const merchant = { email: 'holder@shop.example', legal_dba: 'Holder', country_code: 'US' }
  holder = (await createMerchant(writers.db, merchant)).uuid
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-stones-'))
  path = join(folder, 'live-diamond.stones')
  messages = []
})

afterEach(async () => {
  line.restore()
  await stopAll()
  rmSync(folder, { recursive: true })
})

afterAll(async () => {
  await writers.close()
  await line.close()
  await clone.drop()
})

function drawStones(count: number, seed: number): Stone[] {
  return Array.from(
    { length: count },
    (_, i) => fc.sample(stoneArbitrary(i + 1), { seed: seed + i, numRuns: 1 })[0],
  )
}

type Options = Partial<Parameters<typeof startDiamondSearch>[0]> & { url?: string }

/** Starts a search as a node does, and returns it when the index can answer. */
async function start({ url = line.url, ...options }: Options = {}): Promise<DiamondSearch> {
  const database = openDatabase({ url })
  const search = startDiamondSearch({
    database,
    publicUrl: PUBLIC_URL,
    now: Date.now,
    stonesFile: { path, program: '1.0.0' },
    onStonesFile: (message) => messages.push(message),
    ...options,
  })
  started.push({ search, database })
  await expect.poll(() => search.index.loaded()).toBeDefined()
  return search
}

async function stopAll(): Promise<void> {
  for (const { search, database } of started.splice(0)) {
    await search.stop()
    await database.close()
  }
}

/** Writes the file with all stones, by a search that is stopped after that. */
async function writeFile(options: Options = {}): Promise<void> {
  await start(options)
  await expect.poll(() => messages).toEqual([{ written: expect.any(Number) }])
  await stopAll()
  messages = []
}

/** The ids of the stones that are in the market. */
async function listIds({ index }: DiamondSearch): Promise<number[]> {
  await index.catchUp()
  const { rows } = await sql<{ id: number }>`select id from gem order by id`.execute(writers.db)
  return rows.map(({ id }) => Number(id)).filter((id) => find(index.store(), id))
}

async function shown({ stones: rendered }: DiamondSearch, ids: readonly number[]) {
  const bytes = await rendered.get(ids)
  return bytes.map((stone) => stone?.toString())
}

/** As the stones are in the table. */
async function inTable(ids: readonly number[], publicUrl = PUBLIC_URL, { db } = writers) {
  const rendered = createRenderedStones(db, publicUrl)
  const bytes = await rendered.get(ids)
  await rendered.close()
  return bytes.map((stone) => stone?.toString())
}

/** Starts a search that has to refuse the file, and checks that it shows the table's stones. */
async function expectRefused(
  reason: string,
  { from = writers, ...options }: Options & { from?: Database } = {},
) {
  const search = await start(options)
  expect(messages[0]).toEqual({ refused: reason })
  const { rows } = await sql<{ id: number }>`select id from gem order by id`.execute(from.db)
  const ids = rows.map(({ id }) => Number(id)).filter((id) => find(search.index.store(), id))
  expect(await shown(search, ids)).toEqual(await inTable(ids, options.publicUrl, from))
  await expect.poll(() => messages.slice(1)).toEqual([{ written: expect.any(Number) }])
}

async function log(statement: RawBuilder<unknown>, stone: Stone, kind: StoneChange['kind']) {
  await writers.db.transaction().execute(async (tx) => {
    await statement.execute(tx)
    await logChanges(tx, [{ gem_id: stone.id, sku: String(stone.sku), kind }])
  })
}

const UNHELD = sql`hold_uuid = null, hold_merchant_uuid = null, hold_created_on = null,
  hold_expires_on = null`

/** What may become of a stone. */
const CHANGES: Record<string, (stone: Stone, seed: number) => Promise<void>> = {
  async changed(stone, seed) {
    const at = stones.indexOf(stone)
    stones[at] = { ...drawStones(1, seed)[0], id: stone.id, sku: stone.sku }
    await changeStone(writers.db, stones[at])
  },
  held: (stone) =>
    log(
      sql`update gem set hold_uuid = ${newUuid()}, hold_merchant_uuid = ${holder}, mover = 'hold',
        hold_created_on = now(), hold_expires_on = now() + interval '1 hour'
        where id = ${stone.id} and hold_uuid is null`,
      stone,
      'hold',
    ),
  async sold(stone) {
    const move = sql`update gem set state = 'sold', quantity = 0, mover = 'order', ${UNHELD}
      where id = ${stone.id}`
    await log(move, stone, 'sold')
    stones.splice(stones.indexOf(stone), 1)
  },
  async removed(stone) {
    const move = sql`update gem set state = 'gone', ${UNHELD},
      mover = case when hold_uuid is null then 'feed' else 'hold' end where id = ${stone.id}`
    await log(move, stone, 'gone')
    stones.splice(stones.indexOf(stone), 1)
  },
  async added(_, seed) {
    const [stone] = drawStones(1, seed)
    const added = { ...stone, sku: `NEW-${stones.length}-${seed}` } as Stone
    await stockStones(writers.db, [added])
    stones.push(added)
  },
}

describe('the stones that a node has rendered', () => {
  it('are shown after a restart, although the database is away', async () => {
    await writeFile()
    const before = await start({ stonesFile: undefined })
    const ids = await listIds(before)
    const expected = await inTable(ids)
    const search = await start()
    line.cut()
    expect(messages).toEqual([{ read: expect.any(Number) }])
    expect(search.stones.stored.unsaved()).toBe(0)
    expect(await shown(search, ids)).toEqual(expected)
  })

  it('are those of the table after a restart, whatever has changed meanwhile', async () => {
    await writeFile()
    const change = fc.record({
      what: fc.constantFrom(...Object.keys(CHANGES)),
      at: fc.nat(10_000),
      seed: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 8 }),
        fc.boolean(),
        async (made, isNumbered) => {
          for (const { what, at, seed } of made) {
            if (stones.length > 20 || what === 'added') {
              await CHANGES[what](stones[at % stones.length], seed)
            }
          }
          if (isNumbered) await numberChanges(writers.db)
          const search = await start()
          expect(messages[0]).toEqual({ read: expect.any(Number) })
          const ids = await listIds(search)
          expect(await shown(search, ids)).toEqual(await inTable(ids))
          await stopAll()
          messages = []
        },
      ),
      { numRuns: 10 },
    )
  })

  it('are shown by a second process while the first one changes them', async () => {
    await start()
    await expect.poll(() => messages).toEqual([{ written: expect.any(Number) }])
    const first = readFileSync(path)
    await CHANGES.changed(stones[1], 4_001)
    const second = await start()
    const ids = await listIds(second)
    expect(await shown(second, ids)).toEqual(await inTable(ids))
    // Neither wrote it again for one stone.
    expect(readFileSync(path).equals(first)).toBe(true)
  })

  it('are rendered again where their bytes were damaged on the disk', async () => {
    await writeFile()
    const bytes = readFileSync(path)
    // Of two blocks that follow each other, one at least is full or the first one of a stone.
    const block = Math.floor(bytes.length / 2 / BLOCK) * BLOCK
    for (const at of [block + 20, block + BLOCK + 20]) bytes[at] ^= 1
    writeFileSync(path, bytes)
    const search = await start()
    const ids = await listIds(search)
    expect(await shown(search, ids)).toEqual(await inTable(ids))
    expect(messages).toEqual([{ read: expect.any(Number) }])
    await expect.poll(() => search.stones.stored.unsaved()).toBeGreaterThan(0)
  })
})

describe('the file of rendered stones', () => {
  it('is not used when it was cut off, and is written again', async () => {
    await writeFile()
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    await expectRefused('it is not whole')
    await stopAll()
    messages = []
    await start()
    expect(messages).toEqual([{ read: expect.any(Number) }])
  })

  it('is not used when its list was damaged', async () => {
    await writeFile()
    const bytes = readFileSync(path)
    bytes[bytes.length - 40] ^= 1
    writeFileSync(path, bytes)
    await expectRefused('the checksum of its list is wrong')
  })

  it('is not used by another version of the program', async () => {
    await writeFile()
    await expectRefused('version 1.0.0 has written it', { stonesFile: { path, program: '1.0.1' } })
  })

  it('is not used for another URL', async () => {
    await writeFile()
    await expectRefused(`it is for ${PUBLIC_URL}`, { publicUrl: 'https://stones.example' })
  })

  it('is not used with another database, even a copy of the same one', async () => {
    await writeFile()
    const other = await cloneDatabase()
    const from = openDatabase({ url: other.url })
    try {
      await stockStones(from.db, drawStones(60, 300))
      const reason = 'it is of another database, or of another history'
      await expectRefused(reason, { url: other.url, from })
      await stopAll()
    } finally {
      await from.close()
      await other.drop()
    }
  })

  it('is not used when the log has gone back', async () => {
    await CHANGES.changed(stones[2], 5_001)
    await writeFile()
    await sql`update change_clock set last = last - 1`.execute(writers.db)
    await sql`delete from change where sequence > (select last from change_clock)`.execute(
      writers.db,
    )
    await expectRefused('the change log has gone back')
  })

  it('is not used when the log no longer has what changed since', async () => {
    await writeFile()
    await CHANGES.changed(stones[3], 6_001)
    await CHANGES.changed(stones[4], 6_002)
    await numberChanges(writers.db)
    await sql`delete from change where sequence < (select last from change_clock)`.execute(
      writers.db,
    )
    await expectRefused('the change log no longer has what changed since')
  })

  it('is not used when a backup was restored into the same database', async () => {
    await writeFile()
    // As a restore leaves it: numbers above those of the backup may have been given before.
    await sql`update change_clock set history = null, replicated = false`.execute(writers.db)
    await expectRefused('the change log no longer has what changed since')
  })

  it('is not used when the table was changed and the log does not say so', async () => {
    await writeFile()
    await CHANGES.changed(stones[5], 7_001)
    await sql`update gem set video_url = 'https://media.example/new.mp4',
      updated_on = updated_on + interval '1 second' where id = ${stones[6].id}`.execute(writers.db)
    await expectRefused('its stones are not those of the table')
  })

  it('is not used when that of the index is not used', async () => {
    const file = { path: join(folder, 'live-diamond.index'), program: '1.0.0' }
    await writeFile({ file, inlineMax: 0 })
    writeFileSync(file.path, 'something else')
    await expectRefused('that of the index is not used', { file, inlineMax: 0 })
  })

  it('is removed when the index is loaded again, and written when all are rendered', async () => {
    const search = await start()
    await expect.poll(() => messages).toHaveLength(1)
    await search.index.reload()
    // One that is there is not written again this soon.
    await expect.poll(() => messages).toHaveLength(2)
  })

  it('is written at a stop when the next start would have much to render', async () => {
    await writeFile()
    const search = await start()
    const before = readFileSync(path)
    const many = stones.slice(0, 3)
    for (const [i, stone] of many.entries()) await CHANGES.changed(stone, 8_000 + i)
    await search.index.catchUp()
    await expect.poll(() => search.stones.stored.unsaved()).toBeGreaterThanOrEqual(many.length)
    const ids = await listIds(search)
    await stopAll()
    expect(readFileSync(path).equals(before)).toBe(false)
    const again = await start()
    line.cut()
    expect(again.stones.stored.unsaved()).toBe(0)
    expect(await shown(again, ids)).toEqual(await inTable(ids))
  })

  it('is not needed: a folder that cannot be written changes nothing', async () => {
    writeFileSync(path, '')
    const search = await start({ stonesFile: { path: join(path, 'x.stones'), program: '1.0.0' } })
    const ids = await listIds(search)
    expect(await shown(search, ids)).toEqual(await inTable(ids))
    await expect
      .poll(() => messages.at(-1))
      .toEqual({ unwritten: expect.stringMatching(/ENOTDIR|EEXIST/) })
  })

  it('is left alone while another process writes it', async () => {
    writeFileSync(`${path}.new`, '')
    const search = await start()
    await expect.poll(() => search.stones.storedSize().entries).toBe(stones.length)
    await stopAll()
    expect([messages, existsSync(path)]).toEqual([[], false])
    // One that a killed process left is not waited for.
    utimesSync(`${path}.new`, LONG_AGO, LONG_AGO)
    await writeFile()
  })
})
