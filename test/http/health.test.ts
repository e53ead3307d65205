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
        where datname = current_database() and pid <> pg_backend_pid()
          -- PostgreSQL's own processes may be at work in the database, too.
          and usename = current_user`.execute(db)
    }
    expect(await broken()).toBe(0)
    await breakIdleConnections()
    await expect.poll(broken).toBeGreaterThanOrEqual(2)
  })
})

describe('the metrics and the details of /readyz', () => {
  const asked = async (of: TestMarket, remoteAddress: string, headers: object = {}) => {
    const get = (url: string) => of.app.inject({ url, remoteAddress, headers: { ...headers } })
    const [metrics, ready, write] = [
      await get('/metrics'),
      await get('/readyz'),
      await get('/readyz/write'),
    ]
    const details = [ready, write].map((response) => Object.keys(response.json()))
    return { metrics: metrics.statusCode, details }
  }
  const shown = { metrics: 200, details: [1, 2].map(() => ['status', 'checks']) }
  const hidden = { metrics: 403, details: [1, 2].map(() => ['status']) }

  it('are for programs on the same machine', async () => {
    expect(await asked(market, '127.0.0.1', { host: '127.0.0.1:8080' })).toEqual(shown)
    expect(await asked(market, '::1', { host: '[::1]:8080' })).toEqual(shown)
    expect(await asked(market, '203.0.113.7')).toEqual(hidden)
    expect(await asked(market, '10.0.0.7', { host: 'localhost' })).toEqual(hidden)
  })

  it('are not for callers whom a proxy on the same machine serves', async () => {
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-real-ip': '203.0.113.7' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { host: 'gems.example' },
    ]) {
      expect(await asked(market, '127.0.0.1', headers), JSON.stringify(headers)).toEqual(hidden)
    }
  })

  it('follow the address that a trusted proxy names', async () => {
    const proxied = await openTestMarket({ trustedProxies: ['127.0.0.1'] })
    const via = (address: string) => ({ 'x-forwarded-for': address })
    expect(await asked(proxied, '127.0.0.1', via('127.0.0.1, 203.0.113.7'))).toEqual(hidden)
    expect(await asked(proxied, '127.0.0.1', { 'x-real-ip': '203.0.113.7' })).toEqual(hidden)
    expect(await asked(proxied, '127.0.0.1', via('127.0.0.1'))).toEqual(shown)
    for (const unread of ['unknown', '', '1.2.3.4, unknown', '127.0.0.1, unknown']) {
      expect(await asked(proxied, '127.0.0.1', via(unread)), unread).toEqual(hidden)
    }
    expect(await asked(proxied, '127.0.0.1')).toEqual(shown)
    await proxied.close()
  })

  it('are for everyone or nobody when the operator says so', async () => {
    const open = await openTestMarket({ detailsFor: 'everyone' })
    expect(await asked(open, '203.0.113.7')).toEqual(shown)
    await open.close()
    const closed = await openTestMarket({ detailsFor: 'nobody' })
    expect(await asked(closed, '127.0.0.1')).toEqual(hidden)
    await closed.close()
  })
})

describe('GET /healthz and GET /readyz', () => {
  it('report that the process is alive, and whether it can serve requests', async () => {
    expect((await market.call('GET', '/healthz')).body.status).toBe('ok')
    // The indexes are loaded in the background.
    const ready = () => market.call('GET', '/readyz')
    await expect.poll(async () => (await ready()).status).toBe(200)
    expect((await ready()).body.checks.database).toBe('ok')
    market.app.services.readiness.startClosing()
    expect((await market.call('GET', '/readyz')).status).toBe(503)
  })
})
