import { TextDecoder } from 'node:util'
import { refused } from '../refusals.ts'

/** A record with the CONTINUE records after it, each with bytes of its own. */
type Segments = readonly Buffer[]

const SHARED_CHARS_MAX = 96 * 1_048_576
/** An empty string takes memory too, and counts as so many characters. */
const STRING_CHARS = 16

/** Decodes texts of one byte per character, which only files before Excel 97 have. */
export function decoderOfCodePage(codePage: number): TextDecoder {
  const isKnown = (codePage >= 1250 && codePage <= 1258) || codePage === 874
  return new TextDecoder(isKnown ? `windows-${codePage}` : 'windows-1252')
}

/** Reads the shared strings of a workbook. */
export function readSharedStrings(segments: Segments): string[] {
  const cursor = createCursor(segments)
  // The first number counts the cells that use a string; only the number of strings is needed.
  cursor.skip(4)
  const count = cursor.u32()
  const strings: string[] = []
  let chars = 0
  while (strings.length < count && !cursor.isAtEnd()) {
    const text = readUnicode(cursor, cursor.u16())
    chars += text.length + STRING_CHARS
    if (chars > SHARED_CHARS_MAX) {
      throw refused('This is an Excel 97 file with more text than fits into memory; send CSV.')
    }
    strings.push(text)
  }
  return strings
}

/** Reads the text of a STRING or LABEL record, whose length is its first number. */
export function readText(segments: Segments, at: number): string {
  const cursor = createCursor(segments)
  // What comes before the text, such as row and column, is read by the caller.
  cursor.skip(at)
  return readUnicode(cursor, cursor.u16())
}

type Cursor = ReturnType<typeof createCursor>

/** Reads characters of one or two bytes. Where a record continues, a new flag says which. */
function readUnicode(cursor: Cursor, length: number): string {
  const flags = cursor.u8()
  const runs = flags & 8 ? cursor.u16() : 0
  const extra = flags & 4 ? cursor.u32() : 0
  let isWide = (flags & 1) === 1
  let text = ''
  while (text.length < length) {
    const left = length - text.length
    const part = cursor.take(isWide ? left * 2 : left)
    text += isWide ? part.toString('utf16le') : part.toString('latin1')
    // A whole character always fits before the end of a record; half of one is damage.
    if (text.length < length) {
      if (!cursor.nextSegment()) break
      isWide = (cursor.u8() & 1) === 1
    }
  }
  // Fonts of parts of the text, 4 bytes each, and its pronunciation do not belong to the value.
  cursor.skip(runs * 4 + extra)
  return text
}

/** A position in the bytes of a record and of those that continue it. */
function createCursor(segments: Segments) {
  let segment = 0
  let at = 0

  function nextSegment(): boolean {
    if (segment + 1 >= segments.length) {
      at = segments[segment]?.length ?? 0
      return false
    }
    segment++
    at = 0
    return true
  }

  /** Moves on when the segment is used up; what follows never crosses its end. */
  function here(bytes: number): Buffer | undefined {
    while (segment < segments.length && at >= segments[segment].length) {
      if (!nextSegment()) return undefined
    }
    const current = segments[segment]
    return current && at + bytes <= current.length ? current : undefined
  }

  function read(bytes: 1 | 2 | 4): number {
    const current = here(bytes)
    if (!current) {
      while (nextSegment());
      return 0
    }
    const value = current.readUIntLE(at, bytes)
    at += bytes
    return value
  }

  return {
    u8: () => read(1),
    u16: () => read(2),
    u32: () => read(4),
    nextSegment,
    isAtEnd: () => here(1) === undefined,
    /** Takes bytes of the current segment, fewer when it ends before. */
    take(bytes: number): Buffer {
      const current = segments[segment] ?? Buffer.alloc(0)
      const part = current.subarray(at, at + bytes)
      at += part.length
      return part
    },
    skip(bytes: number): void {
      let left = bytes
      while (left > 0 && here(1)) {
        const step = Math.min(left, segments[segment].length - at)
        at += step
        left -= step
      }
    },
  }
}
