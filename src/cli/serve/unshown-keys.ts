/**
 * The keys of a new demo market, from when it is made until they are printed. The database has
 * hashes of them only, so a start that is stopped or fails in between would lose them.
 */
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoKeys } from '../../demo/merchants.ts'
import type { Realm } from '../../merchants/token.ts'

type UnshownKeys = Partial<Record<Realm, DemoKeys>>

/** Only the account that runs Pavilion may read it. */
const FILE_MODE = 0o600

export async function keepUnshownKeys(
  dataFolder: string,
  realm: Realm,
  keys: DemoKeys,
): Promise<void> {
  const path = fileIn(dataFolder)
  const text = JSON.stringify({ ...(await readUnshownKeys(dataFolder)), [realm]: keys })
  await writeFile(`${path}.new`, `${text}\n`, { mode: FILE_MODE, flush: true })
  await chmod(`${path}.new`, FILE_MODE)
  await rename(`${path}.new`, path)
}

export async function readUnshownKeys(dataFolder: string): Promise<UnshownKeys> {
  try {
    return JSON.parse(await readFile(fileIn(dataFolder), 'utf8')) as UnshownKeys
  } catch {
    // Without the file, or with one that somebody has changed, there is nothing to print.
    return {}
  }
}

/**
 * They were printed, and are stored nowhere from now on. A file that cannot be removed does not
 * stop the server: the next start prints them again.
 */
export async function forgetUnshownKeys(dataFolder: string): Promise<void> {
  await rm(fileIn(dataFolder), { force: true }).catch(() => {})
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, 'demo-keys.json')
}
