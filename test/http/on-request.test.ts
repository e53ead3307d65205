import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerBodyDeadline } from '../../src/http/request/body-deadline.ts'
import { registerJsonBody } from '../../src/http/request/json-body.ts'
import { registerProblems } from '../../src/http/response/problems.ts'
import { publicAccess } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
const written = new PassThrough({ encoding: 'utf8' })

beforeAll(async () => {
  market = await openTestMarket({ log: pino({ level: 'warn' }, written) })
})
afterAll(() => market.close())

const KNOWN = '/api/v3/defaults/gem_attributes'
const inject = (method: 'GET' | 'HEAD' | 'POST', url: string, of = market) =>
  of.app.inject({ method, url, headers: { 'x-request-id': 'mine-1' } })

describe('a request', () => {
  it('to an unknown path is refused before its body is read', async () => {
    const post = await inject('POST', '/api/v3/nowhere')
    expect([post.statusCode, post.headers.connection]).toEqual([404, 'close'])
    const head = await inject('HEAD', '/api/v3/nowhere')
    expect([head.statusCode, head.headers.connection]).toEqual([404, 'keep-alive'])
  })

  it('with a NUL in its address is refused, with the usual headers', async () => {
    const response = await inject('GET', `${KNOWN}?x=%00`)
    expect(response.statusCode).toBe(422)
    expect(response.headers['x-request-id']).toBe('mine-1')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
  })

  it('is timed, on known and unknown paths', async () => {
    const read = async (figure: string, labels: string) => {
      const { text } = await market.call('GET', '/metrics')
      const name = `pavilion_http_request_duration_seconds_${figure}`
      return Number(text.split(`${name}{${labels}} `)[1]?.split('\n')[0] ?? 0)
    }
    const series = [
      `method="GET",route="${KNOWN}",status="422"`,
      `method="HEAD",route="${KNOWN}",status="401"`,
      'method="any",route="unknown",status="404"',
    ]
    const figures = (figure: string) => Promise.all(series.map((labels) => read(figure, labels)))
    const [counts, sums] = [await figures('count'), await figures('sum')]
    const startedAt = performance.now()
    await inject('GET', `${KNOWN}?x=%00`)
    await inject('HEAD', KNOWN)
    await inject('POST', '/api/v3/nowhere')
    const seconds = (performance.now() - startedAt) / 1000
    expect(await figures('count')).toEqual(counts.map((count) => count + 1))
    for (const [i, sum] of (await figures('sum')).entries()) {
      expect(sum - sums[i]).toBeGreaterThan(0)
      // A request cannot have taken longer than the test waited for it.
      expect(sum - sums[i]).toBeLessThan(seconds)
    }
  })
})

describe('bytes that are not a request', () => {
  it('are refused with a problem document and a request id', async () => {
    await market.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = market.app.server.address() as { port: number }
    const send = async (text: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(text)
      let response = ''
      for await (const chunk of socket) response += chunk
      const [head, body] = response.split('\r\n\r\n')
      return { head, body: JSON.parse(body) }
    }
    const large = await send(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(30_000)}\r\n\r\n`)
    expect(large.head).toMatch(/^HTTP\/1\.1 431 /)
    expect(large.body).toMatchObject({ status: 431, code: 'headers_too_large' })
    const broken = await send('GET / HTTP/1.1\r\nno header\r\n\r\n')
    expect(broken.body).toMatchObject({ status: 400, code: 'bad_request' })
    expect(broken.head).toContain(`X-Request-Id: ${broken.body.request_id}`)
  })

  it('and a path that no route can have are refused with the usual headers', async () => {
    const response = await inject('GET', `/api/v3/profit_margins/${'x'.repeat(200)}`)
    expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
    expect(response.headers).toMatchObject({
      'x-request-id': 'mine-1',
      'access-control-allow-origin': '*',
    })
  })
})

describe('an internal error', () => {
  it('is logged under the request id that the response names', async () => {
    await sql`alter table exchange_rate rename column set_on to lost`.execute(market.database.db)
    const response = await market.app.inject({
      method: 'GET',
      url: '/api/operator/exchange_rates',
      headers: { authorization: `Bearer ${market.adminKey}`, 'x-request-id': 'mine-2' },
    })
    await sql`alter table exchange_rate rename column lost to set_on`.execute(market.database.db)
    expect(response.statusCode).toBe(500)
    expect(response.json().detail).toContain('mine-2')
    const line = JSON.parse(written.read())
    expect(line).toMatchObject({ msg: 'internal error', reqId: 'mine-2', err: { code: '42703' } })
    expect(JSON.stringify(line)).not.toContain(market.adminKey)
  })
})

describe('a body that arrives too slowly', () => {
  /** Serves `POST /`, whose body may take 100 ms. */
  async function listen(work: () => Promise<string>) {
    const app = createServer(pino({ level: 'silent' }))
    registerProblems(app)
    registerJsonBody(app)
    registerBodyDeadline(app, 100)
    app.post('/', { config: { access: publicAccess } }, work)
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { app, port: (app.server.address() as { port: number }).port }
  }

  it('is refused after a deadline', async () => {
    const { app, port } = await listen(async () => 'read')
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
    socket.write('Content-Length: 10\r\n\r\n{')
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('"code":"request_timeout"')
    await app.close()
  })

  it('is not the reason when a call without a body takes longer', async () => {
    const { app, port } = await listen(async () => {
      await sleep(400)
      return 'undone'
    })
    const headers = { 'content-type': 'application/json' }
    for (const sent of [{}, { headers, body: '{}' }]) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...sent })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('undone')
    }
    // As tools of agents call operations, without a socket.
    const called = await app.inject({ method: 'POST', url: '/', headers, payload: '{}' })
    expect([called.statusCode, called.body]).toEqual([200, 'undone'])
    await app.close()
  })
})
