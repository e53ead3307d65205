import { parse } from 'node:querystring'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formatsPlugin from 'ajv-formats'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import { explainErrors } from './validation-errors.ts'

/**
 * Queries and paths arrive as text and are converted to the types of their schema. A body is
 * validated as it is, because "1" is not a quantity. All errors are collected, and no unknown name
 * is dropped: a filter that is silently ignored sells the wrong stone.
 */
const shared = {
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  multipleOfPrecision: 8,
} as const
const text = withFormats(new Ajv({ ...shared, coerceTypes: true }))
const body = withFormats(new Ajv({ ...shared, coerceTypes: false }))

/** A route that declares no query accepts none: an unknown parameter is an error everywhere. */
const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false }

export function registerValidation(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.undocumented) return
    route.schema = { querystring: NO_PARAMETERS, ...route.schema }
  })
  const compile: FastifySchemaCompiler<Record<string, unknown>> = ({ schema, httpPart }) => {
    if (httpPart === 'body') return refusing(() => body.compile(schema), 'body')
    const validate = refusing(() => text.compile(schema), httpPart ?? 'query')
    if (httpPart !== 'querystring') return validate
    // Most requests have no query, and most routes take none: those pay nothing for the check.
    if (schema === NO_PARAMETERS) return (query: object) => isEmpty(query) || validate(query)
    const arrays = arrayNamesOf(schema)
    return (query: Record<string, unknown>) => {
      for (const name of arrays) if (name in query) query[name] = splitValues(query[name])
      return validate(query)
    }
  }
  app.setValidatorCompiler(compile)
}

/** Checks a part of a body whose schema depends on something else. */
export function checkerOf(schema: object): (value: unknown) => void {
  const check = refusing(() => body.compile(schema), 'body')
  return (value) => {
    const result = check(value)
    if (result !== true) throw result.error
  }
}

/** Node would drop what is behind the thousandth; the head of a request has at most 16 KiB. */
const EVERY_PARAMETER = { maxKeys: 0 }

/** Parses a query string; `a[]=1` means the same as `a=1`. */
export function parseQueryString(text: string): Record<string, unknown> {
  if (text === '') return {}
  const query = parse(text, '&', '=', EVERY_PARAMETER)
  for (const name of Object.keys(query)) {
    if (!name.endsWith('[]')) continue
    const plain = name.slice(0, -2)
    query[plain] = [query[plain] ?? [], query[name] ?? []].flat()
    delete query[name]
  }
  return query
}

function isEmpty(query: object): boolean {
  for (const _ in query) return false
  return true
}

// ajv-formats is CommonJS: its default export arrives wrapped.
function withFormats(ajv: Ajv): Ajv {
  const add = formatsPlugin as unknown as { default?: typeof formatsPlugin.default }
  ;(add.default ?? (formatsPlugin as unknown as typeof formatsPlugin.default))(ajv)
  // The plugin accepts the 60th second of a leap second, which a JavaScript Date cannot represent.
  const dateTime = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  const validate = (text: string) => !LEAP_SECOND.test(text) && dateTime.validate(text)
  return ajv.addFormat('date-time', { validate })
}

const LEAP_SECOND = /:\d\d:60/

/** Compiled by the first call of its route: a start that compiled them all would take longer. */
function refusing(compile: () => ValidateFunction, part: string) {
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    validate ??= compile()
    if (validate(value)) return true
    return { error: refusalOf(validate.errors ?? [], part) }
  }
}

function refusalOf(found: ErrorObject[], part: string): Refusal {
  const errors = explainErrors(found, part)
  const [first] = errors
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const sentence = `${first.field} ${first.message}${others}`
  const detail = sentence.endsWith('?') ? sentence : `${sentence}.`
  return new Refusal('invalid_request', detail, { errors })
}

function arrayNamesOf(schema: Record<string, unknown>): string[] {
  const properties = (schema.properties ?? {}) as Record<string, { type?: string }>
  return Object.keys(properties).filter((name) => properties[name].type === 'array')
}

/** `a=1&a=2` and `a=1,2` mean the same. */
function splitValues(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap((item) => String(item).split(','))
}
