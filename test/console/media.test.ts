import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  settled,
  violationsOn,
  visit,
} from '../support/browser.ts'

/** One gray pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)
const TIMEOUT_MS = 300_000
let market: ConsoleMarket
let server: Server
let folder: string
let sku: string

beforeAll(async () => {
  if (!hasChromium) return
  server = createServer(({ url = '' }, response) => {
    if (url.endsWith('.png')) response.end(PNG)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = mkdtempSync(join(tmpdir(), 'pavilion-media-'))
  market = await openConsoleMarket(300, {
    media: { hosts: ['127.0.0.1'], privateHosts: [host], folder, bytesMax: 1024 ** 2 },
  })
  const { merchantKey, adminKey } = market.keys
  const search = await market.call(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', {})
  ;[{ sku }] = ((await search.json()) as { gems: { sku: string }[] }).gems
  const { status } = await market.call(adminKey, 'PATCH', `/api/operator/inventory/gems/${sku}`, {
    image_top_url: `http://${host}/top.png`,
    video_url: `http://${host}/video`,
    cert_url: `http://${host}/cert.png`,
  })
  expect(status).toBe(200)
}, TIMEOUT_MS)
afterAll(async () => {
  await market?.close()
  server?.closeAllConnections()
  server?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

it.skipIf(!hasChromium)(
  'shows the pictures of a supplier in the page, without asking its host from the browser',
  async () => {
    const tab = await market.signIn(market.keys.merchantKey)
    const { page } = tab
    await visit(tab, `/stones/${sku}`)
    const picture = page.locator('.stone-stage img')
    await expect.poll(() => picture.getAttribute('src')).toMatch(/^blob:/)
    await expect
      .poll(() => page.evaluate("document.querySelector('.stone-stage img').naturalWidth"))
      .toBe(1)
    await page.getByRole('button', { name: 'Enlarge', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByLabel('Certificate', { exact: true }).check({ force: true })
    await expect.poll(() => picture.getAttribute('alt')).toContain('Certificate')
    // What cannot be fetched is drawn.
    await page.getByLabel('Video', { exact: true }).check({ force: true })
    await page.locator('.stone-stage .stone-drawing').waitFor()
    await settled(tab)
    expect(await page.locator('body').innerText()).not.toContain('127.0.0.1')
    expect(tab.problems).toEqual([])
  },
  TIMEOUT_MS,
)
