import { countFieldNames, fieldsNamed } from '../mapping/header-names.ts'
import { columnsOfList } from './header/named-columns.ts'
import { nextObject, objectEnd, stringEnd } from './json-text.ts'
import { type RawRow, ROW_CELLS_MAX } from './raw-row.ts'
import { createNamedCells } from './row-cells.ts'
import type { TableOptions } from './stone-list.ts'

/** Turns the objects of a JSON feed into rows; their keys become the feed's columns. */
interface StoneObjects {
  /** Adds a whole object as a stone; returns its end, or undefined when it is not a stone. */
  add(text: string, at: number, end: number, isSure: boolean): number | undefined
  /**
   * Returns whether the members of an object are stones, as in `{"K-1": {…}, "K-2": {…}}`;
   * undefined when more text is needed to tell.
   */
  areMembers(text: string, at: number, charsMax: number): boolean | undefined
  /** Skips a damaged object; returns where the next one begins, or undefined when none does. */
  skipDamaged(text: string, at: number, end: number): number | undefined
  count(): number
  /** Returns the rows since the last call. */
  rows(): RawRow[]
}

export function createStoneObjects(columns: string[], options: TableOptions): StoneObjects {
  const cellsOf = createNamedCells(columns)
  let rows: RawRow[] = []
  let position = 0

  /**
   * An object with invalid JSON, such as a missing quote, may seem to extend over the stones after
   * it, so it is cut off where the next one begins.
   */
  function skipDamaged(text: string, at: number, end: number): number | undefined {
    const next = nextObject(text, at, end)
    if (next === -1 && end === text.length) return undefined
    const stop = next === -1 ? end : next
    position++
    const raw = text.slice(at, stop)
    rows.push({ row: position, raw, cells: [], unreadable: 'The object is not valid JSON' })
    return stop
  }

  /** An object around stones has the names of all of them. */
  function isStone(raw: string, flat: Map<string, string>): boolean {
    if (!looksLikeStone(flat, options)) return false
    const value: unknown = JSON.parse(raw)
    if (hasStones(value, options)) return false
    // The filters of a search are a list of names and values, too, beside the stones it found.
    return looksLikeStone(flatten(value, false), options) || !hasStoneList(value, options)
  }

  return {
    add(text, at, end, isSure) {
      const raw = text.slice(at, end)
      const flat = parseFlat(raw)
      if (!flat && isSure) return skipDamaged(text, at, end) ?? end
      if (!flat || (!isSure && !isStone(raw, flat))) return undefined
      position++
      rows.push({ row: position, raw, cells: cellsOf(flat) })
      return end
    },
    areMembers(text, at, charsMax) {
      let from = at + 1
      for (let member = 0; member < MEMBERS_READ; member++) {
        const start = memberObject(text, from)
        if (start === undefined || start === -1) return start === undefined ? undefined : false
        const end = objectEnd(text, start, charsMax)
        if (end === -1) return text.length - start > charsMax ? false : undefined
        const flat = parseFlat(text.slice(start, end))
        if (!flat || !looksLikeStone(flat, options)) return false
        from = end
      }
      return true
    },
    skipDamaged,
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

/** Objects with fewer members of their own are parts of something else. */
const MEMBERS_MIN = 3
const MAPPED_MIN = 2

const WEIGHTS: readonly string[] = ['weight', 'average_weight']

/** A stone has several of our fields, and its weight is one of them; or those of the mapping. */
function looksLikeStone(flat: Map<string, string>, { mapped, isExplained }: TableOptions): boolean {
  // A list inside the object belongs to an envelope, or holds pictures; it does not count.
  const keys = [...flat.keys()].filter((key) => !/(^|\.)\d+\./.test(key))
  if (keys.filter((key) => mapped.has(key)).length >= MAPPED_MIN) return true
  const isPlain = keys.length === flat.size && keys.length >= MEMBERS_MIN
  if (isExplained && isPlain) return true
  const isWeight = ({ field }: { field: string }) => WEIGHTS.includes(field)
  const namesWeight = keys.some((key) => fieldsNamed(key).some(isWeight))
  return namesWeight && countFieldNames(keys) >= 3
}

/** Two members that both look like stones are two stones. */
const MEMBERS_READ = 2
/**
 * Returns where the object begins that is the value of the next member; -1 when it has another
 * value, and undefined when more text is needed to tell.
 */
function memberObject(text: string, from: number): number | undefined {
  const nameAt = afterSigns(text, from, ',')
  if (nameAt === text.length) return undefined
  if (text[nameAt] !== '"') return -1
  const nameEnd = stringEnd(text, nameAt)
  const valueAt = nameEnd === -1 ? text.length : afterSigns(text, nameEnd, ':')
  if (valueAt === text.length) return undefined
  return text[valueAt] === '{' ? valueAt : -1
}

/** Returns where the spaces and the signs of one kind end that begin at `at`. */
function afterSigns(text: string, at: number, sign: string): number {
  let end = at
  while (end < text.length && (text[end] === sign || text.charCodeAt(end) <= SPACE)) end++
  return end
}

const SPACE = 32

/** Returns whether a value has an object whose members are stones, at any depth. */
function hasStones(value: unknown, options: TableOptions, depth = 0): boolean {
  if (value === null || typeof value !== 'object' || depth > DEPTH_MAX) return false
  const members: unknown[] = Object.values(value)
  const first = Array.isArray(value) ? [] : members.slice(0, MEMBERS_READ)
  const areStones = first.every((member) => {
    const flat = flatten(member)
    return flat.size > 0 && looksLikeStone(flat, options)
  })
  if (first.length === MEMBERS_READ && areStones) return true
  return members.some((member) => hasStones(member, options, depth + 1))
}

/** Returns whether a list anywhere in a value begins with a stone. */
function hasStoneList(value: unknown, options: TableOptions, depth = 0): boolean {
  if (value === null || typeof value !== 'object' || depth > DEPTH_MAX) return false
  if (Array.isArray(value) && looksLikeStone(flatten(value[0]), options)) return true
  return Object.values(value).some((member) => hasStoneList(member, options, depth + 1))
}

const DEPTH_MAX = 6
const ELEMENTS_MAX = 3
/** A longer path is not a column name. Without a bound, each member repeats a long outer key. */
const PATH_CHARS_MAX = 200

/** Flattens an object into names and texts: `Price: {Value: 5}` becomes `Price.Value`: `5`. */
function flatten(value: unknown, hasLists = true): Map<string, string> {
  const flat = new Map<string, string>()
  if (value !== null && typeof value === 'object')
    addMembers(flat, '', value, { depth: 0, hasLists })
  return flat
}

/** Fields whose value is an object: their members are not columns. */
function isDetails(path: string): boolean {
  // Looking up a name takes as long as reading a member, and every stone may have objects.
  if (!/360|sustainab/i.test(path)) return false
  const [field] = fieldsNamed(path)
  return field?.field === 'v360_info' || field?.field === 'sustainability_details'
}

interface Flattening {
  depth: number
  /** Lists of names and values are columns. */
  hasLists: boolean
}

function addMembers(
  flat: Map<string, string>,
  path: string,
  value: unknown,
  { depth, hasLists }: Flattening,
): void {
  if (value === null || value === undefined) return
  if (path.length > PATH_CHARS_MAX || flat.size >= ROW_CELLS_MAX) return
  if (typeof value !== 'object') {
    flat.set(path, `${value as string | number | boolean}`)
    return
  }
  if (depth >= DEPTH_MAX) return
  if (isDetails(path) && !Array.isArray(value)) {
    flat.set(path, JSON.stringify(value))
    return
  }
  const named = hasLists && Array.isArray(value) ? columnsOfList(value) : undefined
  const entries = Array.isArray(value)
    ? (named ??
      value.slice(0, ELEMENTS_MAX).map((element, index) => [String(index), element] as const))
    : Object.entries(value)
  for (const [key, member] of entries) {
    const inner = path === '' ? key : `${path}.${key}`
    addMembers(flat, inner, member, { depth: depth + 1, hasLists })
  }
}
