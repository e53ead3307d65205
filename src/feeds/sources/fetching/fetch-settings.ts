/** What is fetched with which rights, and the bounds of a fetch. */
import type { SeenFile } from '../../../database/tables/sources.ts'
import type { Spool } from './spool.ts'

export interface FetchRequest {
  /** With its secret parameters. */
  url: URL
  user: string | null
  password: string | null
  privateKey: string | null
  hostKey: string | null
  /** The file that was imported last; undefined fetches in any case. */
  seen: SeenFile | undefined
}

export interface FetchSettings {
  /** Hosts that may be in a private network: `host` or `host:port`. */
  allowedHosts: readonly string[]
  fileBytesMax: number
  /** How long a server may take to accept a connection, and between two pieces of a file. */
  connectMs: number
  idleMs: number
  /** How long all of it may take. */
  totalMs: number
  /** A file that was written within this time is looked at again, whether it is still growing. */
  settleMs: number
}

export const FETCH_DEFAULTS = {
  connectMs: 30_000,
  idleMs: 60_000,
  // A file of a gigabyte on a line of four megabits a second.
  totalMs: 40 * 60_000,
  settleMs: 2_000,
}

/** Everything that one fetch needs to know. */
export interface FetchContext {
  settings: FetchSettings
  signal: AbortSignal
  spool: Spool
}

/** What a fetch found: the file is in the spool unless it is unchanged. */
export interface FetchResult {
  isUnchanged: boolean
  fileName: string
  seen: SeenFile
}
