import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { Refusal } from '../../../lib/refusal.ts'

/** The entries of a ZIP archive by name; each is opened as a stream. */
export interface Archive {
  names: string[]
  open(name: string): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

interface Entry {
  isEncrypted: boolean
  method: number
  offset: number
  size: number
}

const END_RECORD = 0x06054b50
const CENTRAL_RECORD = 0x02014b50
const LOCAL_RECORD = 0x04034b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 65_535
const DIRECTORY_BYTES_MAX = 4 * 1_048_576
/** A workbook has one entry per sheet, picture and drawing; Excel writes some dozens. */
const ENTRIES_MAX = 10_000
/** The largest sheet that Excel can save, a million rows of forty columns, has about 2 GiB. */
const UNPACKED_BYTES_MAX = 4 * 1024 ** 3
/** Sheets pack about 20:1, empty ones 60:1. Deflate reaches 1,000:1 only for a file made for it. */
const UNPACKED_RATIO_MAX = 200
/** A small archive may unpack to this size, whatever the ratio. */
const UNPACKED_ALWAYS_BYTES = 16 * 1_048_576

/** Whether the file at a path begins as a ZIP archive. */
export async function isArchive(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const start = await readAt(file, 0, 4)
    return start.length === 4 && start.readUInt32LE(0) === LOCAL_RECORD
  } finally {
    await file.close()
  }
}

/** Opens an archive by its central directory, the only complete list of its entries. */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path)
  try {
    const entries = await readDirectory(file)
    const limit = createUnpackLimit((await file.stat()).size)
    return {
      names: [...entries.keys()],
      open: (name) => limit(openEntry(file, entries.get(name))),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Counts the bytes of all entries together: entries may share the same packed bytes. */
function createUnpackLimit(packedBytes: number) {
  const bytesMax = Math.min(
    UNPACKED_BYTES_MAX,
    UNPACKED_ALWAYS_BYTES + UNPACKED_RATIO_MAX * packedBytes,
  )
  let unpacked = 0
  return async function* limited(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of entry) {
      unpacked += chunk.length
      if (unpacked > bytesMax) {
        const detail =
          `The archive of ${packedBytes} bytes unpacks to more than ${bytesMax} bytes; ` +
          'send the stock list as CSV.'
        throw new Refusal('invalid_request', detail)
      }
      yield chunk
    }
  }
}

function damaged(): Refusal {
  return new Refusal('invalid_request', 'The archive is damaged and cannot be read.')
}

async function readDirectory(file: FileHandle): Promise<Map<string, Entry>> {
  const { size } = await file.stat()
  const tailSize = Math.min(size, END_BYTES + COMMENT_BYTES_MAX)
  const tail = await readAt(file, size - tailSize, tailSize)
  let at = tail.length - END_BYTES
  while (at >= 0 && tail.readUInt32LE(at) !== END_RECORD) at--
  if (at < 0) throw damaged()
  const count = tail.readUInt16LE(at + 10)
  const directorySize = tail.readUInt32LE(at + 12)
  const offset = tail.readUInt32LE(at + 16)
  if (count > ENTRIES_MAX) {
    const detail = `The archive has ${count} entries; it may have ${ENTRIES_MAX}.`
    throw new Refusal('invalid_request', detail)
  }
  if (directorySize > DIRECTORY_BYTES_MAX || offset + directorySize > size) throw damaged()
  return parseDirectory(await readAt(file, offset, directorySize), count)
}

function parseDirectory(directory: Buffer, count: number): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== CENTRAL_RECORD) {
      throw damaged()
    }
    const nameLength = directory.readUInt16LE(at + 28)
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
    entries.set(name.replace(/^\//, ''), {
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      size: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

async function* openEntry(file: FileHandle, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) throw damaged()
  if (entry.isEncrypted) {
    const detail = 'The archive is protected with a password; send it without one.'
    throw new Refusal('invalid_request', detail)
  }
  const header = await readAt(file, entry.offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_RECORD) throw damaged()
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed = Readable.from(readRange(file, start, entry.size))
  if (entry.method === 0) {
    yield* packed
    return
  }
  if (entry.method !== 8) throw damaged()
  const inflate = createInflateRaw()
  packed.on('error', (error) => inflate.destroy(error))
  try {
    yield* packed.pipe(inflate)
  } catch {
    throw damaged()
  }
}

const READ_BYTES = 65_536

async function* readRange(file: FileHandle, start: number, size: number) {
  for (let done = 0; done < size; done += READ_BYTES) {
    const chunk = await readAt(file, start + done, Math.min(READ_BYTES, size - done))
    if (chunk.length === 0) return
    yield chunk
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}
