import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLink } from '../../../src/feeds/media/check-link.ts'
import { checkMedia } from '../../../src/feeds/media/check-media.ts'
import { openSupplier, type TestSupplier } from '../../http/supplier/supplier-support.ts'
import { addStone } from '../../orders/order-support.ts'
import { openTestMarket, type TestMarket } from '../../support/market.ts'

let market: TestMarket
let supplier: TestSupplier
let server: Server
let host: string
const asked: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { url = '' } = request
    if (url === '/moved') response.writeHead(302, { location: '/picture' }).end()
    else if (url === '/inside') response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (url === '/no-head' && request.method === 'HEAD') response.writeHead(405).end()
    else if (url.startsWith('/dead')) response.writeHead(404).end()
    else if (url === '/silent') return
    else response.writeHead(200).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  market = await openTestMarket()
  supplier = await openSupplier(market, 'Media Stones')
})
afterAll(async () => {
  await market.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

/** The server shares this thread, so that it is given time unless it shall say nothing. */
const check = (path: string, timeoutMs = 30_000) =>
  checkLink(path.startsWith('/') ? `http://${host}${path}` : path, {
    allowedHosts: [host],
    timeoutMs,
  })

it('knows a link that is alive, dead, or not to be called', async () => {
  expect(await check('/picture')).toBe('alive')
  expect(await check('/picture#top')).toBe('alive')
  expect(await check('/no-head')).toBe('alive')
  expect(asked.slice(-2)).toEqual(['HEAD /no-head', 'GET /no-head'])
  expect(await check('/moved')).toBe('alive')
  expect(await check('/dead')).toBe('dead')
  expect(await check('/loop')).toBe('dead')
  expect(await check('/silent', 300)).toBe('dead')
  expect(await check('/inside')).toBe('unknown')
  expect(await check('http://10.0.0.1/picture')).toBe('unknown')
  expect(await check('https://localhost/picture')).toBe('unknown')
  expect(await check('file:///etc/passwd')).toBe('unknown')
})

it('samples each supplier once a day, and the score card shows the share', async () => {
  const { db } = market.database
  for (const path of ['/a', '/b', '/c', '/dead-1']) {
    const image_top_url = `http://${host}${path}`
    await addStone(db, { supplier_id: supplier.id, image_top_url })
  }
  const settings = { allowedHosts: [host], timeoutMs: 30_000 }
  await sql`insert into media_check (supplier_id, checked_on, links, dead)
    values (${supplier.id}, market_now()::date - 20, 4, 4)`.execute(db)
  while (await checkMedia(db, settings));
  const before = asked.length
  expect(await checkMedia(db, settings)).toBe(false)
  expect(asked).toHaveLength(before)
  const { body } = await supplier.call('GET', '/scorecard')
  expect(body.share_dead_media).toBe(0.25)
  const shares = body.periods.map((period: Record<string, unknown>) => period.share_dead_media)
  expect(shares).toEqual([0.25, 0.625, 0.625])
})

it('says nothing of a supplier without links', async () => {
  const none = await openSupplier(market, 'No Media')
  while (await checkMedia(market.database.db, { allowedHosts: [] }));
  const { body } = await none.call('GET', '/scorecard')
  expect(body.share_dead_media).toBeNull()
  expect(body.periods[0].share_dead_media).toBeNull()
})

it('is stopped without waiting for a server, and the supplier is sampled again', async () => {
  const { db } = market.database
  const slow = await openSupplier(market, 'Slow Media')
  await addStone(db, { supplier_id: slow.id, image_top_url: `http://${host}/silent` })
  const sampled = async () => {
    const { rows } = await sql`select from media_check where supplier_id = ${slow.id}`.execute(db)
    return rows.length
  }
  const stopping = new AbortController()
  const before = asked.length
  const checking = checkMedia(db, { allowedHosts: [host], signal: stopping.signal })
  await expect.poll(() => asked.length).toBeGreaterThan(before)
  expect(await sampled()).toBe(1)
  stopping.abort()
  expect(await checking).toBe(false)
  expect(asked.slice(before)).toEqual(['HEAD /silent'])
  expect(await sampled()).toBe(0)
})
