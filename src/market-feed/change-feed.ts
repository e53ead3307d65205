import type { Database } from '../database/open.ts'
import { expireHolds } from '../gems/holds/end-holds.ts'
import { Refusal } from '../lib/refusal.ts'
import { createWaitSlots } from '../lib/slots.ts'
import { type ChangePage, type PageRequest, readChangePages } from './change-pages.ts'
import { createChangeSignal } from './change-signal.ts'

/**
 * Pages are read over connections that orders and searches do not use. Two are enough, because
 * requests for the same number share a read; the indexes need the rest of the pool.
 */
const CONNECTIONS_MAX = 2

interface ChangesRequest extends PageRequest {
  after: number
}

interface ChangeFeed {
  /**
   * The changes after a number that concern the merchant, oldest first. If there are none, waits
   * for one, until `waitMs` have passed or the client has `disconnected`.
   */
  read(request: ChangesRequest, waitMs: number, disconnected: AbortSignal): Promise<ChangePage>
  /** Ends all waits with an empty page. */
  stop(): void
  close(): Promise<void>
}

interface ChangeFeedDeps {
  publicUrl: string
  /** What was committed before a request belongs to its page. */
  numberChanges: () => Promise<void>
}

export function createChangeFeed(database: Database, deps: ChangeFeedDeps): ChangeFeed {
  const signal = createChangeSignal(database)
  const readPage = createPageReader(database, deps)
  const waits = createWaitSlots('changes')
  let isStopped = false

  async function readOrWait(
    { after, ...request }: ChangesRequest,
    waitMs: number,
    disconnected: AbortSignal,
  ): Promise<ChangePage> {
    const deadlineMs = performance.now() + waitMs
    let cursor = after
    for (;;) {
      const count = signal.count()
      const page = await readPage(cursor, request)
      const leftMs = deadlineMs - performance.now()
      if (page.changes.length > 0 || page.more || leftMs <= 0) return page
      await signal.after(count, leftMs, disconnected)
      if (disconnected.aborted || isStopped) return page
      cursor = page.next
    }
  }

  return {
    async read(request, waitMs, disconnected) {
      const free = waitMs > 0 ? waits.take(request.merchantUuid) : () => {}
      // At once, and not only when a page that is being read is here.
      disconnected.addEventListener('abort', free, { once: true })
      try {
        return await readOrWait(request, waitMs, disconnected)
      } finally {
        free()
      }
    },
    stop() {
      isStopped = true
      signal.stop()
    },
    close: () => signal.close(),
  }
}

interface PendingPage {
  request: PageRequest
  promise: Promise<ChangePage>
  resolve: (page: ChangePage) => void
  reject: (error: unknown) => void
}

/**
 * Reads pages so that requests for the same number share one transaction, and requests of the same
 * merchant share the page. A request only joins a transaction that has not begun yet, so it sees
 * everything that was committed before it. All requests that a notification wakes are in one.
 */
function createPageReader({ db }: Database, deps: ChangeFeedDeps) {
  const pending = new Map<number, Map<string, PendingPage>>()
  let running = 0

  function startReads(): void {
    for (const [after, pages] of pending) {
      if (running === CONNECTIONS_MAX) return
      pending.delete(after)
      running++
      void readAll(after, [...pages.values()]).finally(() => {
        running--
        startReads()
      })
    }
  }

  async function readAll(after: number, pages: readonly PendingPage[]): Promise<void> {
    try {
      await expireHolds(db)
      const requests = pages.map(({ request }) => request)
      const results = await readChangePages(db, after, requests, deps)
      for (const [position, result] of results.entries()) {
        if (result instanceof Refusal) pages[position].reject(result)
        else pages[position].resolve(result)
      }
    } catch (error) {
      for (const { reject } of pages) reject(error)
    }
  }

  return (after: number, request: PageRequest): Promise<ChangePage> => {
    let pages = pending.get(after)
    if (!pages) {
      pages = new Map()
      pending.set(after, pages)
      // Not at once: the other requests that were woken together ask in the same turn.
      setImmediate(startReads)
    }
    const { merchantUuid, limit, kinds, includeTreated } = request
    const key = `${merchantUuid} ${limit} ${kinds.join()} ${includeTreated}`
    const page = pages.get(key) ?? pendingPage(request)
    pages.set(key, page)
    return page.promise
  }
}

function pendingPage(request: PageRequest): PendingPage {
  let resolve: PendingPage['resolve'] = () => {}
  let reject: PendingPage['reject'] = () => {}
  const promise = new Promise<ChangePage>((onPage, onError) => {
    resolve = onPage
    reject = onError
  })
  return { request, promise, resolve, reject }
}
