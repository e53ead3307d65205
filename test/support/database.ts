import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { execute, withDatabase } from './postgres.ts'

export interface ClonedDatabase {
  url: string
  drop(): Promise<void>
}

/** A database of one's own, copied from the migrated template (or empty, for the migrator). */
export function cloneDatabase(): Promise<ClonedDatabase> {
  return createDatabase(inject('postgres').template)
}

export function emptyDatabase(): Promise<ClonedDatabase> {
  return createDatabase('template0')
}

async function createDatabase(template: string): Promise<ClonedDatabase> {
  const { url } = inject('postgres')
  const name = `pavilion_test_${randomBytes(8).toString('hex')}`
  await execute(url, `create database ${name} template ${template}`)
  return {
    url: withDatabase(url, name),
    drop: () => execute(url, `drop database if exists ${name} with (force)`),
  }
}
