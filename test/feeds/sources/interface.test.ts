import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeOldRuns } from '../../../src/feeds/sources/run-history.ts'
import { retryAfterSeconds } from '../../../src/feeds/sources/source.ts'
import { stockStones } from '../../support/stocked.ts'
import { workbook } from '../xlsx-files.ts'
import { csvOf, openSourceMarket, type SourceMarket, stones } from './source-support.ts'
import { openWebServer, type WebServer } from './web-server.ts'

let market: SourceMarket
let web: WebServer
beforeEach(async () => {
  market = await openSourceMarket()
  web = await openWebServer(csvOf(stones(5)))
})
afterEach(async () => {
  await market.close()
  await web.close()
})

const db = () => market.database.db
const PATH = '/api/operator/sources'
const call = (method: string, path: string, body?: unknown) =>
  market.call(method, path, { token: market.adminKey, ...(body !== undefined && { body }) })
const GOOD = { supplier: 'Gems Ltd', url: 'https://supplier.example/stock.csv' }
const UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'

describe('POST /api/operator/sources', () => {
  it('fetches every two hours in mode update, unless it is told otherwise', async () => {
    const { status, body } = await call('POST', PATH, GOOD)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      supplier: 'Gems Ltd',
      url: GOOD.url,
      every: '2h',
      mode: 'update',
      user: null,
      has_password: false,
      has_key: false,
      failures: 0,
    })
    const other = await call('POST', PATH, { ...GOOD, every: '90s', mode: 'replace' })
    expect(other.body).toMatchObject({ every: '90s', mode: 'replace' })
  })

  it('refuses what cannot be, and names the field', async () => {
    const wrong: [field: string, fields: object][] = [
      ['url', { url: 'file:///etc/passwd' }],
      ['url', { url: 'gopher://supplier.example/' }],
      ['url', { url: 'stock.csv' }],
      ['url', { url: 'https://user:secret@supplier.example/stock.csv' }],
      ['url', { url: 'https://supplier.example/*.csv' }],
      ['url', { url: 'ftp://supplier.example/*/stock.csv' }],
      ['url', { url: 'ftp://supplier.example/a%0d%0aDELE%20b' }],
      ['url', { url: 'https://supplier.example/stock.csv#part' }],
      ['every', { every: '59s' }],
      ['every', { every: '32d' }],
      ['every', { every: 'often' }],
      ['mode', { mode: 'append' }],
      ['user', { password: 'without a user' }],
      ['user', { url: 'sftp://supplier.example/stock.csv', password: 'secret' }],
      ['password', { url: 'sftp://supplier.example/stock.csv', user: 'pavilion' }],
      ['key', { url: 'ftp://supplier.example/stock.csv', user: 'pavilion', key: 'x' }],
      ['key', { url: 'sftp://supplier.example/stock.csv', user: 'pavilion', key: 'not a key' }],
      ['host_key', { host_key: 'MD5:aa:bb' }],
      ['host_key', { url: 'ftp://supplier.example/a.csv', host_key: `SHA256:${'A'.repeat(43)}` }],
      ['evry', { evry: '2h' }],
      ['mapping.Cts.', { mapping: { 'Cts.': 'wait' } }],
    ]
    for (const [field, fields] of wrong) {
      const { status, body } = await call('POST', PATH, { ...GOOD, ...fields })
      expect(status, JSON.stringify(fields)).toBe(422)
      const named = body.errors.map((error: { field: string }) => error.field)
      expect(named, JSON.stringify(fields)).toContain(field)
    }
    expect((await call('GET', PATH)).body.total).toBe(0)
  })

  it('adds one source for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' }
    const options = { token: market.adminKey, body: GOOD, headers }
    const first = await market.call('POST', PATH, options)
    const second = await market.call('POST', PATH, options)
    expect(second.text).toBe(first.text)
    expect((await call('GET', PATH)).body.total).toBe(1)
  })
})

