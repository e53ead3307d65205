import { sql } from 'kysely'
import { expect } from 'vitest'
import { inTransaction } from '../../../src/database/transaction.ts'
import { renderSource } from '../../../src/feeds/sources/source.ts'
import { addSource, pauseSource } from '../../../src/feeds/sources/source-store.ts'
import type { AppDeps } from '../../../src/http/app.ts'
import { openTestMarket, type TestMarket } from '../../support/market.ts'
import { csvOf, type Stone, stones } from '../import-support.ts'

export { csvOf, type Stone, stones }

/** Times that suit a test: a file that was just written is not waited for. */
export const FETCHING = { settleMs: 0, connectMs: 5_000, idleMs: 10_000, totalMs: 60_000 }

export interface SourceMarket extends TestMarket {
  /** Adds a source that only the test runs, unless it says that it is not paused. */
  add(body: Partial<NewSource> & { paused?: boolean }): Promise<Source>
  run(uuid: string, query?: string): Promise<Run>
  show(uuid: string): Promise<Source>
  /** The events of sources, oldest first. */
  events(): Promise<{ event_type: string; event_data: Record<string, unknown> }[]>
  /** Moves the clock of the market, as a sandbox does, and tells the nodes. */
  advance(interval: string): Promise<void>
  /** The stock numbers on sale. */
  onSale(): Promise<string[]>
}

type NewSource = Parameters<typeof addSource>[1]

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Source = any
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Run = any

/** A market whose sources may be on this machine. */
export async function openSourceMarket(deps: Partial<AppDeps> = {}): Promise<SourceMarket> {
  const market = await openTestMarket({
    sources: { allowedHosts: ['127.0.0.1', 'localhost'], ...FETCHING },
    ...deps,
  })
  const { db } = market.database
  const operator = { token: market.adminKey }
  const path = '/api/operator/sources'
  return {
    ...market,
    async add({ paused = true, ...fields }) {
      const body = { supplier: 'Gems Ltd', every: '1h', ...fields }
      if (paused) return addPaused(market, body)
      const added = await market.call('POST', path, { ...operator, body })
      expect(added.status, added.text).toBe(201)
      return added.body
    },
    async run(uuid, query = '') {
      const ran = await market.call('POST', `${path}/${uuid}/run${query}`, operator)
      expect(ran.status, ran.text).toBe(200)
      return ran.body
    },
    async show(uuid) {
      return (await market.call('GET', `${path}/${uuid}`, operator)).body
    },
    async events() {
      const listed = await market.call('GET', '/api/operator/events?after=0&limit=500', operator)
      const found: { event_type: string; event_data: Record<string, unknown> }[] =
        listed.body.events
      return found.filter(({ event_type }) => event_type.startsWith('source.'))
    },
    async advance(interval) {
      const { rows } = await sql<{ moved: string }>`
        select (market_offset() + ${interval}::interval)::text as moved`.execute(db)
      await sql`create or replace function market_offset() returns interval
        language sql stable parallel safe
        return interval '${sql.raw(rows[0].moved)}'`.execute(db)
      await sql`notify pavilion_source`.execute(db)
    },
    async onSale() {
      const { rows } = await sql<{ vendor_sku: string }>`
        select vendor_sku from gem where state = 'available' order by id`.execute(db)
      return rows.map(({ vendor_sku }) => vendor_sku)
    },
  }
}

/** In one transaction: no node sees it due. */
function addPaused({ database, deps }: TestMarket, fields: Partial<NewSource>): Promise<Source> {
  const options = { secrets: deps.secrets, isFileAllowed: true }
  return inTransaction(database.db, async (tx) => {
    const { uuid } = await addSource(tx, fields as NewSource, options)
    return renderSource(await pauseSource(tx, uuid))
  })
}
