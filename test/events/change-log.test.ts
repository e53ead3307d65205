import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../src/database/open.ts'
import {
  CHANGE_CHANNEL,
  type Change,
  compactChangeLog,
  lastSequence,
  logChanges,
  logChangesFrom,
  logPriceChange,
  readChanges,
  type StoneChange,
} from '../../src/events/change-log.ts'
import { insertMerchant, insertStone, useDatabase } from '../support/stones.ts'

const database = useDatabase()

function entries(count: number): StoneChange[] {
  return Array.from({ length: count }, (_, index) => ({
    gem_id: index + 1,
    sku: `SKU${index}`,
    kind: 'details',
  }))
}

function log(changes: StoneChange[]): Promise<number> {
  return database.current.db.transaction().execute((tx) => logChanges(tx, changes))
}

/** Returns the payloads that are received from the start of `work` until `isEnough`. */
async function listenTo(work: () => Promise<void>, isEnough: (received: string[]) => boolean) {
  const client = new pg.Client({ connectionString: database.current.url })
  await client.connect()
  await client.query(`listen ${CHANGE_CHANNEL}`)
  const received: string[] = []
  const done = new Promise<void>((resolve) => {
    client.on('notification', ({ payload }) => {
      received.push(payload ?? '')
      if (isEnough(received)) resolve()
    })
  })
  await work()
  await done
  await client.end()
  return received
}

describe('the change log', () => {
  it('numbers the changes of a transaction one after the other, in their order', async () => {
    const { db } = database.current
    const before = await lastSequence(db)
    expect(await log(entries(3))).toBe(before + 3)
    const changes = await readChanges(db, before, 10)
    expect(changes.map(({ sequence, sku }) => [sequence - before, sku])).toEqual([
      [1, 'SKU0'],
      [2, 'SKU1'],
      [3, 'SKU2'],
    ])
    expect((await readChanges(db, before + 1, 1)).map(({ sku }) => sku)).toEqual(['SKU1'])
    expect(await readChanges(db, before + 3, 10)).toEqual([])
  })

  it('writes nothing for an empty list', async () => {
    const { db } = database.current
    const before = await lastSequence(db)
    expect(await log([])).toBe(before)
    const none = sql`select 1 as gem_id, 'A' as sku, 'new' as kind where false`
    expect(await db.transaction().execute((tx) => logChangesFrom(tx, none))).toBe(before)
  })

  it('uses the numbers of a rolled back transaction again', async () => {
    const { db } = database.current
    const before = await lastSequence(db)
    const failing = db.transaction().execute(async (tx) => {
      expect(await logChanges(tx, entries(5))).toBe(before + 5)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await log(entries(1))).toBe(before + 1)
  })

  it('logs a hundred thousand selected stones in one statement', async () => {
    const { db } = database.current
    const before = await lastSequence(db)
    const query = sql`
      select number as gem_id, 'S' || number as sku, 'new' as kind
      from generate_series(1, 100000) as number order by number desc`
    const last = await db.transaction().execute((tx) => logChangesFrom(tx, query))
    expect(last).toBe(before + 100_000)
    const [first] = await readChanges(db, before, 1)
    const [final] = await readChanges(db, last - 1, 5)
    expect([first.sku, final.sku, final.sequence]).toEqual(['S100000', 'S1', last])
  })

  it("logs that one merchant's prices, or everyone's, changed", async () => {
    const { db } = database.current
    const merchant = await insertMerchant(db)
    const before = await lastSequence(db)
    await db.transaction().execute((tx) => logPriceChange(tx, merchant))
    await db.transaction().execute((tx) => logPriceChange(tx, null))
    expect(await readChanges(db, before, 5)).toMatchObject([
      { kind: 'prices', merchant_uuid: merchant, sku: null, gem_id: null },
      { kind: 'prices', merchant_uuid: null, sku: null, gem_id: null },
    ])
  })

  it('notifies listeners of the last number when a transaction commits', async () => {
    const { db } = database.current
    const before = await lastSequence(db)
    const received = await listenTo(
      async () => {
        await db
          .transaction()
          .execute(async (tx) => {
            await logChanges(tx, entries(2))
            throw new Error('rolled back')
          })
          .catch(() => {})
        await log(entries(3))
      },
      (payloads) => payloads.includes(String(before + 3)),
    )
    expect(received).toEqual([String(before + 3)])
  })
})

describe('many writers and a follower', () => {
  it('shows every change once, in the order of each stone’s history', async () => {
    const { db } = database.current
    const stones = await Promise.all(
      Array.from({ length: 8 }, () => insertStone(db, { internal_days_to_return: 0 })),
    )
    const before = await lastSequence(db)
    const committed: Written[] = []
    let writing = true
    const follower = follow(before, () => writing)
    const writers = Array.from({ length: 10 }, (_, number) => write(number, stones, committed))
    await Promise.all(writers)
    writing = false
    const seen = await follower

    const last = await lastSequence(db)
    expect(seen.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: last - before }, (_, index) => before + index + 1),
    )
    expect(seen).toHaveLength(committed.length)
    for (const stone of stones) {
      const history = committed
        .filter(({ sku }) => sku === stone.sku)
        .sort((a, b) => a.version - b.version)
      expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1))
      const logged = seen.filter(({ sku }) => sku === stone.sku)
      expect(logged.map(({ sequence }) => sequence)).toEqual(
        history.map(({ sequence }) => sequence),
      )
    }
  })

  interface Written {
    sku: string
    version: number
    sequence: number
  }

  /** Changes one to three stones at a time, counting their versions; rolls every fourth back. */
  async function write(
    writer: number,
    stones: { id: number; sku: string }[],
    committed: Written[],
  ): Promise<void> {
    const { db } = database.current
    for (let round = 0; round < 25; round++) {
      const start = (writer * 7 + round * 3) % stones.length
      const chosen = stones.slice(start, start + 1 + (round % 3))
      const skus = chosen.map(({ sku }) => sku).sort()
      const transaction = db.transaction().execute(async (tx) => {
        await tx
          .selectFrom('gem')
          .select('id')
          .where('sku', 'in', skus)
          .orderBy('sku')
          .forUpdate()
          .execute()
        const rows = await tx
          .updateTable('gem')
          .set((eb) => ({ internal_days_to_return: eb('internal_days_to_return', '+', 1) }))
          .where('sku', 'in', skus)
          .returning(['id', 'sku', 'internal_days_to_return'])
          .execute()
        const changes = rows.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'price' as const }))
        const last = await logChanges(tx, changes)
        if ((writer + round) % 4 === 0) throw new Error('rolled back')
        return rows.map(({ sku, internal_days_to_return: version }, index) => ({
          sku,
          version: version!,
          sequence: last - rows.length + 1 + index,
        }))
      })
      await transaction.then(
        (written) => committed.push(...written),
        (error: Error) => expect(error.message).toBe('rolled back'),
      )
    }
  }

  /** Reads until nobody writes any more; `readChanges` would refuse a gap. */
  async function follow(after: number, isWriting: () => boolean): Promise<Change[]> {
    const { db } = database.current
    const seen: Change[] = []
    let last = after
    for (;;) {
      const wasWriting = isWriting()
      const changes = await readChanges(db, last, 7)
      seen.push(...changes)
      last = changes.at(-1)?.sequence ?? last
      if (changes.length === 0 && !wasWriting) return seen
    }
  }
})

