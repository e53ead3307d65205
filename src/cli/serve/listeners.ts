/** Serves the markets from one process: one HTTP server per market. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/open.ts'
import { openRequestPool } from '../../database/pools.ts'
import { buildApp } from '../../http/app.ts'
import { LISTEN_BACKLOG } from '../../http/overload/limits.ts'
import { buildMetricsApp } from '../../http/response/metrics-app.ts'
import { createOutageLog } from '../../http/response/request-log.ts'
import type { App, DetailsFor } from '../../http/route.ts'
import type { Realm } from '../../merchants/token.ts'
import { replicaUrlOf } from '../market.ts'
import { CommandRefusal } from '../output/print.ts'
import { type OnLoading, waitForIndexes } from './loading.ts'
import type { PreparedMarket } from './open-markets.ts'
import { describeListenError, type Place, placeOf, placeOfMetrics } from './places.ts'
import { openServerSecrets } from './server-secrets.ts'
import { type Serving, type StopOptions, stopServing } from './stop-serving.ts'

/** A statement of a background task may still run; the process ends without waiting for it. */
const DATABASE_CLOSE_MS = 1_000

/** Where the markets are served and, when it has a port of its own, where the metrics are. */
export type Addresses = Map<Realm | 'metrics', string>

export interface Listeners {
  apps: Map<Realm, App>
  addresses: Addresses
  /** Resolves when searches are answered. */
  whenLoaded(onLoading: OnLoading): Promise<void>
  close(options: StopOptions): Promise<void>
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
  const opened: (Serving & { database: Database })[] = []
  const close = async (options: StopOptions) => {
    await stopServing(opened, options)
    await metrics?.close()
    await closeDatabases(opened)
  }
  const secrets = openServerSecrets(config, log)
  const apps = new Map<Realm, App>()
  const addresses: Addresses = new Map()
  let metrics: App | undefined
  try {
    for (const market of markets) {
      const { realm } = market
      const database = openDatabaseOf(config, market, log)
      const app = await buildApp({
        ...appSettings(config, market),
        database,
        secrets,
        log: log.child({ market: realm === 'live' ? 'production' : 'sandbox' }),
        ...(shared && { collectMetrics: () => shared.collect(realm) }),
      })
      opened.push({ app, database })
      apps.set(realm, app)
      addresses.set(realm, await listenOn(app, placeOf(config, realm)))
    }
    const metricsPlace = placeOfMetrics(config)
    if (metricsPlace) {
      const measuredApps = [...apps.values()].map((app) => measured(app, shared))
      metrics = buildMetricsApp(log, measuredApps)
      addresses.set('metrics', await listenOn(metrics, metricsPlace))
    }
  } catch (error) {
    await close({ drainSeconds: 0 })
    throw error
  }
  return {
    apps,
    addresses,
    whenLoaded: (onLoading) => waitForIndexes(apps.values(), onLoading),
    close,
  }
}

/** What the configuration says of the app of one market. */
function appSettings(config: Config, { realm, publicUrl }: PreparedMarket) {
  return {
    realm,
    replicaUrl: replicaUrlOf(config, realm),
    poolSizes: config.poolSizes,
    publicUrl,
    markets: { live: config.publicUrl, test: config.sandboxPublicUrl },
    rateLimitPerMinute: config.rateLimitPerMinute,
    merchantRateLimitPerMinute: config.merchantRateLimitPerMinute,
    addressLimitPerMinute: config.addressLimitPerMinute,
    trustedProxies: config.trustedProxies,
    // An external database has its disk elsewhere.
    ...(config.databaseUrl === undefined && { dataFolder: config.dataFolder }),
    ...(config.indexFiles && { indexFolder: join(config.dataFolder, 'indexes') }),
    uploadLimits: { fileBytesMax: config.uploadBytesMax },
    auditKeepDays: config.auditKeepDays,
    webhooks: {
      allowedHosts: realm === 'test' ? config.sandboxWebhookHosts : config.webhookAllowedHosts,
    },
    sources: { allowedHosts: config.sourceAllowedHosts, fileBytesMax: config.uploadBytesMax },
    media: mediaSettings(config),
    mail: config.mail ?? null,
    outgoing: config.outgoing,
    detailsFor: detailsFor(config),
  }
}

function mediaSettings({ mediaHosts, mediaBytesMax, sourceAllowedHosts, dataFolder }: Config) {
  return {
    hosts: mediaHosts,
    privateHosts: sourceAllowedHosts,
    folder: join(dataFolder, 'media'),
    bytesMax: mediaBytesMax,
  }
}

function openDatabaseOf(config: Config, market: PreparedMarket, log: Logger): Database {
  return openRequestPool({
    url: market.databaseUrl,
    directUrl: market.directUrl,
    connections: config.databaseConnections,
    onConnectionError: createOutageLog(log, 'database connection lost'),
  })
}

/** With a port of their own, details are served there and nowhere else, unless they are public. */
function detailsFor({ metricsPublic, metricsPort }: Config): DetailsFor {
  if (metricsPublic) return 'everyone'
  return metricsPort === undefined ? 'local callers' : 'nobody'
}

function measured({ services }: App, shared: SharedMetrics | undefined) {
  if (!shared) return { services }
  return { services, collectMetrics: () => shared.collect(services.realm) }
}

async function listenOn(app: App, place: Place): Promise<string> {
  const { host, port } = place
  try {
    await app.listen({ host, port, backlog: LISTEN_BACKLOG })
  } catch (error) {
    const problem = describeListenError(place, (error as { code?: string }).code ?? '')
    throw problem === undefined ? error : new CommandRefusal('address_unavailable', problem)
  }
  const { address, port: bound } = app.server.address() as { address: string; port: number }
  return `http://${address.includes(':') ? `[${address}]` : address}:${bound}`
}

async function closeDatabases(markets: { database: Database }[]): Promise<void> {
  await Promise.race([
    Promise.all(markets.map(({ database }) => database.close())),
    sleep(DATABASE_CLOSE_MS, undefined, { ref: false }),
  ])
}
