/** A fetched file on its way into the import: a temporary file with a bound and a hash. */
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { openTemporaryFile, readWhole } from '../../../lib/temporary-file.ts'
import { FetchError } from './fetch-error.ts'

const WRITE_BYTES = 256 * 1024

export interface Spool {
  /** Takes the bytes of one file; fails when they are too many. */
  sink(): Writable
  bytes(): number
  /** Of all bytes, once the sink has finished. */
  sha256(): string
  read(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export async function openSpool(fileBytesMax: number): Promise<Spool> {
  const file = await openTemporaryFile('feed')
  let bytes = 0
  let digest: string | undefined
  return {
    sink() {
      const hash = createHash('sha256')
      return new Writable({
        highWaterMark: WRITE_BYTES,
        write(chunk: Buffer, _encoding, done) {
          bytes += chunk.length
          if (bytes > fileBytesMax) return done(tooLarge(fileBytesMax))
          hash.update(chunk)
          file.writeFile(chunk).then(() => done(), done)
        },
        final(done) {
          digest = hash.digest('base64url')
          done()
        },
      })
    },
    bytes: () => bytes,
    sha256() {
      if (digest === undefined) throw new Error('the hash is known when the file is complete')
      return digest
    },
    read: () => readWhole(file),
    close: () => file.close(),
  }
}

export function tooLarge(fileBytesMax: number): FetchError {
  const mebibytes = Math.floor(fileBytesMax / 1024 ** 2)
  return new FetchError(
    'file_too_large',
    `The file is larger than ${mebibytes} MiB, which UPLOAD_MEGABYTES allows.`,
  )
}
