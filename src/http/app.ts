import type { FastifyBaseLogger } from 'fastify'
import { isBusy } from '../database/connections/bounded-queue.ts'
import type { Realm } from '../merchants/token.ts'
import { createTokenCache, type TokenCache } from '../merchants/token-cache.ts'
import { type BackgroundOptions, registerBackground } from './background.ts'
import { registerFigures } from './console/figures.ts'
import { registerKeys } from './console/keys.ts'
import { registerOverview } from './console/overview.ts'
import { registerConsole } from './console/pages.ts'
import { registerSearchCount } from './console/search-rate.ts'
import { registerSession } from './console/session.ts'
import { listOperations } from './docs/operations.ts'
import { registerDocs } from './docs/page.ts'
import { registerMcp } from './mcp/routes.ts'
import { registerMails } from './notices/mails.ts'
import { registerNotices } from './notices/notices.ts'
import { registerUnsubscribe } from './notices/unsubscribe.ts'
import { registerAudit } from './operator/audit.ts'
import { registerCatalogues } from './operator/catalogues.ts'
import { registerConflicts } from './operator/conflicts.ts'
import { registerMarketEvents } from './operator/events.ts'
import { registerExchangeRates } from './operator/exchange-rates.ts'
import { registerOperatorGems } from './operator/gems.ts'
import { registerImports } from './operator/imports.ts'
import { registerJewelryImports } from './operator/jewelry.ts'
import { registerMerchantSettings } from './operator/merchant-settings.ts'
import { registerMerchants } from './operator/merchants.ts'
import { registerAccounts } from './operator/orders/accounts.ts'
import { registerChargeRules } from './operator/orders/charge-rules.ts'
import { registerConfirmations } from './operator/orders/confirmations.ts'
import { registerOperatorDocuments } from './operator/orders/documents.ts'
import { registerOperatorMemos } from './operator/orders/memos.ts'
import { registerOrderMoney } from './operator/orders/money.ts'
import { registerOperatorQuotes } from './operator/orders/quotes.ts'
import { registerOperatorReturns } from './operator/orders/returns.ts'
import { registerOperatorOrders } from './operator/orders.ts'
import { registerPriceGrids } from './operator/price-grids.ts'
import { registerMarketSettings } from './operator/settings.ts'
import { registerSources } from './operator/sources.ts'
import { registerSuppliers } from './operator/suppliers.ts'
import { registerTokens } from './operator/tokens.ts'
import type { OverloadLimits } from './overload/limits.ts'
import { registerOverload } from './overload/overload.ts'
import { registerPasswords, registerSessions } from './people/sessions.ts'
import { registerUsers } from './people/users.ts'
import { registerDemoMedia } from './pictures/demo-media.ts'
import { createDrawings } from './pictures/drawings.ts'
import { registerShapes } from './pictures/shapes.ts'
import { registerAccess } from './request/access.ts'
import type { AddressLimiter } from './request/address-limit.ts'
import { registerBodyDeadline } from './request/body-deadline.ts'
import { registerJsonBody } from './request/json-body.ts'
import { registerOnRequest } from './request/on-request.ts'
import { createRateLimiter, type RateLimiter } from './request/rate-limit.ts'
import { createRequestIds, type RequestIds } from './request/request-id.ts'
import { registerValidation } from './request/validation.ts'
import { registerPreflight } from './response/cors.ts'
import { registerEtags } from './response/etag.ts'
import { measureEventLoop } from './response/event-loop.ts'
import { registerHealth } from './response/health.ts'
import { registerHiddenFields } from './response/hidden-fields.ts'
import { registerDeprecation, registerStale } from './response/marks.ts'
import { createMetrics, registerMetrics } from './response/metrics.ts'
import { registerOnSend } from './response/on-send.ts'
import { registerProblems } from './response/problems.ts'
import { registerSerialization } from './response/serialization.ts'
import type { App, DetailsFor } from './route.ts'
import { createServer } from './server.ts'
import { type ServiceOptions, type Services, startServices } from './services.ts'
import { registerSupplierImports } from './supplier/imports.ts'
import { registerSupplierInventory } from './supplier/inventory.ts'
import { registerSupplierOrders } from './supplier/orders.ts'
import { registerScoreCards } from './supplier/scorecard.ts'
import { registerDefaultsV2 } from './v2/defaults.ts'
import { registerDiamondsV2 } from './v2/diamonds.ts'
import { registerOrdersV2 } from './v2/orders.ts'
import { registerProductsV2 } from './v2/products.ts'
import { registerSettingsV2 } from './v2/settings.ts'
import { registerDefaultsV3 } from './v3/defaults.ts'
import { registerDiamondsV3 } from './v3/diamonds.ts'
import { registerDocumentsV3 } from './v3/documents.ts'
import { registerEnquiries } from './v3/enquiries.ts'
import { registerEventsV3 } from './v3/events.ts'
import { registerGemstones } from './v3/gemstones.ts'
import { registerHolds } from './v3/holds.ts'
import { registerInventory } from './v3/inventory.ts'
import { registerInventoryGems } from './v3/inventory-gems.ts'
import { registerMarginChanges } from './v3/margin-changes.ts'
import { registerMedia } from './v3/media.ts'
import { registerAccountV3 } from './v3/orders/account.ts'
import { registerMemos } from './v3/orders/memos.ts'
import { registerQuotes } from './v3/orders/quotes.ts'
import { registerReturns } from './v3/orders/returns.ts'
import { registerOrdersV3 } from './v3/orders.ts'
import { registerProductsV3 } from './v3/products.ts'
import { registerClock } from './v3/sandbox/clock.ts'
import { registerSandboxOrders } from './v3/sandbox/orders.ts'
import { registerScenarios } from './v3/sandbox/scenarios.ts'
import { registerSavedSearches } from './v3/saved-searches.ts'
import { findAwayPage } from './v3/selections/away-page.ts'
import { registerShares } from './v3/selections/shares.ts'
import { registerWatched } from './v3/selections/watched.ts'
import { registerSettingsV3 } from './v3/settings.ts'
import { registerSettingsChanges } from './v3/settings-changes.ts'
import { registerWebhooksV3 } from './v3/webhooks.ts'

