import type { ErrorObject } from 'ajv'
import { findNearestName } from '../../lib/nearest-name.ts'
import type { FieldError } from '../../lib/refusal.ts'
import {
  EMPTY_OR_ONE_LINE,
  NOT_BLANK,
  ONE_LINE,
  ONE_LINE_NOT_BLANK,
  SEVERAL_LINES,
  WITHOUT_NULL,
} from '../schemas/fields.ts'

const ERRORS_MAX = 50
const LISTED_MAX = 40

/** Turns Ajv's errors into messages that a person can act on, one for each field. */
export function explainErrors(found: readonly ErrorObject[], part: string): FieldError[] {
  const byField = new Map<string, ErrorObject>()
  for (const error of found) {
    // Ajv lists the errors of each branch of a union, and then this summary of them.
    if (error.keyword === 'anyOf' || error.keyword === 'if') continue
    const field = fieldOf(error, part)
    const earlier = byField.get(field)
    // The first error of a field is reported, but any other says more than "must be null".
    if (earlier === undefined || isNullBranch(earlier)) byField.set(field, error)
    if (byField.size >= ERRORS_MAX) break
  }
  if (byField.size === 0) return [{ field: part, message: 'is not valid' }]
  return [...byField].map(([field, error]) => ({ field, message: messageOf(error) }))
}

/** Whether the error is that of the null branch of a union. */
function isNullBranch(error: ErrorObject): boolean {
  return error.keyword === 'type' && error.params.type === 'null'
}

/** `/filters/color/2` is `filters.color[2]`. */
function fieldOf(error: ErrorObject, part: string): string {
  const segments = error.instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = error.params.missingProperty ?? error.params.additionalProperty
  if (last !== undefined) segments.push(String(last).slice(0, 100))
  const path = segments.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')
  return path === '' ? part : path.replace(/^\./, '')
}

function messageOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return unknownName(error)
    case 'enum':
      return notInList(error.data, error.params.allowedValues)
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'type':
      return `must be ${typeWords(error.params.type)}`
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${comparisonWords(error.params.comparison)} ${error.params.limit}`
    case 'multipleOf':
      return `must be a multiple of ${error.params.multipleOf}`
    case 'minItems':
      return `must have at least ${counted(error.params.limit, 'element')}`
    case 'maxItems':
      return `must have at most ${counted(error.params.limit, 'element')}`
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${counted(error.params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(error.params.limit, 'character')}`
    case 'minProperties':
      return `must have at least ${counted(error.params.limit, 'field')}`
    case 'uniqueItems':
      return 'must not contain the same value twice'
    case 'format':
      return `must be ${formatWords(error.params.format)}`
    case 'pattern':
      return patternWords(error)
    default:
      return error.message ?? 'is not valid'
  }
}

function unknownName(error: ErrorObject): string {
  const known = Object.keys(error.parentSchema?.properties ?? {})
  const nearest = findNearestName(String(error.params.additionalProperty), known)
  if (nearest) return `is not a known name; did you mean ${nearest}?`
  return known.length === 0
    ? 'is not a known name'
    : `is not a known name; the known ones are ${listed(known)}`
}

function notInList(value: unknown, allowed: readonly unknown[]): string {
  const names = allowed.filter((item) => typeof item === 'string')
  const nearest = typeof value === 'string' ? findNearestName(value, names) : undefined
  const hint = nearest ? `; did you mean ${nearest}?` : ''
  return `must be one of ${listed(allowed.map((item) => String(item)))}${hint}`
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED_MAX).join(', ')
  return names.length > LISTED_MAX ? `${shown}, …` : shown
}

function typeWords(type: string | string[]): string {
  const words: Record<string, string> = {
    integer: 'a whole number',
    number: 'a number',
    string: 'a string',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return [type]
    .flat()
    .map((name) => words[name])
    .join(' or ')
}

function comparisonWords(comparison: string): string {
  const words: Record<string, string> = {
    '>=': 'at least',
    '<=': 'at most',
    '>': 'above',
    '<': 'below',
  }
  return words[comparison]
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function formatWords(format: string): string {
  const words: Record<string, string> = {
    uuid: 'a UUID',
    'date-time': 'a timestamp such as 2026-01-31T09:15:00Z',
    email: 'an email address',
    uri: 'an address such as https://shop.example',
  }
  return words[format] ?? `a ${format}`
}

const NO_CONTROLS = 'must not contain control characters'
const PATTERN_WORDS = new Map([
  [NOT_BLANK, 'must not be blank'],
  [ONE_LINE, `${NO_CONTROLS}, such as tabs and line breaks`],
  [ONE_LINE_NOT_BLANK, `must not be blank, and ${NO_CONTROLS}, such as tabs and line breaks`],
  [EMPTY_OR_ONE_LINE, `must not be blank, and ${NO_CONTROLS}, such as tabs and line breaks`],
  [SEVERAL_LINES, `${NO_CONTROLS} other than line breaks`],
  [WITHOUT_NULL, 'must not contain null characters'],
])

function patternWords(error: ErrorObject): string {
  const words = PATTERN_WORDS.get(error.params.pattern)
  if (words !== undefined) return words
  const example: unknown = error.parentSchema?.examples?.[0]
  const hint = example === undefined ? '' : `; a valid value is ${JSON.stringify(example)}`
  return `does not have the right format${hint}`
}
