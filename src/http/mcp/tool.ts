import type { Static, TObject } from 'typebox'
import { checkerOf } from '../request/validation.ts'
import { compactSchema, type ListedSchema } from './compact-schema.ts'
import type { MarketCalls } from './market-calls.ts'

/** What a client shows or asks before it lets a model call a tool. */
interface Annotations {
  readOnlyHint?: true
  destructiveHint?: false
}

export interface Tool {
  name: string
  /** As `tools/list` has it: a model pays for every byte. */
  listed: {
    name: string
    description: string
    inputSchema: ListedSchema
    annotations?: Annotations
  }
  /** Checks the arguments, and throws a `Refusal` that names each wrong one. Sets defaults. */
  check(args: unknown): void
  /** Works with checked arguments. The answer is sent to the model as JSON. */
  run(args: unknown, market: MarketCalls): Promise<object>
}

interface ToolOptions<Schema extends TObject> {
  description: string
  /** What the arguments are checked with: the body of the operation behind the tool, as it is. */
  schema: Schema
  /** Arguments that are accepted and not listed, because they are not meant for a model. */
  hidden?: readonly string[]
  annotations?: Annotations
  run: (args: Static<Schema>, market: MarketCalls) => Promise<object>
}

export const READS = { readOnlyHint: true } as const satisfies Annotations
/** It writes, but takes nothing away that cannot be undone. */
export const ADDS = { destructiveHint: false } as const satisfies Annotations

export function tool<Schema extends TObject>(name: string, options: ToolOptions<Schema>): Tool {
  const { description, schema, hidden = [], annotations, run } = options
  return {
    name,
    listed: {
      name,
      description,
      inputSchema: compactSchema(schema, hidden),
      ...(annotations && { annotations }),
    },
    check: checkerOf(schema),
    run: (args, market) => run(args as Static<Schema>, market),
  }
}
