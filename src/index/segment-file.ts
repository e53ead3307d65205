import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { crc32 } from 'node:zlib'
import { prepareReplacement } from '../lib/temporary-file.ts'
import { bytesForWorkspace } from './query/workspace.ts'
import { newArena } from './segment/arena.ts'
import { bytesForMissingBitmaps } from './segment/build.ts'
import type { CodeColumn, IntegerArray, Segment } from './segment/columns.ts'

/**
 * A segment in a file, for the next start of the process. Its arrays are stored as they are in
 * memory:
 *
 *     header   a line of text: what it is, the layout, the length and the checksum of the JSON
 *     JSON     what is said about the segment, and the segment with descriptions of its arrays
 *     arrays   the memory of the arena, then the other arrays in the order of the JSON
 *     end      the checksum of the arrays
 *
 * Everything is synchronous, because it runs in a thread of its own.
 */

/** What is said about the segment of a file. */
export type About = Record<string, string | number>

/** Where a segment is written, and what is said about it there. */
export interface SegmentFile {
  readonly path: string
  readonly about: About
}

const HEADER_BYTES = 64
/** Ten million stones take about two thirds of it. */
const BYTES_MAX = 4 * 1024 ** 3
/** So much is read, checked and written at once. */
const CHUNK_BYTES = 16 * 1024 ** 2

/**
 * Writes a segment, which no other thread may change meanwhile, under another name. Returns a
 * function that makes the file durable and gives it its name, in place of an older one: a process
 * that is killed before leaves the older one as it was. That function returns what went wrong, as
 * on a disk that is full or read-only; none of it is an error.
 */
export function writeSegment(segment: Segment, file: SegmentFile): () => string | undefined {
  let temporary = ''
  let handle: number | undefined
  const orProblem = (work: () => void): string | undefined => {
    try {
      work()
      return undefined
    } catch (error) {
      if (handle !== undefined) fs.rmSync(temporary, { force: true })
      return (error as Error).message
    }
  }
  const problem = orProblem(() => {
    const { json, arrays } = describe(segment, file.about)
    const bytes = [json, ...arrays].reduce((sum, part) => sum + part.length, 0)
    if (bytes > BYTES_MAX) throw new Error(`it would be larger than ${BYTES_MAX} bytes`)
    temporary = prepareReplacement(file.path, bytes)
    handle = fs.openSync(temporary, 'wx', 0o600)
    writeParts(handle, json, arrays)
  })
  return () => {
    const opened = handle
    if (opened === undefined) return problem
    const unnamed = orProblem(() => {
      if (problem !== undefined) return
      fs.fsyncSync(opened)
      fs.renameSync(temporary, file.path)
    })
    fs.closeSync(opened)
    return problem ?? unnamed
  }
}

function writeParts(file: number, json: Buffer, arrays: readonly Uint8Array[]): void {
  writeAll(file, Buffer.from(headerOf(json)))
  writeAll(file, json)
  let checksum = 0
  for (const chunk of arrays.flatMap(chunksOf)) {
    checksum = crc32(chunk, checksum)
    writeAll(file, chunk)
  }
  writeAll(file, Buffer.from(hex(checksum)))
}

/** A file whose arrays have not been read yet. */
interface OpenedSegment {
  readonly about: About
  /** Reads the arrays. Fails unless every byte is as it was written. */
  read: () => Segment
  close: () => void
}

/** Opens a file; undefined when there is none. Fails when it cannot be used. */
export function openSegment(path: string): OpenedSegment | undefined {
  if (!fs.existsSync(path)) return undefined
  const file = fs.openSync(path, 'r')
  const close = () => fs.closeSync(file)
  try {
    const { about, arenaBytes, segment } = readDescription(file)
    return { about, read: () => readArrays(file, segment, arenaBytes), close }
  } catch (error) {
    close()
    throw error
  }
}

/** What the JSON says. */
interface Description {
  about: About
  /** How much of the arena is used. */
  arenaBytes: number
  /** Its arrays are described. */
  segment: Pick<Segment, 'size'> & { codes: Record<string, Pick<CodeColumn, 'bitmaps'>> }
}

/** An array in the JSON. One that is not in the arena has no address, and its bytes follow it. */
interface DescribedArray {
  $array: ArrayName
  length: number
  address?: number
}

