import { listen } from '../database/listen.ts'
import type { Database } from '../database/open.ts'
import { compactChangeLog } from '../events/change-log.ts'
import { recoverImports } from '../feeds/importing/recover-imports.ts'
import { retireStaleStock } from '../feeds/importing/retire-stale-stock.ts'
import { expireHolds, type RecordHoldEvent } from '../gems/holds.ts'
import type { TokenCache } from '../merchants/token-cache.ts'
import { forgetSearchCounts, type SearchRate } from './console/search-rate.ts'
import { forgetOldAnswers } from './request/idempotency.ts'
import { forgetRateCounts, type RateLimiter } from './request/rate-limit.ts'
import type { App } from './route.ts'

/** Whoever follows the changes and was away for longer takes a new snapshot. */
const CHANGE_LOG_DAYS = 7

export interface BackgroundDeps {
  database: Database
  tokens: TokenCache
  limiter: RateLimiter
  searches: SearchRate
  recordHoldEvent: RecordHoldEvent
}

/** What happens beside the requests, while the app lives. None of it is needed to be right. */
export function registerBackground(
  app: App,
  { database, tokens, limiter, searches, recordHoldEvent }: BackgroundDeps,
): void {
  const listener = listen(database.url, ['pavilion_access'], {
    onConnected() {
      // Whatever was revoked while nobody listened must not be trusted.
      tokens.forgetAll()
      tokens.setListening(true)
    },
    onLost: () => tokens.setListening(false),
    onNotification: (_channel, payload) => tokens.forget(payload),
  })
  const tasks = [
    every(30_000, () => tokens.flushUse()),
    every(1_000, () => limiter.exchange(database.db)),
    every(60_000, () => forgetRateCounts(database.db)),
    every(5_000, () => searches.tell(database.db)),
    every(60_000, () => forgetSearchCounts(database.db)),
    every(1_000, () => expireHolds(database.db, recordHoldEvent)),
    every(10 * 60_000, () => forgetOldAnswers(database.db)),
    every(5_000, () => recoverImports(database)),
    every(10 * 60_000, () => retireStaleStock(database.db)),
    every(60 * 60_000, () => compactChangeLog(database.db, CHANGE_LOG_DAYS)),
  ]

  function every(periodMs: number, task: () => Promise<unknown>): NodeJS.Timeout {
    let isRunning = false
    const run = async () => {
      // A slow database must not be asked the same again before it has answered.
      if (isRunning) return
      isRunning = true
      try {
        await task()
      } catch (error) {
        app.log.debug({ err: error }, 'background task')
      } finally {
        isRunning = false
      }
    }
    return setInterval(() => void run(), periodMs).unref()
  }

  // An import that died with its process is taken back as soon as somebody is here to do it.
  app.addHook('onReady', async () => {
    void recoverImports(database).catch(() => {})
  })
  app.addHook('onClose', async () => {
    for (const task of tasks) clearInterval(task)
    await tokens.flushUse().catch(() => {})
    await listener.close()
  })
}
