/** What `doctor` finds out about the databases. */
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { measureDifference } from '../../database/clock.ts'
import { findNative } from '../../database/embedded/binaries.ts'
import { hasCluster, pathsIn } from '../../database/embedded/cluster.ts'
import { openEmbedded } from '../../database/embedded/embedded.ts'
import { compareSchema, describeOther } from '../../database/migrate.ts'
import { type Database, openDatabase } from '../../database/open.ts'
import { readSecretStatus } from '../../database/secrets/secret-status.ts'
import { inspectReplica } from '../../events/bulk-reads.ts'
import { findRealm } from '../../merchants/market-store.ts'
import type { Realm } from '../../merchants/token.ts'
import { embeddedOptions, embeddedUrlOf, openCommandSecrets } from '../market.ts'
import { countConnections } from '../serve/connections.ts'
import { checkBackups } from './check-backups.ts'
import { otherMarket } from './find-market.ts'

/** The result of one check. `detail` says what was found and, on failure, what to do about it. */
export interface Finding {
  check: string
  ok: boolean
  detail: string
}

const POSTGRES_MIN = 15

/** Checks the databases, without changing anything in them. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    const external = config.databaseDirectUrl ?? config.databaseUrl
    if (config.databaseUrl && external) {
      return [...(await inspectDatabase(external, config)), ...(await checkSandbox(config))]
    }
    findNative()
    if (!(await hasCluster(pathsIn(config.dataFolder)))) {
      return [{ check: 'database', ok: true, detail: 'embedded (created by the first start)' }]
    }
    const embedded = await openEmbedded({ ...embeddedOptions(config), serve: false })
    try {
      return await inspectDatabase(await embeddedUrlOf(embedded, 'live'), config)
    } finally {
      await embedded.close()
    }
  } catch (error) {
    const hint = config.databaseUrl ? '; check DATABASE_URL and whether PostgreSQL is running' : ''
    return [{ check: 'database', ok: false, detail: `${(error as Error).message}${hint}` }]
  }
}

async function inspectDatabase(url: string, config: Config): Promise<Finding[]> {
  const database = openDatabase({ url, poolMax: 1 })
  try {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version
    `.execute(database.db)
    const { version } = rows[0]
    const recent = Number.parseInt(version, 10) >= POSTGRES_MIN
    const server = `PostgreSQL ${version}${config.databaseUrl ? '' : ', embedded'}`
    const detail = recent
      ? `${server}; ${POSTGRES_MIN} or newer is needed`
      : `${server} is too old; Pavilion needs ${POSTGRES_MIN} or newer`
    const found = [{ check: 'database', ok: recent, detail }]
    if (!recent) return found
    const schema = await checkSchema(database)
    const more = [await checkClock(database), await checkConnections(database, config)]
    // The other checks read tables of this version.
    if (!schema.isReady) return [...found, schema.finding, ...more]
    return [
      ...found,
      schema.finding,
      ...(await checkRealm(database, 'live')),
      await checkSecretKey(database, config),
      ...more,
      ...(await checkBackups(database.db)),
      ...(await checkReplica(database, config)),
    ]
  } finally {
    await database.close()
  }
}

/** Whether the sandbox has a database, and one of its own. */
async function checkSandbox(config: Config): Promise<Finding[]> {
  const url = config.sandboxDatabaseDirectUrl ?? config.sandboxDatabaseUrl
  if (url === undefined) return []
  const check = 'sandbox database'
  const database = openDatabase({ url, poolMax: 1 })
  try {
    const { status } = await compareSchema(database.db)
    const wrong = status === 'equal' ? await checkRealm(database, 'test') : []
    return wrong.length > 0 ? wrong : [{ check, ok: true, detail: 'it has one of its own' }]
  } catch (error) {
    const detail = `${(error as Error).message}; check SANDBOX_DATABASE_URL`
    return [{ check, ok: false, detail }]
  } finally {
    await database.close()
  }
}

/** A finding when the database holds the other market. */
async function checkRealm({ db }: Database, realm: Realm): Promise<Finding[]> {
  const found = await findRealm(db)
  if (found === undefined || found === realm) return []
  const check = realm === 'live' ? 'market' : 'sandbox database'
  return [{ check, ok: false, detail: otherMarket(realm).message }]
}

async function checkClock({ db }: Database): Promise<Finding> {
  const { ms, problem } = await measureDifference(db)
  const off = `differs by ${(Math.abs(ms) / 1000).toFixed(1)} s from the clock of the database`
  const detail = problem ? `${problem}; set it by a time service such as chrony` : off
  return { check: 'clock', ok: !problem, detail }
}

async function checkSecretKey({ db }: Database, config: Config): Promise<Finding> {
  const { problem, key_in_use, keys } = await readSecretStatus(db, openCommandSecrets(config))
  const source = keys.find(({ in_use }) => in_use)?.source
  const detail = key_in_use ? `${key_in_use}, from the ${source}` : 'created by the first start'
  return { check: 'secret key', ok: problem === null, detail: problem ?? detail }
}

async function checkReplica(database: Database, { replicaUrl }: Config): Promise<Finding[]> {
  if (replicaUrl === undefined) return []
  const { changesBehind, problem } = await inspectReplica(database, replicaUrl)
  const found = `follows, ${changesBehind} changes behind the primary`
  const detail = `${problem}; indexes are loaded from the primary (REPLICA_DATABASE_URL)`
  return [{ check: 'replica', ok: problem === undefined, detail: problem ? detail : found }]
}

/** For one process; `start --workers` checks for all of its own. */
async function checkConnections({ db }: Database, config: Config): Promise<Finding> {
  const { allowed, needed, problem } = await countConnections(db, config, 1)
  const enough = `${allowed} are allowed; a server process opens at most ${needed}`
  return { check: 'connections', ok: !problem, detail: problem ?? enough }
}

/** Compares the tables with those of this version; `isReady` when they are the same. */
async function checkSchema({ db }: Database): Promise<{ finding: Finding; isReady: boolean }> {
  const check = 'migrations'
  const notReady = (ok: boolean, detail: string) => ({
    finding: { check, ok, detail },
    isReady: false,
  })
  try {
    const comparison = await compareSchema(db)
    const { status, pending, database } = comparison
    const detail = 'up to date'
    if (status === 'equal') return { finding: { check, ok: true, detail }, isReady: true }
    if (database === null) return notReady(true, 'none yet; the first start makes the tables')
    const missing = `missing ${pending.join(', ')}; run "pavilion migrate" or "pavilion start"`
    return notReady(false, describeOther(comparison) ?? missing)
  } catch (error) {
    // A restore into the database was not finished; the message says what to do.
    return notReady(false, (error as Error).message)
  }
}
