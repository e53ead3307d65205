import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createOutageLog } from '../../src/http/response/request-log.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
const written = new PassThrough({ encoding: 'utf8' })
const readLines = (text: string = written.read() ?? ''): Record<string, unknown>[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
/** The indexes write lines of their own when they are loaded. */
const requestLines = (text?: string) => readLines(text).filter(({ msg }) => msg === 'request')

beforeAll(async () => {
  market = await openTestMarket({ log: pino({ level: 'info' }, written) })
})
afterAll(() => market.close())
beforeEach(() => {
  written.read()
})

const headers = { 'x-request-id': 'mine-7' }

it('has one line for each request, with its route and the uuid of its token', async () => {
  const { uuid, token } = await market.token({ type: 'admin' })
  const path = '/api/v3/defaults/gem_attributes'
  await market.call('GET', path, { token, headers })
  const [line, ...more] = requestLines()
  expect(more).toEqual([])
  expect(line).toMatchObject({ level: 30, reqId: 'mine-7', method: 'GET', route: path })
  expect(line).toMatchObject({ status: 200, ms: expect.any(Number), token: uuid })
  expect(line).toMatchObject({ address: '127.0.0.1' })
})

it('shows the pattern of a route and never a value, a query or a token', async () => {
  const { uuid, token } = await market.token({ type: 'admin' })
  const refused = '/api/v3/profit_margins/b3c1c1f0-0000-4000-8000-000000000000?secret=hush'
  await market.call('GET', refused, { token })
  await market.call('GET', '/api/v3/nowhere?secret=hush', { token })
  const text = written.read() as string
  for (const hidden of [token, 'hush', 'b3c1c1f0', 'nowhere']) expect(text).not.toContain(hidden)
  const [margin, nowhere] = requestLines(text)
  expect(margin).toMatchObject({ route: '/api/v3/profit_margins/:uuid', token: uuid })
  expect(nowhere).toMatchObject({ route: 'unknown', status: 404 })
})

it('has a line for each refused sign-in, without the secret', async () => {
  const made = `${(await market.token({ type: 'admin' })).token.slice(0, -4)}aaaa`
  await market.call('GET', '/api/v3/defaults/gem_attributes', { token: made, headers })
  const body = { key: made }
  await market.call('POST', '/api/v3/session', { body, headers })
  const text = written.read() as string
  expect(text).not.toContain(made)
  const lines = text.split('\n').filter((line) => line.includes('sign-in refused'))
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [1, 2].map(() =>
      expect.objectContaining({ reqId: 'mine-7', code: 'unauthenticated', address: '127.0.0.1' }),
    ),
  )
})

it('names an outage once, however many requests it refuses', async () => {
  const { db } = market.database
  const { token } = await market.token({ type: 'admin' })
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'stopping' using errcode = 'admin_shutdown'; end $$`.execute(db)
  await sql`create trigger refuse before insert on supplier execute function refuse()`.execute(db)
  for (const name of ['One', 'Two', 'Three']) {
    const { status } = await market.call('POST', '/api/operator/suppliers', {
      token,
      body: { name },
    })
    expect(status).toBe(503)
  }
  const outages = readLines().filter(({ level }) => level === 40)
  expect(outages).toHaveLength(1)
  expect(outages[0]).toMatchObject({ count: 1, err: { code: '57P01' } })
})

it('counts the errors of a lasting outage every ten seconds', () => {
  vi.useFakeTimers()
  try {
    const lines = new PassThrough({ encoding: 'utf8' })
    const logOutage = createOutageLog(pino({ level: 'warn' }, lines), 'away')
    const counts = () => {
      const text: string = lines.read() ?? ''
      return [...text.matchAll(/"count":(\d+)/g)].map(([, count]) => Number(count))
    }
    for (let each = 0; each < 5; each++) logOutage(new Error('away'))
    expect(counts()).toEqual([1])
    vi.advanceTimersByTime(10_000)
    expect(counts()).toEqual([4])
    vi.advanceTimersByTime(20_000)
    logOutage(new Error('away again'))
    expect(counts()).toEqual([1])
  } finally {
    vi.useRealTimers()
  }
})
