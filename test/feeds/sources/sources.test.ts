import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { IMPORT_LOCK } from '../../../src/feeds/importing/session.ts'
import { csvOf, openSourceMarket, type SourceMarket, stones } from './source-support.ts'
import { openWebServer, type WebServer } from './web-server.ts'

let market: SourceMarket
let web: WebServer
beforeEach(async () => {
  market = await openSourceMarket()
  web = await openWebServer(csvOf(stones(20)))
})
afterEach(async () => {
  await market.close()
  await web.close()
})

const db = () => market.database.db
const operator = () => ({ token: market.adminKey })
const PATH = '/api/operator/sources'

describe('A source of a web server', () => {
  it('is fetched at once and by itself, and imports the file', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv`, paused: false })
    await expect.poll(() => market.onSale()).toHaveLength(20)
    await expect.poll(async () => (await market.show(uuid)).state).toBe('active')
    const { runs, due_on } = await market.show(uuid)
    expect(runs).toMatchObject([
      {
        outcome: 'done',
        started_by: 'schedule',
        file_name: 'stock.csv',
        bytes: web.file.length,
        rows: 20,
        added: 20,
        removed: 0,
      },
    ])
    const waitMs = Date.parse(due_on) - Date.parse(runs[0].finished_on)
    expect(Math.round(waitMs / 60_000)).toBe(60)
  })

  it('costs nothing while its file is unchanged', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 20 })
    const imports = await countImports()
    expect(await market.run(uuid)).toMatchObject({ outcome: 'unchanged', bytes: 0, rows: null })
    expect(web.requests.at(-1)?.status).toBe(304)
    // A server that knows no ETag sends the same bytes again.
    web.respond = (_request, response) => void response.end(web.file)
    expect(await market.run(uuid)).toMatchObject({
      outcome: 'unchanged',
      bytes: web.file.length,
    })
    expect(await countImports()).toBe(imports)
    expect(await market.run(uuid, '?force=true')).toMatchObject({ outcome: 'done', unchanged: 20 })
    web.file = csvOf(stones(21))
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 1, unchanged: 20 })
  })

  it('is imported once more for a stone that was sold when its price changed', async () => {
    web.file = csvOf(stones(1))
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 1 })
    const read = () =>
      db().selectFrom('gem').select(['sku', 'state', 'cost']).executeTakeFirstOrThrow()
    const { sku, cost } = await read()
    const { key } = await market.merchant()
    const body = { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] }
    const order = await market.call('POST', '/api/v2/orders/place', { token: key, body })
    expect(order.status, order.text).toBe(200)
    web.file = csvOf(stones(1, (stone) => ({ ...stone, perCarat: 3_100 })))
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', changed: 0 })
    expect((await market.run(uuid)).outcome).toBe('unchanged')
    await market.call('POST', `/api/operator/orders/${order.body.uuid}/cancel`, operator())
    expect(await read()).toMatchObject({ state: 'available', cost })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', changed: 1 })
    expect((await read()).cost).toBe('1550.00')
    expect((await market.run(uuid)).outcome).toBe('unchanged')
  })

  it("is imported once more when the supplier's settings were changed", async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 20 })
    expect((await market.run(uuid)).outcome).toBe('unchanged')
    const supplier = await db().selectFrom('supplier').select('uuid').executeTakeFirstOrThrow()
    const body = { can_hold: false }
    await market.call('PATCH', `/api/operator/suppliers/${supplier.uuid}`, { ...operator(), body })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', changed: 20 })
    expect((await market.run(uuid)).outcome).toBe('unchanged')
  })

  it('is unchanged the second time when it has a mapping, which an import remembers', async () => {
    const mapping = { 'Stock #': 'vendor_sku' }
    const { uuid } = await market.add({ url: `${web.url}/stock.csv`, mapping })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 20 })
    expect((await market.run(uuid)).outcome).toBe('unchanged')
  })

  it('is unchanged by the time that the server sends, without an ETag', async () => {
    const modified = 'Sat, 31 Jan 2026 09:15:00 GMT'
    web.respond = (request, response) => {
      const isSame = request.headers['if-modified-since'] === modified
      response.writeHead(isSame ? 304 : 200, { 'last-modified': modified })
      response.end(isSame ? undefined : web.file)
    }
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect((await market.run(uuid)).outcome).toBe('done')
    expect((await market.run(uuid)).outcome).toBe('unchanged')
    expect(web.requests.map(({ status }) => status)).toEqual([200, 304])
  })

  it('that is changed in the middle of a run is due at once, for its new file', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    web.respond = (_request, response) => {
      const body = { url: `${web.url}/new.csv` }
      void market
        .call('PATCH', `${PATH}/${uuid}`, { ...operator(), body })
        .then(() => response.end(web.file))
    }
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', file_name: 'stock.csv' })
    const { rows } = await sql`
      select due_on <= market_clock() as is_due, seen from feed_source`.execute(db())
    expect(rows).toEqual([{ is_due: true, seen: null }])
  })

  it('may send its file compressed', async () => {
    web.respond = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync(web.file))
    }
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 20 })
  })

  it('signs in, and tells no other server the password', async () => {
    const other = await openWebServer(csvOf(stones(3)))
    web.respond = (request, response) => {
      const expected = `Basic ${Buffer.from('pavilion:opensesame').toString('base64')}`
      if (request.headers.authorization !== expected) return void response.writeHead(401).end()
      response.writeHead(302, { location: `${other.url}/elsewhere.csv` }).end()
    }
    const { uuid } = await market.add({
      url: `${web.url}/stock.csv`,
      user: 'pavilion',
      password: 'opensesame',
    })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 3 })
    expect(other.requests[0].headers.authorization).toBeUndefined()
    await other.close()
  })

  it.each([
    [401, 'sign_in_refused'],
    [404, 'file_not_found'],
    [500, 'bad_response'],
  ])('fails when the server answers %i', async (status, code) => {
    web.respond = (_request, response) => void response.writeHead(status).end('<p>no</p>')
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    const run = await market.run(uuid)
    expect(run).toMatchObject({ outcome: 'failed', code })
    expect(run.failure).toContain(String(status))
  })

  it('fails when the connection ends in the middle of the file, and changes nothing', async () => {
    web.respond = (_request, response) => {
      response.writeHead(200, { 'content-length': web.file.length })
      response.write(web.file.slice(0, 300), () => response.destroy())
    }
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'connection_failed' })
    expect(await market.onSale()).toEqual([])
    expect(await countImports()).toBe(0)
  })

  it('refuses redirects without end, and files without end', async () => {
    web.respond = (_request, response) => void response.writeHead(302, { location: '/' }).end()
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'bad_response' })
    expect(web.requests).toHaveLength(6)
    market.app.services.sourceRunner.settings.fileBytesMax = 100_000
    const piece = Buffer.alloc(10_000, 'Stock,Weight\n')
    web.respond = (_request, response) => {
      const send = () => void (response.writable && response.write(piece, send))
      send()
    }
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'file_too_large' })
  })

  it('gives up on a server that sends nothing', async () => {
    market.app.services.sourceRunner.settings.idleMs = 200
    web.respond = () => {}
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'fetch_timeout' })
  })
})

describe('The brakes of imports', () => {
  it('make a failed run, and nothing changes; the operator can settle it for one run', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv`, mode: 'replace' })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 20 })
    web.file = csvOf(stones(5))
    const refused = await market.run(uuid)
    expect(refused).toMatchObject({
      outcome: 'failed',
      code: 'too_many_removed',
      file_name: 'stock.csv',
    })
    expect(refused.failure).toContain('15 of 20')
    expect(await market.onSale()).toHaveLength(20)
    // The refused file is not taken for one that was imported.
    expect((await market.run(uuid)).outcome).toBe('failed')
    const settled = await market.run(uuid, '?max_removed=80')
    expect(settled).toMatchObject({ outcome: 'done', removed: 15 })
    expect(await market.onSale()).toHaveLength(5)
  })
})

