/** Backups that are made one after the other into one folder, of which the last ones are kept. */
import { access, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findManifest, type Manifest, SUMS_FILE } from './manifest.ts'

/** The time is part of the name, so that the order of names is that of the backups. */
const NAME = /^pavilion-\d{8}T\d{6}Z$/

/** The name of a backup that is begun at this time. */
export function nameInSeries(isoTime: string): string {
  return `pavilion-${isoTime.replace(/[-:]|\.\d+/g, '')}`
}

/** A backup that is not finished after this time belongs to a process that was killed. */
const UNFINISHED_MS = 86_400_000

interface Earlier {
  path: string
  manifest: Manifest
  isComplete: boolean
}

/**
 * Removes the oldest backups of the folder beyond the number to keep, and what killed runs left.
 * Anything that is not recognised as a backup of the same database stays.
 */
export async function removeOld(folder: string, keep: number, last: Manifest): Promise<string[]> {
  const own = await listOwn(folder, last)
  const complete = own.filter(({ isComplete }) => isComplete)
  const nowMs = Date.parse(last.begun_on)
  const left = own.filter(
    ({ isComplete, manifest }) =>
      !isComplete && nowMs - Date.parse(manifest.begun_on) > UNFINISHED_MS,
  )
  const old = [...complete.slice(0, Math.max(0, complete.length - keep)), ...left]
  for (const { path } of old) {
    // First what makes it complete: a removal that is interrupted leaves no half of a backup.
    await rm(join(path, SUMS_FILE), { force: true })
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
  return old.map(({ path }) => path)
}

/** The backups of the folder that were made of the same database, the oldest first. */
export async function listOwn(folder: string, last: Manifest): Promise<Earlier[]> {
  const own: Earlier[] = []
  for (const name of (await readdir(folder)).filter((each) => NAME.test(each)).sort()) {
    const path = join(folder, name)
    const manifest = await findManifest(path)
    if (manifest === undefined || !isOfSameMarket(manifest, last)) continue
    own.push({ path, manifest, isComplete: await isThere(join(path, SUMS_FILE)) })
  }
  return own
}

/** By the server's own identifier and the database: a restored market is another one. */
function isOfSameMarket(one: Manifest, other: Manifest): boolean {
  const keys = new Set(one.databases.map(keyOf))
  return other.databases.some((database) => keys.has(keyOf(database)))
}

function keyOf({ system_identifier, name }: Manifest['databases'][number]): string {
  return `${system_identifier} ${name}`
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
