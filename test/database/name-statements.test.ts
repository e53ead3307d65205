import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStatementNames } from '../../src/database/connections/name-statements.ts'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { cloneDatabase } from '../support/database.ts'

/** Asks for the name as often as a statement has to come before it gets one. */
function nameOf(text: string): string | undefined {
  const name = createStatementNames()
  for (let times = 0; times < 4; times++) expect(name(text)).toBeUndefined()
  return name(text)
}

describe('the name of a statement', () => {
  it('is given to a text that comes again, always the same', () => {
    const name = nameOf('select sku from gem where id = $1')
    expect(name).toMatch(/^p_[\w-]{22}$/)
    expect(nameOf('select sku from gem where id = $1')).toBe(name)
    expect(nameOf('select id from gem where id = $1')).not.toBe(name)
  })

  it.each([
    'select * from gem where id = $1',
    'select gem.* from gem where id = $1',
    'select "gem"."id", "gem".* from "gem" where id = $1',
    'select id, * from gem where id = $1',
    'select distinct * from gem where id = $1',
    'update gem set quantity = $1 returning *',
    'with one as (select id from gem) select one.* from one where id = $1',
  ])('is not given to one whose columns a migration can change: %s', (text) => {
    expect(nameOf(text)).toBeUndefined()
  })

  it.each([
    'select count(*) from gem where id = $1',
    'select quantity * 2 from gem where id = $1',
    'with one as (select * from gem where id = $1) select one.id from one',
    'select exists (select gem.* from gem where (id) = $1)',
  ])('is given to one with a star elsewhere: %s', (text) => {
    expect(nameOf(text)).toBeDefined()
  })

  it('is given to a limited number of texts', () => {
    const name = createStatementNames()
    let named = 0
    for (let text = 0; text < 1_000; text++) {
      for (let times = 0; times < 5; times++) if (name(`select ${text}`)) named += 1
    }
    expect(named).toBe(400)
  })
})

describe('a pool that names statements', () => {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const clone = await cloneDatabase()
    drop = () => clone.drop()
    database = openDatabase({ url: clone.url, poolMax: 1, namesStatements: true })
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })

  const repeatedly = async (work: () => Promise<unknown>) => {
    for (let times = 0; times < 6; times++) await work()
  }
  const prepared = async () => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements order by 1`.execute(database.db)
    return rows.map(({ statement }) => statement)
  }

  it('prepares what comes again, and goes on when a migration adds a column', async () => {
    const { db, pool } = database
    const text = 'select last from change_clock where last >= $1'
    await repeatedly(async () => {
      await db.selectFrom('change_clock').selectAll().where('last', '>=', 0).execute()
      await pool.query({ text, values: [0], rowMode: 'array' })
      await sql`select last + ${1} as next from change_clock`.execute(db)
    })
    expect(await prepared()).toEqual([text, 'select last + $1 as next from change_clock'].sort())
    await sql`alter table change_clock add column later text`.execute(db)
    const rows = await db.selectFrom('change_clock').selectAll().where('last', '>=', 0).execute()
    expect(rows).toEqual([expect.objectContaining({ last: 0, later: null })])
    expect((await pool.query({ text, values: [0], rowMode: 'array' })).rows).toEqual([[0]])
  })
})
