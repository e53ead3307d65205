import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../src/database/open.ts'
import {
  CHANGE_CHANNEL,
  type Change,
  compactChangeLog,
  lastSequence,
  logAdded,
  logChanges,
  logChangesFrom,
  logPriceChange,
  type StoneChange,
} from '../../src/events/change-log.ts'
import { numberChanges } from '../../src/events/number-changes.ts'
import { LEADS_SOMEWHERE, WITH_OFFERS } from '../../src/gems/offer-store.ts'
import { lastNumber, listChanges } from '../support/change-log.ts'
import { insertMerchant, insertStone, useDatabase } from '../support/stones.ts'

const database = useDatabase()

function entries(count: number): StoneChange[] {
  return Array.from({ length: count }, (_, index) => ({
    gem_id: index + 1,
    sku: `SKU${index}`,
    kind: 'details',
  }))
}

/** Logs the changes in a transaction, and returns the last number afterwards. */
async function log(changes: StoneChange[]): Promise<number> {
  const { db } = database.current
  await db.transaction().execute((tx) => logChanges(tx, changes))
  return lastNumber(db)
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

/** How many pages PostgreSQL reads to find out which of the stones merchants see. */
async function pagesRead(db: Db): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>`
    explain (analyze, buffers, format json)
    select gem.id from ${sql.raw(WITH_OFFERS)}
    where gem.id = 1 and ${sql.raw(LEADS_SOMEWHERE)}`.execute(db)
  const { Plan } = rows[0]['QUERY PLAN'][0]
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
}

