import type { Config } from '../config.ts'
import { type Embedded, ensureDatabase, openEmbedded } from '../database/embedded/embedded.ts'
import { migrate, pendingMigrations } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { findServedAddress } from '../merchants/served-address-store.ts'
import type { Realm } from '../merchants/token.ts'

/** One market for a command: the production database, or the sandbox. */
export interface Market {
  realm: Realm
  database: Database
  config: Config
  /** The address in links. */
  publicUrl: () => Promise<string>
}

const DATABASE_NAMES: Record<Realm, string> = { live: 'pavilion', test: 'pavilion_sandbox' }
/** Commands such as an import run long statements on purpose. */
const COMMAND_STATEMENT_MS = 0

/**
 * Opens the market that a command acts on, and closes it afterwards. Beside a running server it
 * uses that server's PostgreSQL; without one it starts the embedded PostgreSQL for itself.
 */
export async function withMarket<T>(
  config: Config,
  realm: Realm,
  work: (market: Market) => Promise<T>,
): Promise<T> {
  const external = externalUrlOf(config, realm)
  if (external) return withDatabase(config, realm, external, work)
  const embedded = await openEmbedded({ dataFolder: config.dataFolder, serve: false })
  try {
    const url = await embeddedUrlOf(embedded, realm)
    return await withDatabase(config, realm, url, work)
  } finally {
    await embedded.close()
  }
}

/** The external database of a realm; undefined means the embedded server. */
export function externalUrlOf(config: Config, realm: Realm): string | undefined {
  if (config.databaseUrl === undefined) return undefined
  if (realm === 'live') return config.databaseUrl
  if (config.sandboxDatabaseUrl) return config.sandboxDatabaseUrl
  throw new Refusal('not_found', 'There is no sandbox: SANDBOX_DATABASE_URL is not set.')
}

/** The address of a realm's database in the embedded server, made when it is missing. */
export async function embeddedUrlOf(embedded: Embedded, realm: Realm): Promise<string> {
  await ensureDatabase(embedded, DATABASE_NAMES[realm])
  return embedded.urlOf(DATABASE_NAMES[realm])
}

async function withDatabase<T>(
  config: Config,
  realm: Realm,
  url: string,
  work: (market: Market) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url, poolMax: 4, statementTimeoutMs: COMMAND_STATEMENT_MS })
  try {
    if (config.databaseUrl === undefined) await migrate(database.db)
    else await refusePending(database)
    const publicUrl = () => publicUrlOf(config, realm, database)
    return await work({ realm, database, config, publicUrl })
  } finally {
    await database.close()
  }
}

/** The command's own settings decide; without any, what the market's last start handed out. */
async function publicUrlOf(config: Config, realm: Realm, { db }: Database): Promise<string> {
  const own = realm === 'live' ? config.publicUrl : config.sandboxPublicUrl
  return config.isAddressGiven[realm] ? own : ((await findServedAddress(db)) ?? own)
}

/** A database that others may be serving is not changed in passing. */
async function refusePending(database: Database): Promise<void> {
  const pending = await pendingMigrations(database.db)
  if (pending.length === 0) return
  throw new Refusal(
    'not_found',
    `The database lacks ${pending.join(', ')}; run "pavilion migrate" first.`,
  )
}
