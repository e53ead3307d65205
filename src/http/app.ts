import type { FastifyBaseLogger } from 'fastify'
import { isOutage } from '../database/errors.ts'
import type { Database } from '../database/open.ts'
import type { WebhookSettings } from '../events/deliver-webhooks.ts'
import { createShowroom } from '../jewelry/showroom/showroom.ts'
import type { Realm } from '../merchants/token.ts'
import { createTokenCache } from '../merchants/token-cache.ts'
import { registerBackground } from './background.ts'
import { registerKeys } from './console/keys.ts'
import { registerOverview } from './console/overview.ts'
import { registerConsole } from './console/pages.ts'
import { countSearches } from './console/search-rate.ts'
import { registerSession } from './console/session.ts'
import { registerDiamonds } from './diamonds.ts'
import { registerSurface } from './docs/operations.ts'
import { registerDocs } from './docs/page.ts'
import { recordHoldEvent } from './hold-events.ts'
import { registerCatalogues } from './operator/catalogues.ts'
import { registerExchangeRates } from './operator/exchange-rates.ts'
import { registerImports } from './operator/imports.ts'
import { registerJewelryImports } from './operator/jewelry.ts'
import { registerMerchants } from './operator/merchants.ts'
import { registerOperatorOrders } from './operator/orders.ts'
import { registerSuppliers } from './operator/suppliers.ts'
import { registerTokens } from './operator/tokens.ts'
import { registerDemoMedia } from './pictures/demo-media.ts'
import { registerShapes } from './pictures/shapes.ts'
import { registerAccess } from './request/access.ts'
import { registerJsonBody } from './request/json-body.ts'
import { registerArrival } from './request/on-request.ts'
import { watchOverload } from './request/overload.ts'
import { createRateLimiter } from './request/rate-limit.ts'
import { registerBodyDeadline, registerConditionalReads } from './request/request-id.ts'
import { registerValidation } from './request/validation.ts'
import { registerPreflight } from './response/cors.ts'
import { type Readiness, registerHealth } from './response/health.ts'
import { createMetrics, type Metrics, registerMetrics } from './response/metrics.ts'
import { registerDeparture } from './response/on-send.ts'
import { registerProblems } from './response/problems.ts'
import type { App } from './route.ts'
import { createServer } from './server.ts'
import { registerDefaults } from './shared/defaults.ts'
import { registerTwins } from './twins.ts'
import { registerCuratedSearchV2 } from './v2/curated-search.ts'
import { registerOrdersV2 } from './v2/orders.ts'
import { registerSettingsV2 } from './v2/settings.ts'
import { registerCuratedSearchV3 } from './v3/curated-search.ts'
import { registerEventsV3 } from './v3/events.ts'
import { registerGemstones } from './v3/gemstones.ts'
import { registerHolds } from './v3/holds.ts'
import { registerInventory } from './v3/inventory.ts'
import { registerOrdersV3 } from './v3/orders.ts'
import { registerProductFilters } from './v3/product-filters.ts'
import { registerProductVariants } from './v3/product-variants.ts'
import { registerProducts } from './v3/products.ts'
import { registerSettingsV3 } from './v3/settings.ts'
import { registerSettingsChanges } from './v3/settings-changes.ts'
import { registerWebhooksV3 } from './v3/webhooks.ts'
import { registerWebhookDelivery } from './webhook-background.ts'

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
  /** How webhooks are sent; nothing of the inside is called unless it says so. */
  webhooks?: WebhookSettings
  /** The metrics of all processes that serve this market; its own unless given. */
  collectMetrics?: () => Promise<string>
}

declare module 'fastify' {
  interface FastifyInstance {
    readiness: Readiness
    metrics: Metrics
  }
}

/** A writer waits for this at its end: then its own next search sees what it wrote. */
async function caughtUp(app: App): Promise<void> {
  await Promise.all([app.diamonds.index.catchUp(), app.gemstones.index.catchUp()])
}

/** Makes the whole service of one market. Server, tests and documents all use this. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const app = createServer(deps.log)
  const metrics = createMetrics(deps.database)
  app.decorate('metrics', metrics)
  registerTwins(app)
  registerSurface(app)
  registerProblems(app)
  registerValidation(app)
  registerJsonBody(app)
  registerArrival(app, {
    overload: watchOverload(app, deps.overloadDelayMs ?? 1_000),
    recordUnknown: metrics.durationsOf('any', 'unknown'),
  })
  registerConditionalReads(app)
  registerBodyDeadline(app)

  const db = deps.database.db
  const searches = countSearches(app)
  registerDeparture(app, metrics.durationsOf)
  const tokens = createTokenCache(db, isOutage)
  const limiter = createRateLimiter(deps.rateLimitPerMinute)
  registerAccess(app, { realm: deps.realm, tokens, limiter })
  registerMetrics(app, metrics, deps.collectMetrics)
  registerPreflight(app)
  app.decorate('readiness', registerHealth(app, db))
  const { database } = deps
  registerBackground(app, { database, tokens, limiter, searches, recordHoldEvent })
  registerWebhookDelivery(app, deps)

  registerDiamonds(app, deps, metrics)
  registerGemstones(app, deps)
  const stock = { ...app.diamonds.index, catchUp: () => caughtUp(app) }
  const routes = { ...deps, db, stock, showroom: createShowroom(db), recordHoldEvent, searches }
  registerDocs(app, deps)
  registerDefaults(app)
  registerSettingsV2(app, routes)
  registerSettingsV3(app, routes)
  registerOrdersV2(app, routes)
  registerOrdersV3(app, routes)
  registerEventsV3(app, routes)
  registerWebhooksV3(app, routes)
  registerProducts(app, routes)
  registerProductVariants(app, routes)
  registerProductFilters(app, routes)
  registerSettingsChanges(app, routes)
  registerHolds(app, routes)
  registerInventory(app, routes)
  registerMerchants(app, routes)
  registerTokens(app, routes)
  registerOperatorOrders(app, routes)
  registerExchangeRates(app, routes)
  registerCatalogues(app, routes)
  registerJewelryImports(app, routes)
  registerSuppliers(app, routes)
  registerImports(app, routes)
  registerCuratedSearchV2(app, routes)
  registerCuratedSearchV3(app, routes)
  registerSession(app, routes)
  registerKeys(app, routes)
  registerOverview(app, routes)
  registerShapes(app)
  registerDemoMedia(app, routes)
  registerConsole(app)
  return app
}
