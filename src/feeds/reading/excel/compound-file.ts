/**
 * Reads a compound file, the container of Excel 97 and of other programs of its time: a small file
 * system of sectors whose order is in a table. Every number of the file is checked before use.
 */
import { open } from 'node:fs/promises'
import { refused } from '../refusals.ts'

/** A sheet of Excel 97 has at most 65,536 rows and 256 columns; a full one takes about 60 MB. */
const FILE_BYTES_MAX = 160 * 1_048_576
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const END_OF_CHAIN = 0xfffffffe
/** Streams below this size are in sectors of 64 bytes, inside the root's own stream. */
const SMALL_STREAM_BYTES = 4_096
const SMALL_SECTOR_BYTES = 64
const STREAM = 2
const ROOT = 5

interface CompoundFile {
  /** The names of all streams, in capitals. */
  names: string[]
  /** Returns the bytes of the first stream with this name. */
  stream(name: string): Buffer | undefined
}

interface DirectoryEntry {
  name: string
  type: number
  start: number
  size: number
}

export async function readCompoundFile(path: string): Promise<CompoundFile> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > FILE_BYTES_MAX) {
      throw refused(`This is an Excel 97 file of ${size} bytes; save it as XLSX or CSV.`)
    }
    return parseCompoundFile(await file.readFile())
  } finally {
    await file.close()
  }
}

function parseCompoundFile(bytes: Buffer): CompoundFile {
  if (bytes.length < HEADER_BYTES) throw damaged()
  const shift = bytes.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damaged()
  const sectorBytes = 1 << shift
  const sectorsMax = Math.ceil(bytes.length / sectorBytes)
  const sector = (index: number) => {
    const at = (index + 1) * sectorBytes
    if (index >= sectorsMax || at >= bytes.length) throw damaged()
    return bytes.subarray(at, Math.min(at + sectorBytes, bytes.length))
  }
  const table = readTable(bytes, sector, sectorsMax)
  const chain = (start: number) => readChain(start, { table, sector, lengthMax: sectorsMax })
  const entries = readDirectory(chain(bytes.readUInt32LE(48)))
  const root = entries.find(({ type }) => type === ROOT)
  return {
    names: entries.filter(({ type }) => type === STREAM).map(({ name }) => name),
    stream(name) {
      const entry = entries.find((each) => each.type === STREAM && each.name === name)
      if (!entry) return undefined
      if (entry.size >= SMALL_STREAM_BYTES) return chain(entry.start).subarray(0, entry.size)
      const small = readSmallStream(entry, root, { chain, table: bytes.readUInt32LE(60) })
      return small.subarray(0, entry.size)
    },
  }
}

/** Reads the table that has, for each sector, the number of the one after it. */
function readTable(bytes: Buffer, sector: (index: number) => Buffer, sectorsMax: number): Buffer {
  const sectors: number[] = []
  for (let at = 76; at < HEADER_BYTES; at += 4) sectors.push(bytes.readUInt32LE(at))
  let next = bytes.readUInt32LE(68)
  for (let read = 0; next < END_OF_CHAIN - 1 && read < sectorsMax; read++) {
    const more = sector(next)
    for (let at = 0; at + 8 <= more.length; at += 4) sectors.push(more.readUInt32LE(at))
    next = more.length >= 4 ? more.readUInt32LE(more.length - 4) : END_OF_CHAIN
  }
  const used = sectors.filter((index) => index < END_OF_CHAIN - 1)
  if (used.length > sectorsMax) throw damaged()
  return Buffer.concat(used.map(sector))
}

interface Sectors {
  /** For each sector the number of the one after it. */
  table: Buffer
  sector: (index: number) => Buffer
  /** A chain with more sectors than there are goes in circles. */
  lengthMax: number
}

/** Joins the sectors of a chain. */
function readChain(start: number, { table, sector, lengthMax }: Sectors): Buffer {
  const parts: Buffer[] = []
  for (let index = start; index < END_OF_CHAIN - 1; ) {
    if (parts.length >= lengthMax || index * 4 + 4 > table.length) throw damaged()
    parts.push(sector(index))
    index = table.readUInt32LE(index * 4)
  }
  return Buffer.concat(parts)
}

function readDirectory(bytes: Buffer): DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const type = bytes[at + 66]
    if (type !== STREAM && type !== ROOT) continue
    const nameBytes = Math.max(0, Math.min(62, bytes.readUInt16LE(at + 64) - 2))
    const name = bytes.toString('utf16le', at, at + nameBytes).toUpperCase()
    const start = bytes.readUInt32LE(at + 116)
    entries.push({ name, type, start, size: bytes.readUInt32LE(at + 120) })
  }
  return entries
}

function readSmallStream(
  entry: DirectoryEntry,
  root: DirectoryEntry | undefined,
  { chain, table }: { chain: (start: number) => Buffer; table: number },
): Buffer {
  if (!root) throw damaged()
  const stream = chain(root.start)
  const small = (index: number) => {
    const at = index * SMALL_SECTOR_BYTES
    if (at >= stream.length) throw damaged()
    return stream.subarray(at, at + SMALL_SECTOR_BYTES)
  }
  const lengthMax = Math.ceil(stream.length / SMALL_SECTOR_BYTES)
  return readChain(entry.start, { table: chain(table), sector: small, lengthMax })
}

function damaged(): Error {
  return refused('This is an Excel 97 file (or another of its time), but it is damaged.')
}
