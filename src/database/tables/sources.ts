import type { Generated } from 'kysely'
import type { JsonOrNull, Sealed, Timestamp } from './columns.ts'

/** Where suppliers' files are fetched from; see migrations/0014-sources.sql. */
export interface SourceTables {
  media_check: { supplier_id: number; checked_on: string; links: number; dead: number }
  feed_source: FeedSourceTable
  feed_source_run: FeedSourceRunTable
}

export interface FeedSourceTable {
  uuid: string
  supplier_id: number
  url: string
  every_seconds: number
  mode: 'update' | 'replace'
  username: string | null
  password: Sealed | null
  private_key: Sealed | null
  secret_query: Sealed | null
  host_key: string | null
  sheet: string | null
  mapping: JsonOrNull<Record<string, unknown>>
  seen: JsonOrNull<SeenFile>
  failures: Generated<number>
  failing_since: Timestamp | null
  paused_on: Timestamp | null
  due_on: Generated<Timestamp>
  run_uuid: string | null
  lease_until: Timestamp | null
  created_on: Generated<Timestamp>
  updated_on: Generated<Timestamp>
}

/** What tells that a file has not changed, as far as its server says it. */
export interface SeenFile {
  /** The path of the file, which of a folder or pattern is the newest. */
  path: string
  sha256: string
  etag?: string | undefined
  last_modified?: string | undefined
  size?: number | undefined
  /** Milliseconds since 1970, by the server's clock. */
  modified_ms?: number | undefined
}

export type RunOutcome = 'done' | 'unchanged' | 'failed'

export interface FeedSourceRunTable {
  uuid: string
  source_uuid: string
  started_by: 'schedule' | 'operator'
  outcome: RunOutcome | null
  file_name: string | null
  bytes: number | null
  import_uuid: string | null
  code: string | null
  failure: string | null
  started_on: Generated<Timestamp>
  finished_on: Timestamp | null
}
