import { execFile } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { App } from '../src/http/route.ts'
import { insertSearches } from './alerts/searches.ts'
import { writeMessyFile } from './import/file.ts'
import { withBenchDatabase } from './support/database.ts'
import { printTable } from './support/measure.ts'
import { startPavilion } from './support/pavilion.ts'

/**
 * Imports a file of new stones, and then the same file with other prices for a tenth of them, while
 * a node follows the market: once without saved searches and once with 10,000 that have alerts. The
 * import runs in a process of its own. Both ends are measured: of the import itself, and until the
 * node's index and its alerts know everything. The ratios are what counts.
 *
 *     npx tsx bench/alerts.ts [rows] [searches]      1,000,000 and 10,000 unless given
 */
const rows = Number(process.argv[2] ?? 1_000_000)
const searches = Number(process.argv[3] ?? 10_000)
const folder = tmpdir()
const files = [
  join(folder, `alerts-${process.pid}-1.csv`),
  join(folder, `alerts-${process.pid}-2.csv`),
]

interface Measured {
  /** The import itself. */
  imported: number
  /** Until index and alerts know everything. */
  known: number
  /** Processor time of the node. */
  processor: number
  /** Pairs of a search and a stone, and the bytes that they take. */
  found: string
}

try {
  await writeMessyFile(files[0], rows)
  await writeMessyFile(files[1], rows, 10)
  const megabytes = Math.round((await stat(files[0])).size / 1e6)
  process.stdout.write(`${rows} rows (${megabytes} MB), ${searches} saved searches\n`)
  const without = await measureMarket(0)
  const alerts = await measureMarket(searches)
  for (const [n, what] of ['new stones', 'a tenth has new prices'].entries()) report(what, n)

  function report(what: string, n: number): void {
    const [plain, own] = [without[n], alerts[n]]
    const ratio = (key: 'imported' | 'known') => (own[key] / plain[key]).toFixed(2)
    process.stdout.write(`\n${what}\n`)
    printTable(
      ['', 'import', 'import, index and alerts', "node's processor", 'found'],
      [
        ['without saved searches', ...cellsOf(plain)],
        [`with ${searches}`, ...cellsOf(own)],
        ['ratio (goal: below 1.20)', ratio('imported'), ratio('known'), '', ''],
      ],
    )
  }
} finally {
  for (const file of files) await rm(file, { force: true })
}

function cellsOf({ imported, known, processor, found }: Measured): string[] {
  return [`${imported.toFixed(1)} s`, `${known.toFixed(1)} s`, `${processor.toFixed(1)} s`, found]
}

async function measureMarket(count: number): Promise<Measured[]> {
  const measured: Measured[] = []
  await withBenchDatabase(async (url) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await insertSearches(client, count)
    const app = await startPavilion(url)
    while (app.services.diamonds.index.sequence() === undefined) await sleep(20)
    for (const file of files) measured.push(await measureImport(app, client, url, file))
    await app.close()
    await app.services.pools.requests.close()
    await client.end()
  })
  return measured
}

async function measureImport(
  app: App,
  client: pg.Client,
  url: string,
  file: string,
): Promise<Measured> {
  const child = fileURLToPath(new URL('import/child.js', import.meta.url))
  const used = process.cpuUsage()
  const startMs = performance.now()
  await promisify(execFile)(process.execPath, [child, url, file])
  const imported = (performance.now() - startMs) / 1000
  await app.services.catchUp()
  while (!(await isCompared(client))) await sleep(50)
  const known = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(used)
  const { rows: found } = await client.query<{ sets: string; bytes: string }>(
    `select count(*) as sets, coalesce(sum(length(stones)), 0) as bytes from saved_search_stones`,
  )
  const [{ sets, bytes }] = found
  return {
    imported,
    known,
    processor: (user + system) / 1e6,
    found: `${sets} sets, ${(Number(bytes) / 1e6).toFixed(1)} MB`,
  }
}

async function isCompared(client: pg.Client): Promise<boolean> {
  const { rows: done } = await client.query<{ done: boolean }>(
    'select place = last as done from alert_matcher, change_clock',
  )
  return done[0].done
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
