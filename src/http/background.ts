import { deleteOldEntries } from '../audit/delete-old-entries.ts'
import { CLOCK_CHANNEL } from '../database/clock.ts'
import { listen } from '../database/listen.ts'
import { SecretKeyError } from '../database/secrets/secrets.ts'
import { compactChangeLog } from '../events/change-log.ts'
import { startWebhookDelivery } from '../events/deliver-webhooks.ts'
import { removeOldDeliveries } from '../events/webhook-delivery-store.ts'
import { recoverGrids } from '../feeds/grids/load-grid.ts'
import { recoverImports } from '../feeds/importing/applying/recover-imports.ts'
import { retireStaleStock } from '../feeds/importing/applying/retire-stale-stock.ts'
import { startMediaChecks } from '../feeds/media/check-media.ts'
import { removeOldRuns } from '../feeds/sources/run-history.ts'
import { startSourceSchedule } from '../feeds/sources/source-schedule.ts'
import { SOURCE_CHANNEL } from '../feeds/sources/source-store.ts'
import { expireHolds } from '../gems/holds/end-holds.ts'
import { deleteOldHoldTimes } from '../gems/holds/hold-time-store.ts'
import { deleteOldOwnHolds } from '../gems/holds/own-hold-store.ts'
import { removeStaleFiles } from '../lib/temporary-file.ts'
import type { TokenCache } from '../merchants/token-cache.ts'
import { deleteEndedTokens, deleteOldBudgetUse } from '../merchants/token-cleanup.ts'
import { hasWaiting, mailNotices } from '../notices/mailing/mail-notices.ts'
import { makeNotices } from '../notices/make-notices.ts'
import { removeOldNotices } from '../notices/notice-store.ts'
import { MAIL_CHANNEL, removeOldMails } from '../notices/outbox/mail-store.ts'
import { startMailSender } from '../notices/outbox/send-mails.ts'
import { forgetReminders, remindHolds } from '../notices/remind-holds.ts'
import { deleteEnquiryCounts } from '../orders/enquiries.ts'
import { remindMemos } from '../orders/memos/remind-memos.ts'
import { addUpOrderCounts } from '../orders/order-counts.ts'
import { substitutesFrom } from '../orders/placing/nearest-stones.ts'
import { runScenarios } from '../orders/sandbox/run-scenarios.ts'
import { deleteOldAttempts } from '../people/sign-in-attempts.ts'
import { deleteEndedShares } from '../saved-searches/selections/shares.ts'
import { tellOfWatched } from '../saved-searches/selections/watch-changes.ts'
import { deleteOldSearchCounts } from './console/search-rate.ts'
import { deleteOldResponses } from './request/idempotency.ts'
import { deleteOldRateCounts } from './request/rate-count-store.ts'
import type { RateLimiter } from './request/rate-limit.ts'
import { createOutageLog } from './response/request-log.ts'
import type { App } from './route.ts'
import type { Services } from './services.ts'

/** A client that follows the changes and was away for longer must take a new snapshot. */
const CHANGE_LOG_DAYS = 7

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

export interface BackgroundOptions {
  /**
   * Whether the market sends e-mails and webhooks and fetches suppliers' files; yes unless set. One
   * that was restored to try it must leave others alone.
   */
  outgoing?: boolean
}

interface BackgroundDeps extends Required<BackgroundOptions> {
  tokens: TokenCache
  limiter: RateLimiter
}

/**
 * What runs beside the requests while the app is open. Any node may run any of it at any time, and
 * no request depends on it to be correct: it delivers webhooks, fetches suppliers' files, cleans up
 * what has expired, reverts imports that were interrupted and shares counts between nodes.
 */