/** The oldest number in the log; the next one to come when the log is empty. */
async function oldestSequence(db: Db): Promise<number> {
  const { rows } = await sql<{ oldest: number }>`
    select coalesce((select min(sequence) from change), last + 1) as oldest
    from change_clock`.execute(db)
  return rows[0].oldest
}

describe('compaction', () => {
  const database = useDatabase()
  const age = (sequence: number, days: number) =>
    sql`
    update change set changed_on = now() - make_interval(days => ${days})
    where sequence = ${sequence}`.execute(database.current.db)

  it('removes old entries, and refuses readers that lag behind', async () => {
    const { db } = database.current
    expect([await oldestSequence(db), await readChanges(db, 0, 5)]).toEqual([1, []])
    await db.transaction().execute((tx) => logChanges(tx, entries(6)))
    // Number 4 looks old, too, as after a wrong clock: the log must keep its middle.
    for (const sequence of [1, 2, 4]) await age(sequence, 8)

    expect(await compactChangeLog(db, 9)).toBe(0)
    expect(await compactChangeLog(db, 7)).toBe(2)

    expect(await oldestSequence(db)).toBe(3)
    const kept = await readChanges(db, 2, 10)
    expect(kept.map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6])
    await expect(readChanges(db, 1, 10)).rejects.toMatchObject({ code: 'changes_expired' })
  })

  it('keeps counting when the whole log was removed', async () => {
    const { db } = database.current
    expect(await compactChangeLog(db, 0)).toBe(4)
    expect([await oldestSequence(db), await lastSequence(db)]).toEqual([7, 6])
    expect(await readChanges(db, 6, 10)).toEqual([])
    await expect(readChanges(db, 5, 10)).rejects.toMatchObject({ code: 'changes_expired' })
    await expect(readChanges(db, 7, 10)).rejects.toMatchObject({ code: 'changes_expired' })
    expect(await db.transaction().execute((tx) => logChanges(tx, entries(1)))).toBe(7)
  })
})
