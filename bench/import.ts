import { execFile, execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openEmbedded } from '../src/database/embedded/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { fillDemoMarket } from '../src/demo/market.ts'
import { FEED_COLUMNS } from '../src/gems/gem.ts'
import { writeMessyFile } from './import/file.ts'

/**
 * Imports a messy file of a million rows, copies as many clean rows into the same table with COPY,
 * imports the file again with 1 % of the rows changed, and generates a demo market. All of it runs
 * on one machine in one run; the ratios are what counts. During the last import a buyer locks
 * random stones, and the longest wait is printed.
 *
 *     npx tsx bench/import.ts [rows]         1,000,000 unless given
 */
const rows = Number(process.argv[2] ?? 1_000_000)
execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))])
const folder = await mkdtemp(join(tmpdir(), 'pavilion-bench-'))
await chmod(folder, 0o711)
const embedded = await openEmbedded({ dataFolder: join(folder, 'data'), serve: false })
try {
  await bench()
} finally {
  await embedded.close()
  await rm(folder, { recursive: true, force: true })
}

async function bench(): Promise<void> {
  const market = await freshDatabase('bench_import')
  const file = join(folder, 'messy.csv')
  await writeMessyFile(file, rows)
  print(`${rows} messy rows, ${Math.round((await stat(file)).size / 1e6)} MB`)
  const first = await importFile(market, file)
  report('import of the messy file', first)

  const clean = join(folder, 'clean.txt')
  const columns = `sku, supplier_id, ${FEED_COLUMNS.join(', ')}, feed_hash`
  await withClient(market, (client) =>
    pipeline(
      client.query(copyTo(`copy (select ${columns} from gem) to stdout`)),
      createWriteStream(clean),
    ),
  )
  const bare = await freshDatabase('bench_copy')
  const copySeconds = await timed(() =>
    withClient(bare, async (client) => {
      await client.query(
        `insert into supplier (uuid, name) values (gen_random_uuid(), 'Bench Ltd')`,
      )
      await pipeline(
        createReadStream(clean),
        client.query(copyFrom(`copy gem (${columns}) from stdin`)),
      )
    }),
  )
  print(`COPY of clean rows: ${Math.round(first.added / copySeconds)} rows/s`)

  const again = await importFile(market, file)
  report('import of the same file again', again)
  const changedFile = join(folder, 'changed.csv')
  await writeMessyFile(changedFile, rows, 100)
  const second = await importFile(market, changedFile)
  report('import with 1 % changes', second)
  const idle = startBuyer(market)
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const idleMs = await idle.stop()
  const buyer = startBuyer(market)
  await importFile(market, file)
  const waitMs = await buyer.stop()

  const demo = await freshDatabase('bench_demo')
  const database = openDatabase({ url: demo, statementTimeoutMs: 0 })
  const { seconds } = await fillDemoMarket(database, {
    stones: rows,
    seed: 1,
    realm: 'live',
    publicUrl: 'http://x',
  })
  await database.close()
  print(`demo generator: ${Math.round(rows / seconds)} rows/s`)

  const copyRatio = (copySeconds / first.seconds).toFixed(2)
  const sameRatio = (first.seconds / again.seconds).toFixed(1)
  const changeRatio = (first.seconds / second.seconds).toFixed(1)
  const memoryMb = Math.max(first.memoryMb, second.memoryMb)
  print('')
  print(`import / COPY                  ${copyRatio} (goal: 0.5 or more)`)
  print(`first / re-import, unchanged   ${sameRatio} (goal: 10 or more)`)
  print(`first / re-import, 1 % changed ${changeRatio} (goal: 5 or more)`)
  print(`memory of the importer         ${memoryMb} MB (goal: under 400)`)
  print(
    `longest wait for a stone       ${waitMs.toFixed(1)} ms ` +
      `(${idleMs.toFixed(1)} ms without an import)`,
  )
}

interface Imported {
  seconds: number
  memoryMb: number
  phases: Record<string, number>
  rows: number
  added: number
  changed: number
  unchanged: number
  rejected: number
}

async function importFile(url: string, path: string): Promise<Imported> {
  const child = fileURLToPath(new URL('import/child.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [child, url, path])
  return JSON.parse(stdout)
}

function report(name: string, { seconds, memoryMb, phases, ...counts }: Imported): void {
  const rate = Math.round(counts.rows / seconds)
  const details = JSON.stringify({ ...counts, phases })
  print(`${name}: ${rate} rows/s, ${seconds.toFixed(1)} s, ${memoryMb} MB ${details}`)
}

async function freshDatabase(name: string): Promise<string> {
  await withClient(embedded.urlOf('postgres'), (client) => client.query(`create database ${name}`))
  const database = openDatabase({ url: embedded.urlOf(name), statementTimeoutMs: 0 })
  await migrate(database.db)
  await database.close()
  return embedded.urlOf(name)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}

/** Repeatedly locks a changing stone and the change log's clock, as an order does. */
function startBuyer(url: string) {
  let isOver = false
  let longestMs = 0
  const done = withClient(url, async (client) => {
    for (let turn = 0; !isOver; turn++) {
      const stock = `MX${1_000_000 + ((turn * 7919) % (rows / 100)) * 100}`
      const startMs = performance.now()
      await client.query('begin')
      await client.query('select from gem where vendor_sku = $1 and supplier_id = 1 for update', [
        stock,
      ])
      await client.query('update change_clock set last = last')
      longestMs = Math.max(longestMs, performance.now() - startMs)
      await client.query('rollback')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })
  return {
    async stop() {
      isOver = true
      await done
      return longestMs
    },
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
