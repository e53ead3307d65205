import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { addParcels } from '../../../bench/orders/market.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createMerchant } from '../../../src/merchants/merchant-store.ts'
import { createToken } from '../../../src/merchants/token-store.ts'
import { startPavilion } from '../../support/command-line.ts'
import { freePort, killPostgres, killServer, withMarket } from '../crash-support.ts'

const PARCEL_QUANTITY = 100_000
const QUANTITY = 3
const OFFER = 1.5
const CLIENTS = 4
/** Before the next kill, so many more stories have come to their end. */
const STORIES_BETWEEN = 3

interface Body {
  uuid: string
  line_items: { uuid: string }[]
}

/** Repeats each call with its key until it gets a response, as a careful client does. */
function startStories(address: string, keys: Record<'buyer' | 'operator', string>, sku: string) {
  let stopping = false
  let finished = 0
  let repeated = 0

  async function call(by: 'buyer' | 'operator', path: string, body: object): Promise<Body> {
    const headers = {
      authorization: `Bearer ${keys[by]}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    for (;;) {
      try {
        const response = await fetch(`${address}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(10_000),
        })
        const text = await response.text()
        if (response.ok) return JSON.parse(text) as Body
        // Nothing but an outage is an answer here: no step may find its work done by another.
        if (response.status !== 503 && !text.includes('idempotency_key_in_use')) {
          throw new RangeError(`${path}: ${text}`)
        }
      } catch (error) {
        if (error instanceof RangeError) throw error
      }
      repeated++
      await sleep(50)
    }
  }

  /** From an offer to the receipt of what was returned. */
  async function story(): Promise<void> {
    const line_items = [{ sku, quantity: QUANTITY }]
    const quote = await call('buyer', '/api/v3/quotes', {
      line_items: [{ ...line_items[0], offer_price: OFFER }],
    })
    await call('operator', `/api/operator/quotes/${quote.uuid}/accept`, {})
    const order = await call('buyer', '/api/v2/orders/place', {
      order_type: 'invoice',
      line_items,
      quote_uuid: quote.uuid,
    })
    await call('operator', `/api/operator/orders/${order.uuid}/fulfill`, {
      tracking_company: 'Facet Express',
      tracking_number: 'FX-1',
    })
    const asked = await call('buyer', `/api/v3/orders/${order.uuid}/returns`, {
      line_items: [{ uuid: order.line_items[0].uuid, quantity: 1 }],
      reason: 'too small',
    })
    await call('operator', `/api/operator/returns/${asked.uuid}/approve`, {})
    await call('operator', `/api/operator/returns/${asked.uuid}/receive`, {})
    finished++
  }

  const client = async () => {
    while (!stopping) await story()
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, client))
  // A failed story is reported by `stop`.
  running.catch(() => {})
  return {
    async untilMore(count: number) {
      const enough = finished + count
      await Promise.race([running, untilTrue(() => finished >= enough)])
    },
    async stop() {
      stopping = true
      await running
      return { finished, repeated }
    },
  }
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10)
}

function prepare(folder: string) {
  return withMarket(folder, async ({ db }) => {
    await migrate(db)
    const { uuid: merchant_uuid } = await createMerchant(db, {
      email: 'crash@shop.example',
      legal_dba: 'Crash Shop',
      country_code: 'US',
    })
    const buyer = await createToken(db, { realm: 'live', type: 'api_key', merchant_uuid })
    const operator = await createToken(db, { realm: 'live', type: 'admin' })
    const [sku] = await addParcels(db, 1, PARCEL_QUANTITY)
    await sql`update gem set returnable = true, days_to_return = 14`.execute(db)
    return { keys: { buyer: buyer.token, operator: operator.token }, sku }
  })
}

interface Figures {
  quotes: number
  orders: number
  received: number
  left: number
  out: number
  credited: string
  events: number
}

/** Counts what there is, and what must add up. */
function examine(folder: string): Promise<Figures> {
  return withMarket(folder, async ({ db }) => {
    const { rows } = await sql<Figures>`
      select (select count(*) from quote where status = 'ordered') as quotes,
        (select count(*) from orders) as orders,
        (select count(*) from order_return where status = 'received') as received,
        (select quantity from gem) as left,
        (select sum(quantity - returned_quantity)::int from order_line where sku <> '') as out,
        (select sum(amount)::text from ledger_entry where kind = 'credit') as credited,
        (select count(*) from event) as events`.execute(db)
    return rows[0]
  })
}

it('every quote, order and return happens once when the API and PostgreSQL are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavilion-returns-'))
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { keys, sku } = await prepare(folder)
  const settings = { PAVILION_DATA: folder, PAVILION_DEMO: 'off', PORT: String(await freePort()) }
  let server = await startPavilion(settings)
  const stories = startStories(server.address, keys, sku)
  for (const target of ['api', 'postgres', 'api'] as const) {
    await stories.untilMore(STORIES_BETWEEN)
    await sleep(Math.random() * 200)
    if (target === 'api') server = await killServer(server, settings)
    else await killPostgres(folder)
  }
  await stories.untilMore(STORIES_BETWEEN)
  const { finished, repeated } = await stories.stop()
  await server.stop()
  const found = await examine(folder)
  expect(repeated).toBeGreaterThan(0)
  expect([found.quotes, found.orders, found.received]).toEqual([finished, finished, finished])
  expect(found.left + found.out).toBe(PARCEL_QUANTITY)
  expect(found.out).toBe(finished * (QUANTITY - 1))
  // Three stones cost 4.50 and two of them 3.00.
  expect(Number(found.credited)).toBe(-OFFER * finished)
  // One each for: accept, create, fulfil, request, approve, receive.
  expect(found.events).toBe(finished * 6)
}, 180_000)
