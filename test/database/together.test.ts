import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inCopyTransaction } from '../../src/database/copy.ts'
import { isOutage, isUnmet } from '../../src/database/errors.ts'
import { type Database, openDatabase, type Tx } from '../../src/database/open.ts'
import {
  executeTogether,
  executeWithNext,
  failUnless,
  inTransaction,
  turnsWithin,
} from '../../src/database/transaction.ts'
import { createTurns } from '../../src/lib/turns.ts'
import { cloneDatabase } from '../support/database.ts'

/** One connection, so that every transaction finds what the one before has left there. */
let database: Database
let other: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const clone = await cloneDatabase()
  drop = () => clone.drop()
  database = openDatabase({ url: clone.url, poolMax: 1, namesStatements: true })
  other = openDatabase({ url: clone.url, poolMax: 2 })
  await sql`create table note (id integer primary key, text text)`.execute(other.db)
})
afterAll(async () => {
  await database.close()
  await other.close()
  await drop()
})

const insert = (id: number, text = 'new') => sql<object>`
  insert into note values (${id}::integer, ${text})`
const read = (id: number) => sql<{ text: string }>`
  select text from note where id = ${id}::integer`
const textOf = async (id: number) => (await read(id).execute(other.db)).rows.at(0)?.text
/** What the server says about the connection of the transaction, asked from outside. */
const stateOf = async (pid: number) => {
  const { rows } = await sql<{ in_transaction: boolean; waits: boolean }>`
    select xact_start is not null as in_transaction, wait_event_type = 'Lock' as waits
    from pg_stat_activity where pid = ${pid}`.execute(other.db)
  return rows[0]
}
/** When the connection began its last statement. */
const timeOfLastStatement = async (pid: number) => {
  const { rows } = await sql<{ query_start: string }>`
    select query_start from pg_stat_activity where pid = ${pid}`.execute(other.db)
  return rows[0].query_start
}
const pidOf = async (db: Database['db'] | Tx) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0].pid
}

describe('statements that are sent together', () => {
  it('return the rows of each, also when they are prepared', async () => {
    for (let id = 1; id <= 8; id++) {
      const rows = await inTransaction(database.db, (tx) =>
        executeTogether(tx, [insert(id), read(id), sql<{ n: number }>`select ${id}::int as n`]),
      )
      expect(rows).toEqual([[], [{ text: 'new' }], [{ n: id }]])
    }
  })

  it('see what was committed while an earlier one of them waited', async () => {
    await insert(20, 'before').execute(other.db)
    const pid = await pidOf(database.db)
    const lock = sql<object>`select from note where id = ${20}::integer for update`
    const rows = await inTransaction(other.db, async (tx) => {
      await sql`update note set text = 'after' where id = 20`.execute(tx)
      const reading = inTransaction(database.db, (own) => executeTogether(own, [lock, read(20)]))
      await expect.poll(async () => (await stateOf(pid)).waits).toBe(true)
      return { reading }
    })
    expect((await rows.reading)[1]).toEqual([{ text: 'after' }])
  })

  it('are not executed after one that fails, and the transaction writes nothing', async () => {
    // As often as it takes until they are prepared, first with a failure and then without.
    for (let round = 0; round < 6; round++) {
      const id = 30 + round
      const failed = inTransaction(database.db, (tx) =>
        executeTogether(tx, [insert(id), insert(id, 'second'), insert(id + 100)]),
      )
      await expect(failed).rejects.toThrow(/duplicate key/)
      expect([await textOf(id), await textOf(id + 100)]).toEqual([undefined, undefined])
    }
    await inTransaction(database.db, (tx) => executeTogether(tx, [insert(30), insert(130)]))
    expect([await textOf(30), await textOf(130)]).toEqual(['new', 'new'])
  })

  it('fail as an outage when their connection is ended', async () => {
    const pid = await pidOf(database.db)
    const waits = sql<object>`select pg_sleep(${60}::integer)`
    const failed = inTransaction(database.db, (tx) =>
      executeTogether(tx, [insert(40), waits, insert(41)]),
    ).catch((error: unknown) => error)
    await expect.poll(async () => (await stateOf(pid)).in_transaction).toBe(true)
    await sql`select pg_terminate_backend(${pid})`.execute(other.db)
    expect(isOutage(await failed)).toBe(true)
    expect(await textOf(40)).toBeUndefined()
    await inTransaction(database.db, (tx) => insert(40).execute(tx))
    expect(await textOf(40)).toBe('new')
  })
})

