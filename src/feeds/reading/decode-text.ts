import { isAscii } from 'node:buffer'
import { TextDecoder } from 'node:util'

/**
 * Decodes bytes of unknown encoding. A byte order mark decides; without one, zero bytes indicate
 * UTF-16 and invalid UTF-8 indicates Latin-1 (decoded as its superset Windows-1252, which
 * spreadsheets write).
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decode: ((chunk?: Uint8Array) => string) | undefined
  for await (const chunk of joinStart(bytes)) {
    decode ??= decoderFor(chunk)
    const text = withoutInvisible(decode(chunk))
    if (text !== '') yield text
  }
  const tail = withoutInvisible(decode?.() ?? '')
  if (tail !== '') yield tail
}

/** Characters without a width, which are copied from web pages and hide a number or a name. */
const INVISIBLE = /[\u200b\u200e\u200f\u2060\ufeff]/g

export function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '')
}

/** Decodes the first bytes of a file, which may end within a character. */
export function decodeStart(start: Uint8Array): string {
  return decoderFor(start)(start)
}

const START_BYTES = 65_536

/** Joins the first chunks, so that the encoding is decided by more than a few bytes. */
async function* joinStart(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array[] | undefined = []
  let size = 0
  for await (const chunk of bytes) {
    if (!start) {
      yield chunk
      continue
    }
    start.push(chunk)
    size += chunk.length
    if (size >= START_BYTES) {
      yield Buffer.concat(start)
      start = undefined
    }
  }
  if (start && size > 0) yield Buffer.concat(start)
}

function decoderFor(start: Uint8Array): (chunk?: Uint8Array) => string {
  const wide = sniffUtf16(start)
  if (wide) return streaming(new TextDecoder(wide))
  return utf8OrLatin1()
}

function streaming(decoder: TextDecoder): (chunk?: Uint8Array) => string {
  return (chunk) => (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode())
}

function sniffUtf16(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  let evenZeros = 0
  let oddZeros = 0
  const length = Math.min(start.length, 4096) & ~1
  for (let at = 0; at < length; at += 2) {
    if (start[at] === 0) evenZeros++
    if (start[at + 1] === 0) oddZeros++
  }
  // Feeds are mostly ASCII, which in UTF-16 has a zero in every other byte.
  if (oddZeros > length / 4 && evenZeros < oddZeros / 8) return 'utf-16le'
  if (evenZeros > length / 4 && oddZeros < evenZeros / 8) return 'utf-16be'
  return undefined
}

/**
 * Decodes UTF-8 until the first invalid bytes. If there was no multi-byte character before them,
 * the file is Latin-1 that started with ASCII, and is decoded as such from there on; otherwise the
 * file is damaged UTF-8, and the bytes become replacement characters.
 */
function utf8OrLatin1(): (chunk?: Uint8Array) => string {
  let strict: TextDecoder | undefined = new TextDecoder('utf-8', { fatal: true })
  let decode = streaming(new TextDecoder('utf-8'))
  let pending: Uint8Array = new Uint8Array(0)
  let sawWide = false
  return (chunk) => {
    if (!strict) return decode(chunk)
    if (chunk && pending.length === 0 && isAscii(chunk)) return asciiText(chunk)
    const whole = chunk ? Buffer.concat([pending, chunk]) : Buffer.from(pending)
    const end = chunk ? whole.length - unfinishedTail(whole) : whole.length
    try {
      const text = strict.decode(whole.subarray(0, end))
      pending = whole.subarray(end)
      if (!sawWide && text.length < end) sawWide = true
      return text
    } catch {
      strict = undefined
      if (!sawWide) decode = streaming(new TextDecoder('windows-1252'))
      pending = new Uint8Array(0)
      return decode(whole) + (chunk ? '' : decode())
    }
  }
}

/** Most of a file is ASCII, which needs no decoder: its bytes are the characters. */
function asciiText({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}

/** Counts the bytes at the end that belong to a character continued in the next chunk. */
function unfinishedTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? back : 0
    }
  }
  return 0
}
