import { listen } from '../../database/listen.ts'
import type { Database } from '../../database/open.ts'
import { CHANGE_CHANNEL } from '../../events/change-log.ts'
import { driftFromBase, type Store } from '../../index/index.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { Refusal } from '../../lib/refusal.ts'
import { advance, type ChangeHooks } from './advance.ts'
import { loadAside } from './load-in-thread.ts'
import { expireHolds, type IndexState, stateFrom } from './state.ts'
import { INDEX_TABLES, type IndexName } from './tables.ts'

/**
 * Keeps an index in step with the gem table. It reads the change log after its last number, woken
 * by a notification and once a second without one: a missed notification, a lost connection or a
 * restarted database needs no other cure. When it is far behind, or much has changed since the
 * base was built, a new base is built aside and swapped in.
 */
export interface GemIndex {
  readonly name: IndexName
  /** The index as of now; refuses while it is loading. */
  store(): Store
  /** Resolves when every change that was committed before the call can be found. Never rejects. */
  catchUp(): Promise<void>
  /** Undefined when well, otherwise what a person should know. */
  problem(): string | undefined
  /** The number of the change log up to which changes can be found; undefined while loading. */
  sequence(): number | undefined
  stop(): Promise<void>
}

export interface GemIndexOptions extends ChangeHooks {
  database: Database
  name: IndexName
  now?: () => number
  onError?: (error: unknown) => void
  /** Stones up to which a load runs in this thread. */
  inlineMax?: number
}

const POLL_MS = 1_000
/** When looks at the log have failed for this long, the index is called stale. */
const STALE_MS = 3_000
/** Merchants' settings and exchange rates are announced here; see the first migration. */
const ACCESS_CHANNEL = 'pavilion_access'

export function startGemIndex(options: GemIndexOptions): GemIndex {
  const { database, name, now = Date.now } = options
  const follower = newFollower(options)
  let stopped = false
  const catchUp = oneAtATime(async () => {
    await follower.step().catch((error: unknown) => {
      if (!stopped) options.onError?.(error)
    })
  })
  const wake = () => {
    if (!stopped) void catchUp()
  }
  const timer = setInterval(wake, POLL_MS)
  timer.unref()
  const listener = listen(database.url, [CHANGE_CHANNEL, ACCESS_CHANNEL], {
    onConnected() {
      options.onPrices?.(null)
      wake()
    },
    onLost: () => {},
    onNotification(channel, payload) {
      if (channel === CHANGE_CHANNEL) return wake()
      const [kind, uuid] = payload.split(' ')
      if (kind === 'rates') options.onPrices?.(null)
      if (kind === 'merchant') options.onPrices?.(uuid)
    },
  })
  wake()
  return {
    name,
    store() {
      const state = follower.state()
      if (!state) throw new Refusal('not_ready', 'The index is still loading; try again shortly.')
      expireHolds(state, now())
      return state.store
    },
    catchUp: () => (follower.state() ? catchUp() : Promise.resolve()),
    problem: () => follower.problem(),
    sequence: () => follower.state()?.sequence,
    async stop() {
      stopped = true
      clearInterval(timer)
      await listener.close()
    },
  }
}

interface Follower {
  state(): IndexState | undefined
  /** One look at the change log. */
  step(): Promise<void>
  problem(): string | undefined
}

function newFollower(options: GemIndexOptions): Follower {
  const { database, name, now = Date.now } = options
  let state: IndexState | undefined
  let rebuilding: Promise<void> | undefined
  let failingSinceMs: number | undefined

  async function step(): Promise<void> {
    try {
      if (!state || (await advance(database, name, state, options)) === 'far behind') {
        await rebuild()
      } else if (isWorn(state)) {
        rebuild().catch((error: unknown) => options.onError?.(error))
      }
      failingSinceMs = undefined
    } catch (error) {
      failingSinceMs ??= now()
      throw error
    }
  }

  function rebuild(): Promise<void> {
    rebuilding ??= buildNext().finally(() => {
      rebuilding = undefined
    })
    return rebuilding
  }

  async function buildNext(): Promise<void> {
    let next: IndexState
    do {
      next = stateFrom(INDEX_TABLES[name], await loadAside(database, name, options.inlineMax))
      // What changed between the old state and the new base is not told one by one.
      if (!state || next.sequence > state.sequence) await options.onReplaced?.()
    } while ((await advance(database, name, next, options)) === 'far behind')
    if (!state || next.sequence >= state.sequence) state = next
  }

  return {
    state: () => state,
    step,
    problem() {
      if (!state) return 'loading'
      const lateMs = failingSinceMs === undefined ? 0 : now() - failingSinceMs
      if (lateMs < STALE_MS) return undefined
      return `stale: has not seen the change log for ${Math.round(lateMs / 1000)} s`
    },
  }
}

/** The delta may hold this much, or this share of the base, before a new base is built. */
const DELTA_MIN = 5_000
const DELTA_SHARE = 0.02

function isWorn({ store }: IndexState): boolean {
  return driftFromBase(store) > Math.max(DELTA_MIN, DELTA_SHARE * store.base.size)
}
