/**
 * How long a visitor of a shop waits for the first stones of the shop window, in Debian's Chromium
 * on a page of another origin, against a warm server in its own process: from the request for the
 * page until the first stones are painted. Every visit has an empty cache. The search that the page
 * makes is printed for comparison.
 *
 *     npx tsx bench/window.ts [stones]      20,000 unless given
 */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { hashToken } from '../src/merchants/token.ts'
import { createToken, findToken } from '../src/merchants/token-store.ts'
import { withDemoBrowser } from './support/demo-browser.ts'
import { timingOf } from './support/measure.ts'

execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))])
const stones = Number(process.argv[2] ?? 20_000)
const VISITS = 30
const WARM_UP = 5

/** Runs in the page: the time since the page was asked for, once the first stones are painted. */
const FIRST_STONES = `new Promise((resolve) => {
  const look = () => {
    const root = document.querySelector('pavilion-search')?.shadowRoot
    if (!root?.querySelector('.cards:not(.waiting) .card')) return requestAnimationFrame(look)
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  }
  look()
})`

await withDemoBrowser(stones, async ({ browser, database, market, merchantKey }) => {
  let key = ''
  const shop = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pageOf(market, key))
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const merchant = (await findToken(database.db, hashToken(merchantKey)))?.merchant
  const publishable = { type: 'publishable', merchant_uuid: merchant?.uuid, origins: [origin] }
  key = (await createToken(database.db, { realm: 'live', ...publishable, type: 'publishable' }))
    .token
  try {
    print('first stones', await visitTimes(browser, origin))
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

async function visitTimes(browser: Browser, origin: string): Promise<number[]> {
  const times: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const page = await browser.newPage({ viewport: { width: 1366, height: 820 } })
    await page.goto(origin, { waitUntil: 'commit' })
    times.push(await page.evaluate<number>(FIRST_STONES))
    await page.close()
  }
  return times.slice(WARM_UP)
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
