import type { Operation } from '../operations.ts'
import type { DemoValues } from './demo-values.ts'
import { OPERATION_EXAMPLES } from './operations.ts'

/** The examples of one operation in one market. */
export interface ResolvedExample {
  /** The example of a parameter; null: it has none; undefined: that of its schema. */
  parameter(name: string): unknown
  /** The example of the body; undefined: that of its schema. */
  body: unknown
}

/** Looks up the example of an operation, with the things of the market where they are needed. */
export function exampleFor({ method, path }: Operation, values: DemoValues): ResolvedExample {
  const { params = {}, query = {}, body } = OPERATION_EXAMPLES.get(`${method} ${path}`) ?? {}
  const given = new Map<string, unknown>([...Object.entries(params), ...Object.entries(query)])
  return {
    parameter: (name) => resolved(given.get(name), values),
    body: resolved(body, values),
  }
}

/** Replaces `$name`; undefined when the market has no such thing. */
function resolved(example: unknown, values: DemoValues): unknown {
  if (typeof example === 'string') {
    return example.startsWith('$') ? values.get(example.slice(1)) : example
  }
  if (Array.isArray(example)) {
    const items = example.map((item) => resolved(item, values))
    return items.includes(undefined) ? undefined : items
  }
  if (typeof example !== 'object' || example === null) return example
  const entries = Object.entries(example).map(([name, item]) => [name, resolved(item, values)])
  return entries.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(entries)
}