export interface AppDeps extends ServiceOptions, BackgroundOptions {
  /** When calls are refused with 503 because there are too many; as measured unless set. */
  overload?: Partial<OverloadLimits>
  log: FastifyBaseLogger
  /** How long an order of TEST-SLOW waits in a sandbox; 5 s unless set. */
  slowOrderMs?: number
  /** Prints the metrics of all processes that serve this market; its own unless given. */
  collectMetrics?: () => Promise<string>
  /** The addresses of all markets that this program serves, for the documents. */
  markets?: Partial<Record<Realm, string>>
  /** Who sees metrics and the details of `/readyz`; local callers unless set. */
  detailsFor?: DetailsFor
}

/** Makes the whole service of one market. The server, the tests and the documents all use it. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const ids = createRequestIds()
  const app = createServer(deps.log, deps.trustedProxies, ids)
  const operations = listOperations(app)
  const services = startServices(app, deps, { metrics: createMetrics(app), operations })
  const callers = {
    tokens: createTokenCache(services.db, {
      isBusy: () => isBusy(deps.database.load()),
      clock: services.clock,
    }),
    limiter: createRateLimiter(
      { token: deps.rateLimitPerMinute, merchant: services.merchantRateLimitPerMinute },
      services.clock,
      services.pools.background.db,
    ),
    addresses: services.addresses,
  }
  app.decorate('services', services)
  app.decorate('countRefusal', services.metrics.countRefusal)
  registerStages(app, services, {
    ...callers,
    idOf: ids.of,
    limits: deps.overload,
    slowOrderMs: deps.slowOrderMs,
  })
  registerBackground(app, services, { ...callers, outgoing: deps.outgoing ?? true })
  measureEventLoop(app, services.metrics.registry)
  const { collectMetrics, detailsFor = 'local callers' } = deps
  registerHealth(app, services, { detailsFor })
  registerMetrics(app, services, { detailsFor, collectMetrics })
  registerPreflight(app)
  registerMerchantRoutes(app, services)
  registerOperatorRoutes(app, services)
  registerSupplierRoutes(app, services)
  if (services.realm === 'test') registerSandboxRoutes(app, services)
  registerNotices(app, services)
  registerMails(app, services)
  registerPages(app, services, deps.markets)
  return app
}

interface StageOptions {
  tokens: TokenCache
  limiter: RateLimiter
  addresses: AddressLimiter
  idOf: RequestIds['of']
  limits: Partial<OverloadLimits> | undefined
  slowOrderMs: number | undefined
}

/**
 * The stages of a request, in the order in which it passes them. A stage that depends on what a
 * route declares becomes a hook of that route, so that the other routes do not pay for it.
 */
