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

it('returns 503 when another transaction got in the way of a read', async () => {
  const market = await openTestMarket()
  try {
    const { key } = await market.merchant()
    await sql`alter table event rename to renamed`.execute(market.database.db)
    await sql`create function deadlock() returns setof renamed language plpgsql as
      'begin raise exception using errcode = ''40P01''; end'`.execute(market.database.db)
    await sql`create view event as select * from deadlock()`.execute(market.database.db)
    const { status, body, headers } = await market.call('GET', '/api/v3/events', { token: key })
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'overloaded', '2'])
  } finally {
    await market.close()
  }
})
