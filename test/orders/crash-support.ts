import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { addParcels } from '../../bench/orders/market.ts'
import { pathsIn } from '../../src/database/embedded/cluster.ts'
import { ensureDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { findPostmaster } from '../../src/database/embedded/postmaster.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { type RunningServer, startPavilion } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'

/**
 * A real server with its own PostgreSQL is killed with -9 at random moments while clients order
 * from parcels, the operator records a payment for each order, and both repeat every request, with
 * its key, until they get a response.
 */
export interface CrashRun {
  folder: string
  clients: number
  /** What is killed, in turn. */
  kills: ('api' | 'postgres')[]
}

export interface CrashResult {
  /** Uuids of the orders that clients got a response for. */
  acknowledged: string[]
  /** How many payments the operator got a response for. */
  paid: number
  /** How often a client had to repeat a request. */
  repeated: number
  /** The reasons, with how often each occurred. */
  reasons: Record<string, number>
  /** Orders in the database, and how many of them no client got a response for. */
  orders: number
  unknown: number
  /** Stock + sold of each parcel. */
  sums: number[]
  events: number
  /** Payments in the ledger, and their events. */
  payments: number
  paymentEvents: number
  /** Orders whose entries are not their total and at most one payment of PAYMENT dollars. */
  wrongLedgers: number
}

export const PARCEL_QUANTITY = 100_000
const PARCELS = 5
/** Less than any order costs. */
const PAYMENT = 0.25
/** Before the next kill, the clients have been ordering again for a while. */
const ORDERS_BETWEEN = 15

export async function runCrashes({ folder, clients, kills }: CrashRun): Promise<CrashResult> {
  const { token, adminToken, skus } = await prepare(folder)
  const settings = { PAVILION_DATA: folder, PAVILION_DEMO: 'off', PORT: String(await freePort()) }
  let server = await startPavilion(settings)
  const { address } = server
  const load = startLoad(address, { token, adminToken }, skus, clients)
  for (const target of kills) {
    await load.until(load.count() + ORDERS_BETWEEN)
    await sleep(Math.random() * 300)
    if (target === 'api') server = await killServer(server, settings)
    else await killPostgres(folder)
  }
  await load.until(load.count() + ORDERS_BETWEEN)
  const heard = await load.stop()
  await server.stop()
  return { ...heard, ...(await examine(folder, heard.acknowledged)) }
}

export async function killPostgres(folder: string): Promise<void> {
  const postmaster = await findPostmaster(pathsIn(folder))
  if (postmaster) process.kill(postmaster.pid, 'SIGKILL')
}

export async function killServer(
  server: RunningServer,
  settings: Record<string, string>,
): Promise<RunningServer> {
  await server.stop('SIGKILL')
  return startPavilion(settings)
}

export async function withMarket<T>(
  folder: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const embedded = await openEmbedded({ dataFolder: folder, serve: false })
  try {
    await ensureDatabase(embedded, 'pavilion')
    const database = openDatabase({ url: embedded.urlOf('pavilion') })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await embedded.close()
  }
}

function prepare(folder: string) {
  return withMarket(folder, async ({ db }) => {
    await migrate(db)
    const { uuid: merchant_uuid } = await createMerchant(db, {
      email: 'crash@shop.example',
      legal_dba: 'Crash Shop',
      country_code: 'US',
    })
    const { token } = await createToken(db, { realm: 'live', type: 'api_key', merchant_uuid })
    const { token: adminToken } = await createToken(db, { realm: 'live', type: 'admin' })
    return { token, adminToken, skus: await addParcels(db, PARCELS, PARCEL_QUANTITY) }
  })
}

function startLoad(
  address: string,
  { token, adminToken }: { token: string; adminToken: string },
  skus: string[],
  clients: number,
) {
  const acknowledged: string[] = []
  const reasons: Record<string, number> = {}
  let repeated = 0
  let paid = 0
  let stopping = false

  function count(reason: string): void {
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }

  async function postOnce(
    path: string,
    bearer: string,
    key: string,
    body: string,
  ): Promise<string | undefined> {
    try {
      const response = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body,
        signal: AbortSignal.timeout(10_000),
      })
      const { uuid, code } = (await response.json()) as { uuid?: string; code?: string }
      if (response.status === 200) return uuid
      count(`${response.status} ${code}`)
    } catch (error) {
      count((error as Error).name)
    }
    return undefined
  }

  /** Repeats the request with its key until there is a response, and returns the order's uuid. */
  async function post(path: string, bearer: string, body: string): Promise<string> {
    const key = randomUUID()
    for (;;) {
      const uuid = await postOnce(path, bearer, key, body)
      if (uuid !== undefined) return uuid
      repeated++
      await sleep(50)
    }
  }

  async function client(): Promise<void> {
    while (!stopping) {
      const sku = skus[Math.floor(Math.random() * skus.length)]
      const line_items = [{ sku, quantity: 1 + Math.floor(Math.random() * 3) }]
      const body = JSON.stringify({ order_type: 'invoice', line_items })
      const uuid = await post('/api/v2/orders/place', token, body)
      acknowledged.push(uuid)
      const payment = JSON.stringify({ amount: PAYMENT })
      await post(`/api/operator/orders/${uuid}/payments`, adminToken, payment)
      paid++
    }
  }

  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    count: () => acknowledged.length,
    async until(orders: number) {
      while (acknowledged.length < orders) await sleep(10)
    },
    async stop() {
      stopping = true
      await running
      return { acknowledged, paid, repeated, reasons }
    },
  }
}

function examine(folder: string, acknowledged: string[]) {
  return withMarket(folder, async ({ db }) => {
    const orders = await sql<{ uuid: string }>`select uuid from orders`.execute(db)
    const known = new Set(acknowledged)
    const sums = await sql<{ sum: number }>`
      select gem.quantity + coalesce((select sum(line.quantity) from order_line as line
        where line.sku = gem.sku), 0)::int as sum from gem`.execute(db)
    const events = await sql<{ created: number; paid: number }>`
      select count(*) filter (where event_type = 'order.create') as created,
        count(*) filter (where event_type = 'order.pay') as paid from event`.execute(db)
    const ledgers = await sql<{ payments: number; wrong: number }>`
      select coalesce(sum(paid), 0)::int as payments,
        count(*) filter (where paid > 1 or charged is distinct from round(total, 2)
          or balance <> round(total, 2) - paid * ${PAYMENT}::numeric) as wrong
      from orders left join (
        select order_uuid, sum(amount) as balance, sum(amount) filter (where kind = 'order') as charged,
          count(*) filter (where kind = 'payment') as paid
        from ledger_entry group by order_uuid) as entries on order_uuid = uuid`.execute(db)
    return {
      orders: orders.rows.length,
      unknown: orders.rows.filter(({ uuid }) => !known.has(uuid)).length,
      sums: sums.rows.map(({ sum }) => sum),
      events: events.rows[0].created,
      paymentEvents: events.rows[0].paid,
      payments: ledgers.rows[0].payments,
      wrongLedgers: ledgers.rows[0].wrong,
    }
  })
}
