import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { fillDemoMarket } from '../src/demo/market.ts'
import { buildApp } from '../src/http/app.ts'
import { NO_OVERLOAD_LIMITS } from '../src/http/overload/limits.ts'
import type { App } from '../src/http/route.ts'
import { openLine } from '../test/support/line.ts'
import { withBenchDatabase } from './support/database.ts'
import { timingOf } from './support/measure.ts'
import { benchSecrets } from './support/secrets.ts'

/**
 * Searches while the database is away: how many of 300 random pages and of 60 curated searches are
 * answered, before and after PostgreSQL is cut off, how long a page takes, and how long it takes to
 * render all stones, after which every page can be answered. Nobody has asked for a page before.
 * Then the same right after a restart, with the stones that the process before has left in a file
 * and without them.
 *
 *     npx tsx bench/outage.ts [stones]     150,000 unless given: more than memory has space for
 */
const stones = Number(process.argv[2] ?? 150_000)
const publicUrl = 'http://bench.test'
const PAGES = 300
const CURATED = 60
const CARATS = [0.5, 0.7, 0.9, 1, 1.2, 1.5, 1.7, 2, 2.5, 3]

await withBenchDatabase(async (url) => {
  const line = await openLine(url)
  const folder = await mkdtemp(join(tmpdir(), 'bench-outage-'))
  const filled = openDatabase({ url })
  const options = { realm: 'live', stones, seed: 1, publicUrl } as const
  const { keys } = await fillDemoMarket(filled, options)
  await filled.close()
  const key = keys?.merchantKey ?? ''
  try {
    await serve(line.url, key, folder, async (market, app) => {
      await waitUntilStored(app)
      await ask('with the database', market, 0)
      line.cut()
      await ask('without it', market, 3_571)
      line.restore()
      // What is written at the stop has the number of the log.
      while ((await app.inject('/readyz/write')).statusCode !== 200) await sleep(200)
    })
    const kept = await askAfterRestart('without it, right after a restart', folder)
    const none = await askAfterRestart('the same without files', undefined)
    console.log(`pages answered right after a restart: ${kept} with the file, ${none} without`)
  } finally {
    await rm(folder, { recursive: true })
    await line.close()
  }

  async function askAfterRestart(when: string, indexFolder?: string): Promise<string> {
    let share = ''
    await serve(line.url, key, indexFolder, async (market) => {
      line.cut()
      share = await ask(when, market, 5_113)
      line.restore()
    })
    return share
  }
})

interface Market {
  post: ReturnType<typeof poster>
  total: number
}

/** Calls `use` as soon as searches are answered. */
async function serve(
  url: string,
  key: string,
  indexFolder: string | undefined,
  use: (market: Market, app: App) => Promise<void>,
): Promise<void> {
  const database = openDatabase({ url })
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl,
    secrets: benchSecrets,
    rateLimitPerMinute: 0,
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'silent' }),
    ...(indexFolder && { indexFolder }),
  })
  await app.ready()
  const start = performance.now()
  while ((await app.inject('/readyz')).statusCode !== 200) await sleep(50)
  console.log(`ready after ${((performance.now() - start) / 1000).toFixed(1)} s`)
  const post = poster(app, key)
  // The caller is known from here on, and one stone has been shown.
  const total = (await post('merchant_search', { limit: 1 })).json().metadata.total_count
  await use({ post, total }, app)
  await app.close()
  await database.close()
}

function poster(app: App, key: string) {
  return (path: string, payload: object) =>
    app.inject({
      method: 'POST',
      url: `/api/v2/diamonds/${path}`,
      payload,
      headers: { authorization: `Bearer ${key}` },
    })
}

async function waitUntilStored({ services: { diamonds } }: App): Promise<void> {
  const start = performance.now()
  let last = -1
  for (;;) {
    await sleep(2_000)
    const { entries, bytes } = diamonds.stones.storedSize()
    if (entries === last) {
      const seconds = ((performance.now() - start) / 1000).toFixed(0)
      console.log(
        `${entries} stones on disk after ${seconds} s, ${(bytes / 2 ** 20).toFixed(0)} MiB; ` +
          `${diamonds.stones.size().entries} in memory`,
      )
      return
    }
    last = entries
  }
}

/** Returns the share of the pages that were answered. Another seed asks for other pages. */
async function ask(when: string, { post, total }: Market, seed: number): Promise<string> {
  const times: number[] = []
  const statuses = new Map<string, number>()
  const count = (key: string) => statuses.set(key, (statuses.get(key) ?? 0) + 1)
  for (let page = 0; page < PAGES; page++) {
    const offset = (seed + page * 7_919) % Math.max(1, total - 50)
    const start = performance.now()
    const { statusCode } = await post('merchant_search', { limit: 50, offset })
    times.push(performance.now() - start)
    count(`page ${statusCode}`)
  }
  for (let n = 0; n < CURATED; n++) {
    const weight = CARATS[n % CARATS.length]
    const { statusCode } = await post('ai_search', curatedBody(weight))
    count(`curated ${statusCode}`)
  }
  const { p50, p99 } = timingOf(times)
  const found = [...statuses].map(([key, n]) => `${key}: ${n}`).join(', ')
  console.log(`${when}: ${found}; a page p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
  return `${(((statuses.get('page 200') ?? 0) / PAGES) * 100).toFixed(0)} %`
}

function curatedBody(weight: number): object {
  return { weight, shape: 'round', types: ['mined', 'lab grown'] }
}
