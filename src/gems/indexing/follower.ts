import { rm } from 'node:fs/promises'
import { KNOWN_MS } from '../../database/known-reads.ts'
import { listen } from '../../database/listen.ts'
import type { Database } from '../../database/open.ts'
import type { BulkReads } from '../../events/bulk-reads.ts'
import { CHANGE_CHANNEL, readChanges } from '../../events/change-log.ts'
import type { MarketLog } from '../../events/market-log.ts'
import { numberBoth } from '../../events/number-changes.ts'
import { type Store, sizeOf } from '../../index/index.ts'
import { atMost, oneAtATime } from '../../lib/one-at-a-time.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type Advancing, advance, mergeAtStop } from './advance.ts'
import { INDEX_TABLES, type IndexName } from './columns.ts'
import type { FileMessage, IndexFile } from './index-file.ts'
import { type LoadedIndex, loadIndex } from './load.ts'
import { expireHolds, type IndexState, stateFrom } from './state.ts'

/**
 * Keeps an index up to date with the gem table. It reads the change log after its last number, when
 * a notification arrives and once a second without one, so a missed notification, a lost
 * connection or a restarted database needs no other treatment. When much has changed since the
 * base was built, base and changes are merged into a new base in the background, from memory
 * (advance.ts). Only when it is far behind is the table loaded again.
 */
