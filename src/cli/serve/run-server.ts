import { pino } from 'pino'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../database/open.ts'
import type { DemoKeys } from '../../demo/merchants.ts'
import { recordServedAddress } from '../../merchants/served-address-store.ts'
import type { Realm } from '../../merchants/token.ts'
import type { ConsoleLinks } from './console-links.ts'
import { openListeners } from './listeners.ts'
import { openBackbone, type PreparedMarket } from './open-markets.ts'
import { stopSignal } from './stop-signal.ts'
import { openWorkers } from './workers.ts'

/** A market that is being served, as it is announced. */
export interface ServedMarket {
  realm: Realm
  address: string
  /** Only when the demo market was moved in just now. */
  keys: DemoKeys | undefined
  links: ConsoleLinks | undefined
}

/** Serves until the process is asked to stop; then lets requests finish and stops everything. */
export async function runServer(
  config: Config,
  workers: number,
  announce: (markets: ServedMarket[]) => void,
): Promise<void> {
  const log = pino({ level: config.logLevel })
  const stop = stopSignal()
  const backbone = await openBackbone(config, log)
  try {
    const { markets } = backbone
    const serving =
      workers === 1
        ? await openListeners(config, markets, log)
        : await openWorkers(config, markets, workers, log)
    for (const market of markets) {
      await recordAddress(market, serving.addresses.get(market.realm) ?? '').catch(
        (error: unknown) => log.warn({ err: error }, 'commands will not know this address'),
      )
    }
    announce(
      markets.map(({ realm, keys, links }) => {
        return { realm, keys, links, address: serving.addresses.get(realm) ?? '' }
      }),
    )
    log.info({ signal: await stop }, 'stopping')
    await serving.close()
  } finally {
    await backbone.close()
  }
}

/** A command beside this server, told nothing itself, prints links that lead here. */
async function recordAddress(
  { databaseUrl, publicUrl }: PreparedMarket,
  address: string,
): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolMax: 1 })
  try {
    // Port 0 means any that is free.
    await recordServedAddress(database.db, new URL(publicUrl).port === '0' ? address : publicUrl)
  } finally {
    await database.close()
  }
}
