import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Db } from '../../database/open.ts'
import { connectionsPerMarket } from '../../database/pools.ts'

/** What the database server allows, and what server processes may open. */
interface ConnectionCount {
  allowed: number
  needed: number
  /** Undefined when the connections suffice, otherwise what to do. */
  problem: string | undefined
}

/** Compares the pools of so many processes with `max_connections` of the database server. */
export async function countConnections(
  db: Db,
  config: Config,
  processes: number,
): Promise<ConnectionCount> {
  const { rows } = await sql<{ allowed: number }>`
    select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int as allowed`.execute(db)
  const { allowed } = rows[0]
  const { databaseConnections, poolSizes } = config
  const perMarket = connectionsPerMarket(databaseConnections, poolSizes)
  const needed = processes * marketsOn(config) * perMarket
  if (needed <= allowed) return { allowed, needed, problem: undefined }
  const problem =
    `PostgreSQL allows ${allowed} connections, and Pavilion may open ${needed}; ` +
    'raise max_connections, or lower DATABASE_CONNECTIONS (and those for imports, background ' +
    'and following), or the number of processes.'
  return { allowed, needed, problem }
}

/** How many markets are on the server of production. */
function marketsOn({ databaseUrl, sandboxDatabaseUrl }: Config): number {
  if (databaseUrl === undefined) return 2
  if (sandboxDatabaseUrl === undefined) return 1
  return new URL(databaseUrl).host === new URL(sandboxDatabaseUrl).host ? 2 : 1
}