type ArrayName = 'Uint8Array' | 'Uint16Array' | 'Uint32Array' | 'Float64Array'

interface ArrayKind {
  new (buffer: SharedArrayBuffer, address?: number, length?: number): IntegerArray
  BYTES_PER_ELEMENT: number
}

const KINDS: Record<ArrayName, ArrayKind> = { Uint8Array, Uint16Array, Uint32Array, Float64Array }

function describe({ arena, ...segment }: Segment, about: About) {
  const { buffer } = arena.memory
  const arrays: Uint8Array[] = [new Uint8Array(buffer, 0, arena.free)]
  const description: Description = { about, arenaBytes: arena.free, segment }
  const text = JSON.stringify(description, (_, value: unknown) => {
    // JSON has no infinite numbers; the least ratio of no rows is one.
    if (value === Number.POSITIVE_INFINITY) return { $number: 'Infinity' }
    if (!ArrayBuffer.isView(value)) return value
    const { length, byteOffset: address, byteLength } = value as Uint8Array
    const $array = value.constructor.name
    if (value.buffer === buffer) return { $array, length, address }
    arrays.push(new Uint8Array(value.buffer, address, byteLength))
    return { $array, length }
  })
  return { json: Buffer.from(text), arrays }
}

function readArrays(file: number, described: Description['segment'], arenaBytes: number): Segment {
  const reserved = bytesForMissingBitmaps(described) + bytesForWorkspace(described.size)
  const arena = newArena(arenaBytes + reserved)
  arena.free = arenaBytes
  const { buffer } = arena.memory
  const arrays = [new Uint8Array(buffer, 0, arenaBytes)]
  const segment = restore(described, ({ $array, length, address }) => {
    const Kind = KINDS[$array]
    if (address !== undefined) return new Kind(buffer, address, length)
    const own = new SharedArrayBuffer(length * Kind.BYTES_PER_ELEMENT)
    arrays.push(new Uint8Array(own))
    return new Kind(own)
  })
  let checksum = 0
  for (const chunk of arrays.flatMap(chunksOf)) {
    readAll(file, chunk)
    checksum = crc32(chunk, checksum)
  }
  if (readText(file, 8) !== hex(checksum)) throw new Error('its checksum is wrong')
  return { arena, ...(segment as Omit<Segment, 'arena'>) }
}

/** Puts arrays and infinite numbers back into what the JSON had, in its order. */
function restore(value: unknown, arrayOf: (described: DescribedArray) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$number' in value) return Number(value.$number)
  if ('$array' in value) return arrayOf(value as DescribedArray)
  const entries = Object.entries(value).map(([name, inner]) => [name, restore(inner, arrayOf)])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

function headerOf(json: Buffer): string {
  const parts = ['pavilion index', layout(), hex(json.length), hex(crc32(json))]
  return `${parts.join(' ').padEnd(HEADER_BYTES - 1)}\n`
}

function readDescription(file: number): Description {
  const header = readText(file, HEADER_BYTES)
  if (!header.startsWith(`pavilion index ${layout()} `)) throw new Error('it has another layout')
  const length = Number.parseInt(header.split(' ')[3], 16) || 0
  const json = Buffer.alloc(Math.min(length, fs.fstatSync(file).size))
  readAll(file, json)
  if (headerOf(json) !== header) throw new Error('the checksum of its description is wrong')
  return JSON.parse(json.toString()) as Description
}

/** Names the code that lays out segments, so that a file of any other code is not read. */
function layout(): string {
  const hash = createHash('sha256')
  const folder = new URL('./segment/', import.meta.url)
  for (const name of fs.readdirSync(folder).sort())
    hash.update(fs.readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 16)
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0')
}

function chunksOf(array: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let from = 0; from < array.length; from += CHUNK_BYTES) {
    chunks.push(array.subarray(from, from + CHUNK_BYTES))
  }
  return chunks
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += fs.writeSync(file, bytes, from)
}

function readAll(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) {
    const count = fs.readSync(file, bytes, from, bytes.length - from, null)
    if (count === 0) throw new Error('it is too short')
    from += count
  }
}

function readText(file: number, length: number): string {
  const bytes = Buffer.alloc(length)
  readAll(file, bytes)
  return bytes.toString('latin1')
}
