import type { TextColumn } from './columns.ts'
import { sortRows } from './radix.ts'

/**
 * Exact look-up of texts: the bytes of all of them in one array, and the rows in the order of the
 * texts' hashes, which a binary search recomputes as it goes. No JavaScript string per row.
 */
export function buildTexts(texts: readonly (string | null)[], place: Uint32Array): TextColumn {
  const size = place.length
  let total = 0
  for (const text of texts) if (text !== null) total += Buffer.byteLength(text)
  const bytes = new Uint8Array(new SharedArrayBuffer(total))
  const starts = new Uint32Array(new SharedArrayBuffer((size + 1) * 4))
  const hashes = new Uint32Array(size)
  const into = Buffer.from(bytes.buffer)
  let at = 0
  for (let row = 0; row < size; row++) {
    starts[row] = at
    const text = texts[place[row]]
    if (text) at += into.write(text, at)
    hashes[row] = hashOf(bytes, starts[row], at)
  }
  starts[size] = at
  const rows = Uint32Array.from({ length: size }, (_, row) => row)
  return { bytes, starts, order: sortRows(rows, hashes, 0xffffffff) }
}

/** The rows that have one of the texts; null stands for rows without one. */
export function findTexts(column: TextColumn, texts: readonly (string | null)[]): Set<number> {
  const found = new Set<number>()
  for (const text of texts) {
    const wanted = Buffer.from(text ?? '')
    const hash = hashOf(wanted, 0, wanted.length)
    for (let at = firstWith(column, hash); at < column.order.length; at++) {
      const row = column.order[at]
      if (hashAt(column, row) !== hash) break
      const [from, to] = [column.starts[row], column.starts[row + 1]]
      if (wanted.compare(column.bytes, from, to) === 0) found.add(row)
    }
  }
  return found
}

function firstWith(column: TextColumn, hash: number): number {
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

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash >>> 0
}
