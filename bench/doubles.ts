/**
 * What double listings cost: how long an index takes to load, and to follow new prices, in a market
 * without them and in the same one after every tenth stone was listed by a second supplier. Times
 * are processor time for a thousand listings, of this process and of PostgreSQL.
 *
 *     npx tsx bench/doubles.ts [stones]     200,000 unless given
 */
import { sql } from 'kysely'
import { type Database, openDatabase } from '../src/database/open.ts'
import { createDemoMarket } from '../src/demo/market.ts'
import { logChanges, logChangesFrom, type StoneChange } from '../src/events/change-log.ts'
import { numberBoth } from '../src/events/number-changes.ts'
import type { GemIndex } from '../src/gems/indexing/follower.ts'
import { processorSeconds } from './load/processor-time.ts'
import { built } from './support/built.ts'
import { withBenchDatabase } from './support/database.ts'
import { printTable } from './support/measure.ts'

const stones = Number(process.argv[2] ?? 200_000)
const RUNS = 3
const CHANGES = 10_000

await withBenchDatabase(async (url) => {
  const database = openDatabase({ url, statementTimeoutMs: 0 })
  const options = { realm: 'live' as const, stones, seed: 1, publicUrl: 'http://bench.example' }
  await createDemoMarket(database, options)
  await database.pool.query('vacuum analyze gem')
  const single = await measureMarket(database)
  await addDoubles(database)
  await database.pool.query('vacuum analyze gem')
  const double = await measureMarket(database)
  const rows = (['load', 'follow'] as const).map((step) => [
    step,
    single[step].toFixed(2),
    double[step].toFixed(2),
    (double[step] / single[step]).toFixed(2),
  ])
  printTable(['ms for 1,000 listings', 'none', 'every tenth', 'ratio'], rows)
  await database.close()
})

/** The best of some runs: what the machine does beside it only makes them slower. */
async function measureMarket(database: Database): Promise<{ load: number; follow: number }> {
  const { startGemIndex } =
    await built<typeof import('../src/gems/indexing/follower.ts')>('gems/indexing/follower')
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from gem where product_type = 'diamond'`,
  )
  const loads: number[] = []
  const follows: number[] = []
  for (let run = 0; run < RUNS; run++) {
    let index: GemIndex | undefined
    const load = await processorMs(database, async () => {
      index = startGemIndex({ database, name: 'diamond', now: Date.now })
      while (index.loaded() === undefined) await pause(10)
    })
    loads.push((load / rows[0].count) * 1000)
    const entries = await changePrices(database)
    const follow = await processorMs(database, async () => {
      await database.db.transaction().execute((tx) => logChanges(tx, entries))
      const last = await numberBoth(database.db)
      while ((index?.sequence() ?? 0) < last) await pause(2)
    })
    follows.push((follow / CHANGES) * 1000)
    await index?.stop()
  }
  return { load: Math.min(...loads), follow: Math.min(...follows) }
}

async function processorMs(database: Database, work: () => Promise<void>): Promise<number> {
  const before = await processorSeconds(database)
  const own = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(own)
  return (user + system) / 1000 + ((await processorSeconds(database)) - before) * 1000
}

/** A second supplier lists every tenth stone at a slightly higher price. */
async function addDoubles({ db }: Database): Promise<void> {
  const { rows } = await sql<{ names: string }>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_name = 'gem' and table_schema = current_schema() and is_generated = 'NEVER'
      and column_name not in ('id', 'sku', 'vendor_sku', 'supplier_id', 'wholesale_price')
  `.execute(db)
  const names = sql.raw(rows[0].names)
  const chosen = sql`product_type = 'diamond' and state = 'available' and cert_num is not null
    and id % 10 = 0`
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into gem (sku, vendor_sku, supplier_id, wholesale_price, ${names})
      select 'X' || sku, 'X' || vendor_sku,
        (select min(id) from supplier where id <> gem.supplier_id), wholesale_price + 5, ${names}
      from gem where ${chosen}`.execute(tx)
    await logChangesFrom(
      tx,
      sql`select id as gem_id, sku, 'new' as kind from gem where sku like 'X%'`,
    )
  })
}

async function changePrices({ pool }: Database): Promise<StoneChange[]> {
  const { rows } = await pool.query<{ id: number; sku: string }>(
    `update gem set wholesale_price = wholesale_price + 1 where id in (
       select id from gem where product_type = 'diamond' and state = 'available'
       order by random() limit $1) returning id, sku`,
    [CHANGES],
  )
  return rows.map(({ id, sku }) => ({ gem_id: Number(id), sku, kind: 'price' }))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
