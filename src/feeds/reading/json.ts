import { objectEnd, stringEnd } from './json-text.ts'
import { type RawRow, ROW_CHARS_MAX } from './raw-row.ts'
import { addMemberTitle, type TableOptions } from './stone-list.ts'
import { createStoneObjects } from './stone-objects.ts'

interface Container {
  kind: 'object' | 'array'
  /** Whether the array's objects are stones, known from the first one that looks like a stone. */
  holdsStones: boolean
}

const DEPTH_MAX = 64
const COLON = 58
const SPACE = 32

/**
 * A longer object is part of the envelope unless the objects before it were stones, and is not
 * parsed. Without this bound every level of the envelope would parse up to a megabyte again, in
 * which time no request is answered.
 */
const FIRST_STONE_CHARS_MAX = 65_536

/**
 * An incremental scanner of JSON: an array of stones at any depth of an envelope, or one stone per
 * line (NDJSON). It holds the text of at most one object. Objects in an array are parsed whole;
 * when one does not look like a stone, the scan continues inside it.
 */
export function createJsonReader(columns: string[], titles: string[], options: TableOptions) {
  const stones = createStoneObjects(columns, options)
  const members = createMembers(titles)
  const nesting = createNesting()
  let rest = ''
  let cutOff: string | undefined
  const damage = () => nesting.damage() ?? cutOff

  function read(chunk: string, isLast: boolean): RawRow[] {
    if (damage()) return []
    const text = rest + chunk
    let at = 0
    while (at < text.length && !nesting.damage()) {
      const next = step(text, at, isLast)
      if (next === undefined) break
      at = next
    }
    rest = text.slice(at)
    if (rest.length > 2 * ROW_CHARS_MAX)
      cutOff = `a value is longer than ${ROW_CHARS_MAX} characters`
    const isCutOff = isLast && (nesting.isOpen() || rest.trim() !== '')
    if (isCutOff) cutOff ??= `the file ends abruptly after stone ${stones.count()}`
    return stones.rows()
  }

  /** Handles the token at `at`; returns where to continue, undefined when text is missing. */
  function step(text: string, at: number, isLast: boolean): number | undefined {
    const char = text.charCodeAt(at)
    if (char === 34) {
      const end = stringEnd(text, at)
      if (end === -1) return undefined
      members.seeString(text.slice(at + 1, end - 1))
      return end
    }
    members.seeSign(char)
    if (char === 91 || char === 123) return open(text, at, char === 123, isLast)
    if (char === 93 || char === 125) nesting.close(char === 93 ? 'array' : 'object')
    return at + 1
  }

  function open(text: string, at: number, isObject: boolean, isLast: boolean) {
    const parent = nesting.parent()
    if (isObject && !parent.holdsStones) {
      const areStones = stones.areMembers(text, at, FIRST_STONE_CHARS_MAX)
      if (areStones === undefined && !isLast) return undefined
      if (areStones) return nesting.enter({ kind: 'object', holdsStones: true }, at)
    }
    if (isObject && (parent.kind === 'array' || parent.holdsStones)) {
      const charsMax = parent.holdsStones ? ROW_CHARS_MAX : FIRST_STONE_CHARS_MAX
      const end = objectEnd(text, at, charsMax)
      const isHuge = text.length - at > charsMax
      if (end === -1 && !isHuge && !isLast) return undefined
      const next = end === -1 ? undefined : stones.add(text, at, end, parent.holdsStones)
      if (next !== undefined) {
        parent.holdsStones = true
        return next
      }
      if (parent.holdsStones) return stones.skipDamaged(text, at, text.length)
    }
    return nesting.enter({ kind: isObject ? 'object' : 'array', holdsStones: false }, at)
  }

  return {
    push: (chunk: string) => read(chunk, false),
    end: () => read('', true),
    damage,
  }
}

/** Follows which objects and arrays are open; the first one holds a stone per line. */
function createNesting() {
  const stack: Container[] = [{ kind: 'array', holdsStones: false }]
  let damage: string | undefined
  return {
    parent: () => stack[stack.length - 1],
    isOpen: () => stack.length > 1,
    damage: () => damage,
    /** Returns where its content begins. */
    enter(container: Container, at: number): number {
      if (stack.length >= DEPTH_MAX) damage = `it is nested more than ${DEPTH_MAX} levels deep`
      else stack.push(container)
      return at + 1
    },
    close(kind: Container['kind']): void {
      if (stack.length > 1 && stack[stack.length - 1].kind === kind) stack.pop()
      else damage = `an ${kind} ends that never began`
    },
  }
}

/** Follows the names and the texts outside of the stones, which may be about all of them. */
function createMembers(titles: string[]) {
  let name = ''
  let isValue = false
  return {
    seeString(text: string): void {
      if (isValue) addMemberTitle(titles, name, text)
      else name = text
      isValue = false
    },
    seeSign(char: number): void {
      if (char > SPACE) isValue = char === COLON
    },
  }
}
