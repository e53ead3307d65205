import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { execute, withDatabase } from './postgres.ts'

export interface ClonedDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates a database as a copy of the migrated template. */
export function cloneDatabase(): Promise<ClonedDatabase> {
  return createDatabase(inject('postgres').template)
}

/** Creates a database without tables, for tests of the migrations. */
export function emptyDatabase(): Promise<ClonedDatabase> {
  return createDatabase('template0')
}

async function createDatabase(template: string): Promise<ClonedDatabase> {
  const { url } = inject('postgres')
  const name = `pavilion_test_${randomBytes(8).toString('hex')}`
  // Copying the files takes a third of the time of PostgreSQL's default, which logs every page.
  await execute(url, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: withDatabase(url, name),
    drop: () => execute(url, `drop database if exists ${name} with (force)`),
  }
}
