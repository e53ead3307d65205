import { createKnownReads, KNOWN_MS, LAST_COMMIT_MS } from '../database/known-reads.ts'
import type { Db } from '../database/open.ts'
import { getRate } from './exchange-rates.ts'

/** The exchange rates, read for every use; while the database is away, as they were last read. */
export interface KnownRates {
  /** Refuses a currency without a rate. */
  get(currencyCode: string): Promise<string>
}

export function createKnownRates(db: Db): KnownRates {
  // Only currencies that have a rate are in it, so it stays small.
  const entries = new Map<string, { rate: string; readAtMs: number }>()
  const known = createKnownReads()
  return {
    async get(currencyCode) {
      const again = async () => {
        const rate = await getRate(db, currencyCode)
        entries.set(currencyCode, { rate, readAtMs: performance.now() })
        return rate
      }
      const earlier = entries.get(currencyCode)
      if (!earlier || performance.now() - earlier.readAtMs > KNOWN_MS) return again()
      return known.read(again, earlier.rate, LAST_COMMIT_MS)
    },
  }
}
