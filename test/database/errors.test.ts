import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestMarket } from '../support/market.ts'

it('returns 500 when a table is missing, which is a bug and not an outage', async () => {
  const market = await openTestMarket()
  try {
    const { key } = await market.merchant()
    // Not through market.call: the documents do not promise a 500.
    const listEvents = () =>
      market.app.inject({ url: '/api/v3/events', headers: { authorization: `Bearer ${key}` } })
    expect((await listEvents()).statusCode).toBe(200)
    await sql`alter table event rename to renamed`.execute(market.database.db)
    const { statusCode, body } = await listEvents()
    expect(statusCode).toBe(500)
    expect(JSON.parse(body).code).toBe('internal_error')
  } finally {
    await market.close()
  }
})
