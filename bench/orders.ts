import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { addParcels, type BenchMarket, during, openBenchMarket, place } from './orders/market.ts'
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
/** What names something: uuids, and the ids of orders. */
const NAMES = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|ORD-[0-9A-Z]+/g

type Statement = [text: string, values: unknown[]]

interface Recording {
  statements: Statement[]
  news: string[]
}

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url, POOL)
  // Every client has parcels of its own: what is measured is work, and not waiting for a row.
  const parcels = await addParcels(market.database.db, 32 * 10, 1_000_000)
  const bare = new pg.Pool({ connectionString: url, max: POOL, options: '-c timezone=UTC' })
  bare.on('error', () => {})
  for (const lines of LINES) {
    const linesOf = (client: number) =>
      parcels.slice(client * 10, client * 10 + lines).map((sku) => ({ sku, quantity: 1 }))
    const recorded: Recording[] = []
    for (let client = 0; client < 32; client++) {
      recorded.push(await recordTwice(market, linesOf(client)))
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

/** Sends them again as a new order: whatever was new in the recorded one is drawn anew. */
async function replay(pool: pg.Pool, { statements, news }: Recording): Promise<void> {
  const drawn = new Map(news.map((name) => [name, nameLike(name)]))
  const fresh = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fresh)
    if (typeof value !== 'string') return value
    return value.replaceAll(NAMES, (name) => drawn.get(name) ?? name)
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

function nameLike(name: string): string {
  return name.startsWith('ORD-') ? `ORD-${randomUUID().slice(0, 8)}` : randomUUID()
}

/** Two orders of the same lines: the names that only the second has are those it made. */
async function recordTwice(
  market: BenchMarket,
  lines: { sku: string; quantity: number }[],
): Promise<Recording> {
  const known = namesIn(await recordOrder(market, lines))
  const statements = await recordOrder(market, lines)
  return { statements, news: [...namesIn(statements)].filter((name) => !known.has(name)) }
}

function namesIn(statements: readonly Statement[]): Set<string> {
  return new Set(JSON.stringify(statements.map(([, values]) => values)).match(NAMES))
}
