import type { MarketTime } from '../database/clock.ts'
import { createKnownReads, KNOWN_MS } from '../database/known-reads.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { findRecentTokens, type KnownToken } from './known-tokens.ts'
import { hashToken } from './token.ts'
import { createTokenLookup } from './token-lookup.ts'
import { hasEnded, recordTokenUse, type TokenSummary } from './token-store.ts'

/** A verified token is trusted this long while the database sends notifications. */
const FRESH_MS = 60_000
/** The precision of `last_used_on`. */
const USE_MS = 1_000
const ENTRIES_MAX = 10_000
/** How many tokens are read ahead. */
const RECENT_MAX = 2_000
/** How long a token that is unknown or has ended is refused without a query. */
const REFUSED_MS = 10_000
const REFUSED_MAX = 10_000

interface Entry {
  known: KnownToken
  /** Both by `performance.now()`. */
  verifiedAtMs: number
  usedAtMs: number
  /** It may have been revoked since, so it is verified before it is used, unless that fails. */
  isDoubtful: boolean
  /** By the market's clock. */
  expiresAtMs: number
}

/**
 * Verified tokens, so that a request needs no query. The keys are whole Authorization headers, so
 * that a known one need not be parsed; they contain tokens in clear text, so nothing prints them.
 * Notifications remove entries (see notify_access in the first migration); while there are none,
 * every use is verified again. While the database is away or its pool is busy, a verified token is
 * trusted for an hour, so that reads still work and callers do not wait only to be recognised.
 */
export interface TokenCache {
  /** Returns the token of an Authorization header if it was verified recently. */
  peek(header: string): KnownToken | undefined
  /**
   * Reads the header's token from the database; undefined when it is unknown. The read may wait a
   * little when the caller is suspect, unless the token was valid before. While all
   * connections are in use, a verified token is not read again: notifications still remove it.
   */
  find(header: string, token: string, isSuspect: boolean): Promise<KnownToken | undefined>
  forget(payload: string): void
  /** Verifies every token before its next use, because it may have been revoked. */
  doubtAll(): void
  /** Whether the database sends notifications now. */
  setListening(listening: boolean): void
  flushUse(background: Db): Promise<void>
  /**
   * Reads the tokens that were used last on any node. While the database is away, those are trusted
   * like the ones that this node has verified.
   */
  readAhead(background: Db): Promise<void>
}

interface TokenCacheOptions {
  /** Whether a read would have to wait for a connection. */
  isBusy: () => boolean
  clock: MarketTime
}

export function createTokenCache(db: Db, options: TokenCacheOptions): TokenCache {
  const { isBusy, clock } = options
  const entries = new Map<string, Entry>()
  const recent = createRecentTokens()
  const refused = createRefusedTokens()
  const used = createUsedTokens(clock)
  const lookup = createTokenLookup(db)
  const knownReads = createKnownReads()
  let listening = false
  // Before the first notifications it is not known what has been revoked.
  let hasListened = false
  // Counts removals, so that a token that was read before its revocation is not cached after it.
  let generation = 0

  async function verify(header: string, token: string, isSuspect: boolean) {
    const startGeneration = generation
    const known = await lookup.find(token, isSuspect)
    entries.delete(header)
    const isValid = known && !hasEnded(known.token, clock.now())
    if (isValid) used.note(known)
    if (startGeneration !== generation) return known
    if (isValid) addBounded(entries, header, newEntry(known), ENTRIES_MAX)
    else refused.add(header, known)
    return known
  }

  return {
    peek(header) {
      const entry = entries.get(header)
      if (!entry || !listening || entry.isDoubtful) return undefined
      const usedAtMs = performance.now()
      const isFresh = usedAtMs - entry.verifiedAtMs <= FRESH_MS
      if (!isFresh || clock.now() >= entry.expiresAtMs) return undefined
      if (usedAtMs - entry.usedAtMs >= USE_MS) {
        entry.usedAtMs = usedAtMs
        used.note(entry.known)
      }
      return entry.known
    },
    async find(header, token, isSuspect) {
      const refusal = refused.get(header)
      if (refusal) return refusal.known
      const earlier = entries.get(header) ?? recent.get(token)
      const isTrusted = earlier && performance.now() - earlier.verifiedAtMs < KNOWN_MS
      if (!isTrusted) return verify(header, token, isSuspect && !earlier)
      if (listening && !earlier.isDoubtful && isBusy()) return earlier.known
      const again = () => verify(header, token, false)
      const patienceMs = hasListened && !earlier.isDoubtful ? undefined : Number.POSITIVE_INFINITY
      const reading = knownReads.read(again, earlier.known, patienceMs)
      return reading.catch((error: unknown) => knownWhenTooMany(error, earlier.known))
    },
    forget(payload) {
      generation++
      refused.clear()
      removeNamed(entries, payload)
      removeNamed(recent.all(), payload)
    },
    doubtAll() {
      generation++
      for (const entry of [...entries.values(), ...recent.all().values()]) entry.isDoubtful = true
      refused.clear()
    },
    setListening(value) {
      listening = value
      hasListened ||= value
    },
    flushUse: (background) => used.flush(background),
    readAhead: (background) => recent.read(background, () => generation),
  }
}

