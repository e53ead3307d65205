/**
 * Commands work on the market that is there. Only `start`, `demo`, `migrate` and `restore` make
 * one; the others refuse a place without one, so that nobody mistakes a wrong folder for an empty
 * market.
 */
import { stat } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { pathsIn } from '../../database/embedded/cluster.ts'
import { isMissingDatabase } from '../../database/errors.ts'
import { compareSchema } from '../../database/migrate.ts'
import type { Db } from '../../database/open.ts'
import { claimRealm } from '../../merchants/market-store.ts'
import type { Realm } from '../../merchants/token.ts'
import { CommandRefusal } from '../output/print.ts'

/** Refuses a data folder without a PostgreSQL; nothing is created in it. */
export async function refuseNoCluster(config: Config, realm: Realm): Promise<void> {
  if (config.databaseUrl !== undefined) return
  const { cluster } = pathsIn(config.dataFolder)
  const problem = await stat(cluster).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
  // A folder that this user may not read is not empty; opening it says what is wrong.
  if (problem === 'ENOENT' || problem === 'ENOTDIR') throw noMarket(config, realm)
}

/** Whether the database has the tables of a market, of any version. */
export async function hasMarket(db: Db): Promise<boolean> {
  try {
    return (await compareSchema(db)).database !== null
  } catch (error) {
    if (isMissingDatabase(error)) return false
    throw error
  }
}

/** Says where the market was looked for, and how there will be one. */
export function noMarket(config: Config, realm: Realm): CommandRefusal {
  const what = realm === 'live' ? 'market' : 'sandbox'
  const makers = '"pavilion start" makes one'
  if (config.databaseUrl === undefined) {
    const hint = `${makers} there; PAVILION_DATA names another data folder.`
    return new CommandRefusal('no_market', `There is no ${what} in ${config.dataFolder}: ${hint}`)
  }
  const [setting, url] =
    realm === 'live'
      ? ['DATABASE_URL', config.databaseDirectUrl ?? config.databaseUrl]
      : ['SANDBOX_DATABASE_URL', config.sandboxDatabaseDirectUrl ?? config.sandboxDatabaseUrl]
  if (url === undefined) {
    return new CommandRefusal('no_market', `There is no sandbox: ${setting} is not set.`)
  }
  return new CommandRefusal(
    'no_market',
    `There is no ${what} in ${placeOf(url)} (${setting}): ${makers} in an empty database.`,
  )
}

/** Refuses a database that holds the other market. One that was never opened becomes this one. */
export async function refuseOtherMarket(db: Db, realm: Realm): Promise<void> {
  if ((await claimRealm(db, realm)) !== realm) throw otherMarket(realm)
}

/** Says that production was opened as the sandbox, or the other way round. */
export function otherMarket(realm: Realm): CommandRefusal {
  const found =
    realm === 'live'
      ? 'DATABASE_URL leads to the database of a sandbox, not of production'
      : 'SANDBOX_DATABASE_URL leads to the database of production, not of a sandbox'
  return new CommandRefusal(
    'wrong_market',
    `${found}: set DATABASE_URL to the database of production, and SANDBOX_DATABASE_URL to ` +
      'another one, which only the sandbox uses.',
  )
}

/** Without user and password, which no message shows. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  const server = host || searchParams.get('host') || 'localhost'
  return `the database ${decodeURIComponent(pathname.slice(1)) || 'postgres'} at ${server}`
}
