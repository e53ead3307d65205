import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { addParcels, type BenchMarket, during, openBenchMarket, place } from './orders-market.ts'
import { withBenchDatabase } from './support/database.ts'

/**
 * Orders placed a second, with one line and with ten, by 1, 8 and 32 clients, against the very
 * statements that an order sends, sent by bare pg clients in a transaction. The statements are
 * recorded from a real order; only what must be unique is drawn anew. Rounds alternate, so that a
 * busy moment of the machine meets both sides. The service is called without a socket.
 *
 *     npx tsx bench/orders.ts
 */
const ROUNDS = 3
const ROUND_MS = 1_500
const CLIENTS = [1, 8, 32]
const LINES = [1, 10]
const POOL = 10
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

type Statement = [text: string, values: unknown[]]

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url, POOL)
  // Every client has parcels of its own: what is measured is work, and not waiting for a row.
  const parcels = await addParcels(market.database.db, 32 * 10, 1_000_000)
  const bare = new pg.Pool({ connectionString: url, max: POOL, options: '-c timezone=UTC' })
  bare.on('error', () => {})
  for (const lines of LINES) {
    const linesOf = (client: number) =>
      parcels.slice(client * 10, client * 10 + lines).map((sku) => ({ sku, quantity: 1 }))
    const recorded: Statement[][] = []
    for (let client = 0; client < 32; client++) {
      recorded.push(await recordOrder(market, linesOf(client)))
    }
    for (const clients of CLIENTS) {
      const service = []
      const statements = []
      for (let round = 0; round < ROUNDS; round++) {
        service.push(
          await during(clients, ROUND_MS, async (client) => {
            const { statusCode, body } = await place(market, linesOf(client))
            if (statusCode !== 200) throw new Error(body)
          }),
        )
        statements.push(await during(clients, ROUND_MS, (client) => replay(bare, recorded[client])))
      }
      report(lines, clients, mean(service), mean(statements))
    }
  }
  await bare.end()
  await market.app.close()
  await market.database.close()
})

function report(lines: number, clients: number, service: number, statements: number): void {
  const ratio = service / statements
  console.log(
    `${String(lines).padStart(2)} line(s), ${String(clients).padStart(2)} clients: ` +
      `${service.toFixed(0).padStart(5)} orders/s, bare ${statements.toFixed(0).padStart(5)}/s, ` +
      `ratio ${ratio.toFixed(2)}${ratio < 0.6 ? '  BELOW 0.6' : ''}`,
  )
}

function mean(rounds: { perSecond: number }[]): number {
  return rounds.reduce((sum, { perSecond }) => sum + perSecond, 0) / rounds.length
}

/** The statements of one real order, as they went to PostgreSQL. */
async function recordOrder(
  market: BenchMarket,
  lines: { sku: string; quantity: number }[],
): Promise<Statement[]> {
  // By connection: the service has other transactions in the background.
  const open = new Map<unknown, Statement[]>()
  let recorded: Statement[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [text, values] = args as Statement
    if (text === 'begin') open.set(this, [])
    const statements = open.get(this)
    if (typeof text === 'string') statements?.push([text, [...(values ?? [])]])
    if (text === 'commit' && statements?.some(([each]) => each.includes('order_line'))) {
      recorded = statements
    }
    if (text === 'commit' || text === 'rollback') open.delete(this)
    return original.apply(this, args)
  }
  try {
    const { statusCode, body } = await place(market, lines)
    if (statusCode !== 200) throw new Error(body)
  } finally {
    prototype.query = original
  }
  if (recorded.length === 0) throw new Error('the statements of the order were not seen')
  return recorded
}

/** Sends them again as a new order: uuids of the order, its lines and its event, and its id. */
async function replay(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const drawn = new Map<unknown, string>()
  const merchant = statements.find(([text]) => text.includes('from merchant'))?.[1].at(-1)
  const fresh = (value: unknown): unknown => {
    if (typeof value !== 'string' || value === merchant) return value
    if (!UUID.test(value) && !value.startsWith('ORD-')) return value
    const known = drawn.get(value) ?? randomUUID()
    drawn.set(value, known)
    return known
  }
  const client = await pool.connect()
  try {
    for (const [text, values] of statements) await client.query(text, values.map(fresh))
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
