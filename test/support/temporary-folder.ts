import { rmSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** More than the databases of a whole run take. */
const ROOM_BYTES = 4 * 2 ** 30
const MEMORY_BYTES = 8 * 2 ** 30

/**
 * Temporary files of the run are in a folder of its own, in memory where there is room: every test
 * creates and removes a database of a thousand files, which takes a disk twice the processor time.
 */
export default async function setup(): Promise<() => void> {
  const folder = await mkdtemp(join(hasRoom() ? IN_MEMORY : tmpdir(), 'pavilion-run-'))
  // As open as the system's own: PostgreSQL and some commands run as other users.
  await chmod(folder, 0o1777)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > ROOM_BYTES && process.availableMemory() > MEMORY_BYTES
  } catch {
    return false
  }
}
