/** Writes the mapping that a file is read with, for a person to change. */
import { DECIDED, SURE_CONFIDENCE_MIN } from './mapping.ts'
import { COMMENT_KEY, type ColumnRule, type MappingFile } from './mapping-file.ts'

/** A column as it is understood, of stones or of jewelry. */
export interface WrittenColumn {
  column: string
  field: string | null
  confidence: number
  reason: string
  constant?: string
}

/** What is to be written besides the columns. */
interface MappingRemarks {
  /** The entries of the mapping that was applied, by the position of the column. */
  ruleAt: ReadonlyMap<number, ColumnRule>
  /** Some values of a column. */
  examplesAt: (at: number) => string[]
  /** About the file as a whole: what is missing, what was left out. */
  notes: readonly string[]
  /** Questions about columns, which get no field, so that the import asks as well. */
  questions?: ReadonlyMap<number, { ask: string; note: string }>
  /** Values that were not understood, with their counts, by the position of the column. */
  unknown: ReadonlyMap<number, readonly (readonly [value: string, count: number])[]>
}

const EXAMPLES = 3
const EXAMPLE_CHARS = 40

export function writeMapping(
  mapped: readonly WrittenColumn[],
  { ruleAt, examplesAt, notes, questions, unknown }: MappingRemarks,
): MappingFile {
  const constants = mapped.filter(({ constant }) => constant !== undefined)
  const fixed = constants.map(({ field, constant }) => [field ?? '', { value: constant }] as const)
  const taken = new Set<string>([COMMENT_KEY, ...fixed.map(([field]) => field)])
  const entryAt = (column: WrittenColumn, at: number): unknown => {
    const question = questions?.get(at)
    if (question) return question
    const values = valuesOf(ruleAt.get(at)?.written ?? {}, unknown.get(at) ?? [])
    return entryOf(column, values, noteOf(column, examplesAt(at)))
  }
  const columns = mapped.flatMap((column, at): [string, unknown][] => {
    if (column.constant !== undefined) return []
    const position = String(at - constants.length + 1)
    const key = taken.has(column.column) ? position : column.column
    return [[key, entryAt(column, at)]]
  })
  const comment: [string, unknown] = [COMMENT_KEY, [HOW_TO, ...notes]]
  return Object.fromEntries([comment, ...fixed, ...columns]) as MappingFile
}

const HOW_TO =
  'Written by --explain. Change it and import with --mapping. For each column: a field, ' +
  '"ignore", or null for none; "values" translates cells; {"value": …} gives a field one value ' +
  'for all rows.'

function entryOf(
  { field, reason }: WrittenColumn,
  values: Record<string, unknown>,
  note: string | undefined,
) {
  if (reason === DECIDED.ignored) return 'ignore'
  const more = { ...(note !== undefined && { note }), ...values }
  return Object.keys(more).length === 0 ? field : { field, ...more }
}

/** What a person should know about a column that is unsure, or that has values but no field. */
function noteOf(column: WrittenColumn, examples: string[]): string | undefined {
  const { field, confidence, reason } = column
  if (examples.length === 0) return undefined
  const seen = `values such as ${examples.map((text) => JSON.stringify(text)).join(', ')}`
  if (field === null) return `not used: ${reason}; ${seen}`
  return confidence < SURE_CONFIDENCE_MIN ? `unsure: ${reason}; ${seen}` : undefined
}

/** Some different values of a column. */
export function examplesOf(cells: Iterable<string | undefined>): string[] {
  const texts = new Set<string>()
  for (const cell of cells) {
    const text = cell?.trim()
    if (text) texts.add(text.slice(0, EXAMPLE_CHARS))
    if (texts.size >= EXAMPLES) break
  }
  return [...texts]
}

/** Translations of the mapping, and those that are still to be filled in. */
function valuesOf(
  written: Record<string, string>,
  unknown: readonly (readonly [string, number])[],
): Record<string, unknown> {
  const open = unknown.map(([text]) => [text, null] as const)
  const values = Object.fromEntries([...Object.entries(written), ...open])
  if (Object.keys(values).length === 0) return {}
  return { values, ...(unknown.length > 0 && { counts: Object.fromEntries(unknown) }) }
}
