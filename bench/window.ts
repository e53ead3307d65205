/**
 * How long a visitor of a shop waits for the first stones of the shop window, in Debian's Chromium
 * on a page of another origin, against a warm server in its own process: from the request for the
 * page until the first stones are painted. Every visit has an empty cache. The same page without
 * the window is visited in turn: what it takes is the browser's own, and the rest is the window's,
 * which is printed by its steps. The search that the page makes is printed for comparison.
 *
 *     npx tsx bench/window.ts [stones]      20,000 unless given
 */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { findToken } from '../src/merchants/known-tokens.ts'
import { hashToken } from '../src/merchants/token.ts'
import { createToken } from '../src/merchants/token-store.ts'
import { withDemoBrowser } from './support/demo-browser.ts'
import { timingOf } from './support/measure.ts'

execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))])
const stones = Number(process.argv[2] ?? 20_000)
const VISITS = 30
const WARM_UP = 5

/** Times in a visit, in milliseconds since the page was requested. */
interface Visit {
  script: number
  searchBegan: number
  searched: number
  shown: number
}

/** Runs in the page: the times of a visit, once the first stones are painted. */
const FIRST_STONES = `new Promise((resolve) => {
  const entryOf = (part) =>
    performance.getEntriesByType('resource').find(({ name }) => name.includes(part))
  const painted = () => requestAnimationFrame(() => setTimeout(() => resolve({
    script: entryOf('window.js').responseEnd,
    searchBegan: entryOf('search').startTime,
    searched: entryOf('search').responseEnd,
    shown: performance.now(),
  })))
  const look = () => {
    const root = document.querySelector('pavilion-search')?.shadowRoot
    if (root?.querySelector('.cards:not(.waiting) .card')) return painted()
    // A change of a shadow root is not seen from outside of it.
    setTimeout(look, 1)
  }
  look()
})`

/** The same for a page without the window. */
const PAINTED = `new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
})`

const EMPTY = `<!doctype html><html lang="en"><head><title>Our diamonds</title></head>
  <body><p>Soon</p></body></html>`

await withDemoBrowser(stones, async ({ browser, database, market, merchantKey }) => {
  let key = ''
  const shop = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(url === '/empty' ? EMPTY : pageOf(market, key))
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const merchant = (await findToken(database.db, hashToken(merchantKey)))?.merchant
  const publishable = { type: 'publishable', merchant_uuid: merchant?.uuid, origins: [origin] }
  key = (await createToken(database.db, { realm: 'live', ...publishable, type: 'publishable' }))
    .token
  try {
    const { visits, empty } = await visitTimes(browser, origin)
    const timesOf = (time: (visit: Visit) => number) => visits.map(time)
    print(
      'first stones',
      timesOf(({ shown }) => shown),
    )
    print('  empty page', empty)
    print(
      '  script',
      timesOf(({ script }) => script),
    )
    print(
      '  until search',
      timesOf(({ searchBegan, script }) => searchBegan - script),
    )
    print(
      '  search',
      timesOf(({ searched, searchBegan }) => searched - searchBegan),
    )
    print(
      '  drawing',
      timesOf(({ shown, searched }) => shown - searched),
    )
    print('search alone', await searchTimes(market, origin, key))
  } finally {
    shop.close()
  }
})

function pageOf(market: string, key: string): string {
  return `<!doctype html><html lang="en"><head><title>Our diamonds</title>
    <script type="module" src="${market}/window.js"></script></head>
    <body><pavilion-search key="${key}"></pavilion-search></body></html>`
}

async function visitTimes(browser: Browser, origin: string) {
  const visits: Visit[] = []
  const empty: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    empty.push(await visitOnce<number>(browser, `${origin}/empty`, PAINTED))
    visits.push(await visitOnce<Visit>(browser, origin, FIRST_STONES))
  }
  return { visits: visits.slice(WARM_UP), empty: empty.slice(WARM_UP) }
}

async function visitOnce<T>(browser: Browser, address: string, wait: string): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 1366, height: 820 } })
  await page.goto(address, { waitUntil: 'commit' })
  const found = await page.evaluate<T>(wait)
  await page.close()
  return found
}

/** What the page sends, without a browser. */
async function searchTimes(market: string, origin: string, key: string): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < VISITS; run++) {
    const started = performance.now()
    const response = await fetch(`${market}/api/v3/diamonds/merchant_search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', origin },
      body: JSON.stringify({ limit: 24, sort_col: 'retail_price', sort_order: 'asc' }),
    })
    await response.json()
    times.push(performance.now() - started)
  }
  return times.slice(WARM_UP)
}

function print(name: string, times: number[]): void {
  const { p50, p99 } = timingOf(times)
  process.stdout.write(`${name.padEnd(14)} p50 ${p50.toFixed(0)} ms   p99 ${p99.toFixed(0)} ms\n`)
}
