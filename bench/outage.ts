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
  const filled = openDatabase({ url })
  const options = { realm: 'live', stones, seed: 1, publicUrl } as const
  const { keys } = await fillDemoMarket(filled, options)
  await filled.close()
  const database = openDatabase({ url: line.url })
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl,
    secrets: benchSecrets,
    rateLimitPerMinute: 0,
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'silent' }),
  })
  await app.ready()
  while ((await app.inject('/readyz')).statusCode !== 200) await sleep(200)
  const post = poster(app, keys?.merchantKey ?? '')
  const total = (await post('merchant_search', { limit: 1 })).json().metadata.total_count
  await waitUntilStored(app)
  await ask('with the database', post, { total, seed: 0 })
  line.cut()
  await ask('without it', post, { total, seed: 3_571 })
  await app.close()
  await database.close()
  await line.close()
})

type Post = ReturnType<typeof poster>

/** Another seed asks for other pages. */
interface Market {
  total: number
  seed: number
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

async function ask(when: string, post: Post, { total, seed }: Market): Promise<void> {
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
}

function curatedBody(weight: number): object {
  return { weight, shape: 'round', types: ['mined', 'lab grown'] }
}
