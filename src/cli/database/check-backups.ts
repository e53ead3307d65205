import { readArchiveStatus, readBackupStatus } from '../../database/backup/backup-status.ts'
import type { Db } from '../../database/open.ts'

interface BackupFinding {
  check: string
  ok: boolean
  detail: string
}

/** What `doctor` says of backups and, where PostgreSQL archives its log, of that. */
export async function checkBackups(db: Db): Promise<BackupFinding[]> {
  const backup = await readBackupStatus(db)
  const archive = await readArchiveStatus(db)
  const findings = [
    {
      check: 'backup',
      ok: backup === undefined || backup.failures === 0,
      detail: backup ? describeBackup(backup) : 'none was made by "pavilion backup" yet',
    },
  ]
  if (!archive) return findings
  const { failing, failures, age_seconds } = archive
  const detail = failing
    ? `${failing} cannot be archived (${failures} failures): make space, or let PostgreSQL write ` +
      'to the folder; it keeps its log meanwhile'
    : `the last file was archived ${ago(age_seconds)}`
  return [...findings, { check: 'archived log', ok: failing === null, detail }]
}

function describeBackup(status: NonNullable<Awaited<ReturnType<typeof readBackupStatus>>>) {
  const { failures, problem, age_seconds } = status
  const last = `the last one that succeeded was made ${ago(age_seconds)}`
  return failures === 0 ? last : `${failures} failed since, at last with "${problem}"; ${last}`
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

function ago(seconds: number | null): string {
  if (seconds === null) return 'never'
  for (const [unit, size] of UNITS) {
    const count = Math.floor(seconds / size)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'less than a minute ago'
}
