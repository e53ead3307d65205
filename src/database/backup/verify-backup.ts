import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../lib/refusal.ts'
import { type Measured, measureFile, nowhere, readCompressed } from './files.ts'
import {
  type FilePart,
  FORMAT_VERSION,
  findManifest,
  listed,
  MANIFEST_FILE,
  type Manifest,
  SUMS_FILE,
} from './manifest.ts'

/**
 * Reads a finished backup as far as it is needed to know that no byte of it has changed. A backup
 * that is unfinished, damaged or of a later version is refused, before anything is restored.
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = await findManifest(folder)
  const sums = await readFile(join(folder, SUMS_FILE), 'utf8').catch(() => undefined)
  if (manifest === undefined && sums === undefined) throw notABackup(folder, await exists(folder))
  if (manifest?.status === 'unfinished' && sums === undefined) {
    throw new Refusal(
      'wrong_state',
      `The backup in ${folder}, begun on ${manifest.begun_on}, was not finished; use another one.`,
    )
  }
  const damaged = sums === undefined ? [SUMS_FILE] : await findDamage(folder, sums)
  if (damaged.length > 0 || manifest === undefined) throw damage(folder, damaged)
  if (manifest.format_version > FORMAT_VERSION) {
    throw new Refusal(
      'wrong_state',
      `The backup in ${folder} was made by Pavilion ${manifest.program}, which writes another ` +
        'format: restore it with that version, or a newer one.',
    )
  }
  const unlisted = filesOf(manifest).filter(
    ({ file, sha256 }) => !sums?.includes(`${sha256}  ${file}\n`),
  )
  if (unlisted.length > 0) throw damage(folder, [SUMS_FILE])
  return manifest
}

/** Every file that the backup must have, except the two about itself and the key. */
export function filesOf({ markets, base }: Manifest): FilePart[] {
  return [...markets.flatMap(({ tables }) => tables), ...(base ? [base] : [])]
}

function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  )
}

function notABackup(folder: string, isThere: boolean): Refusal {
  const seen = isThere ? `has no ${MANIFEST_FILE}, so it is not a backup` : 'does not exist'
  return new Refusal('not_found', `${folder} ${seen}; name a folder that "pavilion backup" wrote.`)
}

function damage(folder: string, files: readonly string[]): Refusal {
  return new Refusal(
    'invalid_request',
    `The backup in ${folder} is damaged: ${listed(files.length > 0 ? files : [MANIFEST_FILE])} ` +
      'is not as it was written. Nothing was restored; use another backup.',
    { extra: { damaged: files } },
  )
}

/** The names of the files that are missing or not as they were written. */
async function findDamage(folder: string, sums: string): Promise<string[]> {
  const damaged: string[] = []
  const lines = sums.split('\n').filter((line) => line !== '')
  if (!lines.some((line) => line.endsWith(`  ${MANIFEST_FILE}`))) damaged.push(SUMS_FILE)
  for (const line of lines) {
    const [, sha256, file] = SUM_LINE.exec(line) ?? []
    if (file === undefined || file.includes('..')) damaged.push(SUMS_FILE)
    else if ((await measure(join(folder, file)))?.sha256 !== sha256) damaged.push(file)
  }
  return damaged
}

const SUM_LINE = /^([0-9a-f]{64}) {2}([\w./-]+)$/

function measure(path: string): Promise<Measured | undefined> {
  return measureFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined
    throw error
  })
}

/**
 * Reads the files that were just written once more from the disk, contents included. They are what
 * they must be, or the backup fails.
 */
export async function verifyWritten(
  folder: string,
  manifest: Manifest,
  onRows: (rows: number) => void,
): Promise<void> {
  for (const { tables } of manifest.markets) {
    for (const { file, bytes, sha256, rows, content_sha256 } of tables) {
      const found = await readCompressed(join(folder, file), nowhere(), onRows)
      const isAsWritten =
        found.packed.sha256 === sha256 &&
        found.packed.bytes === bytes &&
        found.content.sha256 === content_sha256 &&
        found.content.lines === rows
      if (!isAsWritten) throw new Error(`${file} is not on the disk as it was written`)
    }
  }
  const { base } = manifest
  if (!base) return
  const found = await readCompressed(join(folder, base.file), nowhere())
  if (found.packed.sha256 !== base.sha256 || found.content.bytes !== base.content_bytes) {
    throw new Error(`${base.file} is not on the disk as it was written`)
  }
}