/** What is known is used while too many other tokens are being read. */
function knownWhenTooMany(error: unknown, known: KnownToken): KnownToken {
  if (error instanceof Refusal) return known
  throw error
}

/** Tokens by hash, because nobody knows the tokens themselves before they are used. */
function createRecentTokens() {
  let byHash = new Map<string, Entry>()
  return {
    get: (token: string) => byHash.get(hashToken(token).toString('hex')),
    all: () => byHash,
    /** Changes nothing when a token may have been removed meanwhile. */
    async read(background: Db, generation: () => number): Promise<void> {
      const before = generation()
      const found = await findRecentTokens(background, RECENT_MAX)
      if (generation() !== before) return
      byHash = new Map([...found].map(([hash, known]) => [hash, newEntry(known)]))
    },
  }
}

function removeNamed(entries: Map<string, Entry>, payload: string): void {
  for (const [key, { known }] of entries) if (isNamed(known, payload)) entries.delete(key)
}

/** When which tokens were used, until it is stored. */
function createUsedTokens(clock: MarketTime) {
  const used = new Map<string, Date>()
  return {
    note: ({ token }: KnownToken) => used.set(token.uuid, new Date(clock.now())),
    async flush(background: Db): Promise<void> {
      const batch = new Map(used)
      used.clear()
      await recordTokenUse(background, batch)
    },
  }
}

/** Whether a notification is about the token. */
function isNamed({ token }: KnownToken, payload: string): boolean {
  const [kind, uuid] = payload.split(' ')
  return idOf(token, kind) === uuid
}

/** The identifier of the token that a notification of this kind names. */
function idOf(token: TokenSummary, kind: string): string | null | undefined {
  if (kind === 'token') return token.uuid
  return kind === 'user' ? token.user?.uuid : token.merchant_uuid
}

function newEntry(known: KnownToken): Entry {
  const { expires_on } = known.token
  const expiresAtMs = expires_on === null ? Number.POSITIVE_INFINITY : millisecondsOf(expires_on)
  const readAtMs = performance.now()
  return { known, verifiedAtMs: readAtMs, usedAtMs: readAtMs, isDoubtful: false, expiresAtMs }
}

function addBounded<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  sizeMax: number,
): void {
  // A Map keeps insertion order, so the first key is the oldest.
  if (map.size >= sizeMax) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
}

/** Tokens that were refused a moment ago, by header: unknown ones, and some that have ended. */
function createRefusedTokens() {
  const all = new Map<string, { known: KnownToken | undefined; untilMs: number }>()
  return {
    get(header: string) {
      const refused = all.get(header)
      return refused && performance.now() < refused.untilMs ? refused : undefined
    },
    add(header: string, known: KnownToken | undefined) {
      addBounded(all, header, { known, untilMs: performance.now() + REFUSED_MS }, REFUSED_MAX)
    },
    clear: () => all.clear(),
  }
}
