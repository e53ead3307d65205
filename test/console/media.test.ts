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
/** The beginning of an MP4, which is enough to tell what it is. */
const MP4 = Buffer.from('\0\0\0\u0018ftypisom\0\0\0\0isom', 'latin1')
const TIMEOUT_MS = 300_000
let market: ConsoleMarket
let server: Server
let folder: string
let host: string
/** A stone with pictures, and others whose 360 degree view is of another kind each. */
let sku: string
let others: string[]

beforeAll(async () => {
  if (!hasChromium) return
  server = createServer(({ url = '' }, response) => {
    if (url.endsWith('.png')) response.end(PNG)
    else if (url.endsWith('.mp4')) response.end(MP4)
    else if (url === '/viewer') response.setHeader('content-type', 'text/html').end('<p>viewer')
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = mkdtempSync(join(tmpdir(), 'pavilion-media-'))
  market = await openConsoleMarket(300, {
    media: { hosts: ['127.0.0.1'], privateHosts: [host], folder, bytesMax: 1024 ** 2 },
  })
  const { merchantKey } = market.keys
  const search = await market.call(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', {})
  const { gems } = (await search.json()) as { gems: { sku: string }[] }
  ;[sku, ...others] = gems.map((gem) => gem.sku)
  await setMedia(sku, {
    image_top_url: `http://${host}/top.png`,
    video_url: `http://${host}/video`,
    cert_url: `http://${host}/cert.png`,
  })
}, TIMEOUT_MS)

async function setMedia(of: string, media: object): Promise<void> {
  const path = `/api/operator/inventory/gems/${of}`
  const { status } = await market.call(market.keys.adminKey, 'PATCH', path, media)
  expect(status).toBe(200)
}
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
    const outside = page.getByRole('link', { name: 'Open the video', exact: true })
    expect(await outside.getAttribute('href')).toBe(`http://${host}/video`)
    await settled(tab)
    expect(await page.locator('body').innerText()).not.toContain('127.0.0.1')
    expect(tab.problems).toEqual([])
  },
  TIMEOUT_MS,
)

it.skipIf(!hasChromium)(
  'turns frames and videos of suppliers in the page, and opens a page of theirs by a link only',
  async () => {
    const [framed, filmed, paged] = others
    const base = `http://${host}`
    const v360_info = { frame_count: 90, image_ext: 'png' }
    const frames = { v360_json_base_url: `${base}/frames/`, v360_info, ux_url: `${base}/viewer` }
    await setMedia(framed, frames)
    const none = { v360_json_base_url: null, v360_info: null }
    await setMedia(filmed, { ...none, ux_url: `${base}/turn.mp4` })
    await setMedia(paged, { ...none, ux_url: `${base}/viewer` })
    const tab = await market.signIn(market.keys.merchantKey)
    const { page } = tab
    const show = async (of: string) => {
      await visit(tab, `/stones/${of}`)
      await page.getByLabel('360°', { exact: true }).check({ force: true })
    }

    await show(framed)
    const slider = page.getByRole('slider', { name: 'Turn the stone', exact: true })
    await slider.waitFor()
    await settled(tab)
    const picture = page.locator('.turntable img')
    const first = await picture.getAttribute('src')
    await slider.press('ArrowRight')
    await expect.poll(() => picture.getAttribute('src')).not.toBe(first)
    await slider.press('Home')
    await expect.poll(() => picture.getAttribute('src')).toBe(first)
    const { x = 0, y = 0 } = (await picture.boundingBox()) ?? {}
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y)
    await page.mouse.up()
    await expect.poll(() => slider.inputValue()).toBe('5')
    expect(await violationsOn(page)).toEqual([])

    await show(filmed)
    const film = page.locator('.turntable video')
    await expect.poll(() => film.getAttribute('src')).toMatch(/^blob:/)

    await show(paged)
    const link = page.getByRole('link', { name: 'Open the 360° view', exact: true })
    await expect.poll(() => link.getAttribute('href')).toBe(`${base}/viewer`)
    expect(await page.locator('.stone-stage iframe').count()).toBe(0)
    expect(tab.problems).toEqual([])
  },
  TIMEOUT_MS,
)
