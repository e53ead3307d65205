import type { TObject } from 'typebox'

/** A JSON Schema as a client reads it. */
export interface ListedSchema {
  type: 'object'
  properties: Record<string, object>
  required?: string[]
}

interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  description?: string
  default?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
}

/** The names of all fields of a stone are longer than the rest of a search. */
const ENUM_MAX = 50

/**
 * The schema of a tool's arguments as a model reads it: names, types, values and what each argument
 * is for. Bounds, patterns and examples are left out, as are the descriptions of what is inside an
 * argument: the message about a wrong value says what is right.
 */
export function compactSchema(schema: TObject, hidden: readonly string[] = []): ListedSchema {
  const { properties = {}, required = [] } = schema as JsonSchema
  const shown = Object.entries(properties).filter(([name]) => !hidden.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map(([name, each]) => [
        name,
        { ...inner(each, below(hidden, name)), ...wordsOf(each) },
      ]),
    ),
    ...requiredOf(required, properties),
  }
}

/** The hidden names inside an argument: `filters.shade` hides `shade` in `filters`. */
function below(hidden: readonly string[], name: string): string[] {
  const prefix = `${name}.`
  return hidden.flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
}

function wordsOf({ description }: JsonSchema) {
  return description === undefined ? {} : { description }
}

function inner(schema: JsonSchema, hidden: readonly string[] = []): JsonSchema {
  const type = withoutNull([schema.type ?? []].flat())
  const values = schema.enum?.filter((value) => value !== null)
  const { items, properties, default: absent } = schema
  return {
    ...(type.length > 0 && { type: type.length === 1 ? type[0] : type }),
    ...(values && values.length <= ENUM_MAX && { enum: values }),
    ...(items && { items: inner(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => !hidden.includes(name))
          .map(([name, each]) => [name, inner(each)]),
      ),
      ...requiredOf(schema.required ?? [], properties),
    }),
    ...(absent !== undefined && absent !== false && { default: absent }),
  }
}

function withoutNull(types: string[]): string[] {
  return types.filter((name) => name !== 'null')
}

/** What has a default may be left out, although its type always has it. */
function requiredOf(names: readonly string[], properties: Record<string, JsonSchema>) {
  const known = new Map(Object.entries(properties))
  const required = names.filter((name) => known.get(name)?.default === undefined)
  return required.length > 0 ? { required } : {}
}