describe('A source', () => {
  it('is paused, resumed, changed and removed', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.show(uuid)).toMatchObject({ state: 'paused', due_on: null, runs: [] })
    const changed = await call('PATCH', `${PATH}/${uuid}`, { every: '5m', mode: 'replace' })
    expect(changed.body).toMatchObject({ every: '5m', mode: 'replace', state: 'paused' })
    expect((await market.show(uuid)).runs).toEqual([])
    const resumed = await call('POST', `${PATH}/${uuid}/resume`)
    expect(resumed).toMatchObject({ status: 200, body: { paused_on: null } })
    await expect.poll(async () => (await market.show(uuid)).runs[0]?.outcome).toBe('done')
    const paused = await call('POST', `${PATH}/${uuid}/pause`)
    expect(paused).toMatchObject({ status: 200, body: { state: 'paused' } })
    expect((await call('DELETE', `${PATH}/${uuid}`)).status).toBe(204)
    expect((await call('GET', `${PATH}/${uuid}`)).status).toBe(404)
    expect(await market.onSale()).toHaveLength(5)
  })

  it('gives its mapping to the import', async () => {
    web.file = csvOf(stones(3)).replace('Weight', 'Heft').replace('Stock #', 'Item')
    const mapping = { Heft: 'weight', Item: 'vendor_sku' }
    const { uuid } = await market.add({ url: `${web.url}/stock.csv`, mapping })
    expect(await market.show(uuid)).toMatchObject({ mapping })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 3 })
    expect(await market.onSale()).toEqual(['S-1', 'S-2', 'S-3'])
  })

  it('gives the name of its sheet to the import', async () => {
    const [header, ...rows] = csvOf(stones(4))
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const file = workbook([
      { name: 'Old', rows: [header, ...rows.slice(2)] },
      { name: 'Today', rows: [header, ...rows.slice(0, 2)] },
    ])
    web.respond = (_request, response) => void response.end(file)
    const { uuid } = await market.add({ url: `${web.url}/stock.xlsx`, sheet: 'Today' })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 2 })
    expect(await market.onSale()).toEqual(['S-1', 'S-2'])
    await call('PATCH', `${PATH}/${uuid}`, { sheet: 'Tomorrow' })
    expect(await market.run(uuid, '?force=true')).toMatchObject({
      outcome: 'failed',
      failure: expect.stringContaining('"Old", "Today"'),
    })
  })

  it('that does not exist is 404 in every way', async () => {
    const statuses = await Promise.all([
      call('GET', `${PATH}/${UUID}`),
      call('PATCH', `${PATH}/${UUID}`, { every: '2h' }),
      call('DELETE', `${PATH}/${UUID}`),
      call('POST', `${PATH}/${UUID}/run`),
      call('POST', `${PATH}/${UUID}/pause`),
      call('POST', `${PATH}/${UUID}/resume`),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
  })

  it('that is removed in the middle of a run ends it', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    web.respond = (_request, response) => {
      void call('DELETE', `${PATH}/${uuid}`).then(() => response.end(web.file))
    }
    const run = await call('POST', `${PATH}/${uuid}/run`)
    expect(run.status).toBe(404)
  })

  it('whose file is unchanged keeps its stock fresh, unless the file has an old date', async () => {
    await call('POST', '/api/operator/suppliers', { name: 'Gems Ltd', fresh_days: 2 })
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    const syncedOn = async () =>
      (await call('GET', '/api/operator/suppliers')).body.suppliers[0].synced_on
    expect((await market.run(uuid)).outcome).toBe('done')
    const first = await syncedOn()
    await market.advance('1 day')
    expect((await market.run(uuid)).outcome).toBe('unchanged')
    const second = await syncedOn()
    expect(second > first).toBe(true)
    // Too late: the stock has left the market, and comes back with the whole file.
    await market.advance('3 days')
    expect((await market.run(uuid)).outcome).toBe('done')
    web.respond = (_request, response) => {
      response.writeHead(200, { 'last-modified': 'Sat, 31 Jan 2026 09:15:00 GMT' })
      response.end(web.file)
    }
    expect((await market.run(uuid)).outcome).toBe('unchanged')
    const third = await syncedOn()
    await market.advance('1 day')
    expect((await market.run(uuid)).outcome).toBe('unchanged')
    expect(await syncedOn()).toBe(third)
  })

  it('keeps a history that is long enough, and not longer', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    await sql`
      insert into feed_source_run (uuid, source_uuid, started_by, outcome, started_on, finished_on)
      select gen_random_uuid(), ${uuid}, 'schedule', 'unchanged', at, at
      from generate_series(1, 200) as age, lateral (
        select market_clock() - (age - 0.5) * interval '1 day' as at) as day`.execute(db())
    await removeOldRuns(db())
    expect((await market.show(uuid)).total).toBe(90)
    await market.advance('1 year')
    await removeOldRuns(db())
    expect((await market.show(uuid)).total).toBe(20)
  })
})

