import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { lastSequence, logChanges, readChanges } from '../../src/events/change-log.ts'
import type { MarketLog } from '../../src/events/market-log.ts'
import { numberChanges } from '../../src/events/number-changes.ts'
import {
  type GemIndex,
  type GemIndexOptions,
  startGemIndex,
} from '../../src/gems/indexing/follower.ts'
import type { FileMessage } from '../../src/gems/indexing/index-file.ts'
import { setCode } from '../../src/index/index.ts'
import { lastNumber } from '../support/change-log.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { indexRows, loadedRows } from '../support/index-rows.ts'
import { type Stone, stoneArbitrary } from './search-oracle.ts'
import { changeStone, removeStone, stockStones } from './search-stock.ts'

let clone: ClonedDatabase
let database: Database
let stones: Stone[]
let folder: string
let path: string
/** What the indexes have said about their files. */
let messages: FileMessage[]
const started: GemIndex[] = []

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url })
  stones = drawStones(80, 100)
  await stockStones(database.db, stones)
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-file-'))
  path = join(folder, 'live-diamond.index')
  messages = []
})

afterEach(async () => {
  for (const index of started.splice(0)) await index.stop()
  rmSync(folder, { recursive: true })
})

afterAll(async () => {
  await database.close()
  await clone.drop()
})

function drawStones(count: number, seed: number): Stone[] {
  return Array.from(
    { length: count },
    (_, i) => fc.sample(stoneArbitrary(i + 1), { seed: seed + i, numRuns: 1 })[0],
  )
}

/** Starts an index as a node does that has no index in memory. */
async function start(options: Partial<GemIndexOptions> = {}): Promise<GemIndex> {
  const index = startGemIndex({
    database,
    name: 'diamond',
    now: Date.now,
    inlineMax: 0,
    file: { path, program: '1.0.0' },
    onFile: (message) => 'read' in message || messages.push(message),
    ...options,
  })
  started.push(index)
  await expect.poll(() => index.loaded()).toBeDefined()
  return index
}

/** Writes the file, by an index that is stopped after that. */
async function writeFile(options: Partial<GemIndexOptions> = {}): Promise<void> {
  const index = await start(options)
  expect(index.loaded()?.from).toBe('table')
  await expect.poll(() => messages).toEqual([{ written: index.sequence() }])
  await index.stop()
  messages = []
}

/** Starts an index that has to refuse the file, and checks that it has the stones of the table. */
async function expectRefused(reason: string, options: Partial<GemIndexOptions> = {}) {
  const index = await start(options)
  expect(index.loaded()?.from).toBe('table')
  expect(messages[0]).toEqual({ refused: reason })
  const from = options.database ?? database
  expect(indexRows(index.store())).toEqual(await loadedRows(from, 'diamond'))
  await expect.poll(() => messages.slice(1)).toEqual([{ written: index.sequence() }])
}

type Write = { change: number; seed: number } | { remove: number } | { add: number }
const position = fc.nat(10_000)
const writes = fc.array(
  fc.oneof(
    fc.record({ change: position, seed: fc.nat() }),
    fc.record({ remove: position }),
    fc.record({ add: fc.nat() }),
  ) as fc.Arbitrary<Write>,
  { maxLength: 12 },
)

async function apply(write: Write): Promise<void> {
  if ('add' in write) {
    const [stone] = drawStones(1, write.add)
    const added = { ...stone, sku: `NEW-${stones.length}-${write.add}` } as Stone
    await stockStones(database.db, [added])
    stones.push(added)
  } else if ('remove' in write) {
    if (stones.length < 20) return
    const [gone] = stones.splice(write.remove % stones.length, 1)
    await removeStone(database.db, gone)
  } else {
    const at = write.change % stones.length
    const [fresh] = drawStones(1, write.seed)
    stones[at] = { ...fresh, id: stones[at].id, sku: stones[at].sku } as Stone
    await changeStone(database.db, stones[at])
  }
}

