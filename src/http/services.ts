import type { Clock } from '../database/clock.ts'
import type { Database, Db } from '../database/open.ts'
import { closePools, openPools, type PoolSizes, type Pools } from '../database/pools.ts'
import { findKeyProblem } from '../database/secrets/secret-status.ts'
import type { Secrets } from '../database/secrets/secrets.ts'
import { createRenderer, type Renderer } from '../documents/renderer.ts'
import type { BulkReads } from '../events/bulk-reads.ts'
import type { WebhookSettings } from '../events/deliver-webhooks.ts'
import {
  createMediaCache,
  type MediaCache,
  type MediaSettings,
} from '../feeds/media/media-cache.ts'
import type { EndedRun, SourceRunner, SourceSettings } from '../feeds/sources/run-source.ts'
import { startIndexAudit } from '../gems/indexing/audit.ts'
import type { GemIndex } from '../gems/indexing/follower.ts'
import { createParcels, type Parcels } from '../gems/parcels.ts'
import type { DiamondSearch } from '../gems/search/diamonds.ts'
import type { GemstoneSearch } from '../gems/search/gemstones.ts'
import { startStoneIndexes } from '../gems/search/stone-indexes.ts'
import { createProductJson, type ProductJson } from '../jewelry/showroom/product-json.ts'
import { createShowroom, type Showroom } from '../jewelry/showroom/showroom.ts'
import { AUDIT_KEEP_DAYS, UPLOAD_MEGABYTES } from '../lib/settings.ts'
import type { Realm } from '../merchants/token.ts'
import type { MailSettings } from '../notices/outbox/smtp.ts'
import { createPasswords, type Passwords } from '../people/password.ts'
import { createKnownRates, type KnownRates } from '../pricing/known-rates.ts'
import { type AlertMatcher, startAlertMatcher } from '../saved-searches/alerts/matcher.ts'
import { createSearchRate, type SearchRate } from './console/search-rate.ts'
import type { Operation } from './docs/operations.ts'
import { type AddressLimiter, createAddressLimiter } from './request/address-limit.ts'
import { createRunOnce, type RunOnce } from './request/idempotency.ts'
import { createUploads, type UploadLimits, type Uploads } from './request/uploads.ts'
import { measureFirst, startClock } from './response/clock.ts'
import { createReadiness, type Readiness } from './response/health.ts'
import { addIndexGauges, indexFiles } from './response/index-metrics.ts'
import { addMarketMetrics } from './response/market-metrics.ts'
import { addGauges, type Metrics } from './response/metrics.ts'
import { addPoolMetrics, addReplicaMetrics } from './response/pool-metrics.ts'
import { createOutageLog } from './response/request-log.ts'
import type { App } from './route.ts'

/** What the services of one market are made from. */
export interface ServiceOptions {
  /** Production accepts `live` tokens, the sandbox `test` ones. */
  realm: Realm
  /** The connections of the requests; the other pools are opened beside it. */
  database: Database
  /** A replica of the database, from which indexes are loaded and snapshots sent. */
  replicaUrl?: string | undefined
  /** The sizes of those; as measured unless set. */
  poolSizes?: Partial<PoolSizes>
  /** The address in links that the server returns. */
  publicUrl: string
  /** Requests per minute of a token without a limit of its own; 0 means no limit. */
  rateLimitPerMinute: number
  /** Requests per minute of all tokens of a merchant together; no limit unless set. */
  merchantRateLimitPerMinute?: number
  /** Seals and opens what is stored encrypted. */
  secrets: Secrets
  /** Calls per minute of an address without a valid token; no limit unless set. */
  addressLimitPerMinute?: number
  /** Addresses and networks of the proxies that name the caller in X-Forwarded-For. */
  trustedProxies?: readonly string[]
  /** How webhooks are sent; no host of a private network is called unless it is listed here. */
  webhooks?: WebhookSettings
  /** How feed sources are fetched; the same holds for their hosts. */
  sources?: SourceSettings
  /** From where pictures of stones are fetched, and where they are kept; unset: from nowhere. */
  media?: MediaSettings
  /** How e-mails are sent; null: they are not. */
  mail?: MailSettings | null
  /** Where Pavilion stores data on this machine, whose free space is a metric. */
  dataFolder?: string
  /** Where the indexes are kept between two starts; nowhere unless set. */
  indexFolder?: string
  /** How much clients may upload, and how slowly. */
  uploadLimits?: UploadLimits
  /** For how many days the entries of the audit are kept. */
  auditKeepDays?: number
  /** A reader of a snapshot that takes nothing for this long is disconnected; 30 s unless set. */
  snapshotStallMs?: number
}

