import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { OverloadLimits } from '../../src/http/overload/limits.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

const ORDERS = '/api/v3/orders/list'
const REFUSALS = 'pavilion_refusals_total{code="overloaded",status="503"}'
const SEARCH = '/api/v2/diamonds/merchant_search'
/** Two calls work, four more may be in flight; nothing counts as a burst. */
const FEW = { loopDelayMs: Number.POSITIVE_INFINITY, running: 2, steady: 6, burst: 6, burstMs: 0 }

interface Init {
  method?: string
  body?: string
  headers?: Record<string, string>
}

let market: TestMarket
const locks: pg.Client[] = []

afterEach(async () => {
  for (const client of locks.splice(0)) await client.end()
  await market.close()
})

/** Serves the market on a port: overload is decided before Fastify sees a request. */
async function listen(overload: Partial<OverloadLimits>) {
  market = await openTestMarket({ overload })
  await market.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = market.app.server.address() as { port: number }
  const ask = async (path: string, key?: string, init: Init = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...init.headers },
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    }
  }
  const search = (key: string) =>
    ask(SEARCH, key, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
  return { port, ask, search, list: (key: string) => ask(ORDERS, key) }
}

/** Lets every call that reads orders wait, until the returned function is called. */
async function lockOrders(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: market.database.url })
  await client.connect()
  locks.push(client)
  await client.query('begin; lock table orders in access exclusive mode')
  return async () => {
    await client.query('commit')
  }
}

function countIn(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ')[1])
}

/** Resolves when so many calls work or wait. */
async function untilInFlight(ask: (path: string) => Promise<{ body: string }>, count: number) {
  const inFlight = async () => {
    const { body } = await ask('/metrics')
    return (
      countIn(body, 'pavilion_http_calls_running') + countIn(body, 'pavilion_http_calls_waiting')
    )
  }
  await expect.poll(inFlight).toBe(count)
}

describe('more calls in flight than the server can answer', () => {
  it('are refused with 503, and the others are answered', async () => {
    const { ask, list } = await listen(FEW)
    const callers = await Promise.all(Array.from({ length: 6 }, () => market.merchant()))
    const unlock = await lockOrders()
    const accepted = callers.map(({ key }) => list(key))
    await untilInFlight(ask, 6)
    const { key } = await market.merchant()
    const refused = await ask(ORDERS, key, { headers: { 'x-request-id': 'mine-7' } })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(refused.headers.get('x-request-id')).toBe('mine-7')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.body).toEqual({
      type: 'urn:pavilion:problem:overloaded',
      title: 'Temporarily unavailable',
      status: 503,
      detail: 'The server has more calls than it can answer; try again in a moment.',
      code: 'overloaded',
      request_id: 'mine-7',
    })
    await unlock()
    for (const { status } of await Promise.all(accepted)) expect(status).toBe(200)
    expect((await list(key)).status).toBe(200)
    const { body } = await ask('/metrics')
    expect(countIn(body, REFUSALS)).toBe(1)
    await untilInFlight(ask, 0)
  })

  it('wait, and get a whole response when it is compressed', async () => {
    const { ask, list } = await listen(FEW)
    const callers = await Promise.all(Array.from({ length: 4 }, () => market.merchant()))
    const unlock = await lockOrders()
    const working = callers.slice(0, 2).map(({ key }) => list(key))
    await untilInFlight(ask, 2)
    const waiting = callers.slice(2).map(({ key }) => ask('/api/v3/defaults/collections', key))
    await untilInFlight(ask, 4)
    await unlock()
    for (const { status } of await Promise.all(working)) expect(status).toBe(200)
    for (const { status, headers, body } of await Promise.all(waiting)) {
      expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip'])
      expect(body).toBeInstanceOf(Object)
    }
    await untilInFlight(ask, 0)
  })

  it('do not keep out health checks, searches, pages and calls that wait', async () => {
    const { ask, list, search } = await listen(FEW)
    const callers = await Promise.all(Array.from({ length: 6 }, () => market.merchant()))
    const { key } = await market.merchant()
    const { token } = await market.token({
      merchant_uuid: callers[0].merchant.uuid,
      scopes: ['inventory'],
    })
    const unlock = await lockOrders()
    const accepted = callers.map((caller) => list(caller.key))
    await untilInFlight(ask, 6)
    for (const path of ['/healthz', '/readyz', '/readyz/write', '/metrics', '/docs']) {
      expect((await ask(path)).status, path).toBe(200)
    }
    await expect.poll(async () => (await search(key)).status).toBe(200)
    expect((await ask('/api/v3/inventory/changes?after=0', token)).status).toBe(200)
    expect((await list(key)).status).toBe(503)
    await unlock()
    await Promise.all(accepted)
  })

  it('leave places for the others when they are of one merchant', async () => {
    const { ask, list } = await listen(FEW)
    const [greedy, modest] = [await market.merchant(), await market.merchant()]
    const { token } = await market.token({ merchant_uuid: greedy.merchant.uuid })
    const unlock = await lockOrders()
    // Twice as many as are left for the others, with both of its keys together.
    const calls = Array.from({ length: 20 }, (_, n) => list(n % 2 ? token : greedy.key))
    await untilInFlight(ask, 4)
    const other = list(modest.key)
    await untilInFlight(ask, 5)
    await unlock()
    expect((await other).status).toBe(200)
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
    expect(statuses.filter((status) => status === 503)).toHaveLength(16)
  })

  it('give up a waiting call of the largest caller to one that has none', async () => {
    const { ask, list } = await listen({ ...FEW, burst: 30, burstMs: 2_000 })
    const [greedy, modest] = [await market.merchant(), await market.merchant()]
    const unlock = await lockOrders()
    const calls = Array.from({ length: 15 }, () => list(greedy.key))
    await untilInFlight(ask, 15)
    // Now the burst has become an overload, whose bound is smaller.
    await sleep(2_200)
    expect((await list(greedy.key)).status).toBe(503)
    const other = list(modest.key)
    // Two waiting calls were given up: more calls came, and then one of a caller who had none.
    const refusals = async () => countIn((await ask('/metrics')).body, REFUSALS)
    await expect.poll(refusals).toBe(3)
    await unlock()
    expect((await other).status).toBe(200)
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 503]))
  })

  it('are all answered when they are a burst', async () => {
    const { list } = await listen({ ...FEW, burst: 300, burstMs: 60_000 })
    const { key } = await market.merchant()
    const answers = await Promise.all(Array.from({ length: 150 }, () => list(key)))
    for (const { status } of answers) expect(status).toBe(200)
  })

  it('are all answered when each has to wait for a turn of the event loop', async () => {
    const { ask, search } = await listen({ loopDelayMs: 0, burstMs: 60_000 })
    const { key } = await market.merchant()
    await expect.poll(async () => (await search(key)).status).toBe(200)
    const searches = Array.from({ length: 100 }, () => search(key))
    expect((await ask('/healthz')).status).toBe(200)
    for (const { status } of await Promise.all(searches)) expect(status).toBe(200)
  })
})

