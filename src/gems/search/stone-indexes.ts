import type { Database } from '../../database/open.ts'
import { type BulkReads, createBulkReads } from '../../events/bulk-reads.ts'
import { startMarketLog } from '../../events/market-log.ts'
import type { IndexName } from '../indexing/columns.ts'
import type { IndexFileOptions } from '../indexing/follower.ts'
import { type DiamondSearch, startDiamondSearch } from './diamonds.ts'
import { type GemstoneSearch, startGemstoneSearch } from './gemstones.ts'
import type { StonesFileOptions } from './stored/keep-stones.ts'

/** The searches of a market's stones, and what numbers the changes that they follow. */
interface StoneIndexes {
  diamonds: DiamondSearch
  gemstones: GemstoneSearch
  /** Reads of whole tables, from the replica if there is one. */
  bulk: BulkReads
  /** Numbers what is committed, so that the change log has it. */
  numberChanges: () => Promise<void>
  /** Resolves when both can find what was committed before the call, or when it takes too long. */
  catchUp: () => Promise<void>
  stop(): Promise<void>
}

interface StoneIndexOptions {
  database: Database
  /** The connections that the indexes follow the table with. */
  following: Database
  /** The address of a replica, for loads. */
  replicaUrl?: string | undefined
  publicUrl: string
  /** The market's time in milliseconds since 1970. */
  now: () => number
  onError: (error: unknown) => void
  /** In which files each index and its stones are kept, and who is told how they were used. */
  filesOf: (index: IndexName) => IndexFileOptions & StonesFileOptions
}

export function startStoneIndexes(options: StoneIndexOptions): StoneIndexes {
  const log = startMarketLog(options.following.db, options.onError)
  const { following: primary, replicaUrl, onError } = options
  const bulk = createBulkReads({ primary, replicaUrl, number: () => log.number(), onError })
  const diamonds = startDiamondSearch({ ...options, ...options.filesOf('diamond'), log, bulk })
  const { rules } = diamonds
  const ofGemstones = options.filesOf('gemstone')
  const gemstones = startGemstoneSearch({ ...options, ...ofGemstones, rules, log, bulk })
  return {
    diamonds,
    gemstones,
    bulk,
    numberChanges: async () => {
      await log.number()
    },
    catchUp: async () => {
      await Promise.all([diamonds.index.catchUp(), gemstones.index.catchUp()])
    },
    stop: async () => {
      await Promise.all([log.stop(), diamonds.stop(), gemstones.stop()])
    },
  }
}
