/**
 * A copy of the embedded server's files while it runs, as `pg_basebackup` makes one, which the
 * embedded PostgreSQL does not have. Files are copied while they change; the archived log puts
 * that right when the copy is started.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Refusal } from '../../lib/refusal.ts'
import type { Paths } from '../embedded/cluster.ts'
import { ensureArchiveId } from '../embedded/wal-archive.ts'
import { writeCompressed } from './files.ts'
import { systemTime } from './make-backup.ts'
import type { BasePart } from './manifest.ts'
import { connect } from './stored-tables.ts'
import { type TarEntry, writeTar } from './tar.ts'

const BASE_FILE = 'base.tar.gz'
/** In the copy only: the password of the role, which a restored data folder needs beside it. */
export const PASSWORD_ENTRY = 'pavilion.password'

/** Folders whose contents belong to the running server; a new one fills them itself. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = /^(postmaster\.(pid|opts)|pgsql_tmp.*|pg_internal\.init.*|backup_label.*)$/
/** Written last, so that it is not older than the other files. */
const CONTROL_FILE = 'global/pg_control'

interface Server {
  /** The address of the database in which the role may begin a backup. */
  url: string
  paths: Paths
  archive: string
}

/** Copies the server into the folder of a backup, and waits until the log for it is archived. */
export async function copyBase(server: Server, folder: string): Promise<BasePart> {
  const { url, paths, archive } = server
  const client = await connect(url)
  try {
    await client.query('set statement_timeout = 0')
    await refuseWithoutArchive(client)
    const archive_id = await ensureArchiveId(paths)
    const begunOn = systemTime()
    const { rows } = await client.query<{ file: string }>(
      `select pg_walfile_name(pg_backup_start('pavilion', true)) as file`,
    )
    let endedOn = begunOn
    let lastWal = rows[0].file
    const entries = clusterEntries(paths, async () => {
      const stopped = await stopBackup(client)
      endedOn = systemTime()
      lastWal = stopped.file
      return stopped.label
    })
    const source = Readable.from(writeTar(entries), { objectMode: false })
    const { content, ...part } = await writeCompressed(folder, BASE_FILE, source)
    await waitForArchive(client, lastWal)
    return {
      ...part,
      archive,
      archive_id,
      first_wal: rows[0].file,
      begun_on: begunOn,
      ended_on: endedOn,
      content_bytes: content.bytes,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function refuseWithoutArchive(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ archive_mode: string }>('show archive_mode')
  if (rows[0].archive_mode === 'on') return
  throw new Refusal(
    'wrong_state',
    'PAVILION_WAL_ARCHIVE is set, but the running PostgreSQL was started without it: restart ' +
      'Pavilion with the setting, or run the command without it.',
  )
}

/** The last file of the log that the copy needs, and what tells a new server where to begin. */
async function stopBackup(client: pg.Client): Promise<{ file: string; label: string }> {
  const { rows } = await client.query<{ file: string; label: string }>(
    'select pg_walfile_name(lsn) as file, labelfile as label from pg_backup_stop(false)',
  )
  return rows[0]
}

async function* clusterEntries(
  { cluster, passwordFile }: Paths,
  stop: () => Promise<string>,
): AsyncGenerator<TarEntry> {
  yield* entriesBelow(cluster, '')
  yield { kind: 'file', name: CONTROL_FILE, path: join(cluster, CONTROL_FILE) }
  yield { kind: 'text', name: 'backup_label', text: await stop() }
  yield { kind: 'text', name: PASSWORD_ENTRY, text: await readFile(passwordFile, 'utf8') }
}

async function* entriesBelow(cluster: string, folder: string): AsyncGenerator<TarEntry> {
  const found = await readdir(join(cluster, folder), { withFileTypes: true }).catch(() => [])
  for (const entry of found) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      yield { kind: 'folder', name }
      if (name === 'pg_wal') yield { kind: 'folder', name: 'pg_wal/archive_status' }
      if (!EMPTIED.has(name) && !LEFT_OUT.test(entry.name)) yield* entriesBelow(cluster, name)
    } else if (entry.isFile() && name !== CONTROL_FILE && !LEFT_OUT.test(basename(name))) {
      yield { kind: 'file', name, path: join(cluster, name) }
    }
  }
}

const ARCHIVE_WAIT_MS = 120_000

/** Without the log up to its end, the copy could not be started. */
async function waitForArchive(client: pg.Client, lastWal: string): Promise<void> {
  const deadline = performance.now() + ARCHIVE_WAIT_MS
  for (;;) {
    const { rows } = await client.query<{ is_archived: boolean; failed: string | null }>(
      `select coalesce(last_archived_wal, '') >= $1 as is_archived, last_failed_wal as failed
       from pg_stat_archiver`,
      [lastWal],
    )
    if (rows[0].is_archived) return
    if (performance.now() > deadline) {
      const failed = rows[0].failed ? ` It failed with ${rows[0].failed}.` : ''
      throw new Error(
        `PostgreSQL has not archived its log up to ${lastWal}.${failed} Check the folder of ` +
          'PAVILION_WAL_ARCHIVE and the end of postgres.log in the data folder.',
      )
    }
    await sleep(ARCHIVE_POLL_MS)
  }
}

const ARCHIVE_POLL_MS = 100
