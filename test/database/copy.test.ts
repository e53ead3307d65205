import fc from 'fast-check'
import { sql } from 'kysely'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { describe, expect, it } from 'vitest'
import { copyValuesOf, escapeCopyText, inCopyTransaction } from '../../src/database/copy.ts'
import { useDatabase } from '../support/stones.ts'

const database = useDatabase()

/** Texts with many of the characters that COPY escapes. PostgreSQL cannot store a NUL. */
const ESCAPED = ['\\', '\t', '\n', '\r', '\b', '\f', '\v', 'N', '.']
const text = fc
  .string({ unit: fc.oneof(fc.constantFrom(...ESCAPED), fc.string()) })
  .map((value) => value.replaceAll('\0', ''))

describe("COPY's text format", () => {
  it('keeps every text that is written and read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (values) => {
        expect(await written(values)).toEqual(values)
        expect(await printed(values)).toEqual(values)
      }),
      { numRuns: 20 },
    )
  })

  it('leaves out a NUL, and reads null', () => {
    expect(escapeCopyText('a\0b')).toBe('ab')
    expect(copyValuesOf('1\t\\N\t\\\\N')).toEqual(['1', null, '\\N'])
  })
})

/** What the database has after a `copy … from stdin`. */
function written(values: string[]): Promise<string[]> {
  return inCopyTransaction(database.current, async (tx, copy) => {
    await sql`create temp table copied (n serial, value text) on commit drop`.execute(tx)
    const lines = values.map((value) => Buffer.from(`${escapeCopyText(value)}\n`))
    await copy('copy copied (value) from stdin', lines)
    const { rows } = await sql<{ value: string }>`
      select value from copied order by n`.execute(tx)
    return rows.map(({ value }) => value)
  })
}

/** What a `copy … to stdout` returns. */
async function printed(values: string[]): Promise<(string | null)[]> {
  const client: pg.PoolClient = await database.current.pool.connect()
  try {
    const list = values.map((value) => client.escapeLiteral(value)).join(', ')
    const chunks: Buffer[] = []
    for await (const chunk of client.query(copyTo(`copy (select ${list}) to stdout`))) {
      chunks.push(chunk as Buffer)
    }
    return copyValuesOf(Buffer.concat(chunks).toString().slice(0, -1))
  } finally {
    client.release()
  }
}