describe('A source that fails', () => {
  it('is tried again after growing waits, and tells the operator once', async () => {
    web.respond = (_request, response) => void response.writeHead(503).end()
    const { uuid } = await market.add({ url: `${web.url}/stock.csv`, paused: false })
    const failed = (count: number) =>
      expect.poll(async () => (await market.show(uuid)).failures).toBe(count)
    await failed(1)
    const waits: number[] = []
    for (let count = 1; count <= 9; count++) {
      const { due_on, runs } = await market.show(uuid)
      waits.push(Math.round((Date.parse(due_on) - Date.parse(runs[0].finished_on)) / 1000))
      await market.advance(`${waits.at(-1)} seconds`)
      await failed(count + 1)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    expect(await market.show(uuid)).toMatchObject({ state: 'failing', failures: 10 })
    expect(await market.events()).toMatchObject([
      {
        event_type: 'source.fail',
        event_data: { source_uuid: uuid, supplier: 'Gems Ltd', code: 'bad_response' },
      },
    ])
    web.respond = (_request, response) => void response.end(web.file)
    await market.advance('1 hour')
    await failed(0)
    expect(await market.show(uuid)).toMatchObject({ state: 'active', failing_since: null })
    expect((await market.events()).map(({ event_type }) => event_type)).toEqual([
      'source.fail',
      'source.recover',
    ])
    const { text } = await market.call('GET', '/metrics')
    expect(text).toContain('pavilion_source_runs_total{outcome="failed"} 10')
    expect(text).toContain('pavilion_source_runs_total{outcome="done"} 1')
  })
})

describe('Two nodes', () => {
  it('run a source once', async () => {
    const { buildApp } = await import('../../../src/http/app.ts')
    const other = await buildApp(market.deps)
    await other.ready()
    try {
      const uuids: string[] = []
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
        const { uuid } = await market.add({
          supplier: `Supplier ${name}`,
          url: `${web.url}/${name}.csv`,
          paused: false,
        })
        uuids.push(uuid)
      }
      const outcomes = async () => {
        const shown = await Promise.all(uuids.map((uuid) => market.show(uuid)))
        return shown.map(({ runs }) => runs.map(({ outcome }: { outcome: string }) => outcome))
      }
      const once = uuids.map(() => ['done'])
      await expect.poll(outcomes).toEqual(once)
      await sql`notify pavilion_source`.execute(db())
      expect(await outcomes()).toEqual(once)
      expect(web.requests.map(({ path }) => path).sort()).toEqual(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `/${name}.csv`),
      )
    } finally {
      await other.close()
    }
  })

  it('do not run a source that is running: the second waits for the run, or is refused', async () => {
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      web.respond = (_request, response) => {
        resolve()
        release = () => void response.end(web.file)
      }
    })
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    const first = market.run(uuid)
    await waiting
    market.app.services.sourceRunner.settings.waitMs = 0
    const refused = await market.call('POST', `${PATH}/${uuid}/run`, operator())
    expect(refused).toMatchObject({ status: 409, body: { code: 'source_running' } })
    expect((await market.show(uuid)).state).toBe('running')
    market.app.services.sourceRunner.settings.waitMs = 30_000
    const second = market.run(uuid)
    const forced = market.run(uuid, '?force=true')
    web.respond = (_request, response) => void response.end(web.file)
    release()
    const run = await first
    expect(run.outcome).toBe('done')
    expect(await second).toEqual(run)
    expect(await forced).toMatchObject({ outcome: 'done', unchanged: 20 })
    expect((await market.show(uuid)).runs).toHaveLength(2)
  })
})

describe('A supplier whose other import is running', () => {
  it('is tried again later, and its source has not failed', async () => {
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    await db()
      .connection()
      .execute(async (connection) => {
        const { rows } = await sql<{ id: number }>`select id from supplier`.execute(connection)
        const lock = sql`(${IMPORT_LOCK}, ${rows[0].id})`
        await sql`select pg_advisory_lock${lock}`.execute(connection)
        const refused = await market.call('POST', `${PATH}/${uuid}/run`, operator())
        expect(refused).toMatchObject({ status: 409, body: { code: 'import_running' } })
        await sql`select pg_advisory_unlock${lock}`.execute(connection)
      })
    expect(await market.show(uuid)).toMatchObject({ failures: 0, runs: [] })
    expect(await market.events()).toEqual([])
    expect((await market.run(uuid)).outcome).toBe('done')
  })
})

async function countImports(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from import`.execute(db())
  return rows[0].count
}
