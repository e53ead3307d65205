/** The little of the tar format that a copy of a PostgreSQL cluster needs, in both directions. */
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const BLOCK = 512
const CHUNK_BYTES = 1024 ** 2
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** A folder, or a file with a size and its contents. */
export type TarEntry = { name: string } & (
  | { kind: 'folder' }
  | { kind: 'text'; text: string }
  | { kind: 'file'; path: string }
)

/** Yields the bytes of an archive. A file that is gone meanwhile is left out. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    if (entry.kind === 'folder') yield headerOf(`${entry.name}/`, 0, '5')
    else if (entry.kind === 'text') yield* textEntry(entry.name, Buffer.from(entry.text))
    else yield* fileEntry(entry.name, entry.path)
  }
  yield Buffer.alloc(2 * BLOCK)
}

function* textEntry(name: string, bytes: Buffer): Generator<Buffer> {
  yield headerOf(name, bytes.length, '0')
  yield bytes
  yield padding(bytes.length)
}

async function* fileEntry(name: string, path: string): AsyncGenerator<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!file) return
  try {
    const { size } = await file.stat()
    yield headerOf(name, size, '0')
    yield* exactly(file, size)
    yield padding(size)
  } finally {
    await file.close()
  }
}

/** PostgreSQL may lengthen or shorten the file meanwhile; replaying its log puts that right. */
async function* exactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const length = Math.min(CHUNK_BYTES, size - position)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead)
    position += bytesRead || length
  }
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

const FIELDS = {
  name: 0,
  mode: 100,
  uid: 108,
  gid: 116,
  size: 124,
  mtime: 136,
  sum: 148,
  type: 156,
}
const NAME_BYTES_MAX = 100

function headerOf(name: string, size: number, type: '0' | '5'): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`${name} is too long for a tar`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, FIELDS.name)
  header.write(octal(type === '5' ? FOLDER_MODE : FILE_MODE, 7), FIELDS.mode)
  header.write(octal(0, 7), FIELDS.uid)
  header.write(octal(0, 7), FIELDS.gid)
  header.write(octal(size, 11), FIELDS.size)
  header.write(octal(0, 11), FIELDS.mtime)
  header.write(type, FIELDS.type)
  header.write('ustar\x0000', 257, 'latin1')
  header.write('        ', FIELDS.sum)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, FIELDS.sum)
  return header
}

/**
 * Writes the files of an archive that `writeTar` made into a folder that has none of them.
 * PostgreSQL itself brings them to the disk before it replays its log.
 */
export async function extractTar(source: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const bytes = reader(source)
  for (;;) {
    const header = await bytes.take(BLOCK)
    const name = header.toString('latin1', FIELDS.name, header.indexOf(0))
    if (name === '') return
    if (name.startsWith('/') || name.split('/').includes('..')) {
      throw new Error(`the archive has the name ${name}, which is outside of its folder`)
    }
    const size = Number.parseInt(header.toString('latin1', FIELDS.size, FIELDS.mtime), 8)
    const path = join(folder, name)
    if (name.endsWith('/')) await mkdir(path, { recursive: true, mode: FOLDER_MODE })
    else await extractFile(bytes, path, size)
  }
}

async function extractFile(bytes: Reader, path: string, size: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  const file = await open(path, 'wx', FILE_MODE)
  try {
    for (let left = size; left > 0; ) {
      const chunk = await bytes.take(Math.min(left, CHUNK_BYTES))
      await file.writeFile(chunk)
      left -= chunk.length
    }
  } finally {
    await file.close()
  }
  await bytes.take(padding(size).length)
}

interface Reader {
  /** Returns exactly so many bytes. */
  take(length: number): Promise<Buffer>
}

function reader(source: AsyncIterable<Buffer>): Reader {
  const iterator = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  return {
    async take(length) {
      const parts = [held]
      let size = held.length
      while (size < length) {
        const next = await iterator.next()
        if (next.done) throw new Error('the archive ends too early')
        parts.push(next.value)
        size += next.value.length
      }
      const all = Buffer.concat(parts)
      held = all.subarray(length)
      return all.subarray(0, length)
    },
  }
}
