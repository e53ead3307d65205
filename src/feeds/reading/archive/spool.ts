/** Temporary files for formats that cannot be read from the first byte to the last. */
import { openTemporaryFile, pathOfOpenFile } from '../../../lib/temporary-file.ts'
import { refused } from '../refusals.ts'

/** Twenty times the largest stock list seen; the temporary folder must have room for it. */
const FILE_BYTES_MAX = 1024 ** 3

interface SpooledFile {
  path: string
  /** Removes the file; the second time it does nothing. */
  close: () => Promise<void>
}

/** Writes the bytes to a temporary file. */
export async function spool(bytes: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const file = await openTemporaryFile('feed')
  let isOpen = true
  const close = async () => {
    if (isOpen) {
      isOpen = false
      await file.close()
    }
  }
  try {
    for await (const chunk of limitBytes(bytes)) await file.writeFile(chunk)
    return { path: pathOfOpenFile(file), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function* limitBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > FILE_BYTES_MAX) {
      throw refused(`The file is larger than ${FILE_BYTES_MAX} bytes; save it as CSV.`)
    }
    yield chunk
  }
}
