import { countFieldNames, fieldsNamed } from '../mapping/header-names.ts'
import { flatten } from './flatten.ts'
import { nextObject } from './json-text.ts'
import type { RawRow } from './raw-row.ts'

/** Turns the objects of a JSON feed into rows; their keys become the feed's columns. */
export interface StoneObjects {
  /** Takes a whole object as a stone and answers its end, or undefined when it is none. */
  take(text: string, at: number, end: number, isSure: boolean): number | undefined
  /** Gives a damaged object up where the next one begins; undefined when none does. */
  passOver(text: string, at: number, end: number): number | undefined
  count(): number
  /** The rows since the last call. */
  rows(): RawRow[]
}

/** More different keys than this over all objects are not columns but contents. */
const COLUMNS_MAX = 2_000

export function createStoneObjects(columns: string[]): StoneObjects {
  const columnAt = new Map<string, number>()
  let rows: RawRow[] = []
  let position = 0

  function cellsOf(flat: Map<string, string>): string[] {
    const cells = columns.map(() => '')
    for (const [key, value] of flat) {
      let at = columnAt.get(key)
      if (at === undefined) {
        if (columns.length >= COLUMNS_MAX) continue
        at = columns.push(key) - 1
        columnAt.set(key, at)
      }
      cells[at] = value
    }
    return cells
  }

  /**
   * A stone that is no JSON, for example for want of a quote, may seem to reach far over the
   * stones after it: it is given up where the next one begins.
   */
  function passOver(text: string, at: number, end: number): number | undefined {
    const next = nextObject(text, at, end)
    if (next === -1 && end === text.length) return undefined
    const stop = next === -1 ? end : next
    position++
    const raw = text.slice(at, stop)
    rows.push({ row: position, raw, cells: [], unreadable: 'is no readable JSON' })
    return stop
  }

  return {
    take(text, at, end, isSure) {
      const raw = text.slice(at, end)
      const flat = parseFlat(raw)
      if (!flat && isSure) return passOver(text, at, end) ?? end
      if (!flat || (!isSure && !looksLikeStone(flat))) return undefined
      position++
      rows.push({ row: position, raw, cells: cellsOf(flat) })
      return end
    },
    passOver,
    count: () => position,
    rows() {
      const taken = rows
      rows = []
      return taken
    },
  }
}

function parseFlat(raw: string): Map<string, string> | undefined {
  try {
    return flatten(JSON.parse(raw))
  } catch {
    return undefined
  }
}

/** A stone names several of our fields, and its weight is one of them. */
function looksLikeStone(flat: Map<string, string>): boolean {
  // A list inside the object belongs to an envelope, or is pictures; it is no part of the stone.
  const keys = [...flat.keys()].filter((key) => !/(^|\.)\d+\./.test(key))
  const namesWeight = keys.some((key) => fieldsNamed(key).some(({ field }) => field === 'weight'))
  return namesWeight && countFieldNames(keys) >= 3
}
