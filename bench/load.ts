/**
 * How long the index of diamonds takes to load: from the table, and from the file that a node keeps
 * of it, with some changes since. Compared with what PostgreSQL takes to print the same columns.
 *
 *     npx tsx bench/load.ts [stones ...]   200,000 and 1,000,000 unless given
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { to as copyTo } from 'pg-copy-streams'
import { type Database, openDatabase } from '../src/database/open.ts'
import { createDemoMarket } from '../src/demo/market.ts'
import { logChanges } from '../src/events/change-log.ts'
import { INDEX_TABLES } from '../src/gems/indexing/columns.ts'
import type { GemIndex } from '../src/gems/indexing/follower.ts'
import { processorSeconds } from './load/processor-time.ts'
import { built } from './support/built.ts'
import { withBenchDatabase } from './support/database.ts'
import { printTable } from './support/measure.ts'

const RUNS = 3
/** As many as a market of a million stones has in some minutes. */
const CHANGES = 2_000

const sizes = process.argv.slice(2).map(Number)
console.log(`${cpus().length} cores, Node ${process.version}, times in seconds`)
for (const stones of sizes.length > 0 ? sizes : [200_000, 1_000_000]) {
  await withBenchDatabase(async (url) => {
    const database = openDatabase({ url, statementTimeoutMs: 0 })
    const options = { realm: 'live' as const, stones, seed: 1, publicUrl: 'http://bench.example' }
    await createDemoMarket(database, options)
    await database.pool.query('vacuum analyze gem')
    await benchLoads(database, stones)
    await database.close()
  })
}

async function benchLoads(database: Database, stones: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-bench-index-'))
  const file = { path: join(folder, 'live-diamond.index'), program: 'bench' }
  const rows: string[][] = []
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const times = await timesOf(database, work)
    rows.push([name, ...times.map((seconds) => seconds.toFixed(2))])
  }
  for (let run = 0; run < RUNS; run++) {
    await measure('PostgreSQL prints the columns', () => print(database))
    await measure('from the table', () => load(database, undefined, 'table'))
    await measure('from the table, and writing the file', async () => {
      await rm(file.path, { force: true })
      await load(database, file, 'table')
    })
    while (!(await stat(file.path).catch(() => undefined))) await pause(50)
    await measure('from the file', () => load(database, file, 'file'))
    await changeStones(database)
    await measure(`from the file and ${CHANGES} changes`, () => load(database, file, 'file'))
  }
  const { size } = await stat(file.path)
  console.log(`\n${stones} stones, a file of ${(size / 1e6).toFixed(0)} MB`)
  printTable(['', 'elapsed', 'processor time here', 'of PostgreSQL'], rows)
  await rm(folder, { recursive: true })
}

async function timesOf(database: Database, work: () => Promise<unknown>): Promise<number[]> {
  const before = { ...process.cpuUsage(), server: await processorSeconds(database) }
  const began = performance.now()
  await work()
  const elapsed = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage()
  const server = (await processorSeconds(database)) - before.server
  return [elapsed, (user + system - before.user - before.system) / 1e6, server]
}

/** Starts an index as a node does, until it can be searched. */
async function load(
  database: Database,
  file: { path: string; program: string } | undefined,
  from: 'file' | 'table',
): Promise<void> {
  const { startGemIndex } =
    await built<typeof import('../src/gems/indexing/follower.ts')>('gems/indexing/follower')
  const failed: unknown[] = []
  const index: GemIndex = startGemIndex({
    database,
    name: 'diamond',
    now: Date.now,
    file,
    onError: (error) => failed.push(error),
    onFile: (message) => 'refused' in message && failed.push(new Error(message.refused)),
  })
  while (index.loaded() === undefined && failed.length === 0) await pause(10)
  if (failed.length > 0) throw failed[0]
  if (index.loaded()?.from !== from) throw new Error(`it was loaded from the other side`)
  await index.stop()
}

/** The same columns, read by a client that does nothing with them. */
async function print({ pool }: Database): Promise<void> {
  const { columns, from } = INDEX_TABLES.diamond
  const client = await pool.connect()
  let bytes = 0
  for await (const chunk of client.query(
    copyTo(`copy (select ${columns.select} from ${from}) to stdout`),
  )) {
    bytes += (chunk as Buffer).length
  }
  client.release()
  if (bytes === 0) throw new Error('nothing was printed')
}

async function changeStones({ db, pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ id: number; sku: string }>(
    `update gem set wholesale_price = wholesale_price + 1 where id in (
       select id from gem where product_type = 'diamond' and state = 'available'
       order by random() limit $1) returning id, sku`,
    [CHANGES],
  )
  const entries = rows.map(({ id, sku }) => ({ gem_id: Number(id), sku, kind: 'price' as const }))
  await db.transaction().execute((tx) => logChanges(tx, entries))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
