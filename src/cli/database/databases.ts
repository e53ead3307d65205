import type { Config } from '../../config.ts'
import { hasCluster, pathsIn } from '../../database/embedded/cluster.ts'
import type { EmbeddedEvent } from '../../database/embedded/embedded.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Realm } from '../../merchants/token.ts'
import { withDatabaseUrl } from '../market.ts'

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

/** The only thing that a restore changes on the machine itself. */
export function tellNewAccount({ kind, detail }: EmbeddedEvent): void {
  if (kind === 'account-created') process.stderr.write(`${detail}\n`)
}

/** For commands that only read: they must not create a market where there is none. */
export async function refuseNoCluster({ databaseUrl, dataFolder }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await hasCluster(pathsIn(dataFolder)))) return
  throw new Refusal(
    'not_found',
    `There is no market in ${dataFolder}; set PAVILION_DATA to its data folder, or DATABASE_URL.`,
  )
}
