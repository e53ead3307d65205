import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

let market: TestMarket

beforeAll(async () => {
  const webhooks = { allowedHosts: ['127.0.0.1:9'], firstWaitMs: 60_000, timeoutMs: 1_000 }
  market = await openTestMarket({ dataFolder: tmpdir(), webhooks })
})
afterAll(() => market.close())

const scrape = async () => (await market.call('GET', '/metrics')).text

/** The value of one series; undefined when there is none. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('GET /metrics', () => {
  it('shows webhooks that wait or failed, and imports by their status', async () => {
    const { db } = market.database
    const [{ sku }] = await stockStones(market, {})
    await sql`insert into import (uuid, supplier_id, mode, status, currency_code, started_on)
      select gen_random_uuid(), (select min(id) from supplier), 'update', status, 'USD',
        clock_timestamp() - age
      from (values ('failed', interval '1 hour'), ('failed', interval '2 days'),
        ('done', interval '1 hour'), ('done', interval '2 hours')) as made (status, age)
      `.execute(db)
    await sql`insert into jewelry_import (uuid, supplier_id, mode, report, failure, created_on)
      select gen_random_uuid(), (select min(id) from supplier), 'update', '{}', failure,
        clock_timestamp() - age
      from (values ('damaged', interval '1 hour'), ('damaged', interval '2 days'),
        (null, interval '1 hour')) as made (failure, age)`.execute(db)
    const { key: token } = await market.merchant()
    const url = 'http://127.0.0.1:9/nobody'
    const webhook = await market.call('POST', '/api/v3/webhooks', { token, body: { url } })
    expect(webhook.status).toBe(201)
    await market.call('POST', '/api/v3/inventory/holds', { token, body: { sku } })
    // What was read from the database is kept for some seconds.
    const shown = async () => {
      const text = await scrape()
      return {
        waiting: sampleOf(text, 'pavilion_webhook_waiting'),
        overdue: sampleOf(text, 'pavilion_webhook_overdue_seconds'),
        retried: sampleOf(text, 'pavilion_webhook_attempts_total{outcome="retried"}'),
        failedDeliveries: sampleOf(text, 'pavilion_webhook_attempts_total{outcome="failed"}'),
        done: sampleOf(text, 'pavilion_imports_last_day{status="done"}'),
        failed: sampleOf(text, 'pavilion_imports_last_day{status="failed"}'),
      }
    }
    await expect.poll(shown, { interval: 500 }).toEqual({
      waiting: 1,
      overdue: 0,
      retried: 1,
      failedDeliveries: 0,
      done: 3,
      failed: 2,
    })
  })

  it('counts refusals by their code', async () => {
    await market.call('GET', '/api/v3/session')
    await market.call('GET', '/api/v3/session')
    await market.call('GET', '/nothing/here')
    await market.call('POST', '/api/operator/tokens', { token: market.adminKey, body: {} })
    const text = await scrape()
    const count = (code: string, status: number) =>
      sampleOf(text, `pavilion_refusals_total{code="${code}",status="${status}"}`)
    expect(count('unauthenticated', 401)).toBe(2)
    expect(count('not_found', 404)).toBe(1)
    expect(count('invalid_request', 422)).toBe(1)
  })

  it('counts what is not even a request', async () => {
    const address = await market.app.listen({ port: 0, host: '127.0.0.1' })
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1')
      socket.on('close', () => resolve())
      socket.on('error', () => {})
      socket.resume()
      socket.end('NOT HTTP\r\n\r\n')
    })
    const text = await scrape()
    expect(sampleOf(text, 'pavilion_refusals_total{code="bad_request",status="400"}')).toBe(1)
  })

  it('shows versions and free space', async () => {
    const text = await scrape()
    const versions =
      /^pavilion_build_info\{version="\d+\.\d+\.\d+",node="(.+)",postgresql="\d.*"\} 1$/m
    expect(versions.exec(text)?.[1]).toBe(process.versions.node)
    for (const folder of ['data', 'temp']) {
      const free = sampleOf(text, `pavilion_disk_free_bytes{folder="${folder}"}`) ?? 0
      const size = sampleOf(text, `pavilion_disk_size_bytes{folder="${folder}"}`) ?? 0
      expect(free).toBeGreaterThan(0)
      expect(size).toBeGreaterThanOrEqual(free)
    }
  })
})

interface Described {
  type: string
  labels: string[]
}

/** The tables of docs/metrics.md: a row is one metric, or several that differ in their name only. */
function describedMetrics(): Map<string, Described> {
  const described = new Map<string, Described>()
  for (const line of readFileSync('docs/metrics.md', 'utf8').split('\n')) {
    const [names, type, labels] = line.split('|').slice(1)
    if (!/^ `\w+`/.test(names ?? '')) continue
    for (const name of wordsIn(names)) {
      described.set(name, { type: type.trim(), labels: wordsIn(labels).toSorted() })
    }
  }
  return described
}

const wordsIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, word]) => word)

describe('docs/metrics.md', () => {
  it('describes every metric that a server exports, and no other', async () => {
    const text = await scrape()
    const described = describedMetrics()
    const exported = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    const types = exported.map(([, name, type]) => [name, type])
    expect(types).toEqual(types.map(([name]) => [name, described.get(name)?.type]))
    const names = new Set(types.map(([name]) => name))
    const invented = [...described.keys()].filter(
      (name) => name.startsWith('pavilion_') && !names.has(name),
    )
    expect(invented).toEqual([])
  })

  it('names the labels of each metric of Pavilion', async () => {
    const described = describedMetrics()
    for (const [, sample, inner] of (await scrape()).matchAll(/^(pavilion_\w+)\{(.*)\} /gm)) {
      const name = described.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '')
      const labels = [...inner.matchAll(/(\w+)="/g)].map(([, label]) => label)
      const own = labels.filter((label) => label !== 'le').toSorted()
      expect([name, own]).toEqual([name, described.get(name)?.labels])
    }
  })
})
