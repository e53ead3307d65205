import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'pavilion-temporary-'
/** A file has a name for a moment only; a name that is older belongs to a process that died. */
const STALE_MS = 60_000

/**
 * Opens a new temporary file and removes its name at once. The space is free again when the handle
 * is closed, and also when the process ends in any way before. A list of open files shows
 * its purpose.
 */
export async function openTemporaryFile(purpose: 'feed' | 'stones'): Promise<FileHandle> {
  const path = join(tmpdir(), `${PREFIX}${purpose}-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
  } catch (error) {
    await file.close()
    throw error
  }
  return file
}

/** The path of an open file that may have no name; valid in this process, in every thread. */
export function pathOfOpenFile({ fd }: FileHandle): string {
  return `/dev/fd/${fd}`
}

/** Removes the files of processes that were killed between opening a file and removing its name. */
export async function removeStaleFiles(): Promise<void> {
  const folder = tmpdir()
  // The clock of this machine, by which the file system works.
  const nowMs = performance.timeOrigin + performance.now()
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(folder, name)
    const entry = await stat(path).catch(() => undefined)
    if (entry && nowMs - entry.mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}
