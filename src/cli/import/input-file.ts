import { access, constants, stat } from 'node:fs/promises'
import { readFileBytes } from '../../feeds/reading/open-feed.ts'
import { Refusal } from '../../lib/refusal.ts'

/** The file to import, or standard input. It counts the bytes read, for the progress bar. */
export interface InputFile {
  bytes: AsyncIterable<Uint8Array>
  /** Undefined for standard input. */
  size: number | undefined
  bytesRead: number
}

/** Opens the file; refuses one that cannot be read before the import begins. */
export async function openInputFile(path: string): Promise<InputFile> {
  if (path === '-') return counted(process.stdin, undefined)
  try {
    await access(path, constants.R_OK)
    const found = await stat(path)
    if (!found.isDirectory()) return counted(readFileBytes(path), found.size)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'the file does not exist.' : message
    throw new Refusal('not_found', `Cannot read ${path}: ${reason}`)
  }
  throw new Refusal('invalid_request', `${path} is a folder; name the file to import.`)
}

function counted(bytes: AsyncIterable<Uint8Array>, size: number | undefined): InputFile {
  const file: InputFile = { bytes: count(), size, bytesRead: 0 }
  async function* count() {
    for await (const chunk of bytes) {
      file.bytesRead += chunk.length
      yield chunk
    }
  }
  return file
}
