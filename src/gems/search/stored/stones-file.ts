import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { prepareReplacement } from '../../../lib/temporary-file.ts'
import { BLOCK_BYTES } from './blocks.ts'
import { readAt, type SavedBlocks } from './records.ts'

/**
 * A file of rendered stones, for the next start of the process:
 *
 *     header   a line of text: what it is, the length and the checksum of the JSON
 *     JSON     what is said about the stones, how many they are, and what they are compressed with
 *     stones   their blocks, one stone behind the other, from a whole number of blocks on
 *     list     their ids, versions and lengths, and a checksum of these
 *
 * Each stone has a checksum of its own (records.ts), so that opening the file reads only the rest.
 */

/** What is said about the stones of a file. */
export interface AboutStones {
  /** The version of the program, and its code; see `renderingCode`. */
  program: string
  code: string
  index: string
  publicUrl: string
  /** Which change log it is (decision 27), and up to which number its changes are in the stones. */
  origin: string
  sequence: number
}

/** Which stones are in a file, in the order in which they lie there. */
export interface ListedStones {
  ids: Float64Array
  /** A number that follows from what the index has of the stone. */
  versions: Uint32Array
  /** How many blocks each of them has. */
  blocks: Uint8Array
}

export interface StonesFile extends SavedBlocks {
  about: AboutStones
  listed: ListedStones
}

interface Description {
  about: AboutStones
  stones: number
  blocks: number
  dictionary: string
}

const HEADER_BYTES = 64
const CHECKSUM_BYTES = 4
const LISTED_BYTES = 8 + 4 + 1

/** Opens a file; undefined when there is none. Fails when it cannot be used. */
export async function openStonesFile(path: string): Promise<StonesFile | undefined> {
  const file = await open(path, 'r').catch(except('ENOENT'))
  if (!file) return undefined
  try {
    const { description, from } = await readDescription(file)
    const { about, stones, blocks } = description
    const end = from + blocks * BLOCK_BYTES
    const { size } = await file.stat()
    if (size !== end + stones * LISTED_BYTES + CHECKSUM_BYTES) throw new Error('it is not whole')
    const listed = listIn(await readAt(file, end, size - end), stones)
    return {
      about,
      listed,
      dictionary: Buffer.from(description.dictionary, 'base64'),
      bytes: size,
      read: (first, count) => readAt(file, from + first * BLOCK_BYTES, count * BLOCK_BYTES),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Handles an error of this code, and no other. */
function except(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error
  }
}

async function readDescription(file: FileHandle) {
  const header = (await readAt(file, 0, HEADER_BYTES)).toString('latin1')
  if (!header.startsWith('pavilion stones ')) throw new Error('it is another file')
  const length = Number.parseInt(header.split(' ')[2], 16) || 0
  const { size } = await file.stat()
  const json = await readAt(file, HEADER_BYTES, Math.min(length, size))
  if (headerOf(json) !== header) throw new Error('the checksum of its description is wrong')
  const description = JSON.parse(json.toString()) as Description
  return { description, from: startOfStones(json) }
}

function listIn(bytes: Buffer, stones: number): ListedStones {
  const end = stones * LISTED_BYTES
  if (bytes.readUInt32LE(end) !== crc32(bytes.subarray(0, end))) {
    throw new Error('the checksum of its list is wrong')
  }
  const { buffer, byteOffset: at } = bytes
  return {
    ids: new Float64Array(buffer, at, stones),
    versions: new Uint32Array(buffer, at + stones * 8, stones),
    blocks: new Uint8Array(buffer, at + stones * 12, stones),
  }
}

/** What is written into a file. */
interface WrittenStones {
  about: AboutStones
  listed: ListedStones
  dictionary: Buffer
  /** Their blocks in the order of the list. */
  chunks: AsyncIterable<Buffer>
  /** Whether the stones are still trusted when all is written. */
  isValid: () => boolean
}

/**
 * Writes a file, which gets its name when it is whole and on the disk: a process that is killed
 * before leaves the older one. Returns whether it was written: not while another process writes it.
 * Fails on a disk that is full or read-only.
 */
export async function writeStonesFile(path: string, written: WrittenStones): Promise<boolean> {
  const { about, listed, dictionary, chunks, isValid } = written
  const stones = listed.ids.length
  const blocks = listed.blocks.reduce((sum, each) => sum + each, 0)
  const description = { about, stones, blocks, dictionary: dictionary.toString('base64') }
  const json = Buffer.from(JSON.stringify(description satisfies Description))
  const from = startOfStones(json)
  const end = from + blocks * BLOCK_BYTES
  const temporary = prepareReplacement(path, end + stones * LISTED_BYTES)
  const file = await open(temporary, 'wx', 0o600).catch(except('EEXIST'))
  if (!file) return false
  try {
    await writeAt(file, Buffer.concat([Buffer.from(headerOf(json)), json]), 0)
    let at = from
    for await (const chunk of chunks) {
      await writeAt(file, chunk, at)
      at += chunk.length
    }
    if (at !== end) throw new Error('the stones have other lengths than their list')
    await writeAt(file, bytesOf(listed), end)
    await file.sync()
    if (!isValid()) throw new Error('the stones are no longer those of the index')
    await rename(temporary, path)
    return true
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

function bytesOf({ ids, versions, blocks }: ListedStones): Buffer {
  const list = Buffer.concat(
    [ids, versions, blocks].map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  )
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(list))
  return Buffer.concat([list, checksum])
}

async function writeAt(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const left = bytes.length - from
    from += (await file.write(bytes, from, left, offset + from)).bytesWritten
  }
}

function startOfStones(json: Buffer): number {
  return Math.ceil((HEADER_BYTES + json.length) / BLOCK_BYTES) * BLOCK_BYTES
}

function headerOf(json: Buffer): string {
  const parts = ['pavilion stones', hex(json.length), hex(crc32(json))]
  return `${parts.join(' ').padEnd(HEADER_BYTES - 1)}\n`
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0')
}

/** The folders of the code that reads, renders and stores stones, and of what it makes it of. */
const CODE_FOLDERS = ['./', '../', '../../', '../../../lib/']

/**
 * Names the code of this process, and the migrations that the table went through, so that a file of
 * any other code is not used: nobody has to remember to raise a number. It is asked for at the
 * start, because an upgrade may replace the code while the process runs.
 */
export function renderingCode(): string {
  const hash = createHash('sha256')
  for (const path of CODE_FOLDERS) {
    const folder = new URL(path, import.meta.url)
    for (const name of filesIn(folder)) hash.update(readFileSync(new URL(name, folder)))
  }
  const migrations = filesIn(new URL('../../../../migrations/', import.meta.url))
  return hash.update(JSON.stringify(migrations)).digest('hex').slice(0, 16)
}

function filesIn(folder: URL): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ name }) => name).sort()
}
