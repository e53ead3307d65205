import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

/**
 * The building blocks of wire shapes. Every field carries a description and an example, so that
 * the OpenAPI documents need no second source. An object with a `title` becomes a named component.
 */
interface More {
  [keyword: string]: unknown
}

export function text(description: string, example: string, more: More = {}) {
  return Type.String({ description, examples: [example], ...more })
}

/** A short text that a person types. Bounded, so that no field can hold a book. */
export function line(description: string, example: string, more: More = {}) {
  return text(description, example, { maxLength: 200, ...more })
}

/** Patterns of texts that people type; `request/validation-errors.ts` has a sentence for each. */
export const NOT_BLANK = '\\S'
export const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$'
export const ONE_LINE_NOT_BLANK = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$'
export const EMPTY_OR_ONE_LINE = '^((?=.*\\S)[^\\u0000-\\u001f\\u007f]*)?$'
export const SEVERAL_LINES = '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f]*$'
export const WITHOUT_NULL = '^[^\\u0000]*$'

export function number(description: string, example: number, more: More = {}) {
  return Type.Number({ description, examples: [example], ...more })
}

export function integer(description: string, example: number, more: More = {}) {
  return Type.Integer({ description, examples: [example], ...more })
}

export function flag(description: string, example: boolean, more: More = {}) {
  return Type.Boolean({ description, examples: [example], ...more })
}

export function uuid(description: string, more: More = {}) {
  const example = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return Type.String({ description, format: 'uuid', examples: [example], ...more })
}

export function timestamp(description: string, example = '2026-01-31T09:15:00.123456+00:00') {
  return Type.String({ description, examples: [example] })
}

/** One of a list of strings. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  description: string,
  more: More = {},
) {
  const example = more.default ?? values[0]
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    description,
    examples: [example],
    ...more,
  })
}

export function list<T extends TSchema>(items: T, description: string, more: More = {}) {
  return Type.Array(items, { description, ...more })
}

export function object<P extends TProperties>(
  title: string,
  properties: P,
  more: More = {},
): TObject<P> {
  return Type.Object(properties, { title, additionalProperties: false, ...more })
}

/** An object that is not a named component of the documents. */
export function inlineObject<P extends TProperties>(properties: P, more: More = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...more })
}

/**
 * A field that publishable keys do not see (see `response/hidden-fields.ts`): the documents do not
 * promise it. The type is that of the field, because the server always has it, and so has every
 * other caller.
 */
export function tradeOnly<T extends TSchema>(schema: T): T {
  const { description } = schema as { description?: string }
  const told = { ...schema, description: `${description}. Not for publishable keys` }
  return Type.Optional(told as unknown as T) as unknown as T
}

/** The same schema, or null. A list of types serialises faster than a union. */
export function nullable<T extends TSchema>(schema: T) {
  const plain = schema as unknown as { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...plain,
    type: [plain.type, 'null'],
    ...(plain.enum && { enum: [...plain.enum, null] }),
  })
}
