import type { CodeColumn, Segment } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { baseRowsOf, FEW, type Match } from './match.ts'
import { meet, type Workspace } from './workspace.ts'

/** The values of a column that occur among the matches, in the order of the list. */
export function occurringValues(found: Match, column: string): string[] {
  const { base, delta, dictionaries, workspace } = found.store
  const occurs = new Uint8Array(dictionaries[column].values.length)
  const late = delta.codes[column].codes
  for (const row of found.deltaRows) occurs[late[row]] = 1
  if (found.baseCount > FEW) {
    const { sets, counts } = base.codes[column]
    const canOccur = occurrenceTest(found, column)
    for (const [code, set] of sets.entries()) {
      if (counts[code] === 0 || occurs[code] === 1 || !canOccur(code)) continue
      if (meet(workspace, workspace.target, set)) occurs[code] = 1
    }
  } else if (found.baseCount > 0) {
    const { codes } = base.codes[column]
    for (const row of baseRowsOf(found)) occurs[codes[row]] = 1
  }
  return dictionaries[column].values.filter(
    (value, code): value is string => value !== null && occurs[code] === 1,
  )
}

/**
 * Whether some row of the base has a code together with a value that each filter asks for. Most
 * codes are ruled out so: a bitmap that meets no match must be read to its end to find that out.
 */
function occurrenceTest({ store, predicates }: Match, column: string): (code: number) => boolean {
  const { base, dictionaries, workspace } = store
  const asked: { wanted: number[]; met: Meetings }[] = []
  for (const predicate of predicates) {
    if (predicate.kind !== 'oneOf') continue
    const { sets } = base.codes[predicate.column]
    const wanted = codesOf(dictionaries[predicate.column], predicate.values)
    if (wanted.some((code) => code >= sets.length)) continue
    asked.push({ wanted, met: meetingsOf(base, workspace, predicate.column, column) })
  }
  return (code) => asked.every(({ wanted, met }) => wanted.some((other) => met(other, code)))
}

type Meetings = (code: number, other: number) => boolean

const known = new WeakMap<Segment, Map<string, Meetings>>()

/** Which codes of two columns some row has together; each pair is found out once. */
function meetingsOf(base: Segment, workspace: Workspace, first: string, second: string): Meetings {
  let ofBase = known.get(base)
  if (!ofBase) {
    ofBase = new Map()
    known.set(base, ofBase)
  }
  const key = `${first} ${second}`
  let meetings = ofBase.get(key)
  if (!meetings) {
    meetings = meetingsBetween(base.codes[first], base.codes[second], workspace)
    ofBase.set(key, meetings)
  }
  return meetings
}

function meetingsBetween(first: CodeColumn, second: CodeColumn, workspace: Workspace): Meetings {
  const width = second.sets.length
  const table = new Uint8Array(first.sets.length * width)
  return (code, other) => {
    const place = code * width + other
    if (table[place] === UNKNOWN) {
      table[place] = meet(workspace, first.sets[code], second.sets[other]) ? MEET : PART
    }
    return table[place] === MEET
  }
}

const UNKNOWN = 0
const MEET = 1
const PART = 2

/** A code of the base was changed in place: what was found out about its column is void. */
export function forgetMeetings(base: Segment, column: string): void {
  const ofBase = known.get(base)
  for (const key of ofBase?.keys() ?? []) {
    if (key.split(' ').includes(column)) ofBase?.delete(key)
  }
}
