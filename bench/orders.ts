import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { addParcels, type BenchMarket, during, openBenchMarket, place } from './orders/market.ts'
import { withBenchDatabase } from './support/database.ts'

/**
 * Orders placed per second, with one line and with ten, by 1, 8 and 32 clients, compared with the
 * statements of an order alone, sent by bare pg clients in a transaction. The statements are
 * recorded from a real order; only values that must be unique are replaced. Rounds alternate, so
 * that a busy moment of the machine affects both sides. The application is called without a socket.
 *
 *     npx tsx bench/orders.ts
 */
const ROUNDS = 3
const ROUND_MS = 1_500
const CLIENTS = [1, 8, 32]
const LINES = [1, 10]
const POOL = 10
/** Identifiers: uuids of version 7, and order ids. */
const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|ORD-[0-9A-Z]+/g

type Statement = [text: string, values: unknown[]]

interface Recording {
  statements: Statement[]
  /** The ids that the order itself created. */
  createdIds: string[]
}

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url, POOL)
  // Every client has its own parcels, so that no client waits for another one's row lock.
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

/** Places an order and returns the statements that it sent to PostgreSQL. */
async function recordOrder(
  market: BenchMarket,
  lines: { sku: string; quantity: number }[],
): Promise<Statement[]> {
  // Kept per connection, because the application runs other transactions in the background.
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

/** Sends the statements as a new order: each id that the recorded order created is replaced. */
async function replay(pool: pg.Pool, { statements, createdIds }: Recording): Promise<void> {
  const replaced = new Map(createdIds.map((id) => [id, idLike(id)]))
  const fresh = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fresh)
    if (typeof value !== 'string') return value
    return value.replaceAll(IDS, (id) => replaced.get(id) ?? id)
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

function idLike(id: string): string {
  return id.startsWith('ORD-') ? `ORD-${randomUUID().slice(0, 8)}` : randomUUID()
}

/** Records two orders of the same lines: the ids that only the second has are its own. */
async function recordTwice(
  market: BenchMarket,
  lines: { sku: string; quantity: number }[],
): Promise<Recording> {
  const known = idsIn(await recordOrder(market, lines))
  const statements = await recordOrder(market, lines)
  return { statements, createdIds: [...idsIn(statements)].filter((id) => !known.has(id)) }
}

function idsIn(statements: readonly Statement[]): Set<string> {
  return new Set(JSON.stringify(statements.map(([, values]) => values)).match(IDS))
}