describe('The runs of a source', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  const listed = async (uuid: string, query: string): Promise<any> => {
    const { status, text, body } = await call('GET', `${PATH}/${uuid}?${query}`)
    expect(status, text).toBe(200)
    return body
  }

  it('are filtered by outcome and by who started them, and sorted by their columns', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    await market.run(uuid)
    await market.run(uuid)
    web.file = csvOf(stones(6))
    await market.run(uuid)
    web.respond = (_request, response) => void response.writeHead(404).end()
    await market.run(uuid)
    await sql`insert into feed_source_run (uuid, source_uuid, started_by, outcome, file_name,
        started_on, finished_on)
      values (gen_random_uuid(), ${uuid}, 'schedule', 'unchanged', 'A.csv',
        market_clock() - interval '1 day', market_clock())`.execute(db())
    const outcomes = async (query: string) => {
      const { runs, total } = await listed(uuid, query)
      expect(runs).toHaveLength(total)
      return runs.map(({ outcome }: { outcome: string }) => outcome)
    }
    const all = ['failed', 'done', 'unchanged', 'done', 'unchanged']
    expect(await outcomes('')).toEqual(all)
    expect(await outcomes('sort_order=asc')).toEqual(all.toReversed())
    expect(await outcomes('outcome=done')).toEqual(['done', 'done'])
    expect(await outcomes('started_by=schedule')).toEqual(['unchanged'])
    expect(await outcomes('outcome=failed&started_by=schedule')).toEqual([])
    expect(await outcomes('sort_col=outcome&sort_order=asc')).toEqual(all.toSorted())
    const { runs } = await listed(uuid, 'sort_col=rows&sort_order=desc')
    const rows = runs.map((run: { rows: number | null }) => run.rows)
    expect(rows).toEqual([6, 5, null, null, null])
    const names = (await listed(uuid, 'sort_col=file_name&sort_order=asc')).runs
    expect([names[0].file_name, names.at(-1).file_name]).toEqual(['A.csv', null])
    const second = await listed(uuid, 'outcome=done&limit=1&offset=1')
    expect(second).toMatchObject({ total: 2, limit: 1, offset: 1, runs: [{ rows: 5 }] })
  })

  it('are not filtered by an outcome that there is not', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    const refused = await call('GET', `${PATH}/${uuid}?outcome=lost`)
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'outcome'])
  })
})

describe('The waits after failures', () => {
  it('begin with 30 seconds and double to an hour', () => {
    const waits = [1, 2, 3, 7, 8, 50, 100_000].map(retryAfterSeconds)
    expect(waits).toEqual([30, 60, 120, 1920, 3600, 3600, 3600])
  })
})

describe('GET /api/operator/events', () => {
  it("has every merchant's events and the operator's, in one order without gaps", async () => {
    const [one, two, three] = await stockStones(market, {}, {}, {})
    const buyers = [await market.merchant(), await market.merchant()]
    await Promise.all(
      [one, two, three].map(({ sku }, at) =>
        market.call('POST', '/api/v3/inventory/holds', {
          token: buyers[at % 2].key,
          body: { sku },
        }),
      ),
    )
    const { uuid } = await market.add({ url: 'http://10.0.0.1/stock.csv' })
    await market.run(uuid)
    const { body } = await call('GET', '/api/operator/events')
    expect(body).toMatchObject({ total: 4, offset: 0, limit: 100, next: 4, more: false })
    expect(body.events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([4, 3, 2, 1])
    expect(body.events[0]).toMatchObject({
      event_type: 'source.fail',
      merchant_uuid: null,
      event_data: { source_uuid: uuid, code: 'address_not_allowed' },
    })
    const owners = new Set(
      body.events.map(({ merchant_uuid }: { merchant_uuid: string }) => merchant_uuid),
    )
    expect(owners).toEqual(new Set([null, ...buyers.map(({ merchant }) => merchant.uuid)]))
    const page = await call('GET', '/api/operator/events?after=1&limit=2')
    expect(page.body).toMatchObject({ next: 3, more: true })
    expect(page.body.events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2, 3])
    const failures = await call('GET', '/api/operator/events?event_type=source.fail')
    expect(failures.body).toMatchObject({ total: 1, events: [{ event_type: 'source.fail' }] })
    expect((await call('GET', '/api/operator/events?event_type=source.bad')).status).toBe(422)
  })

  it('tells merchants nothing about sources', async () => {
    const { uuid } = await market.add({ url: 'http://10.0.0.1/stock.csv' })
    await market.run(uuid)
    const { key: token } = await market.merchant()
    const { body } = await market.call('GET', '/api/v3/events', { token })
    expect(body.events).toEqual([])
    const denied = await market.call('GET', '/api/operator/events', { token })
    expect(denied.status).toBe(403)
  })
})
