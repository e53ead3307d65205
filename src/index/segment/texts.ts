import type { TextColumn } from './columns.ts'

/**
 * A text column is found by its exact value: the bytes of all texts are in one array, and the rows
 * in the order of their hashes. A binary search computes the hashes again, so that neither hashes
 * nor JavaScript strings are stored.
 */
export type TextBytes = Omit<TextColumn, 'order'>

/** Row r has the text texts[source[r]]. */
export function writeTexts(texts: readonly (string | null)[], source: Uint32Array): TextBytes {
  const size = source.length
  let total = 0
  for (const text of texts) if (text !== null) total += Buffer.byteLength(text)
  const column = newTexts(size, total)
  const buffer = Buffer.from(column.bytes.buffer)
  let end = 0
  for (let row = 0; row < size; row++) {
    column.starts[row] = end
    const text = texts[source[row]]
    if (text) end += buffer.write(text, end)
  }
  column.starts[size] = end
  return column
}

/** Space for so many texts of so many bytes together. */
export function newTexts(size: number, bytes: number): TextBytes {
  return {
    bytes: new Uint8Array(new SharedArrayBuffer(bytes)),
    starts: new Uint32Array(new SharedArrayBuffer((size + 1) * 4)),
  }
}

/** The hash of the text of every row. */
export function hashesOf({ bytes, starts }: TextBytes): Uint32Array {
  const hashes = new Uint32Array(starts.length - 1)
  for (let row = 0; row < hashes.length; row++) {
    hashes[row] = hashOf(bytes, starts[row], starts[row + 1])
  }
  return hashes
}

/** The rows that have one of the texts; null stands for rows without a text. */
export function findTexts(column: TextColumn, texts: readonly (string | null)[]): Set<number> {
  const found = new Set<number>()
  for (const text of texts) {
    const wanted = Buffer.from(text ?? '')
    const hash = hashOf(wanted, 0, wanted.length)
    const first = firstWithHash(column, hash)
    for (let position = first; position < column.order.length; position++) {
      const row = column.order[position]
      if (hashAt(column, row) !== hash) break
      const [from, to] = [column.starts[row], column.starts[row + 1]]
      if (wanted.compare(column.bytes, from, to) === 0) found.add(row)
    }
  }
  return found
}

/** The text of a row; null when it has none. */
export function textAt({ bytes, starts }: TextColumn, row: number): string | null {
  const [from, to] = [starts[row], starts[row + 1]]
  if (from === to) return null
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString()
}

/** The first position in the order of the hashes with this hash or a greater one. */
function firstWithHash(column: TextColumn, hash: number): number {
  let low = 0
  let high = column.order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hashAt(column, column.order[middle]) < hash) low = middle + 1
    else high = middle
  }
  return low
}

function hashAt({ bytes, starts }: TextColumn, row: number): number {
  return hashOf(bytes, starts[row], starts[row + 1])
}

/** The FNV-1a hash. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash >>> 0
}
