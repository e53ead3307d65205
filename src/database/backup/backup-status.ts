/** What became of the last backups, and of PostgreSQL's own archive of its log. */
import { sql } from 'kysely'
import type { Db } from '../open.ts'
import { systemTime } from './make-backup.ts'

export interface BackupStatus {
  /** Since the last backup that succeeded; null before the first. */
  age_seconds: number | null
  /** Backups that have failed since. */
  failures: number
  /** Why the last one failed. */
  problem: string | null
}

/** Records a backup that was made or, with a problem, one that failed. */
export async function recordBackup(db: Db, problem?: string): Promise<void> {
  const time = systemTime()
  const row =
    problem === undefined
      ? sql`(${time}::timestamptz, null::timestamptz, 0, null::text)`
      : sql`(null::timestamptz, ${time}::timestamptz, 1, ${problem}::text)`
  await sql`
    insert into backup_status (succeeded_on, failed_on, failures, problem) values ${row}
    on conflict (only_row) do update set
      succeeded_on = coalesce(excluded.succeeded_on, backup_status.succeeded_on),
      failed_on = coalesce(excluded.failed_on, backup_status.failed_on),
      failures = case when excluded.failures = 0 then 0 else backup_status.failures + 1 end,
      problem = excluded.problem`.execute(db)
}

/** Undefined when `pavilion backup` has not run yet. */
export async function readBackupStatus(db: Db): Promise<BackupStatus | undefined> {
  const { rows } = await sql<BackupStatus>`
    select failures, problem,
      extract(epoch from ${systemTime()}::timestamptz - succeeded_on)::float8 as age_seconds
    from backup_status`.execute(db)
  return rows[0]
}

export interface ArchiveStatus {
  /** Since a file of the log was archived; null before the first. */
  age_seconds: number | null
  /** The file that could not be archived at the last attempt. */
  failing: string | null
  failures: number
}

/** Undefined when PostgreSQL does not archive its log. */
export async function readArchiveStatus(db: Db): Promise<ArchiveStatus | undefined> {
  const { rows } = await sql<ArchiveStatus>`
    select failed_count::int as failures,
      case when last_failed_time > coalesce(last_archived_time, '-infinity')
        then last_failed_wal end as failing,
      extract(epoch from ${systemTime()}::timestamptz - last_archived_time)::float8 as age_seconds
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`.execute(db)
  return rows[0]
}
