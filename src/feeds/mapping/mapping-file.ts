/**
 * The mapping file, by which an operator says what the columns of a file are. One format for stones
 * and jewelry; which fields there are is a parameter.
 */
import { findNearestName } from '../../lib/nearest-name.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'

/** What stands in a mapping file, as JSON. The keys are names or positions of columns. */
export type MappingFile = Record<string, MappingEntry>

/** A field, `ignore`, null for a column without a field, or more than that. */
type MappingEntry = string | null | MappingObject

interface MappingObject {
  field?: string | null
  /** Nothing in the column counts. */
  ignore?: boolean
  /** Makes the key a field, which has this value for all rows. */
  value?: string | number | boolean
  /** Translations of cells; null where one is still to be filled in. */
  values?: Record<string, string | number | boolean | null>
  /** For people: what was seen, what is asked, and how often a value was not understood. */
  note?: string
  ask?: string
  counts?: Record<string, number>
}

/** What the mapping says about one column. */
export interface ColumnRule {
  /** Null: none. Undefined: the column is understood as without the mapping. */
  field: string | null | undefined
  isIgnored: boolean
  /** Translations, by the folded text of the cell. */
  values: ReadonlyMap<string, string>
  /** The translations as they are written. */
  written: Record<string, string>
}

/** A mapping file that was read. */
export interface OwnMapping {
  /** By the name or the position of the column. */
  columns: ReadonlyMap<string, ColumnRule>
  /** Fields with one value for all rows. */
  constants: ReadonlyMap<string, string>
}

/** The fields that a mapping can name. */
export interface MappingFields {
  names: readonly string[]
  /** Fields that differ from row to row, so that no constant makes sense. */
  unique: ReadonlySet<string>
  hasValue: (field: string, value: string) => boolean
  /** The values of a field with few of them, for the hint; empty for the others. */
  valuesOf: (field: string) => readonly string[]
}

/** A key that is a comment, for notes about the file as a whole. */
export const COMMENT_KEY = '//'
const OBJECT_KEYS = ['field', 'ignore', 'value', 'values', 'note', 'ask', 'counts'] as const
/** Far more than a real file has; all of them are stored with the supplier. */
const ENTRIES_MAX = 2_000
const TRANSLATIONS_MAX = 5_000
const ERRORS_SHOWN = 20

/** Reads a mapping; refuses one that is not understood, with every fault and a hint for each. */
export function readMappingFile(json: unknown, fields: MappingFields): OwnMapping {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const detail =
      'The mapping must be a JSON object of columns, such as {"Cts": "weight", "Memo": "ignore"}.'
    throw new Refusal('invalid_request', detail)
  }
  const entries = Object.entries(json).filter(([key]) => key !== COMMENT_KEY)
  const errors: FieldError[] = []
  const columns = new Map<string, ColumnRule>()
  const constants = new Map<string, string>()
  for (const [key, entry] of entries.slice(0, ENTRIES_MAX)) {
    const refuse = (message: string) => errors.push({ field: `mapping.${key}`, message })
    const faults = shapeFaults(entry)
    faults.forEach(refuse)
    if (faults.length > 0) continue
    const object = objectOf(entry as MappingEntry)
    if (object.value === undefined) columns.set(key, readColumn(object, fields, refuse))
    else readConstant(key, object, { fields, constants, refuse })
  }
  if (entries.length > ENTRIES_MAX) {
    errors.push({ field: 'mapping', message: `has more than ${ENTRIES_MAX} columns` })
  }
  refuseFaults('The mapping is not understood.', errors)
  return { columns, constants }
}

/** Refuses a mapping with the faults that were found, if there are any. */
export function refuseFaults(detail: string, errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new Refusal('invalid_request', detail, { errors: errors.slice(0, ERRORS_SHOWN) })
}

function objectOf(entry: MappingEntry): MappingObject {
  if (entry === 'ignore') return { ignore: true }
  return entry === null || typeof entry === 'string' ? { field: entry } : entry
}

