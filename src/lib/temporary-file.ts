import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

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

const READ_BYTES = 256 * 1024

/** Reads a file from its beginning, wherever it was written to last. */
export async function* readWhole(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The path of an open file that may have no name; valid in this process, in every thread. */
export function pathOfOpenFile({ fd }: FileHandle): string {
  return `/dev/fd/${fd}`
}

/** So much space remains free on the disk: PostgreSQL may be on the same one, and needs it more. */
const FREE_MIN = 1024 ** 3
/** Every part that is written makes it younger: one of this age was left by a killed process. */
const ABANDONED_MS = 2 * 60_000

/**
 * Returns the name under which a file of so many bytes is written until it is whole and takes the
 * place of an older one at `path`. It is opened with 'wx', which fails while another process writes
 * the same file. Fails when the disk has little space.
 */
export function prepareReplacement(path: string, bytes: number): string {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < FREE_MIN + bytes) throw new Error('the disk has little space left')
  const temporary = `${path}.new`
  // The clock of this machine, by which the file system works.
  const nowMs = performance.timeOrigin + performance.now()
  const other = statSync(temporary, { throwIfNoEntry: false })
  if (other && nowMs - other.mtimeMs > ABANDONED_MS) rmSync(temporary, { force: true })
  return temporary
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
