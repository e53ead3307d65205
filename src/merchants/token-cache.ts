import type { MarketTime } from '../database/clock.ts'
import type { Db } from '../database/open.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { hashToken } from './token.ts'
import { findToken, type KnownToken, recordTokenUse } from './token-store.ts'

/** A verified token is trusted this long while the database sends notifications. */
const FRESH_MS = 60_000
/** While the database is away, a verified token is trusted this long, so that reads still work. */
const OUTAGE_MS = 10 * 60_000
/** The precision of `last_used_on`. */
const USE_MS = 1_000
const ENTRIES_MAX = 10_000

interface Entry {
  known: KnownToken
  /** Both by `performance.now()`. */
  verifiedAtMs: number
  usedAtMs: number
  /** By the market's clock. */
  expiresAtMs: number
}

/**
 * Verified tokens, so that a request needs no query. The keys are whole Authorization headers, so
 * that a known one need not be parsed; they contain tokens in clear text, so nothing prints them.
 * Notifications remove entries (see notify_access in the first migration); while there are none,
 * every use is verified again.
 */
export interface TokenCache {
  /** Returns the token of an Authorization header if it was verified recently. */
  peek(header: string): KnownToken | undefined
  /** Reads the header's token from the database; undefined when it is unknown. */
  find(header: string, token: string): Promise<KnownToken | undefined>
  forget(payload: string): void
  forgetAll(): void
  /** Whether the database sends notifications now. */
  setListening(listening: boolean): void
  flushUse(): Promise<void>
}

interface TokenCacheOptions {
  isOutage: (error: unknown) => boolean
  clock: MarketTime
}

export function createTokenCache(db: Db, { isOutage, clock }: TokenCacheOptions): TokenCache {
  const entries = new Map<string, Entry>()
  const used = new Map<string, Date>()
  let listening = false
  // Counts removals, so that a token that was read before its revocation is not cached after it.
  let generation = 0

  function remember(header: string, known: KnownToken): void {
    // A Map keeps insertion order, so the first key is the oldest.
    if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '')
    const { expires_on } = known.token
    const expiresAtMs = expires_on === null ? Number.POSITIVE_INFINITY : millisecondsOf(expires_on)
    const readAtMs = performance.now()
    entries.set(header, { known, verifiedAtMs: readAtMs, usedAtMs: readAtMs, expiresAtMs })
  }

  return {
    peek(header) {
      const entry = entries.get(header)
      if (!entry || !listening) return undefined
      const usedAtMs = performance.now()
      if (usedAtMs - entry.verifiedAtMs > FRESH_MS || clock.now() >= entry.expiresAtMs)
        return undefined
      if (usedAtMs - entry.usedAtMs >= USE_MS) {
        entry.usedAtMs = usedAtMs
        used.set(entry.known.token.uuid, new Date(clock.now()))
      }
      return entry.known
    },
    async find(header, token) {
      const earlier = entries.get(header)
      const startGeneration = generation
      try {
        const known = await findToken(db, hashToken(token))
        entries.delete(header)
        if (!known) return undefined
        if (known.token.revoked_on === null) {
          if (startGeneration === generation) remember(header, known)
          used.set(known.token.uuid, new Date(clock.now()))
        }
        return known
      } catch (error) {
        const stillTrusted = earlier && performance.now() - earlier.verifiedAtMs < OUTAGE_MS
        if (stillTrusted && isOutage(error)) return earlier.known
        throw error
      }
    },
    forget(payload) {
      generation++
      const [kind, uuid] = payload.split(' ')
      for (const [header, { known }] of entries) {
        const hit = kind === 'token' ? known.token.uuid : known.token.merchant_uuid
        if (hit === uuid) entries.delete(header)
      }
    },
    forgetAll() {
      generation++
      entries.clear()
    },
    setListening(value) {
      listening = value
    },
    async flushUse() {
      const batch = new Map(used)
      used.clear()
      await recordTokenUse(db, batch)
    },
  }
}
