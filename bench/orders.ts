import pg from 'pg'
import { openDatabase } from '../src/database/open.ts'
import { addParcels, type BenchMarket, during, openBenchMarket, place } from './orders/market.ts'
import { withBenchDatabase } from './support/database.ts'
import { findPostmasterOf, measureProcessorTime } from './support/processor-time.ts'

/**
 * Orders of one line per second, by 1, 8, 16 and 32 clients, compared with the most that this
 * PostgreSQL can do in the same run: transactions of as many bare clients that update a row of the
 * same table each. Then the same with 20 ms added to every commit, as by a standby that is far
 * away. Rounds alternate, so that a busy moment of the machine affects both sides. Both sides are
 * warm: a new connection plans its statements, and Node compiles a function when it has run often.
 * The application is called without a socket. The processor time of each, in Node (the client's
 * included) and in PostgreSQL, depends less on what else the machine does.
 *
 *     npx tsx bench/orders.ts
 */
const ROUNDS = 3
const ROUND_MS = 2_000
const CLIENTS = [1, 8, 16, 32]
const CLIENTS_MAX = 32
const WARM_UP_MS = 15_000
const SLOW_COMMIT_SECONDS = 0.02

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url, CLIENTS_MAX)
  // Every client has its own parcel, so that no client waits for another one's row lock.
  const parcels = await addParcels(market.database.db, CLIENTS_MAX, 1_000_000)
  const bare = new pg.Pool({ connectionString: url, max: CLIENTS_MAX })
  bare.on('error', () => {})
  await during(CLIENTS_MAX, WARM_UP_MS, (client) => order(market, parcels[client]))
  await during(CLIENTS_MAX, ROUND_MS, (client) => update(bare, parcels[client]))
  console.log('commits as fast as they are')
  const postmaster = await findPostmasterOf(bare)
  await compare(market, bare, parcels, postmaster)
  await slowCommits(url)
  console.log(`\ncommits with ${SLOW_COMMIT_SECONDS * 1000} ms added`)
  await compare(market, bare, parcels, postmaster)
  await bare.end()
  await market.app.close()
  await market.database.close()
})

/** What a side did: how much in a second, and the milliseconds of processor time of each. */
interface Round {
  perSecond: number
  node: number
  postgres: number
}

async function compare(
  market: BenchMarket,
  bare: pg.Pool,
  parcels: string[],
  postmaster: number,
): Promise<void> {
  const run = async (clients: number, work: (client: number) => Promise<void>): Promise<Round> => {
    const { result, time } = await measureProcessorTime(postmaster, () =>
      during(clients, ROUND_MS, work),
    )
    const { perSecond, done } = result
    return { perSecond, node: time.node / done, postgres: time.postgres / done }
  }
  let alone = 0
  for (const clients of CLIENTS) {
    const orders: Round[] = []
    const updates: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      orders.push(await run(clients, (client) => order(market, parcels[client])))
      updates.push(await run(clients, (client) => update(bare, parcels[client])))
    }
    if (clients === 1) alone = mean(orders).perSecond
    report(clients, mean(orders), mean(updates), alone)
  }
}

async function order(market: BenchMarket, sku: string): Promise<void> {
  const { statusCode, body } = await place(market, [{ sku, quantity: 1 }])
  if (statusCode !== 200) throw new Error(body)
}

async function update(bare: pg.Pool, sku: string): Promise<void> {
  await bare.query('update gem set updated_on = now() where sku = $1', [sku])
}

function report(clients: number, orders: Round, updates: Round, alone: number): void {
  const placed = orders.perSecond
  const timeOf = ({ node, postgres }: Round) => `${node.toFixed(2)} + ${postgres.toFixed(2)} ms`
  console.log(
    `${String(clients).padStart(2)} clients: ${placed.toFixed(0).padStart(5)} orders/s, ` +
      `${(placed / alone).toFixed(1).padStart(4)} times one client, ` +
      `${(placed / updates.perSecond).toFixed(2)} of ${updates.perSecond.toFixed(0)} updates/s; ` +
      `processor time (Node + PostgreSQL) ${timeOf(orders)}, of an update ${timeOf(updates)}`,
  )
}

/** A deferred trigger runs at the commit: every transaction that writes a row of these sleeps. */
async function slowCommits(url: string): Promise<void> {
  const database = openDatabase({ url })
  await database.pool.query(`
    create function sleep_at_commit() returns trigger language plpgsql as $$
    begin
      -- Once per transaction, however many rows it wrote.
      if current_setting('bench.slept', true) is distinct from pg_current_xact_id()::text then
        perform set_config('bench.slept', pg_current_xact_id()::text, true);
        perform pg_sleep(${SLOW_COMMIT_SECONDS});
      end if;
      return null;
    end $$`)
  for (const table of ['gem', 'change', 'event']) {
    await database.pool.query(`
      create constraint trigger slow_commit after insert or update on ${table}
      deferrable initially deferred for each row execute function sleep_at_commit()`)
  }
  await database.close()
}

function mean(rounds: readonly Round[]): Round {
  const of = (name: keyof Round) =>
    rounds.reduce((sum, each) => sum + each[name], 0) / rounds.length
  return { perSecond: of('perSecond'), node: of('node'), postgres: of('postgres') }
}
