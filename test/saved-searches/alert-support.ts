import { sql } from 'kysely'
import type { Db } from '../../src/database/open.ts'
import type { App } from '../../src/http/route.ts'
import { raiseAlerts } from '../../src/saved-searches/alerts/raise-alerts.ts'
import type { TestMarket, TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'

/** Saves a search with alerts, and returns its uuid. */
export async function saveAlert(
  market: TestMarket,
  { key }: TestMerchant,
  filters: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { status, body, text } = await market.call('POST', '/api/v3/saved_searches', {
    token: key,
    body: { name: 'Search', kind: 'diamond', alert: 'instant', filters, ...more },
  })
  if (status !== 201) throw new Error(text)
  return body.uuid
}

/** Waits until all nodes know everything, and one of them has compared it with the searches. */
export async function compared(...nodes: App[]): Promise<void> {
  for (const app of nodes) await indexed({ app })
  for (const { services } of nodes) await services.alerts.catchUp()
}

/** Raises all alerts that wait, as if their minute or their day was over. */
export async function raiseNow({ database: { db } }: TestMarket): Promise<void> {
  await sql`update saved_search_stones set due_on = market_clock()
    where due_on is not null`.execute(db)
  await raiseDue(db)
}

/** Raises all alerts that are due. A node may be raising some of them at this moment. */
export async function raiseDue(db: Db): Promise<void> {
  for (;;) {
    await raiseAlerts(db)
    const { rows } = await sql`
      select from saved_search_stones where due_on <= market_clock()`.execute(db)
    if (rows.length === 0) return
    await new Promise((done) => setTimeout(done, 20))
  }
}

export interface Alert {
  saved_search_uuid: string
  name: string
  skus: string[]
  more: number
}

/** The data of the merchant's alerts, oldest first. */
export async function alertsOf(market: TestMarket, { key }: TestMerchant): Promise<Alert[]> {
  const { body } = await market.call('GET', '/api/v3/events?after=0&limit=1000', { token: key })
  const events: { event_type: string; event_data: Alert }[] = body.events
  return events.flatMap((event) => (event.event_type === 'search.match' ? [event.event_data] : []))
}

/** The SKUs that the merchant was told of for a search, in the order of the events. */
export async function toldOf(
  market: TestMarket,
  merchant: TestMerchant,
  searchUuid: string,
): Promise<string[]> {
  const alerts = await alertsOf(market, merchant)
  return alerts.filter((each) => each.saved_search_uuid === searchUuid).flatMap(({ skus }) => skus)
}

/** Lets another node take the lease. */
export async function endLease({ database: { db } }: TestMarket): Promise<void> {
  await sql`update alert_matcher set held_until = market_clock()`.execute(db)
}
