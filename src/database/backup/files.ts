/** Compressed files of a backup: written and read as streams, with what proves their contents. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { FILE_MODE, type FilePart } from './manifest.ts'

/** What went through a stream. */
export interface Measured {
  bytes: number
  sha256: string
  /** How many line ends; a row of COPY's text format has one, since it escapes its own. */
  lines: number
}

interface Meter {
  stream: Transform
  result(): Measured
}

const LINE_END = 10

/** Passes bytes on and measures them; `onLines` is called with the line ends of each chunk. */
export function meter(onLines: (lines: number) => void = () => {}): Meter {
  const hash = createHash('sha256')
  let bytes = 0
  let lines = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      let found = 0
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1))
        found++
      lines += found
      onLines(found)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, lines, sha256: hash.digest('hex') }) }
}

/** Fast rather than small: a higher level takes several times as long for a few per cent. */
const COMPRESSION_LEVEL = 2

interface Written extends FilePart {
  content: Measured
}

/** Compresses a stream into a file of the folder, and returns once it is on the disk. */
export async function writeCompressed(
  folder: string,
  file: string,
  source: Readable,
  onLines?: (lines: number) => void,
): Promise<Written> {
  const content = meter(onLines)
  const packed = meter()
  const path = join(folder, file)
  const target = createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true })
  const gzip = createGzip({ level: COMPRESSION_LEVEL })
  await pipeline(source, content.stream, gzip, packed.stream, target)
  const { bytes, sha256 } = packed.result()
  return { file, bytes, sha256, content: content.result() }
}

/** Streams the contents of a compressed file into `target`, and returns what was read. */
export async function readCompressed(
  path: string,
  target: Writable,
  onLines?: (lines: number) => void,
): Promise<{ packed: Measured; content: Measured }> {
  const packed = meter()
  const content = meter(onLines)
  await pipeline(createReadStream(path), packed.stream, createGunzip(), content.stream, target)
  return { packed: packed.result(), content: content.result() }
}

/** Reads a file of a backup without its contents. */
export async function measureFile(path: string): Promise<Measured> {
  const all = meter()
  await pipeline(createReadStream(path), all.stream, nowhere())
  return all.result()
}

/** For what is read only to be measured. */
export function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
