import type { Chance } from '../../../src/demo/chance.ts'
import type { JsonSchema } from '../../../src/http/docs/components.ts'

/** What the values are made with: chance, the document for references, and values seen before. */
export interface ValueContext {
  chance: Chance
  resolve(schema: JsonSchema): JsonSchema
  /** A value that a response had under this name, so that a request finds something. */
  known(name: string): unknown
}

const LONG = 'x'.repeat(20_000)
const DEEP = JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`) as unknown

// biome-ignore format: a table of values
export const JUNK: readonly unknown[] = [
  '', ' ', '\u0000', '🙈', '\ud800', 'a\udfff', '\u202e', 'ﷺ', 'NaN', 'Infinity', '-0', '1e999',
  '0x10', 'null', 'true', '[object Object]', "'; drop table gem; --", '%', '%00', '%%', '_', '\\',
  '../..', '..%2f', '{{7*7}}', '<script>', '\r\nX-Injected: 1', '\t', LONG,
  '2024-02-30T00:00:00Z', '9999-12-31T23:59:60Z', '0000-00-00', '-271821-04-20T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000', '__proto__', 'constructor', 'toString', 'hasOwnProperty',
  -1, 0, -0, 0.1, 1e-320, 1e308, -1e308, 2 ** 31, 2 ** 31 - 1, 2 ** 32, 2 ** 53, 2 ** 63, 1e21,
  Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.1 + 0.2, 1.005, 99999999999.99,
  null, true, false, [], {}, [null], [[]], [{}], { length: -1 }, { toJSON: 1 },
  { constructor: { prototype: { x: 1 } } }, { $gt: '' }, DEEP, Array(600).fill('D'),
]

/** A value that mostly fits the schema, and sometimes does not. */
export function valueFor(schema: JsonSchema, context: ValueContext, name = ''): unknown {
  const { chance } = context
  if (chance.hits(0.04)) return chance.oneOf(JUNK)
  const known = chance.hits(0.5) ? context.known(name) : undefined
  return known ?? fitting(context.resolve(schema), context, name)
}

function fitting(schema: JsonSchema, context: ValueContext, name: string): unknown {
  const { chance } = context
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return chance.oneOf(schema.enum)
  const choices = schema.anyOf ?? (schema.oneOf as JsonSchema[] | undefined)
  if (choices) return valueFor(chance.oneOf(choices), context, name)
  const type = Array.isArray(schema.type) ? chance.oneOf(schema.type) : schema.type
  if (schema.examples && chance.hits(0.4)) return chance.oneOf(schema.examples)
  if (type === 'object') return objectFor(schema, context)
  if (type === 'array') return arrayFor(schema, context, name)
  if (type === 'integer') return Math.round(numberFor(schema, chance))
  if (type === 'number') return numberFor(schema, chance)
  if (type === 'boolean') return chance.hits(0.5)
  if (type === 'null') return null
  return textFor(schema, context)
}

/** All required fields, and about three of the others, however many there are. */
export function objectFor(schema: JsonSchema, context: ValueContext): Record<string, unknown> {
  const { chance } = context
  const fields = Object.entries(schema.properties ?? {})
  const share = Math.min(0.5, 3 / Math.max(1, fields.length))
  const object: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const isRequired = schema.required?.includes(name) ?? false
    if (chance.hits(isRequired ? 0.98 : share)) object[name] = valueFor(field, context, name)
  }
  if (chance.hits(0.03)) {
    const name = String(chance.oneOf(JUNK)).slice(0, 50)
    Object.defineProperty(object, name, { value: chance.oneOf(JUNK), enumerable: true })
  }
  return object
}

function arrayFor(schema: JsonSchema, context: ValueContext, name: string): unknown[] {
  const { chance } = context
  const length = chance.hits(0.02) ? chance.whole(100, 600) : chance.whole(0, 3)
  const items = schema.items ?? {}
  return Array.from({ length }, () => valueFor(items, context, name))
}

function numberFor(schema: JsonSchema, chance: Chance): number {
  const { minimum = 0, maximum = 1000 } = schema as { minimum?: number; maximum?: number }
  if (chance.hits(0.2)) return chance.oneOf([minimum, maximum, minimum - 1, maximum + 1])
  const size = chance.hits(0.7) ? Math.min(20, maximum - minimum) : maximum - minimum
  const value = minimum + chance.next() * size
  return chance.hits(0.8) ? Math.round(value * 100) / 100 : value
}

function textFor(schema: JsonSchema, { chance }: ValueContext): string {
  if (schema.format === 'uuid') return `0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f9${chance.whole(0, 9)}`
  if (schema.format === 'date-time') return new Date(chance.whole(0, 2e12)).toISOString()
  const examples = (schema.examples ?? []).filter((value) => typeof value === 'string')
  if (examples.length > 0 && chance.hits(0.7)) return chance.oneOf(examples)
  return Array.from({ length: chance.whole(0, 12) }, () =>
    String.fromCodePoint(chance.hits(0.9) ? chance.whole(32, 126) : chance.whole(1, 0xd7ff)),
  ).join('')
}
