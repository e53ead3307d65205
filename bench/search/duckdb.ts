import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { MARKET_TABLE } from './postgres.ts'

/** The same market in DuckDB, inside this process. */
export interface Duckdb {
  rows(sql: string): Promise<Record<string, unknown>[]>
  close(): void
}

/** The part of the package that we use. It is optional and not among our dependencies. */
interface Package {
  DuckDBInstance: { create(path: string): Promise<Instance> }
}
interface Instance {
  connect(): Promise<{
    runAndReadAll(sql: string): Promise<{ getRowObjects(): Record<string, unknown>[] }>
    closeSync(): void
  }>
  closeSync(): void
}

const PACKAGE: string = '@duckdb/node-api'

export async function openDuckdb(pool: pg.Pool): Promise<Duckdb | undefined> {
  const found = await import(PACKAGE).then(
    (module) => module as Package,
    () => undefined,
  )
  if (!found) return undefined
  const instance = await found.DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjects()
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-duckdb-'))
  try {
    const file = join(folder, 'gem.csv')
    await writeCsv(pool, file)
    await rows(`create table ${MARKET_TABLE} as select * from read_csv('${file}', header = true,
      columns = {${(await typesOf(pool)).join(', ')}})`)
  } finally {
    await rm(folder, { recursive: true })
  }
  return {
    rows,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function writeCsv(pool: pg.Pool, file: string): Promise<void> {
  const client = await pool.connect()
  try {
    const csv = client.query(copyTo(`copy ${MARKET_TABLE} to stdout (format csv, header)`))
    await pipeline(csv, createWriteStream(file))
  } finally {
    client.release()
  }
}

/** Numbers and flags keep their types; columns that no query computes with become text. */
async function typesOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `select column_name, case when data_type in ('integer', 'bigint', 'boolean') then data_type
       when data_type = 'numeric' and numeric_scale is not null
         then format('decimal(%s, %s)', numeric_precision, numeric_scale)
       else 'varchar' end as type
     from information_schema.columns
     where table_name = '${MARKET_TABLE}' and table_schema = current_schema()
     order by ordinal_position`,
  )
  return rows.map(({ column_name, type }) => `'${column_name}': '${type}'`)
}
