import { countRecognised, fieldsNamed } from '../mapping/header-names.ts'
import { flatten } from './flatten.ts'
import { type RawRow, ROW_CHARS_MAX } from './raw-row.ts'

interface Container {
  kind: 'object' | 'array'
  /** The array's objects are stones; found out with the first one that looks like a stone. */
  holdsStones: boolean
}

const DEPTH_MAX = 64
const NEXT_OBJECT = /\}\s*,?\s*\{/

/**
 * An incremental scanner of JSON: an array of stones, wherever in an envelope it stands, or one
 * stone after the other (NDJSON). It keeps the text of one object at most. Objects in an array are
 * taken whole; when one does not look like a stone, the scan goes on inside it.
 */
export function createJsonReader(columns: string[]) {
  const columnAt = new Map<string, number>()
  const stack: Container[] = [{ kind: 'array', holdsStones: false }]
  let rest = ''
  let position = 0
  let damage: string | undefined

  function read(chunk: string, isLast: boolean): RawRow[] {
    if (damage) return []
    const text = rest + chunk
    const rows: RawRow[] = []
    let at = 0
    while (at < text.length && !damage) {
      const next = step(text, at, isLast, rows)
      if (next === undefined) break
      at = next
    }
    rest = text.slice(at)
    if (rest.length > 2 * ROW_CHARS_MAX) damage = `a value is longer than ${ROW_CHARS_MAX}`
    if (isLast) {
      const isCutOff = stack.length > 1 || rest.trim() !== ''
      if (isCutOff) damage ??= `the file breaks off after stone ${position}`
    }
    return rows
  }

  /** Handles what stands at `at` and answers where to go on, or undefined when text is missing. */
  function step(text: string, at: number, isLast: boolean, rows: RawRow[]): number | undefined {
    const char = text.charCodeAt(at)
    if (char === 34) {
      const end = stringEnd(text, at)
      return end === -1 ? undefined : end
    }
    if (char === 91 || char === 123) return open(text, at, char === 123, isLast, rows)
    if (char === 93 || char === 125) {
      const kind = char === 93 ? 'array' : 'object'
      if (stack.length === 1 || stack.at(-1)?.kind !== kind) {
        damage = `a closing ${String.fromCharCode(char)} stands where none belongs`
      } else {
        stack.pop()
      }
    }
    return at + 1
  }

  function open(text: string, at: number, isObject: boolean, isLast: boolean, rows: RawRow[]) {
    const parent = stack[stack.length - 1]
    if (isObject && parent.kind === 'array') {
      const end = objectEnd(text, at)
      const isComplete = end !== -1 || text.length - at > ROW_CHARS_MAX
      if (!isComplete && (!isLast || parent.holdsStones)) {
        return isLast ? skipDamaged(text, at, text.length, rows) : undefined
      }
      const taken = end === -1 ? undefined : takeObject(text, at, end, parent, rows)
      if (taken !== undefined) return taken
      if (parent.holdsStones) return skipDamaged(text, at, text.length, rows)
    }
    if (stack.length >= DEPTH_MAX) damage = `it is nested more than ${DEPTH_MAX} deep`
    else stack.push({ kind: isObject ? 'object' : 'array', holdsStones: false })
    return at + 1
  }

  /** Hands out the object as a row and answers its end, or undefined when it is no stone. */
  function takeObject(text: string, at: number, end: number, parent: Container, rows: RawRow[]) {
    const raw = text.slice(at, end)
    const flat = parseFlat(raw)
    if (!flat && parent.holdsStones) return skipDamaged(text, at, end, rows) ?? end
    if (!flat || (!parent.holdsStones && !looksLikeStone(flat))) return undefined
    parent.holdsStones = true
    position++
    rows.push({ row: position, raw, cells: cellsOf(flat) })
    return end
  }

  /**
   * A stone that is no JSON, for example for want of a quote, may seem to reach far over the
   * stones after it: it is given up where the next one begins.
   */
  function skipDamaged(text: string, at: number, end: number, rows: RawRow[]): number | undefined {
    const next = NEXT_OBJECT.exec(text.slice(at, end))
    if (!next && end === text.length) return undefined
    const raw = text.slice(at, next ? at + next.index + 1 : end)
    position++
    rows.push({ row: position, raw, cells: [], unreadable: 'is no readable JSON' })
    return at + raw.length
  }

  function cellsOf(flat: Map<string, string>): string[] {
    const cells = new Array<string>(columns.length).fill('')
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

  return {
    push: (chunk: string) => read(chunk, false),
    end: () => read('', true),
    damage: () => damage,
  }
}

/** More different keys than this over all objects are not columns but contents. */
const COLUMNS_MAX = 2_000

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
  return namesWeight && countRecognised(keys) >= 3
}

/** The index after the closing quote of the string that opens at `at`, or -1. */
function stringEnd(text: string, at: number): number {
  let close = text.indexOf('"', at + 1)
  while (close !== -1) {
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return close + 1
    close = text.indexOf('"', close + 1)
  }
  return -1
}

/** The index after the brace that closes the object opening at `at`, or -1. */
function objectEnd(text: string, at: number): number {
  let depth = 0
  const stop = Math.min(text.length, at + ROW_CHARS_MAX)
  for (let index = at; index < stop; index++) {
    const char = text.charCodeAt(index)
    if (char === 34) {
      const end = stringEnd(text, index)
      if (end === -1) return -1
      index = end - 1
    } else if (char === 123) depth++
    else if (char === 125 && --depth === 0) return index + 1
  }
  return -1
}