/** What is wrong with the shape of an entry. */
function shapeFaults(entry: unknown): string[] {
  if (entry === null || typeof entry === 'string') return []
  if (typeof entry !== 'object' || Array.isArray(entry)) {
    return ['must be a field, "ignore", null, or an object such as {"field": "shape"}']
  }
  const known: readonly string[] = OBJECT_KEYS
  const faults = Object.keys(entry)
    .filter((key) => !known.includes(key))
    .map((key) => unknownKey(key, known))
  const { field, ignore, value, values } = entry as Record<string, unknown>
  if (field !== undefined && field !== null && typeof field !== 'string') {
    faults.push('"field" must be the name of a field, or null')
  }
  if (ignore !== undefined && typeof ignore !== 'boolean') faults.push('"ignore" must be true')
  if (value !== undefined && !isScalar(value)) faults.push('"value" must be a string')
  const isTable = typeof values === 'object' && values !== null && !Array.isArray(values)
  if (values !== undefined && !isTable) {
    faults.push('"values" must be an object such as {"Kreis": "round"}')
  } else if (isTable) {
    const wrong = Object.entries(values).filter(([, to]) => to !== null && !isScalar(to))
    for (const [from] of wrong) faults.push(`the translation of ${quoted(from)} must be a string`)
    if (Object.keys(values).length > TRANSLATIONS_MAX) {
      faults.push(`has more than ${TRANSLATIONS_MAX} translations`)
    }
  }
  return faults
}

function unknownKey(key: string, known: readonly string[]): string {
  if (key === 'column') {
    return 'has the key "column": write the column first, as in {"Kreis": {"field": "shape"}}'
  }
  return `has the unknown key ${quoted(key)}${hintOf(findNearestName(key, known))}`
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

type Refuse = (message: string) => void

function readColumn(
  { field, ignore, values = {} }: MappingObject,
  fields: MappingFields,
  refuse: Refuse,
): ColumnRule {
  const isKnown = typeof field === 'string' && fields.names.includes(field)
  if (typeof field === 'string' && !isKnown) refuse(unknownField(field, fields))
  if (ignore && typeof field === 'string') refuse(`is ignored and has the field ${field}`)
  const translated = new Map<string, string>()
  const given = Object.entries(values).filter(([, to]) => to !== null)
  for (const [from, to] of given) {
    const folded = foldCell(from)
    const other = translated.get(folded)
    if (other !== undefined && other !== String(to)) {
      refuse(`translates ${quoted(from)} twice, to ${quoted(other)} and ${quoted(String(to))}`)
    }
    if (isKnown) {
      const fault = valueFault(field, String(to), fields)
      if (fault) refuse(`translates ${quoted(from)} to ${fault}`)
    }
    translated.set(folded, String(to))
  }
  const written = Object.fromEntries(given.map(([from, to]) => [from, String(to)]))
  return { field: ignore ? null : field, isIgnored: ignore === true, values: translated, written }
}

function readConstant(
  key: string,
  { value, field, values, ignore }: MappingObject,
  into: { fields: MappingFields; constants: Map<string, string>; refuse: Refuse },
): void {
  const { fields, constants, refuse } = into
  const text = String(value).trim()
  if (field !== undefined || values !== undefined || ignore !== undefined) {
    refuse(`has "value", which makes ${key} a field with one value; leave the other keys out`)
  } else if (!fields.names.includes(key)) refuse(unknownField(key, fields))
  else if (fields.unique.has(key)) refuse(`${key} cannot be the same for all rows`)
  else {
    const fault = valueFault(key, text, fields)
    if (fault || text === '') refuse(fault ?? 'has an empty value')
    constants.set(key, text)
  }
}

function unknownField(field: string, { names }: MappingFields): string {
  const nearest = findNearestName(field, names)
  const hint = nearest ? hintOf(nearest) : `; the fields are ${names.join(', ')}`
  return `${field} is not a known field${hint}`
}

/** Says why a field cannot have a value; an empty one leaves the field out. */
export function valueFault(
  field: string,
  value: string,
  { hasValue, valuesOf }: MappingFields,
): string | undefined {
  if (value.trim() === '' || hasValue(field, value.trim())) return undefined
  const known = valuesOf(field)
  const nearest = findNearestName(value, known)
  const listed = known.length > 0 ? `; it is one of ${known.join(', ')}` : ''
  return `${quoted(value)}, which is not a value of ${field}${nearest ? hintOf(nearest) : listed}`
}

/** How a cell and a translated text are compared: case and spaces do not matter. */
export function foldCell(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

export function hintOf(nearest: string | undefined): string {
  return nearest ? `; did you mean ${nearest}?` : ''
}
