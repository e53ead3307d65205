import { type Arena, allocate, BLOCK_BYTES } from './arena.ts'
import type { CodeView, WordArray } from './columns.ts'

/**
 * The codes of all code columns are packed into words, one word of each kind for every row: a code
 * takes as many bits as its column has values for, and a stone has some thirty-five of them in 13
 * bytes. A column never has its codes in two words.
 */
export interface CodeLayout {
  /** By column, in which word its codes are, and which bits of it. */
  readonly fields: ReadonlyMap<string, { word: number; shift: number; mask: number }>
  /** By word, how many bytes it has for each row. */
  readonly widths: number[]
}

const WORD_BITS = 32

/** Each column goes into the first word that has space for it. */
export function layOutCodes(valueCounts: Iterable<[column: string, values: number]>): CodeLayout {
  const fields = new Map<string, { word: number; shift: number; mask: number }>()
  const used: number[] = []
  for (const [column, values] of valueCounts) {
    const bits = bitsFor(values)
    const fitting = used.findIndex((taken) => taken + bits <= WORD_BITS)
    const word = fitting === -1 ? used.length : fitting
    const shift = used[word] ?? 0
    fields.set(column, { word, shift, mask: 2 ** bits - 1 })
    used[word] = shift + bits
  }
  return { fields, widths: used.map(widthFor) }
}

/** How many bits the codes from 0 to values - 1 need. */
function bitsFor(values: number): number {
  return Math.max(1, 32 - Math.clz32(values - 1))
}

function widthFor(bits: number): number {
  if (bits <= 8) return 1
  return bits <= 16 ? 2 : 4
}

export function bytesForCodes({ widths }: CodeLayout, rows: number): number {
  // Each array begins at a multiple of a block, so up to one block is lost before it.
  return widths.reduce((bytes, width) => bytes + width * rows + BLOCK_BYTES, 0)
}

/** Allocates the words, all of whose codes are 0. */
export function allocateCodes(
  arena: Arena,
  { fields, widths }: CodeLayout,
  rows: number,
): Map<string, CodeView> {
  const words = widths.map((width) => allocateWords(arena, width, rows))
  return new Map(
    Array.from(fields, ([column, { word, shift, mask }]) => [
      column,
      { words: words[word], shift, mask },
    ]),
  )
}

function allocateWords(arena: Arena, width: number, rows: number): WordArray {
  const { buffer } = arena.memory
  const address = allocate(arena, width * rows)
  if (width === 1) return new Uint8Array(buffer, address, rows)
  if (width === 2) return new Uint16Array(buffer, address, rows)
  return new Uint32Array(buffer, address, rows)
}
