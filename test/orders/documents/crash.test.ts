import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { addParcels } from '../../../bench/orders/market.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createMerchant } from '../../../src/merchants/merchant-store.ts'
import { createToken } from '../../../src/merchants/token-store.ts'
import { startPavilion } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { killPostgres, killServer, withMarket } from '../crash-support.ts'

const CLIENTS = 4
/** Before the next kill, so many more orders were invoiced and credited. */
const ORDERS_BETWEEN = 4
/** The number of units that each order has, of which the first is cancelled. */
const QUANTITY = 3

it('numbers invoices and credit notes without gaps when the API and PostgreSQL are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavilion-documents-'))
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const prepared = await prepare(folder)
  const settings = { PAVILION_DATA: folder, PAVILION_DEMO: 'off', PORT: String(await freePort()) }
  let server = await startPavilion(settings)
  const load = startLoad(server.address, prepared)
  for (const target of ['api', 'postgres', 'api'] as const) {
    await load.until(load.done() + ORDERS_BETWEEN)
    await sleep(Math.random() * 300)
    if (target === 'api') server = await killServer(server, settings)
    else await killPostgres(folder)
  }
  await load.until(load.done() + ORDERS_BETWEEN)
  await load.stop()
  await server.stop()
  const documents = await withMarket(folder, ({ db }) =>
    db.selectFrom('document').select(['kind', 'number']).orderBy('created_on').execute(),
  )
  const counted = Array.from({ length: load.done() }, (_, index) => index + 1)
  for (const kind of ['invoice', 'credit_note']) {
    const numbers = documents
      .filter((document) => document.kind === kind)
      .map(({ number }) => Number(number.slice(-6)))
    expect(numbers, kind).toEqual(counted)
  }
  expect(load.repeated()).toBeGreaterThan(0)
}, 180_000)

type Prepared = Awaited<ReturnType<typeof prepare>>

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
    const [sku] = await addParcels(db, 1, 100_000)
    return { buyer: buyer.token, operator: operator.token, sku }
  })
}

/** Clients place, invoice and cancel, and repeat each call with its key until it succeeds. */
function startLoad(address: string, { buyer, operator, sku }: Prepared) {
  let stopping = false
  let done = 0
  let repeated = 0

  async function call(token: string, path: string, body: object) {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    for (;;) {
      const response = await fetch(`${address}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined)
      const json = await response?.json().catch(() => undefined)
      if (response?.status === 200) return json as { uuid: string; line_items: { uuid: string }[] }
      repeated++
      await sleep(50)
    }
  }

  async function client(): Promise<void> {
    while (!stopping) {
      const order = await call(buyer, '/api/v2/orders/place', {
        order_type: 'invoice',
        line_items: [{ sku, quantity: QUANTITY }],
      })
      const path = `/api/operator/orders/${order.uuid}`
      await call(operator, `${path}/invoice`, {})
      const line_items = [{ uuid: order.line_items[0].uuid, quantity: 1 }]
      await call(operator, `${path}/cancel`, { line_items })
      done++
    }
  }

  const running = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    done: () => done,
    repeated: () => repeated,
    async until(orders: number) {
      while (done < orders) await sleep(10)
    },
    async stop() {
      stopping = true
      await running
    },
  }
}
