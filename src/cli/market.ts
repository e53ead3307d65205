/** Opens the market for a command, whether or not a server is running. */
import type { Config } from '../config.ts'
import { actingAs, COMMAND_LINE } from '../database/actor.ts'
import { type Embedded, type EmbeddedEvent, ensureDatabase } from '../database/embedded/embedded.ts'
import { migrate, pendingMigrations } from '../database/migrate.ts'
import { type Database, type Db, openDatabase } from '../database/open.ts'
import { peekKeyInUse } from '../database/secrets/secret-store.ts'
import { openSecrets, type Secrets } from '../database/secrets/secrets.ts'
import { numberChanges, numberEvents } from '../events/number-changes.ts'
import { Refusal } from '../lib/refusal.ts'
import { findServedAddress } from '../merchants/market-store.ts'
import type { Realm } from '../merchants/token.ts'
import { hasMarket, noMarket, refuseNoCluster, refuseOtherMarket } from './database/find-market.ts'
import { withEmbedded } from './database/with-embedded.ts'
import { SHARE_KEY } from './serve/server-secrets.ts'

/** The market that a command works on: production or the sandbox. */
export interface Market {
  realm: Realm
  database: Database
  secrets: Secrets
  config: Config
  /** Returns the base address for links. */
  publicUrl: () => Promise<string>
}

const DATABASE_NAMES: Record<Realm, string> = { live: 'pavilion', test: 'pavilion_sandbox' }
/**
 * A statement has no limit, because an import runs long ones. A command that was stopped within a
 * transaction (Ctrl-Z) must not keep its locks.
 */
const COMMAND_LIMITS = { poolMax: 4, statementTimeoutMs: 0, idleInTransactionMs: 10_000 }

/** Whether a command makes a market where there is none; without it, the command is refused. */
export interface OpeningOptions {
  mayCreate?: boolean
}

/**
 * Opens the market for a command and closes it afterwards. While a server is running, the command
 * uses the server's PostgreSQL; otherwise it starts the embedded PostgreSQL and stops it again.
 */
export async function withMarket<T>(
  config: Config,
  realm: Realm,
  work: (market: Market) => Promise<T>,
  options: OpeningOptions = {},
): Promise<T> {
  const run = async (url: string) => {
    const opened = openDatabase({ url, ...COMMAND_LIMITS })
    const database = { ...opened, db: actingAs(opened.db, COMMAND_LINE) }
    try {
      await prepareSchema(database.db, config, realm, options)
      const publicUrl = () => publicUrlOf(config, realm, database)
      const secrets = await openMarketSecrets(config, database.db, options)
      // What the last command committed has no numbers yet, unless a server runs.
      await numberChanges(database.db)
      await numberEvents(database.db)
      return await work({ realm, database, secrets, config, publicUrl })
    } finally {
      await database.close()
    }
  }
  return withDatabaseUrl(config, realm, run, options)
}

/** Runs work with the address of a realm's database, whose server runs at least as long. */
export async function withDatabaseUrl<T>(
  config: Config,
  realm: Realm,
  work: (url: string) => Promise<T>,
  { mayCreate = false }: OpeningOptions = {},
): Promise<T> {
  if (!mayCreate) await refuseNoCluster(config, realm)
  const external = directUrlOf(config, realm) ?? externalUrlOf(config, realm)
  if (external) return work(external)
  const options = { ...embeddedOptions(config), serve: false, onEvent: tellNewAccount }
  return withEmbedded(options, async (embedded) => work(await embeddedUrlOf(embedded, realm)))
}

/** The only thing that a command changes on the machine itself. */
export function tellNewAccount({ kind, detail }: EmbeddedEvent): void {
  if (kind === 'account-created') process.stderr.write(`${detail}\n`)
}

/** Runs work with the addresses of several databases, whose server runs at least as long. */
export async function withUrls<T>(
  config: Config,
  [realm, ...others]: readonly Realm[],
  work: (markets: { realm: Realm; url: string }[]) => Promise<T>,
): Promise<T> {
  if (realm === undefined) return work([])
  return withDatabaseUrl(config, realm, (url) =>
    withUrls(config, others, (markets) => work([{ realm, url }, ...markets])),
  )
}