describe('a statement that is sent with the next', () => {
  const insertIf = (id: number, count: number) => sql`
    with added as (insert into note values (${id}::integer, 'new') returning id)
    select ${failUnless(sql`(select count(*) from added) = ${count}::integer`)} as one`

  it('is committed with the transaction, also when it is the only one', async () => {
    for (let id = 200; id < 208; id++) {
      await inTransaction(database.db, async (tx) => {
        await executeWithNext(tx, insertIf(id, 1))
        expect(await textOf(id)).toBeUndefined()
      })
      expect(await textOf(id)).toBe('new')
    }
  })

  it('is executed before the next one', async () => {
    const rows = await inTransaction(database.db, async (tx) => {
      await insert(210).execute(tx)
      await executeWithNext(tx, insertIf(211, 1))
      await executeWithNext(tx, sql`update note set text = ${'changed'} where id = ${211}::integer`)
      return (await read(211).execute(tx)).rows
    })
    expect(rows).toEqual([{ text: 'changed' }])
    expect([await textOf(210), await textOf(211)]).toEqual(['new', 'changed'])
  })

  it.each([
    ['with the commit', async () => {}],
    ['with the next statement', async (tx: Tx) => void (await insert(222).execute(tx))],
  ])('undoes the transaction when its condition is not met, %s', async (_, next) => {
    const failed = inTransaction(database.db, async (tx) => {
      await insert(220).execute(tx)
      await executeWithNext(tx, insertIf(221, 2))
      await next(tx)
    }).catch((error: unknown) => error)
    expect(isUnmet(await failed)).toBe(true)
    expect([await textOf(220), await textOf(221), await textOf(222)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it.each(['at its beginning', 'later'])(
    'is not executed when the work fails, %s',
    async (when) => {
      const refused = inTransaction(database.db, async (tx) => {
        if (when === 'later') await insert(230).execute(tx)
        await executeWithNext(tx, insertIf(231, 1))
        throw new Error('refused')
      })
      await expect(refused).rejects.toThrow('refused')
      await inTransaction(database.db, (tx) => insert(232).execute(tx))
      expect([await textOf(230), await textOf(231), await textOf(232)]).toEqual([
        undefined,
        undefined,
        'new',
      ])
      await sql`delete from note where id = 232`.execute(other.db)
    },
  )
})

describe('a transaction', () => {
  it('begins at the server with its first statement', async () => {
    const pid = await pidOf(database.db)
    await inTransaction(database.db, async (tx) => {
      expect((await stateOf(pid)).in_transaction).toBe(false)
      await insert(50).execute(tx)
      expect((await stateOf(pid)).in_transaction).toBe(true)
      expect(await textOf(50)).toBeUndefined()
    })
    expect(await textOf(50)).toBe('new')
    expect((await stateOf(pid)).in_transaction).toBe(false)
  })

  it('without a statement leaves the connection as it was', async () => {
    expect(await inTransaction(database.db, async () => 'nothing')).toBe('nothing')
    const refused = inTransaction(database.db, () => Promise.reject(new Error('refused')))
    await expect(refused).rejects.toThrow('refused')
    await insert(51).execute(database.db)
    expect(await textOf(51)).toBe('new')
  })

  it.each([
    ['with values', insert(60)],
    ['without values', sql`insert into note values (60, 'new')`],
    [
      'several in one text',
      sql`insert into note values (61, ''); insert into note values (60, '')`,
    ],
  ])('that fails undoes its first statement: %s', async (_, statement) => {
    const failed = inTransaction(database.db, async (tx) => {
      await statement.execute(tx)
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    expect(await textOf(60)).toBeUndefined()
  })

  it('is over when its first statement fails', async () => {
    const failed = inTransaction(database.db, (tx) => sql`select ${1} / 0`.execute(tx))
    await expect(failed).rejects.toThrow('division by zero')
    await insert(70).execute(database.db)
    expect(await textOf(70)).toBe('new')
  })

  it('shows that its process is not frozen while it works without the database', async () => {
    const pid = await pidOf(database.db)
    const seen = await inTransaction(database.db, async (tx) => {
      const turns = turnsWithin(tx, createTurns(), 20)
      const times = new Set<string>()
      for (let turn = 0; turn < 500 && times.size < 3; turn++) {
        await turns.next()
        times.add(await timeOfLastStatement(pid))
      }
      return times
    })
    expect(seen.size).toBe(3)
  })

  it('can begin with a COPY', async () => {
    const failed = inCopyTransaction(database, async (_tx, copy) => {
      await copy('copy note from stdin', [Buffer.from('80\tcopied\n')])
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    expect(await textOf(80)).toBeUndefined()
    await inCopyTransaction(database, (_tx, copy) =>
      copy('copy note from stdin', [Buffer.from('80\tcopied\n')]),
    )
    expect(await textOf(80)).toBe('copied')
  })
})