describe('an index that starts from its file', () => {
  it('is the same as one that is loaded from the table, after any writes', async () => {
    await writeFile()
    await fc.assert(
      fc.asyncProperty(writes, fc.boolean(), async (made, isNumbered) => {
        for (const write of made) await apply(write)
        if (isNumbered) await numberChanges(database.db)
        const index = await start({ driftMin: 0 })
        expect(messages.filter((message) => 'refused' in message)).toEqual([])
        expect(index.loaded()?.from).toBe('file')
        await index.catchUp()
        expect(indexRows(index.store())).toEqual(await loadedRows(database, 'diamond'))
        await index.stop()
        // The next run also starts from files that were merged.
        utimesSync(path, 1, 1)
      }),
      { numRuns: 8 },
    )
  })

  it('has the base as it was loaded, whatever ends by the clock meanwhile', async () => {
    const index = await start()
    const [stone] = stones
    setCode(index.store(), stone.id, 'on_hold', 't')
    await expect.poll(() => messages).toHaveLength(1)
    const again = await start()
    expect(again.loaded()?.from).toBe('file')
    expect(indexRows(again.store())).toEqual(await loadedRows(database, 'diamond'))
  })

  it('is not used when a byte of it has changed, and is written again', async () => {
    await writeFile()
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] ^= 1
    writeFileSync(path, bytes)
    await expectRefused('its checksum is wrong')
    messages = []
    expect((await start()).loaded()?.from).toBe('file')
  })

  it('is not used when it was cut off', async () => {
    await writeFile()
    writeFileSync(path, readFileSync(path).subarray(0, -100))
    await expectRefused('it is too short')
  })

  it('is not used by another version of the program', async () => {
    await writeFile()
    await expectRefused('version 1.0.0 has written it', { file: { path, program: '1.0.1' } })
  })

  it('is not used with another database, even a copy of the same one', async () => {
    await writeFile()
    const other = await cloneDatabase()
    const elsewhere = openDatabase({ url: other.url })
    try {
      await stockStones(elsewhere.db, drawStones(80, 100))
      await expectRefused('it is of another database, or of another history', {
        database: elsewhere,
      })
      await started.pop()?.stop()
    } finally {
      await elsewhere.close()
      await other.drop()
    }
  })

  it('is not used when another server has numbered the log since', async () => {
    await sql`update change_clock set history = '7/00000001'`.execute(database.db)
    // It leaves the history alone, as the server did that this one was promoted after.
    const log: MarketLog = {
      number: () => lastSequence(database.db),
      read: (after, limit) => readChanges(database.db, after, limit),
    }
    await writeFile({ log })
    await expectRefused('it is of another database, or of another history')
  })

  it('is not used when the log has gone back', async () => {
    await apply({ change: 1, seed: 11 })
    await writeFile()
    await sql`update change_clock set last = last - 1`.execute(database.db)
    await sql`delete from change where sequence > (select last from change_clock)`.execute(
      database.db,
    )
    await expectRefused('the change log has gone back')
  })

  it('is not used when the log no longer has what changed since', async () => {
    await writeFile()
    await apply({ change: 2, seed: 12 })
    await apply({ change: 3, seed: 13 })
    await numberChanges(database.db)
    await sql`delete from change where sequence < (select last from change_clock)`.execute(
      database.db,
    )
    await expectRefused('the change log no longer has what changed since')
  })

  const unlogged = {
    'a price is another': sql`update gem set wholesale_price_us = wholesale_price_us + 0.01
      where id = (select max(id) from gem where state = 'available')`,
    'two stones have the prices of each other': sql`update gem set
      wholesale_price = case when id = low then price_of_high else price_of_low end
      from (select low, high, l.wholesale_price as price_of_low, h.wholesale_price as price_of_high
        from (select min(id) as low, max(id) as high from gem where state = 'available') as first_and_last
        join gem as l on l.id = low join gem as h on h.id = high) as ends
      where id in (low, high)`,
    'a stone is gone': sql`update gem set state = 'gone', mover = 'feed'
      where id = (select max(id) from gem where state = 'available')`,
  }
  for (const [what, statement] of Object.entries(unlogged)) {
    it(`is not used when ${what} in the table, and the log does not say so`, async () => {
      await apply({ add: 77 })
      await writeFile()
      // What the log does tell of is left out.
      await apply({ change: 4, seed: 14 })
      await statement.execute(database.db)
      await expectRefused('its stones are not those of the table')
    })
  }
})

describe('the file of an index', () => {
  it('is not written for an index that is loaded in a moment', async () => {
    const index = await start({ inlineMax: 1_000 })
    expect(index.loaded()?.from).toBe('table')
    await index.stop()
    expect(existsSync(path)).toBe(false)
  })

  it('is not needed: a folder that cannot be written changes nothing', async () => {
    writeFileSync(path, '')
    const index = await start({ file: { path: join(path, 'x.index'), program: '1.0.0' } })
    await expect
      .poll(() => messages)
      .toEqual([{ unwritten: expect.stringMatching(/ENOTDIR|EEXIST/) }])
    expect(indexRows(index.store())).toEqual(await loadedRows(database, 'diamond'))
  })

  it('is written again by a merge, unless that is too soon', async () => {
    await writeFile()
    const index = await start({ driftMin: 0 })
    const mergeOnce = async (seed: number) => {
      const { base } = index.store()
      await apply({ change: seed, seed })
      await index.catchUp()
      await expect.poll(() => index.store().base !== base).toBe(true)
    }
    await mergeOnce(21)
    expect(messages).toEqual([])
    utimesSync(path, 1, 1)
    await mergeOnce(22)
    await expect.poll(() => messages).toEqual([{ written: index.sequence() }])
    expect((await start()).loaded()).toMatchObject({ from: 'file', changes: 0 })
  })

  it('is written at a stop when the next start would have much to read', async () => {
    await writeFile()
    const [{ id, sku }] = stones
    const change = { gem_id: id, sku: String(sku), kind: 'details' } as const
    const logMany = async (count: number, index: GemIndex) => {
      await database.db.transaction().execute((tx) =>
        logChanges(
          tx,
          Array.from({ length: count }, () => change),
        ),
      )
      const last = await lastNumber(database.db)
      await expect.poll(() => index.sequence()).toBe(last)
    }
    const little = await start()
    await logMany(100, little)
    utimesSync(path, 1, 1)
    await little.stop()
    expect(statSync(path).mtimeMs).toBe(1_000)
    const much = await start()
    await logMany(5_000, much)
    await much.stop()
    expect(messages).toEqual([{ written: much.sequence() }])
    expect((await start()).loaded()).toMatchObject({ from: 'file', changes: 0 })
  })

  it('is replaced when the index is found to differ from the table', async () => {
    await writeFile()
    const index = await start()
    expect(index.loaded()?.from).toBe('file')
    await index.reload()
    expect(index.loaded()?.from).toBe('table')
    await expect.poll(() => messages).toEqual([{ written: index.sequence() }])
  })
})
