/**
 * The file `secret.key` in the data folder: one key per line, the newest last. Keys are only ever
 * appended, so two processes that add one at once lose neither, and a backup of the database that
 * was made before a rotation can still be restored.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const KEY_BYTES = 32
/** What `addKey` writes. Another line is a comment, or was cut off when the machine stopped. */
const KEY_LINE = /^[A-Za-z0-9_-]{43}$/
const HEADER = '# Keys of stored secrets, newest last; what they encrypt is lost without them\n'
/** Only the account that runs Pavilion may read it. */
const FILE_MODE = 0o600
/** PostgreSQL's account must be able to enter the folder; the file has its own mode. */
const FOLDER_MODE = 0o711

export function keyFileIn(dataFolder: string): string {
  return join(dataFolder, 'secret.key')
}

/** Returns the keys of the file, the newest last; none when there is no file. */
export async function readKeys(path: string): Promise<string[]> {
  const text = await readText(path)
  return text.split('\n').filter((line) => KEY_LINE.test(line))
}

/** Appends a new random key and returns it once it is on the disk. */
export async function addKey(path: string): Promise<string> {
  const key = randomBytes(KEY_BYTES).toString('base64url')
  await appendKey(path, key)
  return key
}

/** Appends the keys of another file that this one lacks; returns how many. */
export async function adoptKeys(path: string, from: string): Promise<number> {
  const known = new Set(await readKeys(path))
  const missing = (await readKeys(from)).filter((key) => !known.has(key))
  for (const key of missing) await appendKey(path, key)
  return missing.length
}

async function appendKey(path: string, key: string): Promise<void> {
  const before = await readText(path)
  const start = before === '' ? HEADER : before.endsWith('\n') ? '' : '\n'
  try {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    const file = await open(path, 'a', FILE_MODE)
    try {
      await file.appendFile(`${start}${key}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await syncFolder(dirname(path))
  } catch (error) {
    throw new Error(
      `The key file ${path} cannot be written (${(error as NodeJS.ErrnoException).code}): ` +
        'set PAVILION_DATA to a folder that this user may write, or PAVILION_SECRET_KEY to a key.',
      { cause: error },
    )
  }
}

/** Whether other accounts of the machine may read the file. */
export async function isReadByOthers(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw new Error(
      `The key file ${path} cannot be read (${code}): run Pavilion as the user that created it.`,
      { cause: error },
    )
  }
}

/** Without this, the name of a new file may be lost when the machine stops. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
