import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import { lastNumber } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'
import { insertStone } from '../support/stones.ts'

const SNAPSHOT = '/api/v3/inventory/snapshot'
const CHANGES = '/api/v3/inventory/changes'
/** Longer than a busy machine needs to begin four snapshots. */
const STALL_MS = 2_000

let market: TestMarket
let shop: TestMerchant
let other: TestMerchant
let port: number

beforeAll(async () => {
  market = await openTestMarket({ snapshotStallMs: STALL_MS })
  shop = await market.merchant()
  other = await market.merchant()
  // More bytes than the buffers between a server and a reader that does not read.
  const details = JSON.stringify({ claim: 'x'.repeat(400_000) })
  for (let n = 0; n < 60; n++) {
    await insertStone(market.database.db, { sustainability_details: details })
  }
  await market.app.listen({ port: 0, host: '127.0.0.1' })
  port = (market.app.server.address() as { port: number }).port
})
afterAll(() => market.close())

const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
  open.clear()
})

/** Sends requests for snapshots on one connection, and reads nothing of the responses. */
async function sendWithoutReading(...keys: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  open.add(socket)
  await once(socket, 'connect')
  const requests = keys.map(
    (key) => `GET ${SNAPSHOT} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.write(requests.join(''), resolve))
  return socket
}

/** Resolves when its first snapshot has begun; the reader takes no more than this beginning. */
async function begun(socket: Socket): Promise<void> {
  if (socket.readableLength === 0) await once(socket, 'readable')
}

async function snapshotOf({ key }: TestMerchant) {
  const { status, text, headers, body } = await market.call('GET', SNAPSHOT, { token: key })
  return { status, headers, code: body?.code, isComplete: text.includes('{"kind":"end"') }
}

const complete = { status: 200, isComplete: true }

describe('the slots for snapshots', () => {
  it('are free again after clients that hang up before the first byte', async () => {
    for (let n = 0; n < 20; n++) {
      const socket = await sendWithoutReading(n % 2 === 0 ? shop.key : other.key)
      // At once, and while the request is being prepared.
      await sleep(n % 5)
      socket.destroy()
      await sleep(20)
    }
    expect(await snapshotOf(shop)).toMatchObject(complete)
    expect(await snapshotOf(other)).toMatchObject(complete)
  })

  it('are free again after pipelined requests whose connection is lost', async () => {
    for (let n = 0; n < 5; n++) {
      const socket = await sendWithoutReading(shop.key, shop.key)
      await sleep(50)
      socket.destroy()
      await sleep(50)
    }
    expect(await snapshotOf(shop)).toMatchObject(complete)
  })

  it('are taken from readers that do not read, with their connections', async () => {
    const sockets = [
      await sendWithoutReading(shop.key),
      await sendWithoutReading(shop.key),
      await sendWithoutReading(other.key),
      await sendWithoutReading(other.key),
    ]
    const third = await market.merchant()
    await Promise.all(sockets.map(begun))
    const refused = await snapshotOf(third)
    expect(refused).toMatchObject({ status: 503, code: 'not_ready' })
    expect(refused.headers['retry-after']).toBeDefined()
    await expect.poll(() => snapshotOf(third)).toMatchObject(complete)
    const ends = sockets.map((socket) => once(socket.resume(), 'close'))
    await Promise.all(ends)
  })

  it('are shared: the third of a merchant is refused with 429, and another merchant is served', async () => {
    await begun(await sendWithoutReading(shop.key))
    await begun(await sendWithoutReading(shop.key))
    const refused = await snapshotOf(shop)
    expect(refused).toMatchObject({ status: 429, code: 'too_many_snapshots' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await snapshotOf(other)).toMatchObject(complete)
  })

  it('are kept by a reader that pauses for less than the bound', async () => {
    const request = get({ port, path: SNAPSHOT, headers: { authorization: `Bearer ${shop.key}` } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response) {
      text = `${text.slice(-100)}${chunk}`
      if (Math.random() < 0.02) await sleep(STALL_MS / 5)
    }
    expect(text).toContain('{"kind":"end"')
  })
})

describe('requests that wait for changes', () => {
  const wait = (merchant: TestMerchant, after: number, query = '') =>
    market.call('GET', `${CHANGES}?after=${after}&wait=20${query}`, { token: merchant.key })

  it('share the reads of a change, and all get it', async () => {
    const merchants = [shop, other]
    for (const country_code of ['DE', 'FR', 'US', 'GB']) {
      merchants.push(await market.merchant({ country_code }))
    }
    const after = await lastNumber(market.database.db)
    const waiting = Array.from({ length: 100 }, (_, n) => wait(merchants[n % 6], after))
    await sleep(500)
    const queries = vi.spyOn(pg.Client.prototype, 'query')
    const [stone] = await stockStones(market, {})
    const answers = await Promise.all(waiting)
    const reads = queries.mock.calls.filter(([query]) => isFeedRead(query))
    queries.mockRestore()
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ next: after + 1, more: false })
      expect(body.changes).toMatchObject([{ kind: 'new', sku: stone.sku }])
    }
    // German merchants pay by another list than American ones.
    const prices = answers.map(({ body }) => body.changes[0].gem.base_wholesale_price)
    expect(prices.slice(0, 6)).toEqual([1200, 1200, 1100, 1100, 1200, 1100])
    expect(prices).toEqual(Array.from({ length: 100 }, (_, n) => prices[n % 6]))
    // Some reads are those of the index, which follows the same log.
    expect(reads.length).toBeLessThan(40)
  })

  /** The tables that a page of changes is made from. */
  function isFeedRead(query: unknown): boolean {
    const text = typeof query === 'string' ? query : (query as { text?: string }).text
    return /change_clock|from "(gem|merchant|profit_margin|exchange_rate)"/.test(text ?? '')
  }

  it('are at most 20 of a merchant; one more is refused with 429', async () => {
    const after = await lastNumber(market.database.db)
    const waiting = Array.from({ length: 20 }, () => wait(shop, after))
    await sleep(200)
    const refused = await wait(shop, after)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_waits' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const token = shop.key
    const atOnce = await market.call('GET', `${CHANGES}?after=${after}`, { token })
    expect(atOnce.body).toEqual({ changes: [], next: after, more: false })
    const others = wait(other, after)
    await sleep(100)
    await stockStones(market, {})
    for (const { status } of await Promise.all([...waiting, others])) expect(status).toBe(200)
    expect((await wait(shop, after)).status).toBe(200)
  })

  it('are at most 500 of a node; one more is refused with 503', async () => {
    const after = await lastNumber(market.database.db)
    const merchants = await Promise.all(Array.from({ length: 25 }, () => market.merchant()))
    // Their tokens are in memory from now on, so all requests wait before the last one comes.
    for (const { key: token } of merchants) {
      await market.call('GET', `${CHANGES}?after=${after}`, { token })
    }
    const waiting = merchants.flatMap((each) => Array.from({ length: 20 }, () => wait(each, after)))
    await sleep(1000)
    const refused = await wait(shop, after)
    expect(refused).toMatchObject({ status: 503, body: { code: 'not_ready' } })
    await stockStones(market, {})
    for (const { body } of await Promise.all(waiting)) expect(body.next).toBe(after + 1)
    expect((await wait(shop, after)).status).toBe(200)
  })

  it('use no connection of the pool that other requests use', async () => {
    const after = await lastNumber(market.database.db)
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => market.database.pool.connect()),
    )
    const token = shop.key
    const read = market.call('GET', `${CHANGES}?after=${after}`, { token })
    expect((await read).status).toBe(200)
    for (const client of taken) client.release()
  })

  it('are freed when the client disconnects, and end when the server stops', async () => {
    const app = await buildApp(market.deps)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port: own } = app.server.address() as { port: number }
    const path = `${CHANGES}?after=${await lastNumber(market.database.db)}&wait=30`
    const headers = { authorization: `Bearer ${shop.key}` }
    const ask = () => get({ port: own, host: '127.0.0.1', path, headers, agent: false })
    let seen = 0
    app.server.on('request', () => seen++)
    const whenSeen = (count: number) => expect.poll(() => seen, { timeout: 60_000 }).toBe(count)
    const gone = Array.from({ length: 20 }, ask)
    for (const request of gone) request.on('error', () => {})
    await whenSeen(20)
    await sleep(500)
    for (const request of gone) request.destroy()
    await sleep(200)
    const responses = Array.from({ length: 20 }, ask).map((request) => once(request, 'response'))
    await whenSeen(40)
    await sleep(500)
    const startedMs = Date.now()
    const closed = app.close()
    for (const [response] of (await Promise.all(responses)) as [IncomingMessage][]) {
      expect(response.statusCode).toBe(200)
      response.resume()
    }
    await closed
    expect(Date.now() - startedMs).toBeLessThan(20_000)
  })
})