function registerStages(
  app: App,
  services: Services,
  { tokens, limiter, addresses, idOf, limits, slowOrderMs }: StageOptions,
): void {
  const { realm, clock, metrics, searches, readiness } = services
  const { durationsOf } = metrics
  const recordUnknown = durationsOf('any', 'unknown')
  // Refuses what cannot be answered soon, before Fastify sees it.
  registerOverload(app, { limits, tokens, readiness, metrics, idOf, findPage: findAwayPage })
  // Headers of every response, unknown paths.
  registerOnRequest(app, { addresses, readiness, recordUnknown })
  registerDeprecation(app)
  // The token, then its rate limit, then its type and its scope; without one, the address.
  registerAccess(app, { realm, tokens, limiter, addresses, clock })
  registerBodyDeadline(app)
  registerJsonBody(app)
  registerValidation(app)
  registerSerialization(app)
  // Here the handler runs. One that writes honours the Idempotency-Key by `writeOnce` or `runOnce`.
  // Publishable keys: what their callers may not ask for, and do not see.
  registerHiddenFields(app)
  registerEtags(app)
  registerStale(app, services.diamonds.index)
  registerSearchCount(app, searches)
  // Only in a sandbox: slow answers, rising prices.
  if (realm === 'test') registerScenarios(app, services, slowOrderMs)
  // Compression, and the duration of the request.
  registerOnSend(app, durationsOf, readiness)
  // Any error of any stage becomes a problem document.
  registerProblems(app, () => readiness.noteStorageFull())
}

/** Both versions call the same functions. Dropping v2 means removing v2/ and its lines here. */
function registerMerchantRoutes(app: App, services: Services): void {
  registerDefaultsV2(app)
  registerDiamondsV2(app, services)
  registerSettingsV2(app, services)
  registerOrdersV2(app, services)
  registerProductsV2(app, services)

  registerDefaultsV3(app)
  registerDiamondsV3(app, services)
  registerGemstones(app, services)
  registerSavedSearches(app, services)
  registerShares(app, services)
  registerWatched(app, services)
  registerSettingsV3(app, services)
  registerSettingsChanges(app, services)
  registerMarginChanges(app, services)
  registerOrdersV3(app, services)
  registerQuotes(app, services)
  registerAccountV3(app, services)
  registerMemos(app, services)
  registerReturns(app, services)
  registerDocumentsV3(app, services)
  registerHolds(app, services)
  registerInventory(app, services)
  registerInventoryGems(app, services)
  registerProductsV3(app, services)
  registerEventsV3(app, services)
  registerEnquiries(app, services)
  registerWebhooksV3(app, services)
  registerKeys(app, services)
  registerSession(app, services)
  registerSessions(app, services)
  registerPasswords(app, services)
  registerUsers(app, services)
  registerMcp(app, services)
}

/** What a developer may do in a sandbox; in production these paths do not exist. */
function registerSandboxRoutes(app: App, services: Services): void {
  registerClock(app, services)
  registerSandboxOrders(app, services)
}

function registerOperatorRoutes(app: App, services: Services): void {
  registerOverview(app, services)
  registerFigures(app, services)
  registerAudit(app, services)
  registerMerchants(app, services)
  registerMerchantSettings(app, services)
  registerTokens(app, services)
  registerOperatorOrders(app, services)
  registerConfirmations(app, services)
  registerOperatorQuotes(app, services)
  registerOrderMoney(app, services)
  registerAccounts(app, services)
  registerChargeRules(app, services)
  registerOperatorMemos(app, services)
  registerOperatorReturns(app, services)
  registerOperatorDocuments(app, services)
  registerMarketSettings(app, services)
  registerExchangeRates(app, services)
  registerSuppliers(app, services)
  registerPriceGrids(app, services)
  registerImports(app, services)
  registerSources(app, services)
  registerMarketEvents(app, services)
  registerOperatorGems(app, services)
  registerConflicts(app, services)
  registerCatalogues(app, services)
  registerJewelryImports(app, services)
}

function registerSupplierRoutes(app: App, services: Services): void {
  registerSupplierInventory(app, services)
  registerSupplierImports(app, services)
  registerSupplierOrders(app, services)
  registerScoreCards(app, services)
}

/** What people open in a browser: documents, pictures and the console. */
function registerPages(app: App, services: Services, markets: AppDeps['markets']): void {
  registerDocs(app, services, markets)
  registerUnsubscribe(app, services)
  const drawings = createDrawings()
  app.addHook('onClose', () => drawings.close())
  registerShapes(app, drawings)
  registerDemoMedia(app, services, drawings)
  registerMedia(app, services, drawings)
  registerConsole(app)
}
