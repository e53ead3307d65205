import type { OpenApiDocument } from '../openapi.ts'

/** A request of a collection: an operation of an OpenAPI document with its examples. */
export interface CollectionRequest {
  name: string
  description: string
  /** The group that it belongs to. */
  folder: string
  method: string
  /** The path with the examples of its parameters. */
  path: string
  /** The query: what is required is sent, the rest is there to be switched on. */
  query: { name: string; value: string; required: boolean }[]
  needsToken: boolean
  body?: { type: string; text: string }
}

/** Every operation of a document as a request, in the order of the document. */
export function requestsOf({ paths }: OpenApiDocument): CollectionRequest[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters, requestBody } = operation
      const values = parameters.map(({ name, example }) => [`{${name}}`, example] as const)
      const [content] = Object.entries(requestBody?.content ?? {})
      return {
        name: operation.summary,
        description: operation.description ?? '',
        folder: operation.tags[0] ?? 'Other',
        method: method.toUpperCase(),
        path: values.reduce(
          (url, [placeholder, value]) => url.replace(placeholder, encodeURIComponent(plain(value))),
          path,
        ),
        query: parameters.flatMap(({ in: where, name, example, required }) => {
          if (where !== 'query' || example === undefined) return []
          return [example].flat().map((value) => ({ name, value: plain(value), required }))
        }),
        needsToken: operation.security?.length !== 0,
        ...(content && { body: { type: content[0], text: printed(content[1].example) } }),
      }
    }),
  )
}

/** Examples of parameters are strings, numbers and booleans. */
function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function printed(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}
