import { pino } from 'pino'
import type { Config } from '../../config.ts'
import type { DemoKeys } from '../../demo/demo-merchants.ts'
import type { Realm } from '../../merchants/token.ts'
import type { ConsoleLinks } from '../console-links.ts'
import { openBackbone } from './backbone.ts'
import { openListeners } from './listeners.ts'
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
