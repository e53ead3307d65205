/**
 * The operations of the interface, by method and path. In the sources they are loose; the build
 * puts in place of this file's declarations those that it prints from the OpenAPI document, so that
 * the published types are those that the server checks (bin/client-types.js).
 */
interface Operation {
  /** The names in the path. */
  path: unknown
  query: unknown
  body: unknown
  response: unknown
}

export type Operations = Record<string, Operation>

/** A line of a snapshot, or the product of a change. */
export type AnyProduct = Record<string, unknown>