/** What every command and the server tell the embedded PostgreSQL. */
export function embeddedOptions({ dataFolder, postgresAccount, walArchive }: Config) {
  return { dataFolder, accountName: postgresAccount, walArchive }
}

/**
 * The data folder of a command beside an external database need not be the server's, so a key file
 * that it created there would be found by nobody.
 */
export function openCommandSecrets(config: Config): Secrets {
  return openSecrets(config, { mayCreateKey: config.databaseUrl === undefined })
}

/** A command that makes a market creates its key, too, as the first start does. */
async function openMarketSecrets(
  config: Config,
  db: Db,
  { mayCreate = false }: OpeningOptions,
): Promise<Secrets> {
  const isExternal = config.databaseUrl !== undefined
  if (!isExternal || !mayCreate || (await peekKeyInUse(db))) return openCommandSecrets(config)
  return openSecrets(config, {
    mayCreateKey: true,
    onKeyCreated: (_key, file) =>
      process.stderr.write(`Created the key of stored secrets in ${file}: ${SHARE_KEY}.\n`),
  })
}

/** Production, and the sandbox unless an external database is used without one. */
export function realmsOf(config: Config): Realm[] {
  const withSandbox = config.databaseUrl === undefined || config.sandboxDatabaseUrl !== undefined
  return withSandbox ? ['live', 'test'] : ['live']
}

/** Returns the external database of a realm, or undefined when the embedded server is used. */
export function externalUrlOf(config: Config, realm: Realm): string | undefined {
  if (config.databaseUrl === undefined) return undefined
  if (realm === 'live') return config.databaseUrl
  if (config.sandboxDatabaseUrl) return config.sandboxDatabaseUrl
  throw noMarket(config, realm)
}

/** Returns the address of an external database without its pooler, when one is given. */
export function directUrlOf(config: Config, realm: Realm): string | undefined {
  if (externalUrlOf(config, realm) === undefined) return undefined
  return realm === 'live' ? config.databaseDirectUrl : config.sandboxDatabaseDirectUrl
}

/** Returns the address of the replica of an external database, when one is given. */
export function replicaUrlOf(config: Config, realm: Realm): string | undefined {
  if (externalUrlOf(config, realm) === undefined) return undefined
  return realm === 'live' ? config.replicaUrl : config.sandboxReplicaUrl
}

/** Returns the address of a realm's database in the embedded server; creates it when missing. */
export async function embeddedUrlOf(embedded: Embedded, realm: Realm): Promise<string> {
  await ensureDatabase(embedded, DATABASE_NAMES[realm])
  return embedded.urlOf(DATABASE_NAMES[realm])
}

/** The command's own settings win; without any, links use the address that was last served. */
async function publicUrlOf(config: Config, realm: Realm, { db }: Database): Promise<string> {
  const own = realm === 'live' ? config.publicUrl : config.sandboxPublicUrl
  return config.isAddressGiven[realm] ? own : ((await findServedAddress(db)) ?? own)
}

/** The embedded database is updated, and an empty database gets the tables of a market. */
async function prepareSchema(
  db: Db,
  config: Config,
  realm: Realm,
  { mayCreate = false }: OpeningOptions,
): Promise<void> {
  const isEmpty = !(await hasMarket(db))
  if (isEmpty && !mayCreate) throw noMarket(config, realm)
  if (isEmpty || config.databaseUrl === undefined) await migrate(db)
  else await refusePending(db)
  await refuseOtherMarket(db, realm)
}

/** Servers of another version may be using an external database, so no command migrates it. */
async function refusePending(db: Db): Promise<void> {
  const pending = await pendingMigrations(db)
  if (pending.length === 0) return
  throw new Refusal(
    'not_found',
    `The database is missing ${pending.join(', ')}; run "pavilion migrate" first.`,
  )
}
