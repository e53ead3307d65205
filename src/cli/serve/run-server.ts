/** Runs the server from start to stop: prepares the markets, serves them, and shuts down. */
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../database/open.ts'
import type { DemoKeys } from '../../demo/merchants.ts'
import { recordServedAddress } from '../../merchants/market-store.ts'
import type { Realm } from '../../merchants/token.ts'
import { countConnections } from './connections.ts'
import { type Addresses, openListeners } from './listeners.ts'
import { openLog } from './log.ts'
import { openMarkets, type PreparedMarket } from './open-markets.ts'
import { stopSignal } from './stop-signal.ts'
import { forgetUnshownKeys } from './unshown-keys.ts'
import { openWorkers } from './workers.ts'

/** A market that is being served, with what `start` prints about it. */
export interface ServedMarket {
  realm: Realm
  address: string
  /** Of a new demo market, until they are printed once. */
  keys: DemoKeys | undefined
  links: PreparedMarket['links']
  /** Whether the market has no merchants yet. */
  isEmpty: boolean
}

/** What `start` prints. */
interface Announcements {
  /** Where the log goes: with `--json` standard output has the announcement only. */
  log: 'stdout' | 'stderr'
  /** The markets are served, and searches are answered. */
  ready(markets: ServedMarket[], metricsAddress: string | undefined): void
  /** An empty market is going to be filled with the demo market. */
  filling: (realm: Realm) => void
  /** The indexes are still being loaded; so many stones were read. */
  loading(stones: number): void
}

const SILENT =
  'PAVILION_OUTGOING is off: no e-mails or webhooks are sent, nothing is fetched from suppliers'

/** Serves until a signal asks the process to stop; lets running requests finish before it ends. */
export async function runServer(
  config: Config,
  workers: number,
  announce: Announcements,
): Promise<void> {
  const serverLog = openLog(config, announce.log)
  const { log } = serverLog
  const stopped = stopSignal()
  if (!config.outgoing) log.warn(SILENT)
  let isStopping = false
  void stopped.then(() => {
    isStopping = true
  })
  const opened = await openMarkets(config, {
    log,
    isStopping: () => isStopping,
    onDemo: announce.filling,
  })
  try {
    const { markets } = opened
    if (isStopping) {
      log.info({ signal: await stopped, drainSeconds: 0 }, 'stopping')
      return
    }
    await warnOfFewConnections(config, markets[0], workers, log)
    const serving =
      workers === 1
        ? await openListeners(config, markets, log)
        : await openWorkers(config, markets, workers, serverLog)
    for (const market of markets) {
      await recordAddress(market, serving.addresses.get(market.realm) ?? '').catch(
        (error: unknown) =>
          log.warn({ err: error }, 'could not record the address; commands will print other links'),
      )
    }
    const loaded = serving.whenLoaded((stones) => announce.loading(stones))
    // A signal stops a server, too, that is still loading.
    if ((await Promise.race([loaded, stopped])) === undefined) {
      const { addresses } = serving
      const served = markets.map((market) => servedMarket(market, addresses))
      announce.ready(served, addresses.get('metrics'))
      if (served.some(({ keys }) => keys)) await forgetUnshownKeys(config.dataFolder)
    }
    const signal = await stopped
    // SIGINT comes from a person at a terminal, who has no load balancer to wait for.
    const drainSeconds = signal === 'SIGINT' ? 0 : config.drainSeconds
    log.info({ signal, drainSeconds }, 'stopping')
    await serving.close({ drainSeconds })
  } finally {
    await opened.close()
  }
}

/** The server works with fewer, but requests may fail when it is busy. */
async function warnOfFewConnections(
  config: Config,
  { databaseUrl, directUrl = databaseUrl }: PreparedMarket,
  workers: number,
  log: Logger,
): Promise<void> {
  const database = openDatabase({ url: directUrl, poolMax: 1 })
  try {
    const { problem } = await countConnections(database.db, config, workers)
    if (problem) log.warn(problem)
  } finally {
    await database.close()
  }
}

function servedMarket(market: PreparedMarket, addresses: Addresses): ServedMarket {
  const { realm, keys, links, isEmpty } = market
  return { realm, keys, links, isEmpty, address: addresses.get(realm) ?? '' }
}

/** Commands print links to the recorded address, unless their own settings name another. */
async function recordAddress(
  { databaseUrl, directUrl = databaseUrl, publicUrl }: PreparedMarket,
  address: string,
): Promise<void> {
  const database = openDatabase({ url: directUrl, poolMax: 1 })
  try {
    // With port 0 the system has chosen a free port, which only the address shows.
    await recordServedAddress(database.db, new URL(publicUrl).port === '0' ? address : publicUrl)
  } finally {
    await database.close()
  }
}