export function registerBackground(
  app: App,
  services: Services,
  { tokens, limiter, outgoing }: BackgroundDeps,
): void {
  const { pools, clock, searches } = services
  const { background, imports } = pools
  const onError = (error: unknown) => app.log.debug({ err: error }, 'background task')
  const { db } = background
  const { sources, mails, others } = outgoing ? startCalls(app, services, onError) : SILENT
  const listener = followNotifications(background.directUrl, tokens, {
    wakeSources: sources.wake,
    wakeMails: mails.wake,
    readClock: () => void clock.measure().catch(onError),
  })
  const readAhead = readAheadTasks(services, tokens)
  const tasks = [
    ...readAhead,
    ...frequentTasks(services, tokens, limiter),
    ...cleaningTasks(services),
  ]
  const timers = tasks.map((task) => startTimer(task, onError))

  // An import whose process died is undone as soon as another process starts.
  app.addHook('onReady', async () => {
    void recoverImports(imports).catch(onError)
    void removeStaleFiles().catch(onError)
    for (const [, run] of readAhead) void run().catch(onError)
  })
  app.addHook('onClose', async () => {
    for (const timer of timers) clearInterval(timer)
    await tokens.flushUse(db).catch(() => {})
    await searches.days.save(db).catch(() => {})
    const running = [sources, mails, ...others]
    await Promise.all([listener.close(), ...running.map((task) => task.stop())])
  })
}

type Task = readonly [periodMs: number, run: () => Promise<unknown>]

function startTimer([periodMs, task]: Task, onError: (error: unknown) => void): NodeJS.Timeout {
  let isRunning = false
  const run = async () => {
    // While the database is slow, a task does not start again before it has ended.
    if (isRunning) return
    isRunning = true
    await task().catch(onError)
    isRunning = false
  }
  return setInterval(() => void run(), periodMs).unref()
}

/** What callers need who come to this node for the first time while the database is away. */
function readAheadTasks({ pools, diamonds }: Services, tokens: TokenCache): Task[] {
  const { db } = pools.background
  return [
    [MINUTE_MS, () => tokens.readAhead(db)],
    [10 * MINUTE_MS, () => diamonds.rules.readAhead(db)],
    [10 * MINUTE_MS, () => diamonds.ownChoices.readAhead(db)],
  ]
}

/** What merchants, suppliers and other nodes wait for. */
function frequentTasks(services: Services, tokens: TokenCache, limiter: RateLimiter): Task[] {
  const { pools, clock, searches, realm } = services
  const { db } = pools.background
  return [
    [10 * SECOND_MS, () => clock.measure()],
    [30 * SECOND_MS, () => tokens.flushUse(db)],
    [SECOND_MS, () => limiter.exchange()],
    [5 * SECOND_MS, () => searches.save(db)],
    [MINUTE_MS, () => searches.days.save(db)],
    [10 * SECOND_MS, () => addUpOrderCounts(db)],
    [SECOND_MS, () => expireHolds(db)],
    [5 * SECOND_MS, () => recoverImports(pools.imports)],
    [MINUTE_MS, () => recoverGrids(pools.imports)],
    [10 * MINUTE_MS, () => retireStaleStock(db)],
    [5 * SECOND_MS, () => remindMemos(db)],
    [5 * SECOND_MS, () => remindHolds(db)],
    [2 * SECOND_MS, () => tellOfWatched(db)],
    [SECOND_MS, () => makeAndMailNotices(services)],
    ...(realm === 'test' ? [[SECOND_MS, () => playScenarios(services)] as const] : []),
  ]
}

/** Deletes what has expired or has been kept long enough. */
function cleaningTasks({ pools, clock, auditKeepDays }: Services): Task[] {
  const { db } = pools.background
  return [
    [MINUTE_MS, () => deleteOldRateCounts(db, clock.now())],
    [MINUTE_MS, () => deleteOldSearchCounts(db, clock.now())],
    [10 * MINUTE_MS, () => deleteOldHoldTimes(db)],
    [10 * MINUTE_MS, () => deleteOldOwnHolds(db)],
    [10 * MINUTE_MS, () => deleteOldResponses(db)],
    [10 * MINUTE_MS, () => deleteEndedTokens(db)],
    [10 * MINUTE_MS, () => deleteEndedShares(db)],
    [10 * MINUTE_MS, () => deleteOldAttempts(db)],
    [10 * MINUTE_MS, () => deleteEnquiryCounts(db)],
    [HOUR_MS, () => deleteOldBudgetUse(db)],
    [HOUR_MS, () => compactChangeLog(db, CHANGE_LOG_DAYS)],
    [HOUR_MS, () => removeOldDeliveries(db)],
    [HOUR_MS, () => removeOldRuns(db)],
    [HOUR_MS, () => removeOldMails(db)],
    [HOUR_MS, () => deleteOldEntries(db, auditKeepDays)],
    [HOUR_MS, () => removeOldNotices(db)],
    [HOUR_MS, () => forgetReminders(db)],
  ]
}

