import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/database/open.ts'
import { ON_SALE } from '../../src/gems/gem-life.ts'
import type { Send } from './caller.ts'
import { bodyOf } from './caller.ts'
import { readMetrics } from './server.ts'
import type { Check } from './stock.ts'

/** Longer than the period of the audit, which compares samples of the index with the table. */
const AUDIT_MS = 20_000
/** What the last calls have left behind must be gone by then. */
const QUIET_MS = 10_000

/** Gauges that are 0 when nobody calls; anything else was lost count of. */
const AT_REST = [
  'pavilion_http_calls_running',
  'pavilion_http_calls_waiting',
  'pavilion_uploads_running',
  'pavilion_uploads_bytes',
  'pavilion_database_pool_in_use{pool="requests"}',
  'pavilion_database_pool_in_use{pool="imports"}',
  'pavilion_database_pool_waiting{pool="requests"}',
]

/** What a server must be like after the last call: at rest, and with an index that is right. */
export async function checkAtRest(
  address: string,
  database: Database,
  send: Send,
  key: string,
): Promise<Check[]> {
  await pause(QUIET_MS)
  const before = await readMetrics(address)
  const atRest = AT_REST.map((name) => ({ name, wrong: before.get(name) ?? Number.NaN }))
  await pause(AUDIT_MS)
  const after = await readMetrics(address)
  const drifted = after.get('pavilion_index_drifted_stones') ?? Number.NaN
  const audited = after.get('pavilion_index_audited_stones') ?? 0
  return [
    ...atRest,
    { name: `stones of ${audited} audited ones that differ in the index`, wrong: drifted },
    { name: 'audits that did not run', wrong: audited > 0 ? 0 : 1 },
    await compareTotals(database, send, key),
  ]
}

/** The number of stones that a search finds without filters, and that the table has. */
async function compareTotals({ pool }: Database, send: Send, key: string): Promise<Check> {
  const { rows } = await pool.query(
    `select count(*) from gem where product_type = 'diamond' and not is_fancy and ${ON_SALE}`,
  )
  const path = '/api/v3/diamonds/merchant_search'
  const answer = await send('last search', { method: 'POST', path, key, body: { limit: 1 } })
  const total = bodyOf<{ total: number }>(answer)?.total ?? Number.NaN
  return {
    name: `stones on sale, index and table (${total})`,
    wrong: total - Number(rows[0].count),
  }
}
