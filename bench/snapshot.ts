import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { fillDemoMarket } from '../src/demo/market.ts'
import { buildApp } from '../src/http/app.ts'
import { NO_OVERLOAD_LIMITS } from '../src/http/overload/limits.ts'
import { withBenchDatabase } from './support/database.ts'
import { benchSecrets } from './support/secrets.ts'

/**
 * How long a snapshot of a whole market takes over HTTP, compared with a bare COPY of the same
 * rows, and how much memory it needs.
 *
 *     npx tsx bench/snapshot.ts [stones]     1,000,000 unless given
 */
const stones = Number(process.argv[2] ?? 1_000_000)
const publicUrl = 'http://bench.test'

const READER = `
const { get } = require('node:http')
const { createGunzip } = require('node:zlib')
const { PORT, KEY, ENCODING } = process.env
const headers = { authorization: 'Bearer ' + KEY, 'accept-encoding': ENCODING }
get({ port: PORT, path: '/api/v3/inventory/snapshot', headers }, (response) => {
  let bytes = 0
  let end = Buffer.alloc(0)
  response.on('data', (chunk) => { bytes += chunk.length })
  const text = ENCODING === 'gzip' ? response.pipe(createGunzip()) : response
  text.on('data', (chunk) => { end = Buffer.concat([end, chunk]).subarray(-200) })
  text.on('end', () => {
    console.log(JSON.stringify({ bytes, last: end.toString().trim().split('\\n').at(-1) }))
  })
})`

await withBenchDatabase(async (url) => {
  const database = openDatabase({ url })
  const options = { realm: 'live', stones, seed: 1, publicUrl } as const
  const { keys, seconds } = await fillDemoMarket(database, options)
  console.log(`${stones} stones generated in ${seconds.toFixed(0)} s`)
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl,
    secrets: benchSecrets,
    rateLimitPerMinute: 0,
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'silent' }),
  })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as { port: number }
  // The index loads first, because loading it takes half of the machine.
  while ((await app.inject('/readyz')).statusCode !== 200) await sleep(200)
  const bare = await timed('bare COPY', () => bareCopy(url))
  // Twice: after its start a server still renders stones.
  for (const encoding of ['identity', 'gzip', 'identity', 'gzip']) {
    const take = () => snapshot(port, keys?.merchantKey ?? '', encoding)
    const took = await timed(`snapshot, ${encoding}`, take)
    console.log(`  ${(took / bare).toFixed(1)} x the bare COPY`)
  }
  await app.close()
  await database.close()
})

async function timed(name: string, work: () => Promise<string>): Promise<number> {
  global.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(watch)
  const grown = ((peak - before) / 2 ** 20).toFixed(0)
  const processor = ((user + system) / 1e6).toFixed(1)
  console.log(
    `${name}: ${seconds.toFixed(1)} s (processor ${processor} s), +${grown} MiB, ${result}`,
  )
  return seconds
}

async function bareCopy(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let bytes = 0
  const query = `copy (select * from gem where product_type = 'diamond') to stdout`
  for await (const chunk of client.query(copyTo(query))) bytes += (chunk as Buffer).length
  await client.end()
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}

/** Reads the snapshot in another process, as a merchant's program would. */
async function snapshot(port: number, key: string, encoding: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', READER], {
    env: { PORT: String(port), KEY: key, ENCODING: encoding },
  })
  const { bytes, last } = JSON.parse(stdout) as { bytes: number; last: string }
  return `${(bytes / 2 ** 20).toFixed(0)} MiB, ${JSON.parse(last).count} stones`
}