const IDLE = { wake: () => {}, stop: async () => {} }
const SILENT = { sources: IDLE, mails: IDLE, others: [] }

/** What calls other machines: suppliers', merchants' and the mail server. */
function startCalls(app: App, services: Services, onError: (error: unknown) => void) {
  const { pools, clock, secrets, webhooks, metrics } = services
  const onMissingKey = createOutageLog(app.log, 'a webhook cannot be signed')
  const delivery = startWebhookDelivery(pools.background, secrets, {
    onError: (error) => (error instanceof SecretKeyError ? onMissingKey : onError)(error),
    ...webhooks,
    now: clock.databaseNow,
    onAttempt: metrics.countWebhookAttempt,
  })
  const { allowedHosts } = services.sources
  const mediaChecks = startMediaChecks(pools.background.db, { allowedHosts }, onError)
  return {
    sources: startSourceSchedule(services.sourceRunner, onError),
    mails: startMails(app, services, onError),
    others: [delivery, mediaChecks],
  }
}

/** What suppliers and the operator do in a sandbox when somebody orders a scenario. */
async function playScenarios({ pools, publicUrl, diamonds }: Services): Promise<void> {
  const findSubstitutes = substitutesFrom(diamonds.index)
  await runScenarios(pools.background.db, { publicUrl, findSubstitutes })
}

/** Makes the notices of new events and, where there is a mail server, their e-mails. */
async function makeAndMailNotices({ pools, mail, publicUrl, realm }: Services): Promise<void> {
  const { db } = pools.background
  await makeNotices(db)
  if (!mail || !(await hasWaiting(db))) return
  await mailNotices(db, { publicUrl, isSandbox: realm === 'test', pauseMs: mail.pauseMs })
}

/** Without a mail server nothing is sent. */
function startMails(
  app: App,
  { pools, secrets, mail, metrics }: Services,
  onError: (error: unknown) => void,
) {
  if (!mail) return IDLE
  const onMissingKey = createOutageLog(app.log, 'an e-mail cannot be decrypted')
  const onAway = createOutageLog(app.log, 'the mail server accepts no e-mail')
  return startMailSender(pools.background.db, secrets, mail, {
    onError: (error) => (error instanceof SecretKeyError ? onMissingKey : onError)(error),
    onAttempt: metrics.countMailAttempt,
    onAway: (error) => onAway(new Error(error)),
  })
}

interface Wakers {
  wakeSources: () => void
  wakeMails: () => void
  /** The clock of a sandbox was moved. */
  readClock: () => void
}

/**
 * Forgets a cached token when any node revokes or changes it, and hears of new sources and mails.
 */
function followNotifications(
  databaseUrl: string,
  tokens: TokenCache,
  { wakeSources, wakeMails, readClock }: Wakers,
) {
  return listen(databaseUrl, ['pavilion_access', SOURCE_CHANNEL, MAIL_CHANNEL, CLOCK_CHANNEL], {
    onConnected() {
      // A token may have been revoked, or a source added, while the connection was lost.
      tokens.doubtAll()
      tokens.setListening(true)
      wakeSources()
      wakeMails()
      readClock()
    },
    onLost: () => tokens.setListening(false),
    onNotification(channel, payload) {
      if (channel === SOURCE_CHANNEL) wakeSources()
      else if (channel === MAIL_CHANNEL) wakeMails()
      else if (channel === CLOCK_CHANNEL) {
        readClock()
        tokens.doubtAll()
      } else tokens.forget(payload)
    },
  })
}