describe('the change log', () => {
  it('does not pass over the entries that were numbered before to find those that wait', async () => {
    const { db } = database.current
    await insertStone(db)
    await lastNumber(db)
    const before = await pagesRead(db)
    await log(entries(20_000))
    expect(await pagesRead(db)).toBeLessThanOrEqual(before + 10)
  })

  it('numbers the changes of a transaction one after the other, in their order', async () => {
    const { db } = database.current
    const before = await lastNumber(db)
    expect(await log(entries(3))).toBe(before + 3)
    const changes = await listChanges(db, before, 10)
    expect(changes.map(({ sequence, sku }) => [sequence - before, sku])).toEqual([
      [1, 'SKU0'],
      [2, 'SKU1'],
      [3, 'SKU2'],
    ])
    expect((await listChanges(db, before + 1, 1)).map(({ sku }) => sku)).toEqual(['SKU1'])
    expect(await listChanges(db, before + 3, 10)).toEqual([])
  })

  it('numbers the stones that a statement added, one statement at a time', async () => {
    const { db } = database.current
    const before = await lastNumber(db)
    for (const from of [1, 4]) {
      await sql`
        with added as (
          select id, 'SKU' || id as sku from generate_series(${from}::bigint, ${from + 2}) as id
        )
        ${logAdded('added')}`.execute(db)
    }
    await db.transaction().execute((tx) => logChanges(tx, entries(1)))
    const numbered: number[][] = []
    for (let turn = 0; turn < 4; turn++) {
      const { rows } = await sql<{ count: number }>`select number_changes(2) as count`.execute(db)
      numbered.push([rows[0].count, (await lastSequence(db)) - before])
    }
    expect(numbered).toEqual([
      [2, 3],
      [2, 6],
      [1, 7],
      [0, 7],
    ])
    const changes = await listChanges(db, before, 10)
    expect(changes.map(({ gem_id, kind }) => `${gem_id} ${kind}`)).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((id) => `${id} new`),
      '1 details',
    ])
  })

  it('writes nothing for an empty list', async () => {
    const { db } = database.current
    const before = await lastNumber(db)
    expect(await log([])).toBe(before)
    const none = sql`select 1 as gem_id, 'A' as sku, 'new' as kind where false`
    await db.transaction().execute((tx) => logChangesFrom(tx, none))
    expect(await lastNumber(db)).toBe(before)
  })

  it('uses the numbers of a rolled back transaction again', async () => {
    const { db } = database.current
    const before = await lastNumber(db)
    const failing = db.transaction().execute(async (tx) => {
      await logChanges(tx, entries(5))
      await numberChanges(tx)
      expect(await lastSequence(tx)).toBe(before + 5)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await log(entries(1))).toBe(before + 1)
  })

  it('logs a hundred thousand selected stones in one statement', async () => {
    const { db } = database.current
    const before = await lastNumber(db)
    const query = sql`
      select number as gem_id, 'S' || number as sku, 'new' as kind
      from generate_series(1, 100000) as number order by number desc`
    await db.transaction().execute((tx) => logChangesFrom(tx, query))
    const last = await lastNumber(db)
    expect(last).toBe(before + 100_000)
    const [first] = await listChanges(db, before, 1)
    const [final] = await listChanges(db, last - 1, 5)
    expect([first.sku, final.sku, final.sequence]).toEqual(['S100000', 'S1', last])
  })

  it("logs that one merchant's prices, or everyone's, changed", async () => {
    const { db } = database.current
    const merchant = await insertMerchant(db)
    const before = await lastNumber(db)
    await db.transaction().execute((tx) => logPriceChange(tx, merchant))
    await db.transaction().execute((tx) => logPriceChange(tx, null))
    expect(await listChanges(db, before, 5)).toMatchObject([
      { kind: 'prices', merchant_uuid: merchant, sku: null, gem_id: null },
      { kind: 'prices', merchant_uuid: null, sku: null, gem_id: null },
    ])
  })

  it('notifies listeners of the last number when committed changes are numbered', async () => {
    const { db } = database.current
    const before = await lastNumber(db)
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

describe('a transaction that is not committed yet', () => {
  it('delays neither the commit nor the numbers of others', async () => {
    const { db } = database.current
    const [slow, fast] = await Promise.all([insertStone(db), insertStone(db)])
    const before = await lastNumber(db)
    await db.transaction().execute(async (tx) => {
      await logChanges(tx, [{ gem_id: slow.id, sku: slow.sku, kind: 'price' }])
      await log([{ gem_id: fast.id, sku: fast.sku, kind: 'price' }])
      expect(await listChanges(db, before, 5)).toMatchObject([{ sku: fast.sku }])
    })
    expect(await listChanges(db, before, 5)).toMatchObject([{ sku: fast.sku }, { sku: slow.sku }])
  })

  it('is numbered after a stone’s earlier changes, which it has waited for', async () => {
    const { db } = database.current
    const { id, sku } = await insertStone(db)
    const before = await lastNumber(db)
    for (const kind of ['hold', 'release', 'price'] as const) {
      await db.transaction().execute((tx) => logChanges(tx, [{ gem_id: id, sku, kind }]))
    }
    const changes = await listChanges(db, before, 5)
    expect(changes.map(({ kind }) => kind)).toEqual(['hold', 'release', 'price'])
  })
})

describe('many writers and a follower', () => {
  it('shows every change once, in the order of each stone’s history, while numberers die', async () => {
    const { db } = database.current
    const stones = await Promise.all(
      Array.from({ length: 8 }, () => insertStone(db, { internal_days_to_return: 0 })),
    )
    const before = await lastNumber(db)
    const committed: string[] = []
    let writing = true
    const follower = follow(before, () => writing)
    const killed = killNumberers(() => writing)
    await Promise.all(Array.from({ length: 32 }, (_, number) => write(number, stones, committed)))
    writing = false
    const seen = await follower
    expect(await killed).toBeGreaterThan(0)

    const last = await lastNumber(db)
    expect(seen.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: last - before }, (_, index) => before + index + 1),
    )
    expect(new Set(seen.map(({ sku }) => sku))).toEqual(new Set(committed))
    expect(seen).toHaveLength(committed.length)
    for (const stone of stones) {
      const logged = seen.filter(({ sku }) => sku?.startsWith(`${stone.sku} `))
      expect(logged.map(({ sku }) => sku)).toEqual(
        logged.map((_, index) => `${stone.sku} ${index + 1}`),
      )
    }
  })

  /** Changes one to three stones at a time, logging their versions; rolls every fourth back. */
  async function write(
    writer: number,
    stones: { id: number; sku: string }[],
    committed: string[],
  ): Promise<void> {
    const { db } = database.current
    for (let round = 0; round < 10; round++) {
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
          .returning(['id', 'sku', 'internal_days_to_return as version'])
          .execute()
        const changes = rows.map(({ id, sku, version }) => {
          return { gem_id: id, sku: `${sku} ${version}`, kind: 'price' as const }
        })
        await logChanges(tx, changes)
        if ((writer + round) % 4 === 0) throw new Error('rolled back')
        return changes.map(({ sku }) => sku)
      })
      await transaction.then(
        (written) => committed.push(...written),
        (error: Error) => expect(error.message).toBe('rolled back'),
      )
    }
  }

  /** Numbers in sessions that end before their commit; returns how many did. */
  async function killNumberers(isWriting: () => boolean): Promise<number> {
    let killed = 0
    while (isWriting()) {
      const client = new pg.Client({ connectionString: database.current.url })
      client.on('error', () => {})
      await client.connect()
      await client.query('begin')
      await client.query('select number_changes(100)')
      await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
      killed++
    }
    return killed
  }

  /** Reads until nobody writes any more; `listChanges` would refuse a gap. */
  async function follow(after: number, isWriting: () => boolean): Promise<Change[]> {
    const { db } = database.current
    const seen: Change[] = []
    let last = after
    for (;;) {
      const wasWriting = isWriting()
      const changes = await listChanges(db, last, 7)
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
    expect([await oldestSequence(db), await listChanges(db, 0, 5)]).toEqual([1, []])
    await db.transaction().execute((tx) => logChanges(tx, entries(6)))
    await numberChanges(db)
    // Number 4 looks old, too, as after a wrong clock: the log must keep its middle.
    for (const sequence of [1, 2, 4]) await age(sequence, 8)

    expect(await compactChangeLog(db, 9)).toBe(0)
    expect(await compactChangeLog(db, 7)).toBe(2)

    expect(await oldestSequence(db)).toBe(3)
    const kept = await listChanges(db, 2, 10)
    expect(kept.map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6])
    await expect(listChanges(db, 1, 10)).rejects.toMatchObject({ code: 'changes_expired' })
  })

  it('keeps counting when the whole log was removed', async () => {
    const { db } = database.current
    expect(await compactChangeLog(db, 0)).toBe(4)
    expect([await oldestSequence(db), await lastNumber(db)]).toEqual([7, 6])
    expect(await listChanges(db, 6, 10)).toEqual([])
    await expect(listChanges(db, 5, 10)).rejects.toMatchObject({ code: 'changes_expired' })
    await expect(listChanges(db, 7, 10)).rejects.toMatchObject({ code: 'changes_expired' })
    await db.transaction().execute((tx) => logChanges(tx, entries(1)))
    expect(await lastNumber(db)).toBe(7)
  })
})
