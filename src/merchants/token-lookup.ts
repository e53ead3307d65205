import type { Db } from '../database/open.ts'
import { createBatches } from '../lib/batches.ts'
import { Refusal } from '../lib/refusal.ts'
import { findTokens, type KnownToken } from './known-tokens.ts'
import { hashToken } from './token.ts'

/** More than a busy server sees at once; a read of this many takes a few milliseconds. */
const SIZE_MAX = 200
const WAITING_MAX = 2_000
/** Four reads a second are all that suspicious callers get, however many tokens they make up. */
const SUSPECT_PAUSE_MS = 250
const SUSPECTS_MAX = 1_000

/**
 * Reads tokens that are not cached. Anyone can make up tokens that look right, so a token must not
 * cost a statement: all that arrive during one read are read by the next, over one connection.
 */
interface TokenLookup {
  /**
   * A suspect token comes from an address that has used up its calls. It may still be valid, of
   * a neighbour behind the same address, so it is read, but up to a quarter of a second later.
   */
  find(token: string, isSuspect: boolean): Promise<KnownToken | undefined>
}

export function createTokenLookup(db: Db): TokenLookup {
  const read = (hashes: string[]) => {
    const bytes = hashes.map((hash) => Buffer.from(hash, 'hex'))
    return findTokens(db, bytes)
  }
  const findNow = createBatches(read, {
    pauseMs: 0,
    sizeMax: SIZE_MAX,
    waitingMax: WAITING_MAX,
    whenFull: () => new Refusal('not_ready', 'Too many tokens are being checked; try again soon.'),
  })
  const findLater = createBatches(read, {
    pauseMs: SUSPECT_PAUSE_MS,
    sizeMax: SUSPECTS_MAX,
    waitingMax: SUSPECTS_MAX,
    whenFull: () => new Refusal('rate_limited', 'Too many unknown tokens; try again in a moment.'),
  })
  return {
    find(token, isSuspect) {
      const hash = hashToken(token).toString('hex')
      return isSuspect ? findLater(hash) : findNow(hash)
    },
  }
}
