import { createReadStream } from 'node:fs'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Config } from '../../config.ts'
import { PASSWORD_ENTRY } from '../../database/backup/base-backup.ts'
import { type BasePart, type Manifest, syncFolder } from '../../database/backup/manifest.ts'
import { extractTar } from '../../database/backup/tar.ts'
import type { Paths } from '../../database/embedded/cluster.ts'
import { openEmbedded } from '../../database/embedded/embedded.ts'
import { restoreCommand } from '../../database/embedded/wal-archive.ts'
import { Refusal } from '../../lib/refusal.ts'
import { embeddedOptions, tellNewAccount } from '../market.ts'

/** The moment to go back to: a time, or the end of the archived log. */
export type Moment = Date | 'latest'

/** What a restore to a moment needs. Refuses when the backup or the archive cannot give it. */
export async function findArchive(
  { base }: Manifest,
  at: Moment,
  config: Config,
): Promise<{ base: BasePart; folder: string }> {
  if (base === null) {
    throw new Refusal(
      'wrong_state',
      'The backup was made without PAVILION_WAL_ARCHIVE, so it has one moment only: restore it ' +
        'without --at.',
    )
  }
  if (at !== 'latest' && at.getTime() < Date.parse(base.ended_on)) {
    throw new Refusal(
      'invalid_request',
      `The backup was copied until ${base.ended_on}: for a moment before, use an earlier backup.`,
    )
  }
  const folder = join(resolve(config.walArchive ?? base.archive), base.archive_id)
  const first = join(folder, `${base.first_wal}.gz`)
  const isThere = await access(first).then(
    () => true,
    () => false,
  )
  if (isThere) return { base, folder }
  throw new Refusal(
    'not_found',
    `The archived log of the backup is missing: there is no ${first}. Set PAVILION_WAL_ARCHIVE ` +
      'to the folder of the archive.',
  )
}

/** Unpacks the copy of the server, and lets PostgreSQL replay the archived log up to the moment. */
export async function replay(
  paths: Paths,
  backup: string,
  { base, folder }: { base: BasePart; folder: string },
  at: Moment,
  config: Config,
): Promise<void> {
  await mkdir(paths.cluster, { mode: 0o700 })
  await extractTar(createReadStream(join(backup, base.file)).pipe(createGunzip()), paths.cluster)
  await rename(join(paths.cluster, PASSWORD_ENTRY), paths.passwordFile)
  await writeFile(join(paths.cluster, 'recovery.signal'), '', { mode: 0o600 })
  await syncFolder(paths.cluster)
  const options = embeddedOptions({ ...config, dataFolder: paths.folder, walArchive: undefined })
  const target: Record<string, string> =
    at === 'latest'
      ? {}
      : {
          recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00'),
          recovery_target_action: 'promote',
        }
  // Otherwise the server would take connections, and seem to be ready, before it is there.
  const settings = { restore_command: restoreCommand(folder), hot_standby: 'off', ...target }
  try {
    const embedded = await openEmbedded({
      ...options,
      settings,
      isRestoring: true,
      serve: false,
      onEvent: tellNewAccount,
    })
    await embedded.close()
  } catch (error) {
    throw at === 'latest' ? error : endsTooEarly(error, at)
  }
}

function endsTooEarly(error: unknown, at: Date): unknown {
  const { message } = error as Error
  if (!/recovery ended before configured recovery target/.test(message)) return error
  return new Refusal(
    'not_found',
    `The archived log ends before ${at.toISOString()}, or nothing was written after it: use an ` +
      'earlier moment, or --at latest.',
  )
}
