import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/open.ts'

/** A market of this size has stones for every order and quote. */
const EARLY_STONES = 20_000

/**
 * Orders and quotes of the demo are about its first stones. Without this condition PostgreSQL
 * reads all stones for each of them, which takes ten seconds where there are ten million.
 */
export async function amongEarlyStones(tx: Tx): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ first: string | null }>`select min(id) as first from gem`.execute(tx)
  return sql<boolean>`id < ${Number(rows[0].first) + EARLY_STONES}`
}
