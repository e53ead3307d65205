import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { pathsIn } from '../../src/database/embedded/cluster.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { findPostmaster } from '../../src/database/embedded/postmaster.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server, and the migrated database that each test copies. */
    postgres: { url: string; template: string }
  }
}

/** The data of the tests need not survive a power cut. */
const UNSAFE_BUT_FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  // Every database that is dropped is looked for in all of it.
  shared_buffers: '256MB',
  // Databases live for seconds, and those that need statistics collect them.
  autovacuum: 'off',
}

/**
 * Provides one PostgreSQL with a migrated template database for the whole run: the embedded one in
 * a temporary folder, or the server at TEST_DATABASE_URL, whose role must be allowed to create
 * databases.
 */
export default async function setup(project: TestProject) {
  const external = process.env.TEST_DATABASE_URL
  const server =
    external === undefined ? await openServer() : { url: external, close: async () => {} }
  const template = `pavilion_template_${randomBytes(6).toString('hex')}`
  await execute(server.url, `create database ${template}`)
  const database = openDatabase({ url: withDatabase(server.url, template), poolMax: 2 })
  await migrate(database.db)
  await database.close()
  project.provide('postgres', { url: server.url, template })
  return async () => {
    for (const name of await listDatabases(server.url, template)) {
      await execute(server.url, `drop database ${name} with (force)`)
    }
    await server.close()
  }
}

async function openServer() {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-test-'))
  // PostgreSQL started by root runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711)
  const embedded = await openEmbedded({
    dataFolder: folder,
    serve: false,
    settings: UNSAFE_BUT_FAST,
  })
  await simplifySignIn(folder, embedded.urlOf('postgres'))
  const close = async () => {
    await embedded.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { url: embedded.urlOf('postgres'), close }
}

/**
 * Every test opens connections, and deriving keys from the password takes as long as the rest of
 * opening one. Here the password itself is sent, and the server derives its key in one round
 * instead of 4096.
 */
async function simplifySignIn(folder: string, url: string): Promise<void> {
  const password = decodeURIComponent(new URL(url).password)
  const change = `alter role current_user password ${pg.escapeLiteral(password)}`
  await execute(url, `set scram_iterations = 1; ${change}`)
  const paths = pathsIn(folder)
  await writeFile(join(paths.cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 password\n')
  const postmaster = await findPostmaster(paths)
  if (!postmaster) throw new Error('PostgreSQL has ended')
  // It reads its rules again; a connection that it accepts meanwhile signs in by the old ones.
  process.kill(postmaster.pid, 'SIGHUP')
}

const INSUFFICIENT_PRIVILEGE = '42501'
const ATTEMPTS_MAX = 20

export async function execute(url: string, query: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(query)
      return
    } catch (error) {
      // A forced drop cannot terminate an autovacuum of the superuser, but that ends by itself.
      const { code } = error as { code?: string }
      if (code !== INSUFFICIENT_PRIVILEGE || attempt === ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    } finally {
      await client.end()
    }
  }
}

/** The template and those that were made from it for many tests. */
async function listDatabases(url: string, template: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    url,
    'select datname as name from pg_database where starts_with(datname, $1)',
    [template],
  )
  return rows.map(({ name }) => name)
}

export async function query<T extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
