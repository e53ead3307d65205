import { type RawBuilder, sql } from 'kysely'

/** A thing of the demo market, or none of that name. */
export interface Found {
  name: string
  value: string | null
}

/** The name of row `n`: `order.get`, `order.patch` and so on. */
export function named(kind: string, uses: readonly string[]): RawBuilder<string> {
  return sql`(${uses.map((use) => `${kind}.${use}`)}::text[])[n::int]`
}
