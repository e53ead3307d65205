import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createDemoMarket } from '../../src/demo/market.ts'
import type { DemoKeys } from '../../src/demo/merchants.ts'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { cloneDatabase } from './database.ts'

const CHROMIUM = '/usr/bin/chromium'
/** Browser tests need Debian's chromium; without it they are skipped, and say so. */
export const hasChromium = existsSync(CHROMIUM)
if (!hasChromium) process.stderr.write(`${CHROMIUM} is not there: browser tests are skipped.\n`)

// biome-ignore format: a list of flags
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
]
const WAIT_MS = 30_000

export interface Look {
  colorScheme: 'light' | 'dark'
  width: number
}
export const WIDE: Look = { colorScheme: 'light', width: 1366 }
export const NARROW: Look = { colorScheme: 'dark', width: 360 }

/** A demo market that is served, and a browser to look at it. */
export interface ConsoleMarket {
  address: string
  app: App
  database: Database
  keys: DemoKeys
  /** A tab of its own, signed in with the key. Its troubles are collected. */
  signIn(key: string, look?: Look): Promise<Tab>
  open(look?: Look): Promise<Tab>
  /** Calls the interface as a program would. */
  call(key: string, method: string, path: string, body?: unknown): Promise<Response>
  close(): Promise<void>
}

export interface Tab {
  page: Page
  context: BrowserContext
  /** Script errors, refused policies and requests to other hosts; must stay empty. */
  troubles: string[]
}

export async function openConsoleMarket(stones = 1_500): Promise<ConsoleMarket> {
  const clone = await cloneDatabase()
  const database = openDatabase({ url: clone.url })
  const wish = { realm: 'live' as const, stones, seed: 7, publicUrl: 'http://127.0.0.1' }
  const keys = await createDemoMarket(database, wish)
  if (!keys) throw new Error('the database of the test is not empty')
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl: 'http://127.0.0.1',
    rateLimitPerMinute: 0,
    overloadDelayMs: 60_000,
    log: pino({ level: 'silent' }),
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  while ((await fetch(`${address}/readyz`)).status !== 200) await sleep(100)
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })

  async function open({ colorScheme, width }: Look = WIDE): Promise<Tab> {
    const viewport = { width, height: 820 }
    const context = await browser.newContext({ colorScheme, viewport, locale: 'en-US' })
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    const troubles = watch(page, address)
    await page.goto(address)
    return { page, context, troubles }
  }

  return {
    address,
    app,
    database,
    keys,
    open,
    async signIn(key, look) {
      const tab = await open(look)
      await tab.page.getByLabel('Your key').fill(key)
      await tab.page.getByRole('button', { name: 'Sign in' }).click()
      await tab.page.getByRole('banner').waitFor()
      return tab
    },
    call: (key, method, path, body) =>
      fetch(address + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async close() {
      await browser.close()
      await app.close()
      await database.close()
      await clone.drop()
    },
  }
}

function watch(page: Page, address: string): string[] {
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // A refusal of the interface is an answer; the browser calls every 4xx an error.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) troubles.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(data|blob|about):/.test(url)) troubles.push(`host: ${url}`)
  })
  return troubles
}

/** Goes to a page of the console as a link would, and waits until it has loaded. */
export async function visit({ page }: Tab, path: string): Promise<void> {
  const step = `history.pushState(null, '', ${JSON.stringify(path)})`
  await page.evaluate(`${step}; dispatchEvent(new PopStateEvent('popstate'))`)
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.getByLabel('Loading').count(), { timeout: WAIT_MS }).toBe(0)
}
