/** Serves the markets from one process: one HTTP server per market. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { type Database, openDatabase } from '../../database/open.ts'
import { buildApp } from '../../http/app.ts'
import type { App } from '../../http/route.ts'
import type { Realm } from '../../merchants/token.ts'
import type { PreparedMarket } from './open-markets.ts'

/** How long running requests may take to finish when the process stops. */
const CLOSE_MS = 8_000

export interface Listeners {
  apps: Map<Realm, App>
  addresses: Map<Realm, string>
  close(): Promise<void>
}

/** Given when several processes serve the same markets. */
interface SharedMetrics {
  /** Returns the metrics of all processes, added up. */
  collect(realm: Realm): Promise<string>
}

/** Serves the markets from this process. */
export async function openListeners(
  config: Config,
  markets: readonly PreparedMarket[],
  log: Logger,
  shared?: SharedMetrics,
): Promise<Listeners> {
  const opened: { app: App; database: Database }[] = []
  const close = () => closeAll(opened)
  const apps = new Map<Realm, App>()
  const addresses = new Map<Realm, string>()
  try {
    for (const market of markets) {
      const { realm, publicUrl } = market
      const onConnectionError = (error: Error) =>
        log.warn({ err: error }, 'database connection lost')
      const database = openDatabase({ url: market.databaseUrl, onConnectionError })
      const app = await buildApp({
        realm,
        database,
        publicUrl,
        rateLimitPerMinute: config.rateLimitPerMinute,
        webhooks: { allowedHosts: config.webhookAllowedHosts },
        log: log.child({ market: realm === 'live' ? 'production' : 'sandbox' }),
        ...(shared && { collectMetrics: () => shared.collect(realm) }),
      })
      opened.push({ app, database })
      apps.set(realm, app)
      addresses.set(realm, await listenOn(config, realm, app))
    }
  } catch (error) {
    await close()
    throw error
  }
  return { apps, addresses, close }
}

async function listenOn(config: Config, realm: Realm, app: App): Promise<string> {
  const port = realm === 'live' ? config.port : config.sandboxPort
  try {
    await app.listen({ host: config.host, port })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    const name = realm === 'live' ? 'PORT' : 'SANDBOX_PORT'
    const reason = code === 'EADDRINUSE' ? 'is in use by another program' : 'needs more privileges'
    throw new Error(`Port ${port} ${reason}; set ${name} to another port.`)
  }
  const { address, port: bound } = app.server.address() as { address: string; port: number }
  return `http://${address.includes(':') ? `[${address}]` : address}:${bound}`
}

async function closeAll(markets: { app: App; database: Database }[]): Promise<void> {
  for (const { app } of markets) app.services.readiness.startClosing()
  const closing = Promise.all(markets.map(({ app }) => app.close()))
  // A keep-alive connection becomes idle only after its last response, so this is repeated.
  const idle = setInterval(() => {
    for (const { app } of markets) app.server.closeIdleConnections()
  }, 100)
  await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })])
  clearInterval(idle)
  for (const { app } of markets) app.server.closeAllConnections()
  await Promise.race([
    Promise.all(markets.map(({ database }) => database.close())),
    sleep(1_000, undefined, { ref: false }),
  ])
}