const SNAPSHOT_STALL_MS = 30_000

/** What every route is given: the state of one market, made once when the app is built. */
export interface Services
  extends Required<Omit<ServiceOptions, 'dataFolder' | 'indexFolder' | 'media' | 'replicaUrl'>> {
  db: Db
  /** The time of the market. Every rule about time that is decided in memory asks it. */
  clock: Clock
  pools: Pools
  /** The diamonds of this market, in memory. */
  diamonds: DiamondSearch
  /** The coloured stones of this market, in memory. */
  gemstones: GemstoneSearch
  /** Compares the stones that change with the saved searches that have alerts. */
  alerts: AlertMatcher
  parcels: Parcels
  /** Reads of whole tables, from the replica if there is one. */
  bulk: BulkReads
  /** The jewelry of this market, in memory. */
  showroom: Showroom
  productJson: ProductJson
  rates: KnownRates
  /** Draws the PDFs of orders. */
  renderer: Renderer
  /**
   * Resolves when the indexes contain everything that was committed before the call. A request
   * that changes stones or prices awaits it, so that the caller's next search sees the change.
   */
  catchUp: () => Promise<void>
  /** Numbers what was committed before the call, so that the change log has it. */
  numberChanges: () => Promise<void>
  runOnce: RunOnce
  /** Hashes the passwords of people who sign in. */
  passwords: Passwords
  addresses: AddressLimiter
  uploads: Uploads
  sourceRunner: SourceRunner
  /** Pictures of stones that were fetched from their suppliers. */
  media: MediaCache
  searches: SearchRate
  readiness: Readiness
  metrics: Metrics
  /** Every operation that the app serves, in the order of registration. */
  operations: readonly Operation[]
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For what runs beside the routes: the command line, benches and tests. */
    services: Services
  }
}

/** Starts the indexes of the market, which stop when the app closes. */
export function startServices(
  app: App,
  options: ServiceOptions,
  { metrics, operations }: Pick<Services, 'metrics' | 'operations'>,
): Services {
  const settings = withDefaults(options)
  const { db } = settings.database
  const pools = startPools(app, settings, metrics)
  const { following, background } = pools
  const clock = startClock(background.db, metrics)
  const onError = createOutageLog(app.log, 'index')
  const filesOf = indexFiles(app.log, options)
  const indexes = startStoneIndexes({ ...settings, following, now: clock.now, onError, filesOf })
  const { diamonds, gemstones, bulk, numberChanges, catchUp } = indexes
  addReplicaMetrics(metrics.registry, bulk)
  const alerts = startAlerts(app, pools, diamonds, gemstones)
  const audit = startIndexAudit(background, diamonds.index, onError)
  addIndexGauges(metrics, diamonds, () => audit.figures())
  addMarketGauges(metrics, pools, options.dataFolder)
  app.addHook('onClose', async () => {
    audit.stop()
    await indexes.stop()
  })
  const uploads = startUploads(settings, metrics)
  const showroom = createShowroom(db, bulk)
  const renderer = createRenderer()
  app.addHook('onClose', () => renderer.close())
  app.addHook('onReady', async () => {
    await measureFirst(clock)
    // So that the first query need not wait. If this fails, the query loads it itself.
    showroom.current().catch(() => {})
  })
  return {
    ...settings,
    db,
    pools,
    clock,
    diamonds,
    gemstones,
    alerts,
    bulk,
    parcels: createParcels(db, () => diamonds.index.sequence()),
    showroom,
    productJson: createProductJson(),
    rates: createKnownRates(db),
    renderer,
    numberChanges,
    catchUp,
    uploads,
    sourceRunner: sourceRunnerOf(settings, pools, app, metrics),
    media: createMediaCache(settings.media),
    runOnce: createRunOnce(pools.imports),
    passwords: createPasswords(),
    addresses: createAddressLimiter(settings.addressLimitPerMinute, clock),
    searches: createSearchRate(clock),
    readiness: createReadiness(
      background.db,
      [
        indexCheck('diamond index', diamonds.index),
        { name: 'diamond index audit', problem: () => audit.problem() },
        indexCheck('gemstone index', gemstones.index),
        { name: 'clock', problem: () => clock.problem() },
      ],
      [{ name: 'secret key', problem: () => findKeyProblem(background.db, settings.secrets) }],
    ),
    metrics,
    operations,
  }
}

