/**
 * What double listings cost: how long an index takes to load, and to follow new prices, in a market
 * where every tenth stone is listed by a second supplier, compared with one that has as many
 * listings, each of a stone of its own. Both are filled in the same way, because a market becomes
 * slower with the changes it has had. Times are processor time for a thousand listings, of this
 * process and of PostgreSQL.
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
import { printTable, timingOf } from './support/measure.ts'

const stones = Number(process.argv[2] ?? 200_000)
const RUNS = 7
const CHANGES = 10_000

const single = await measureMarket(`'X' || cert_num`)
const double = await measureMarket('cert_num')
const rows = (['load', 'follow'] as const).map((step) => [
  step,
  single[step].toFixed(2),
  double[step].toFixed(2),
  (double[step] / single[step]).toFixed(2),
])
printTable(['ms for 1,000 listings', 'none', 'every tenth', 'ratio'], rows)

interface Times {
  load: number
  follow: number
}

/** Measures a market whose later listings have this certificate, in terms of the first ones. */
async function measureMarket(certificate: string): Promise<Times> {
  let times: Times | undefined
  await withBenchDatabase(async (url) => {
    const database = openDatabase({ url, statementTimeoutMs: 0 })
    const options = { realm: 'live' as const, stones, seed: 1, publicUrl: 'http://bench.example' }
    await createDemoMarket(database, options)
    await addListings(database, certificate)
    await database.pool.query('vacuum analyze gem')
    times = await measureIndex(database)
    await database.close()
  })
  if (!times) throw new Error('nothing was measured')
  return times
}

/** The median of some runs. */
async function measureIndex(database: Database): Promise<Times> {
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
  return { load: timingOf(loads).p50, follow: timingOf(follows).p50 }
}

async function processorMs(database: Database, work: () => Promise<void>): Promise<number> {
  const before = await processorSeconds(database)
  const own = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(own)
  return (user + system) / 1000 + ((await processorSeconds(database)) - before) * 1000
}

/** A second supplier lists every tenth stone, or one like it, at a slightly higher price. */
async function addListings({ db }: Database, certificate: string): Promise<void> {
  const { rows } = await sql<{ names: string }>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_name = 'gem' and table_schema = current_schema() and is_generated = 'NEVER'
      and column_name not in
        ('id', 'sku', 'vendor_sku', 'supplier_id', 'wholesale_price', 'cert_num')
  `.execute(db)
  const names = sql.raw(rows[0].names)
  const chosen = sql`product_type = 'diamond' and state = 'available' and cert_num is not null
    and id % 10 = 0`
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into gem (sku, vendor_sku, supplier_id, wholesale_price, cert_num, ${names})
      select 'X' || sku, 'X' || vendor_sku,
        (select min(id) from supplier where id <> gem.supplier_id), wholesale_price + 5,
        ${sql.raw(certificate)}, ${names}
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
