import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { type Embedded, openEmbedded } from '../database/embedded/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { createDemoMarket, DEMO_SEED, DEMO_STONES } from '../demo/demo-market.ts'
import type { DemoKeys } from '../demo/demo-merchants.ts'
import { buildApp } from '../http/app.ts'
import type { App } from '../http/route.ts'
import type { Realm } from '../merchants/token.ts'
import { type ConsoleLinks, createConsoleLinks } from './console-links.ts'
import { embeddedUrlOf, externalUrlOf } from './market.ts'

/** A market that is being served: production or the sandbox. */
export interface ServedMarket {
  realm: Realm
  address: string
  /** Only when the demo market was moved in just now. */
  keys: DemoKeys | undefined
  /** One-time links into the console, with the keys. */
  links: ConsoleLinks | undefined
}

/** Requests in flight have this long to finish when the process is asked to stop. */
const CLOSE_MS = 8_000

/** Serves until the process is asked to stop; then lets requests finish and stops everything. */
export async function runServer(
  config: Config,
  announce: (markets: ServedMarket[]) => void,
): Promise<void> {
  const log = pino({ level: config.logLevel })
  const stop = stopSignal()
  const embedded = config.databaseUrl === undefined ? await openOwn(config, log) : undefined
  const opened: { app: App; database: Database }[] = []
  try {
    const served: ServedMarket[] = []
    for (const realm of realmsOf(config)) {
      const url = externalUrlOf(config, realm) ?? (await ownUrl(embedded, realm))
      const market = await openMarket(config, realm, url, log)
      opened.push(market)
      served.push(await listenOn(config, realm, market))
    }
    announce(served)
    const signal = await stop
    log.info({ signal }, 'stopping')
  } finally {
    await closeAll(opened)
    await embedded?.close()
  }
}

function realmsOf(config: Config): Realm[] {
  const withSandbox = config.databaseUrl === undefined || config.sandboxDatabaseUrl !== undefined
  return withSandbox ? ['live', 'test'] : ['live']
}

function openOwn(config: Config, log: Logger): Promise<Embedded> {
  return openEmbedded({
    dataFolder: config.dataFolder,
    serve: true,
    onEvent: ({ kind, detail }) => log.info({ kind }, detail),
  })
}

async function ownUrl(embedded: Embedded | undefined, realm: Realm): Promise<string> {
  if (!embedded) throw new Error('no database is open')
  return embeddedUrlOf(embedded, realm)
}

interface OpenMarket {
  app: App
  database: Database
  keys: DemoKeys | undefined
  links: ConsoleLinks | undefined
}

async function openMarket(
  config: Config,
  realm: Realm,
  url: string,
  log: Logger,
): Promise<OpenMarket> {
  const onConnectionError = (error: Error) => log.warn({ err: error }, 'a connection broke')
  const database = openDatabase({ url, onConnectionError })
  await migrate(database.db)
  const publicUrl = realm === 'live' ? config.publicUrl : config.sandboxPublicUrl
  const wantsDemo = config.demo && config.databaseUrl === undefined
  const wish = { realm, stones: DEMO_STONES, seed: DEMO_SEED, publicUrl }
  const keys = wantsDemo ? await createDemoMarket(database, wish) : undefined
  const app = await buildApp({
    realm,
    database,
    publicUrl,
    rateLimitPerMinute: config.rateLimitPerMinute,
    log: log.child({ market: realm === 'live' ? 'production' : 'sandbox' }),
  })
  const links = keys && (await createConsoleLinks(database.db, publicUrl, keys))
  return { app, database, keys, links }
}

async function listenOn(config: Config, realm: Realm, market: OpenMarket): Promise<ServedMarket> {
  const port = realm === 'live' ? config.port : config.sandboxPort
  try {
    await market.app.listen({ host: config.host, port })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    const name = realm === 'live' ? 'PORT' : 'SANDBOX_PORT'
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : 'needs more rights'
    throw new Error(`Port ${port} ${why}; set ${name} to another one.`)
  }
  const { address, port: bound } = market.app.server.address() as { address: string; port: number }
  const host = address.includes(':') ? `[${address}]` : address
  return { realm, address: `http://${host}:${bound}`, keys: market.keys, links: market.links }
}

/** Resolves with the first signal that asks to stop; a second one ends the process at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      let asked = false
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve(signal)
      })
    }
  })
}

async function closeAll(markets: { app: App; database: Database }[]): Promise<void> {
  for (const { app } of markets) app.readiness.startClosing()
  const closing = Promise.all(markets.map(({ app }) => app.close()))
  await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })])
  for (const { app } of markets) app.server.closeAllConnections()
  await Promise.race([
    Promise.all(markets.map(({ database }) => database.close())),
    sleep(1_000, undefined, { ref: false }),
  ])
}