/** An index that sees no changes can still answer, as long as it knows not much less than all. */
function indexCheck(name: string, index: GemIndex) {
  const remark = () => {
    const seconds = index.staleSeconds()
    return seconds === 0 ? undefined : `stale: has not seen the change log for ${seconds} s`
  }
  return { name, problem: () => index.problem(), remark }
}

function addMarketGauges({ registry }: Metrics, { background }: Pools, dataFolder?: string): void {
  addMarketMetrics(registry, { db: background.db, ...(dataFolder && { dataFolder }) })
}

/** Compares stones with saved searches until the app closes. */
function startAlerts(
  app: App,
  { background }: Pools,
  { index: diamond }: DiamondSearch,
  { index: gemstone }: GemstoneSearch,
): AlertMatcher {
  const onError = createOutageLog(app.log, 'alerts')
  const alerts = startAlertMatcher({
    db: background.db,
    indexes: { diamond, gemstone },
    onError,
  })
  app.addHook('onClose', () => alerts.stop())
  return alerts
}

/** Short statements of a run do not wait behind imports. */
function sourceRunnerOf(
  { secrets, sources }: Pick<Services, 'secrets' | 'sources'>,
  { background, imports }: Pools,
  { log }: App,
  { countSourceRun }: Metrics,
): SourceRunner {
  const onRun = (run: EndedRun) => {
    countSourceRun(run.outcome)
    if (run.outcome === 'failed') log.warn(run, 'a feed source failed')
    else log.info(run, 'a feed source was fetched')
  }
  return { db: background.db, imports, secrets, settings: sources, onRun }
}

function withDefaults(options: ServiceOptions) {
  return {
    poolSizes: {},
    merchantRateLimitPerMinute: 0,
    addressLimitPerMinute: 0,
    trustedProxies: [],
    webhooks: { allowedHosts: [] },
    sources: { allowedHosts: [] },
    media: { hosts: [], privateHosts: [], folder: '', bytesMax: 0 },
    mail: null,
    uploadLimits: { fileBytesMax: UPLOAD_MEGABYTES * 1024 ** 2 },
    auditKeepDays: AUDIT_KEEP_DAYS,
    snapshotStallMs: SNAPSHOT_STALL_MS,
    ...options,
  }
}

/** Opens the pools beside that of the requests, which close when the app does. */
function startPools(
  app: App,
  { database, poolSizes }: Pick<Services, 'database' | 'poolSizes'>,
  { registry }: Metrics,
): Pools {
  const onLost = createOutageLog(app.log, 'database connection lost')
  const pools = openPools(database, onLost, poolSizes)
  // Hooks run in reverse order: what uses the pools is closed before them.
  app.addHook('onClose', () => closePools(pools))
  addPoolMetrics(registry, pools)
  return pools
}

function startUploads(
  { uploadLimits }: Pick<Services, 'uploadLimits'>,
  { registry }: Metrics,
): Uploads {
  const uploads = createUploads(uploadLimits)
  const { load } = uploads
  addGauges(registry, 'pavilion_uploads', [
    ['running', 'Files that are being received or imported', () => load().files],
    ['bytes', 'Bytes that they take, or will take, in temporary files', () => load().bytes],
  ])
  return uploads
}
