import type { Db } from '../database/open.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { hashToken } from './token.ts'
import { findToken, type KnownToken, recordTokenUse } from './token-store.ts'

/** A verified token is trusted this long while notifications arrive, and not at all without. */
const FRESH_MS = 60_000
/** While the database is away a token that was good is trusted this long, so that reads go on. */
const OUTAGE_MS = 10 * 60_000
/** `last used` is kept to this much. */
const USE_MS = 1_000
const ENTRIES_MAX = 10_000

interface Entry {
  known: KnownToken
  verifiedAtMs: number
  usedAtMs: number
  expiresAtMs: number
}

/**
 * Verified tokens, so that a call costs no query. The keys are whole Authorization headers, so that
 * a known one needs no reading, with tokens in clear: this map lives in memory only and nothing
 * prints it. Notifications empty it (see notify_access in the first migration); without them every
 * use is verified again.
 */
export interface TokenCache {
  /** The token of an Authorization header, if it is known well enough to need no query. */
  peek(header: string): KnownToken | undefined
  /** Asks the database for the header's token; undefined when it is unknown. */
  look(header: string, token: string): Promise<KnownToken | undefined>
  forget(payload: string): void
  forgetAll(): void
  /** Whether notifications arrive. */
  setListening(listening: boolean): void
  flushUse(): Promise<void>
}

export function createTokenCache(db: Db, isOutage: (error: unknown) => boolean): TokenCache {
  const entries = new Map<string, Entry>()
  const used = new Map<string, Date>()
  let listening = false
  // Counts what was forgotten, so that an answer read before a revocation is not remembered after.
  let generation = 0

  function remember(header: string, known: KnownToken): void {
    // Insertion order makes the first key the oldest.
    if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '')
    const { expires_on } = known.token
    const expiresAtMs = expires_on === null ? Number.POSITIVE_INFINITY : millisecondsOf(expires_on)
    const now = Date.now()
    entries.set(header, { known, verifiedAtMs: now, usedAtMs: now, expiresAtMs })
  }

  return {
    peek(header) {
      const entry = entries.get(header)
      if (!entry || !listening) return undefined
      const now = Date.now()
      if (now - entry.verifiedAtMs > FRESH_MS || now >= entry.expiresAtMs) return undefined
      if (now - entry.usedAtMs >= USE_MS) {
        entry.usedAtMs = now
        used.set(entry.known.token.uuid, new Date(now))
      }
      return entry.known
    },
    async look(header, token) {
      const earlier = entries.get(header)
      const asked = generation
      try {
        const known = await findToken(db, hashToken(token))
        entries.delete(header)
        if (!known) return undefined
        if (known.token.revoked_on === null) {
          if (asked === generation) remember(header, known)
          used.set(known.token.uuid, new Date())
        }
        return known
      } catch (error) {
        const stillTrusted = earlier && Date.now() - earlier.verifiedAtMs < OUTAGE_MS
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
