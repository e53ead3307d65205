/**
 * How long a person waits for a new list after a click in the console's search, in Debian's
 * Chromium against a server in its own process. The same searches over HTTP alone are printed
 * for comparison.
 *
 *     npx tsx bench/console.ts [stones]      200,000 unless given
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { withDemoBrowser } from './support/demo-browser.ts'
import { timingOf } from './support/measure.ts'

execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))])
const stones = Number(process.argv[2] ?? 200_000)
const CLICKS = 60
const LABELS = ['Oval', 'Pear', 'Emerald', 'Cushion', 'Princess']

/** Runs in the page: clicks, and waits until the count has changed and the list is painted. */
const CLICK = `(label) => new Promise((resolve) => {
  const count = document.querySelector('.results-count')
  const before = count.textContent
  const labelled = [...document.querySelectorAll('label')]
    .find((each) => each.textContent.trim().startsWith(label))
  const input = document.querySelector('input[aria-label="' + label + '"]')
    ?? labelled.querySelector('input')
  const started = performance.now()
  const observer = new MutationObserver(() => {
    if (document.querySelector('.results-count').textContent === before) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  input.click()
})`

await withDemoBrowser(stones, async ({ browser, market, merchantKey }) => {
  const page = await browser.newPage({ viewport: { width: 1366, height: 820 } })
  await page.goto(market)
  await page.getByLabel('Your key', { exact: true }).fill(merchantKey)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('.results-count').first().waitFor()
  await page.waitForTimeout(5_000)
  const times: number[] = []
  for (let click = 0; click < CLICKS; click++) {
    times.push(
      await page.evaluate<number>(`(${CLICK})(${JSON.stringify(LABELS[click % LABELS.length])})`),
    )
    // Counts and histograms of this click finish before the next one.
    await page.waitForTimeout(700)
  }
  print('click to list', timingOf(times.slice(5)))
  print('search alone', timingOf(await searchTimes(market, merchantKey)))
})

async function searchTimes(address: string, key: string): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < CLICKS; run++) {
    const shape = LABELS.slice(0, 1 + (run % LABELS.length)).map((label) => label.toLowerCase())
    const body = { filters: { shape }, limit: 30, include: ['relaxations'] }
    const started = performance.now()
    const response = await fetch(`${address}/api/v2/diamonds/merchant_search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.json()
    if (run >= 10) times.push(performance.now() - started)
  }
  return times
}

function print(name: string, { p50, p99 }: { p50: number; p99: number }): void {
  console.log(`${name.padEnd(14)} p50 ${p50.toFixed(0).padStart(4)} ms  p99 ${p99.toFixed(0)} ms`)
}
