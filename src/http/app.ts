import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Database } from '../database/open.ts'
import { isOutage } from '../database/outage.ts'
import type { RecordHoldEvent } from '../gems/holds.ts'
import { createShowroom } from '../jewelry/showroom.ts'
import type { Realm } from '../merchants/token.ts'
import { createTokenCache } from '../merchants/token-cache.ts'
import { registerAccess } from './access.ts'
import { registerBackground } from './background.ts'
import { registerKeys } from './console/keys.ts'
import { registerConsole } from './console/pages.ts'
import { registerSession } from './console/session.ts'
import { registerDefaults } from './defaults.ts'
import { registerDiamonds } from './diamonds.ts'
import { registerDocs } from './docs.ts'
import { type Readiness, registerHealth } from './health.ts'
import { registerJsonBody } from './json-body.ts'
import {
  registerBodyDeadline,
  registerConditionalReads,
  registerHeaders,
  requestIdOf,
} from './manners.ts'
import { registerMetrics } from './metrics.ts'
import { registerExchangeRates } from './operator/exchange-rates.ts'
import { registerMerchants } from './operator/merchants.ts'
import { registerTokens } from './operator/tokens.ts'
import type { OrderDeps } from './order-placing.ts'
import { registerOverloadGuard } from './overload.ts'
import { registerDemoMedia } from './pictures/demo-media.ts'
import { registerShapes } from './pictures/shapes.ts'
import { problem, registerProblems, sendProblem } from './problems.ts'
import { parseQueryString } from './query-string.ts'
import { createRateLimiter } from './rate-limit.ts'
import type { App } from './route.ts'
import { registerSurface } from './surface.ts'
import { registerOrdersV2 } from './v2/orders.ts'
import { registerSettingsV2 } from './v2/settings.ts'
import { registerHolds } from './v3/holds.ts'
import { registerOrdersV3 } from './v3/orders.ts'
import { registerProductFilters } from './v3/product-filters.ts'
import { registerProductVariants } from './v3/product-variants.ts'
import { registerProducts } from './v3/products.ts'
import { registerSettingsV3 } from './v3/settings.ts'
import { registerSettingsChanges } from './v3/settings-changes.ts'
import { registerValidation } from './validation.ts'

export interface AppDeps {
  /** Production speaks `live` tokens, the sandbox `test` ones. */
  realm: Realm
  database: Database
  /** The address in links that the server hands out. */
  publicUrl: string
  rateLimitPerMinute: number
  /** Calls are answered 503 while the event loop is later than this; 1 s unless set. */
  overloadDelayMs?: number
  log: FastifyBaseLogger
  /** The node's index, which follows every order; orders are right without it. */
  stock?: OrderDeps['stock']
}

declare module 'fastify' {
  interface FastifyInstance {
    readiness: Readiness
  }
}

/** Until there is an event log. */
const recordHoldEvent: RecordHoldEvent = async () => {}

const BODY_BYTES_MAX = 1024 * 1024

/** Makes the whole service of one market. Server, tests and documents all use this. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const app: App = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    connectionTimeout: 120_000,
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { querystringParser: parseQueryString },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      sendProblem(request, reply, problem(404, 'not_found', error.message)),
  })
  // Only how fast a client must send its headers; the body has a deadline of its own.
  app.server.headersTimeout = 15_000

  registerSurface(app)
  registerProblems(app)
  registerValidation(app)
  registerJsonBody(app)
  registerHeaders(app)
  registerConditionalReads(app)
  registerBodyDeadline(app)
  registerOverloadGuard(app, deps.overloadDelayMs ?? 1_000)
  await registerPlugins(app)

  const db = deps.database.db
  const tokens = createTokenCache(db, isOutage)
  registerAccess(app, {
    realm: deps.realm,
    tokens,
    limiter: createRateLimiter(deps.rateLimitPerMinute),
  })
  app.decorate('readiness', registerHealth(app, db))
  const metrics = registerMetrics(app, deps.database)
  registerBackground(app, { database: deps.database, tokens, recordHoldEvent })

  const routes = { ...deps, db, recordHoldEvent, showroom: createShowroom(db) }
  registerDocs(app, deps)
  registerDefaults(app)
  registerSettingsV2(app, routes)
  registerSettingsV3(app, routes)
  registerSettingsChanges(app, routes)
  registerHolds(app, routes)
  registerProducts(app, routes)
  registerProductVariants(app, routes)
  registerProductFilters(app, routes)
  registerOrdersV2(app, routes)
  registerOrdersV3(app, routes)
  registerMerchants(app, routes)
  registerTokens(app, routes)
  registerShapes(app)
  registerDemoMedia(app, routes)
  registerSession(app, routes)
  registerKeys(app, routes)
  registerConsole(app)
  registerExchangeRates(app, routes)
  registerDiamonds(app, deps, metrics)
  return app
}

async function registerPlugins(app: App): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  })
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  })
}

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Request-Id',
]
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
]
