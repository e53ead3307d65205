import { listen } from '../../database/listen.ts'
import type { Database, Db, Tx } from '../../database/open.ts'
import { CHANGE_CHANNEL, type Change, lastSequence, readChanges } from '../../events/change-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { readPriceRules } from '../../pricing/price-rules-cache.ts'
import type { Gem } from '../gem.ts'
import { isOnSale } from '../gem-life.ts'
import { NO_TEMPLATE, pricedFrom, renderTerms, stoneJson } from '../gem-rendering.ts'
import { readGems } from '../gem-store.ts'

/**
 * A change for a merchant's own copy of the market. A snapshot at number N, with the changes after
 * N applied, equals a later snapshot: both read the log and the stones in one moment, and both
 * take a hold as it is stored. A lease that has ended still counts as held in both, until it is
 * cleared and its release is in the log.
 */
interface FollowedChange {
  sequence: number
  kind: Change['kind']
  sku: string | null
  /** The stone as it is now, as JSON; null when it is no longer visible. */
  gem: string | null
  changed_on: string
}

export interface ChangePage {
  changes: FollowedChange[]
  /** The `after` of the next request. */
  next: number
  more: boolean
}

/** How many pages of the log without a change for the merchant are skipped in one request. */
const PAGES_MAX = 20

/** The changes after a number that concern the merchant, oldest first. */
export async function readChangeFeed(
  db: Db,
  merchantUuid: string,
  after: number,
  limit: number,
  publicUrl: string,
): Promise<ChangePage> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await refuseFutureNumber(tx, after)
      let next = after
      for (let page = 1; ; page++) {
        const logged = await readChanges(tx, next, limit)
        next = logged.at(-1)?.sequence ?? next
        const changes = await followChanges(tx, merchantUuid, logged, publicUrl)
        const isLast = changes.length > 0 || logged.length < limit || page === PAGES_MAX
        if (isLast) return { changes, next, more: next < (await lastSequence(tx)) }
      }
    })
}

async function refuseFutureNumber(tx: Tx, after: number): Promise<void> {
  const last = await lastSequence(tx)
  if (after <= last) return
  const message = `must be at most ${last}, the last number; take a new snapshot if it was more`
  throw new Refusal('invalid_request', `after ${message}.`, {
    errors: [{ field: 'after', message }],
  })
}

async function followChanges(
  tx: Tx,
  merchantUuid: string,
  logged: readonly Change[],
  publicUrl: string,
): Promise<FollowedChange[]> {
  const concerning = logged.filter(
    ({ kind, merchant_uuid }) =>
      kind !== 'prices' || merchant_uuid === null || merchant_uuid === merchantUuid,
  )
  if (concerning.length === 0) return []
  const ids = concerning.flatMap(({ gem_id }) => (gem_id === null ? [] : [gem_id]))
  const gems = new Map((await readGems(tx, [...new Set(ids)])).map((gem) => [gem.id, gem]))
  const rules = await readPriceRules(tx, await getMerchant(tx, merchantUuid))
  const followed: FollowedChange[] = []
  for (const { sequence, kind, sku, gem_id, changed_on } of concerning) {
    const gem = gem_id === null ? undefined : gems.get(gem_id)
    // A snapshot has diamonds only, so parcels and gemstones have no changes here either.
    if (gem && gem.product_type !== 'diamond') continue
    const rendered = gem && isOnSale(gem) ? renderFollowed(gem, rules, publicUrl) : null
    followed.push({ sequence, kind, sku, gem: rendered, changed_on })
  }
  return followed
}

/** A stone of a merchant's copy, as JSON with the fields of a search result. */
function renderFollowed(gem: Gem, rules: PriceRules, publicUrl: string): string {
  const terms = { ...pricedFrom(gem, rules), on_hold: gem.hold_uuid !== null }
  const rest = JSON.stringify({ ...renderTerms(terms, rules), ...NO_TEMPLATE })
  return `${stoneJson(gem, publicUrl)},${rest.slice(1)}`
}

/** Lets requests wait for the next change without a connection or a polling query for each. */
interface ChangeSignal {
  /** Resolves with the next change, with `signal`, or after `timeoutMs`. */
  next(timeoutMs: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export function createChangeSignal({ url }: Pick<Database, 'url'>): ChangeSignal {
  const waiting = new Set<() => void>()
  const wakeAll = () => {
    for (const wake of waiting) wake()
  }
  const listener = listen(url, [CHANGE_CHANNEL], {
    // A change may have been missed while the connection was lost.
    onConnected: wakeAll,
    onLost: () => {},
    onNotification: wakeAll,
  })
  let closed = false
  return {
    next(timeoutMs, signal) {
      if (closed || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, timeoutMs)
        waiting.add(wake)
        signal.addEventListener('abort', wake)
      })
    },
    async close() {
      closed = true
      wakeAll()
      await listener.close()
    },
  }
}