export interface GemIndex {
  readonly name: IndexName
  /** The index as of now; refuses while it is loading. */
  store(): Store
  /**
   * Resolves when every change that was committed before the call can be found, or when that takes
   * too long: what was committed must be answered, even if a search finds it a moment later. Never
   * rejects.
   */
  catchUp(): Promise<void>
  /** Undefined while the index can answer, otherwise what is wrong. */
  problem(): string | undefined
  /** For how many seconds the index has not seen the change log; 0 while it is up to date. */
  staleSeconds(): number
  /** How many stones the first load has read so far. */
  stonesRead(): number
  /** The number of the change log up to which changes can be found; undefined while loading. */
  sequence(): number | undefined
  /** How the index was loaded last; undefined while loading. */
  loaded(): IndexLoad | undefined
  /** Loads the table again, for an index that differs from it: merges would keep the difference. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** From where an index was loaded, and how long that took until it was up to date. */
export interface IndexLoad {
  from: LoadedIndex['from']
  stones: number
  /** Changes of the log that were read after it. */
  changes: number
  seconds: number
}

/** Where an index is kept between two starts of the process, and who is told of it. */
export interface IndexFileOptions {
  file?: IndexFile | undefined
  onFile?: ((message: FileMessage) => void) | undefined
  onLoaded?: ((load: IndexLoad) => void) | undefined
}

export interface GemIndexOptions extends Omit<Advancing, 'log'>, IndexFileOptions {
  /** Awaited before a loaded base replaces the old one, with which any stone may have changed. */
  onReplaced?: () => Promise<void>
  /** Awaited with each state that was loaded, before it is used. */
  onLoad?: (state: IndexState, wasFileRefused: boolean) => Promise<void>
  /** Called when changes of prices may have been missed. */
  onReconnected?: () => void
  /** The market's time in milliseconds since 1970, by which holds end. */
  now: () => number
  /** The log that the indexes of this process share. */
  log?: MarketLog
  /** From where the whole table is read; from `database` unless given. */
  bulk?: BulkReads | undefined
}

const POLL_MS = 1_000
/** The log is read in milliseconds, unless the database has gone since the commit. */
const CATCH_UP_MS = 4_000
/** When the log could not be read for this long, the index counts as stale. */
const STALE_MS = 3_000
/** Without the log for longer, what a search finds has little to do with the market. */
const STALE_MS_MAX = KNOWN_MS
/** So many changes are read in a part of a second. */
const CHANGES_AT_STOP_MAX = 5_000
/** A stop waits this long for the file; the next start then reads more from the log. */
const WRITE_MS = 10_000
/** Merchants' settings and exchange rates are announced here; see the first migration. */
const ACCESS_CHANNEL = 'pavilion_access'

export function startGemIndex(options: GemIndexOptions): GemIndex {
  const { database, name } = options
  const log = options.log ?? unshared(database)
  const follower = newFollower({ ...options, log })
  let stopped = false
  const onError = (error: unknown) => {
    if (!stopped) options.onError?.(error)
  }
  /** The number that the log is known to have reached; Infinity when it may have reached any. */
  let announced = Number.POSITIVE_INFINITY
  const readNews = oneAtATime(async () => {
    const isRead = announced <= (follower.state()?.sequence ?? -1)
    announced = 0
    if (!isRead) await follower.step().catch(onError)
  })
  const readLog = (upTo = Number.POSITIVE_INFINITY) => {
    announced = Math.max(announced, upTo)
    return readNews()
  }
  const catchUp = async () => {
    await readLog((await log.number().catch(onError)) ?? undefined)
  }
  const wake = () => {
    if (!stopped) void readLog()
  }
  // Nothing else may be numbering.
  const timer = setInterval(() => void log.number().catch(onError).then(wake), POLL_MS)
  timer.unref()
  const listener = listen(database.directUrl, [CHANGE_CHANNEL, ACCESS_CHANNEL], {
    onConnected() {
      options.onReconnected?.()
      wake()
    },
    onLost: () => {},
    onNotification(channel, payload) {
      if (channel === CHANGE_CHANNEL) {
        // A process that numbers changes also reads them, and may have done so when this runs.
        if (!stopped) void readLog(Number(payload))
        return
      }
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
      expireHolds(state, options.now())
      return state.store
    },
    catchUp: () => (follower.state() ? atMost(CATCH_UP_MS, catchUp()) : Promise.resolve()),
    problem: () => follower.problem(),
    staleSeconds: () => follower.staleSeconds(),
    stonesRead: () => follower.stonesRead(),
    sequence: () => follower.state()?.sequence,
    loaded: () => follower.loaded(),
    reload: () => follower.distrust().then(() => readLog()),
    async stop() {
      stopped = true
      clearInterval(timer)
      await listener.close()
      await atMost(WRITE_MS, follower.writeFile())
    },
  }
}

/** For an index that follows alone. */
function unshared({ db }: Database): MarketLog {
  return {
    number: () => numberBoth(db),
    read: (after, limit) => readChanges(db, after, limit),
  }
}

interface Follower {
  state(): IndexState | undefined
  /** Reads the change log once. */
  step(): Promise<void>
  /** Makes the next step load the table. */
  distrust(): Promise<void>
  /** Writes the file, if the next start would have much to read after it. */
  writeFile(): Promise<void>
  loaded(): IndexLoad | undefined
  problem(): string | undefined
  staleSeconds(): number
  stonesRead(): number
}

function newFollower(given: FollowerOptions): Follower {
  const { options, ...written } = followFile(given)
  let state: IndexState | undefined
  /** When the log was last read to its end, by `performance.now()`. */
  let seenAtMs = performance.now()
  /** It was found to differ from the table. */
  let isWrong = false
  let stonesRead = 0
  let loaded: IndexLoad | undefined
  const onRead = (stones: number) => {
    stonesRead = stones
  }

  async function step(): Promise<void> {
    if (!state || isWrong || (await advance(state, options)) === 'cut off') await load()
    seenAtMs = performance.now()
  }

  /** 0 while the log is read as often as it should be. */
  function lateMs(): number {
    const ms = performance.now() - seenAtMs
    return !state || ms < STALE_MS ? 0 : ms
  }

  async function load(): Promise<void> {
    // Three bases at once would take more memory than two.
    await state?.merging
    const next = await loadState(options, { inBackground: state !== undefined, onRead })
    await options.onLoad?.(next.state, written.wasRefused())
    // Whatever its number: a server that leads again may have lower ones than its successor had.
    state = next.state
    loaded = next.load
    isWrong = false
    options.onLoaded?.(loaded)
  }

  return {
    state: () => state,
    step,
    async distrust() {
      isWrong = true
      await written.remove()
    },
    async writeFile() {
      if (state && written.isBehind(state)) await mergeAtStop(state, options)
      // What is being written is not cut off: the next writer would take it for that of another.
      await state?.merging
      await state?.writing
    },
    loaded: () => loaded,
    stonesRead: () => stonesRead,
    staleSeconds: () => Math.round(lateMs() / 1000),
    problem() {
      if (!state) return 'loading'
      if (lateMs() < STALE_MS_MAX) return undefined
      return `has not seen the change log for ${Math.round(lateMs() / 1000)} s`
    },
  }
}

type FollowerOptions = GemIndexOptions & { log: MarketLog }

/** Loads an index and reads what changed since from the log. */
async function loadState(
  options: FollowerOptions,
  how: { inBackground: boolean; onRead: (stones: number) => void },
): Promise<{ state: IndexState; load: IndexLoad }> {
  const { database, name, inlineMax, bulk, file, onFile } = options
  const beganAtMs = performance.now()
  // A node that serves has something newer in memory.
  let mayReadFile = !how.inBackground
  for (;;) {
    // A log that has gone back with a failover goes on above the numbers of the old state.
    await options.log.number()
    const from = { inlineMax, bulk, file, mayReadFile, onFile }
    const loaded = await loadIndex(database, name, { ...how, ...from })
    mayReadFile = false
    if (loaded.from === 'file') onFile?.({ read: loaded.sequence })
    const state = stateFrom(INDEX_TABLES[name], loaded)
    // What changed between the old state and the new base is not announced stone by stone.
    await options.onReplaced?.()
    if ((await advance(state, options)) === 'cut off') continue
    const seconds = (performance.now() - beganAtMs) / 1000
    const changes = state.sequence - loaded.sequence
    return { state, load: { from: loaded.from, stones: sizeOf(state.store), changes, seconds } }
  }
}

/** Knows up to which number the file of the index has the changes. */
function followFile(given: FollowerOptions) {
  let upTo = Number.POSITIVE_INFINITY
  let wasRefused = false
  const onFile = (message: FileMessage) => {
    wasRefused ||= 'refused' in message
    if ('written' in message) upTo = message.written
    if ('read' in message) upTo = message.read
    given.onFile?.(message)
  }
  return {
    options: { ...given, onFile },
    wasRefused: () => wasRefused,
    isBehind: ({ sequence }: IndexState) => sequence - upTo > CHANGES_AT_STOP_MAX,
    async remove() {
      if (given.file) await rm(given.file.path, { force: true }).catch(() => {})
    },
  }
}