describe('calls that wait for a change', () => {
  it('take no place from the others', async () => {
    const { ask, list } = await listen({ ...FEW, running: 1, steady: 1, burst: 1 })
    const { key } = await market.merchant()
    const { body } = await ask('/api/v3/inventory/changes?after=0', key)
    const waiting = ask(`/api/v3/inventory/changes?after=${body.next}&wait=1`, key)
    expect((await list(key)).status).toBe(200)
    expect((await waiting).status).toBe(200)
  })
})

describe('a refused call', () => {
  it('keeps its connection when its body is small, and closes it otherwise', async () => {
    const { port, ask, list } = await listen({ ...FEW, running: 1, steady: 1, burst: 1 })
    const { key } = await market.merchant()
    const unlock = await lockOrders()
    const accepted = list(key)
    await untilInFlight(ask, 1)
    const socket = connect(port, '127.0.0.1')
    const post = async (length: number, body: string) => {
      const head = 'POST /api/v3/orders/place HTTP/1.1\r\nHost: x\r\nContent-Type: application/json'
      socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\n${body}`)
      const [chunk] = await once(socket, 'data')
      return String(chunk)
    }
    const first = await post(2, '{}')
    expect(first).toMatch(/^HTTP\/1\.1 503 /)
    expect(first).toMatch(/\r\nconnection: keep-alive\r\n/i)
    const second = await post(1_000_000, '{')
    expect(second).toMatch(/^HTTP\/1\.1 503 /)
    expect(second).toMatch(/\r\nconnection: close\r\n/i)
    socket.destroy()
    const broken = connect(port, '127.0.0.1').setEncoding('latin1')
    const head = 'POST /api/v3/orders/place HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked'
    broken.write(`${head}\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`)
    let text = ''
    for await (const chunk of broken) text += chunk
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503'])
    await unlock()
    await accepted
  })
})

describe('a connection whose call was refused', () => {
  const REFUSED = 'HTTP/1.1 503 Service Unavailable\r\n'
  const place = (body: string, more = '') =>
    `POST /api/v3/orders/place HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    `${more}Content-Length: ${body.length}\r\n\r\n${body}`

  /** Opens a connection, lets one call be refused, and returns a way to write and read on it. */
  async function refusedConnection() {
    const { port, ask, list } = await listen({ ...FEW, running: 1, steady: 1, burst: 1 })
    const { key } = await market.merchant()
    const unlock = await lockOrders()
    const accepted = list(key)
    await untilInFlight(ask, 1)
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    /** Resolves with what was received once it contains so many responses. */
    const receive = async (responses: number) => {
      const count = () => text.split('HTTP/1.1 ').length - 1
      await expect.poll(count).toBe(responses)
      const received = text
      text = ''
      return received
    }
    socket.write(place('{}'))
    const first = await receive(1)
    expect(first.startsWith(REFUSED)).toBe(true)
    // The server reads the connection itself from the moment the refusal is written.
    await sleep(50)
    const end = async () => {
      await unlock()
      expect((await accepted).status).toBe(200)
    }
    return { socket, key, first, receive, end }
  }

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  const sockets: Socket[] = []

  it('gets the same refusal again, and its answer when there is room', async () => {
    const { socket, key, first, receive, end } = await refusedConnection()
    sockets.push(socket)
    const linesOf = (response: string) =>
      response
        .replace(/req-\w+-\w+/g, 'ID')
        .replace(/keep-alive: .*\r\n/i, '')
        .toLowerCase()
    for (let count = 0; count < 3; count++) {
      socket.write(place('{}'))
      const again = linesOf(await receive(1))
        .split('\r\n')
        .sort()
      expect(again).toEqual(linesOf(first).split('\r\n').sort())
    }
    socket.write(place('{}', 'X-Request-Id: mine-8\r\nOrigin: https://shop.example\r\n'))
    const own = await receive(1)
    expect(own).toContain('x-request-id: mine-8\r\n')
    expect(own).toContain('"request_id":"mine-8"')
    expect(own).toMatch(/access-control-expose-headers: .*retry-after/i)
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await receive(1)).toMatch(/^HTTP\/1\.1 200 /)
    await end()
    socket.write(`GET ${ORDERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    expect(await receive(1)).toMatch(/^HTTP\/1\.1 200 /)
    socket.write(place('{}', `Authorization: Bearer ${key}\r\n`))
    expect(await receive(1)).toMatch(/^HTTP\/1\.1 422 /)
  })

  it('is refused once for a body that comes in pieces', async () => {
    const { socket, receive, end } = await refusedConnection()
    sockets.push(socket)
    const body = JSON.stringify({ note: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' })
    const request = place(body)
    const at = request.length - body.length
    socket.write(request.slice(0, at))
    expect(await receive(1)).toMatch(REFUSED)
    socket.write(request.slice(at, at + 9))
    await sleep(20)
    socket.write(request.slice(at + 9))
    await sleep(20)
    socket.write(place('{}'))
    expect(await receive(1)).toMatch(REFUSED)
    await end()
  })

  it.each([
    ['two requests in one piece', place('{}') + place('{}'), 2],
    ['a request after the rest of a body', `${place('{}').slice(0, -1)}|}${place('{}')}`, 2],
    ['a request before the last response', `${place('{}')}|${place('{}')}|${place('{}')}`, 3],
    ['a head in two pieces', place('{}').replace('Host', '|Host'), 1],
    [
      'a chunked body',
      `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      1,
    ],
    ['no Host', 'GET /api/v3/orders/list HTTP/1.1\r\n\r\n', 1],
    ['something else', 'NONSENSE\r\n\r\n', 1],
  ])('gets as many responses as it made requests: %s', async (_, text, responses) => {
    const { socket, receive, end } = await refusedConnection()
    sockets.push(socket)
    for (const piece of text.split('|')) {
      socket.write(piece)
      // Longer than the server needs to read a piece, shorter than it holds a refusal.
      await sleep(10)
    }
    const received = await receive(responses)
    expect(received).not.toMatch(/^HTTP\/1\.1 5(?!03)/m)
    await end()
  })
})

describe('an event loop that is never idle', () => {
  it('refuses some of the searches, answers others and all health checks', async () => {
    const { ask, search } = await listen({ loopDelayMs: 0, callsPerTurn: 1, burstMs: 200 })
    const { key } = await market.merchant()
    await expect.poll(async () => (await search(key)).status).toBe(200)
    const statuses = new Map<number, number>()
    let healthChecks = 0
    const isSeen = () => (statuses.get(503) ?? 0) > 0 && (statuses.get(200) ?? 0) > 0
    const until = Date.now() + 60_000
    const flood = async () => {
      while ((!isSeen() || healthChecks < 20) && Date.now() < until) {
        const { status } = await search(key)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const check = async () => {
      for (; healthChecks < 20; healthChecks++) expect((await ask('/healthz')).status).toBe(200)
    }
    await Promise.all([check(), ...Array.from({ length: 150 }, flood)])
    expect(new Set(statuses.keys())).toEqual(new Set([200, 503]))
    // When the load is over, everything is answered again.
    await expect.poll(async () => (await search(key)).status).toBe(200)
    expect((await search(key)).status).toBe(200)
  })
})
