/** Reads the examples of an OpenAPI document, as somebody does who pastes them. */
import type { JsonSchema } from '../../../src/http/docs/components.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  example?: unknown
  schema: JsonSchema
}

interface Documented {
  parameters: Parameter[]
  security?: unknown[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

export interface OpenApi {
  paths: Record<string, Record<string, Documented>>
}

export interface Pasted {
  method: string
  path: string
  /** The path with its examples and with the required query parameters. */
  url: string
  needsToken: boolean
  body: { type: string; text: string } | undefined
  /** The parameters that may be left out and that have an example, each as `name=value`. */
  optional: string[]
}

/** Every operation of a document with its examples filled in, in the order of the document. */
export function pastedOperations({ paths }: OpenApi): Pasted[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters } = operation
      const at = parameters
        .filter((parameter) => parameter.in === 'path')
        .reduce((url, { name, example }) => {
          return url.replace(`{${name}}`, encodeURIComponent(String(example)))
        }, path)
      const query = parameters.filter((parameter) => parameter.in === 'query')
      const required = query.filter((parameter) => parameter.required).map(pairOf)
      return {
        method: method.toUpperCase(),
        path,
        url: required.length > 0 ? `${at}?${required.join('&')}` : at,
        needsToken: operation.security?.length !== 0,
        body: bodyOf(operation),
        optional: query
          .filter(({ required, example }) => !required && example !== undefined)
          .map(pairOf),
      }
    }),
  )
}

function pairOf({ name, example }: Parameter): string {
  return [example]
    .flat()
    .map((value) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

function bodyOf({ requestBody }: Documented): Pasted['body'] {
  const [first] = Object.entries(requestBody?.content ?? {})
  if (!first) return undefined
  const [type, { example }] = first
  return { type, text: typeof example === 'string' ? example : JSON.stringify(example) }
}

/** Whether a response has something to show: a list with entries, a count, or a single thing. */
export function findsSomething(body: unknown): boolean {
  if (body === null || typeof body !== 'object') return body !== null && body !== undefined
  if (Array.isArray(body)) return body.length > 0
  const lists = Object.values(body).filter((value) => Array.isArray(value))
  return lists.length === 0 || lists.some((list) => list.length > 0)
}
