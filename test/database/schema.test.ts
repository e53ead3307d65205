import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { printSchema } from '../support/schema.ts'

let clone: ClonedDatabase
let database: Database
beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})

describe('the schema', () => {
  /** `npm run schema` writes the file, so that a review shows what a migration changes. */
  it('that the migrations make is the one in migrations/schema.sql', async () => {
    const header = '-- Written by "npm run schema" from the migrations; do not edit.\n\n'
    const text = header + (await printSchema(database.db))
    await expect(text).toMatchFileSnapshot('../../migrations/schema.sql')
  })

  it.each(['change_clock', 'showroom_clock'])('keeps %s to one row', async (clock) => {
    const insert = (columns: string, values: string) =>
      sql`insert into ${sql.table(clock)} (${sql.raw(columns)}) values (${sql.raw(values)})`.execute(
        database.db,
      )
    await expect(insert('last', '7')).rejects.toMatchObject({ constraint: `${clock}_pkey` })
    await expect(insert('only_row, last', 'false, 7')).rejects.toMatchObject({
      constraint: `${clock}_only_row_check`,
    })
  })
})
