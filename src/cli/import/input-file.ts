import { access, constants, stat } from 'node:fs/promises'
import { readFileBytes } from '../../feeds/reading/open-feed.ts'
import { Refusal } from '../../lib/refusal.ts'

/** A file to import, or standard input, of which it is known how much was read. */
export interface ImportFile {
  bytes: AsyncIterable<Uint8Array>
  size: number | undefined
  bytesRead: number
}

/** Refuses what cannot be read before anything of the import has begun. */
export async function openImportFile(path: string): Promise<ImportFile> {
  if (path === '-') return counted(process.stdin, undefined)
  try {
    await access(path, constants.R_OK)
    const found = await stat(path)
    if (!found.isDirectory()) return counted(readFileBytes(path), found.size)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file.' : message
    throw new Refusal('not_found', `${path} cannot be read: ${why}`)
  }
  throw new Refusal('invalid_request', `${path} is a folder; name the file to import.`)
}

function counted(bytes: AsyncIterable<Uint8Array>, size: number | undefined): ImportFile {
  const file: ImportFile = { bytes: count(), size, bytesRead: 0 }
  async function* count() {
    for await (const chunk of bytes) {
      file.bytesRead += chunk.length
      yield chunk
    }
  }
  return file
}
