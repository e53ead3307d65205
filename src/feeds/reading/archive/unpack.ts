import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../../lib/refusal.ts'

/** Files are gzipped once, or twice when a server packs what was already packed. */
const LAYERS_MAX = 2
/** Stock lists pack 5:1 to 30:1. Deflate reaches 1,000:1 only for a file made for it. */
const UNPACKED_RATIO_MAX = 200
/** A small file may unpack to this size, whatever the ratio. */
const UNPACKED_ALWAYS_BYTES = 64 * 1_048_576

/** A format is detected by its first bytes; titles of pages may stand before the first tag. */
const START_BYTES = 4_096

/** Unpacks gzip, even when it was applied twice. Returns the first bytes, and all of them. */
export async function unpack(bytes: AsyncIterable<Uint8Array>) {
  const packed = { bytes: 0 }
  let stream = counted(bytes, packed)
  for (let layer = 0; ; layer++) {
    const [start, all] = await peek(stream)
    stream = all
    const isGzip = start[0] === 0x1f && start[1] === 0x8b
    if (!isGzip || layer === LAYERS_MAX) return { start, bytes: stream }
    stream = limited(gunzip(stream), packed)
  }
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  count: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    count.bytes += chunk.length
    yield chunk
  }
}

/** Compares with the bytes that were sent, so that two layers do not multiply the ratio. */
async function* limited(
  unpacked: AsyncIterable<Uint8Array>,
  packed: { bytes: number },
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of unpacked) {
    size += chunk.length
    if (size > UNPACKED_ALWAYS_BYTES + UNPACKED_RATIO_MAX * packed.bytes) {
      const detail =
        `The gzip file unpacks to more than ${UNPACKED_RATIO_MAX} times its size; ` +
        'send it unpacked.'
      throw new Refusal('invalid_request', detail)
    }
    yield chunk
  }
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(bytes, { objectMode: false })
  const plain = createGunzip()
  packed.on('error', (error) => plain.destroy(error))
  try {
    yield* packed.pipe(plain)
  } catch (error) {
    if (packed.errored) throw packed.errored
    const detail = `The gzip file is damaged or incomplete: ${(error as Error).message}.`
    throw new Refusal('invalid_request', detail)
  }
}

async function peek(
  bytes: AsyncIterable<Uint8Array>,
): Promise<[Uint8Array, AsyncGenerator<Uint8Array>]> {
  const iterator = bytes[Symbol.asyncIterator]()
  let start: Uint8Array = new Uint8Array(0)
  while (start.length < START_BYTES) {
    const next = await iterator.next()
    if (next.done) break
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value])
  }
  async function* all() {
    try {
      if (start.length > 0) yield start
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return [start, all()]
}
