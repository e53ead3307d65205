import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket

beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

describe('GET /metrics', () => {
  it('counts requests by route', async () => {
    await market.call('GET', '/api/v3/defaults/gem_attributes')
    const { text } = await market.call('GET', '/metrics')
    expect(text).toMatch(
      /pavilion_http_request_duration_seconds_count\{method="GET",route="\/api\/v3\/defaults\/gem_attributes",status="401"\} [1-9]/,
    )
    expect(text).toContain('pavilion_database_pool_total')
    expect(text).toContain('nodejs_eventloop_lag_seconds')
  })

  it('counts the database connections that break', async () => {
    const broken = async () => {
      const { text } = await market.call('GET', '/metrics')
      return Number(/^pavilion_database_connection_errors_total (\d+)$/m.exec(text)?.[1])
    }
    const { db } = market.database
    const breakIdleConnections = async () => {
      // Several connections, of which all but one are idle when they are terminated.
      await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(db)))
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    }
    expect(await broken()).toBe(0)
    await breakIdleConnections()
    await expect.poll(broken, { timeout: 10_000 }).toBeGreaterThanOrEqual(2)
  })
})

describe('GET /healthz and GET /readyz', () => {
  it('report that the process is alive, and whether it can serve requests', async () => {
    expect((await market.call('GET', '/healthz')).body.status).toBe('ok')
    // The indexes are loaded in the background.
    const ready = () => market.call('GET', '/readyz')
    await expect.poll(async () => (await ready()).status, { timeout: 30_000 }).toBe(200)
    expect((await ready()).body.checks.database).toBe('ok')
    market.app.services.readiness.startClosing()
    expect((await market.call('GET', '/readyz')).status).toBe(503)
  })
})
