import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { expect } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import type { DemoKeys } from '../../src/demo/merchants.ts'
import { type AppDeps, buildApp } from '../../src/http/app.ts'
import { NO_OVERLOAD_LIMITS } from '../../src/http/overload/limits.ts'
import type { App } from '../../src/http/route.ts'
import { CHROMIUM, FLAGS } from './chromium.ts'
import { cloneDemoDatabase } from './demo-market.ts'
import { testSecrets } from './secrets.ts'

/** Browser tests need Debian's Chromium; without it they are skipped with a message. */
export const hasChromium = existsSync(CHROMIUM)
if (!hasChromium) process.stderr.write(`${CHROMIUM} is missing: browser tests are skipped.\n`)

const WAIT_MS = 60_000

export interface Look {
  colorScheme: 'light' | 'dark'
  width: number
  /** What the browser says that its user reads; US English by default. */
  locale?: 'de-DE'
}
/** Of the window. */
export const HEIGHT = 820
export const WIDE: Look = { colorScheme: 'light', width: 1366 }
export const NARROW: Look = { colorScheme: 'dark', width: 360 }
export const GERMAN_NARROW: Look = { ...NARROW, locale: 'de-DE' }

/** A running demo market, and a browser to visit its console. */
export interface ConsoleMarket {
  address: string
  app: App
  database: Database
  keys: DemoKeys
  /** Opens a tab of its own and signs in with the key. */
  signIn(key: string, look?: Look): Promise<Tab>
  /** Opens a tab of its own, not signed in. */
  open(look?: Look): Promise<Tab>
  /** Calls the API as a program would. */
  call(key: string, method: string, path: string, body?: unknown): Promise<Response>
  close(): Promise<void>
}

export interface Tab {
  page: Page
  context: BrowserContext
  /** Script errors, policy violations and requests to other hosts; must stay empty. */
  problems: string[]
  traffic: Traffic
}

/** What a tab has requested. */
interface Traffic {
  /** How many requests there have been. */
  begun: number
  /** Those without a response so far. */
  open: Set<Request>
}

export async function openConsoleMarket(
  stones = 1_500,
  more: Partial<AppDeps> = {},
): Promise<ConsoleMarket> {
  const publicUrl = 'http://127.0.0.1'
  const { clone, keys } = await cloneDemoDatabase({ stones, seed: 7, publicUrl })
  const database = openDatabase({ url: clone.url })
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl,
    secrets: testSecrets(),
    rateLimitPerMinute: 0,
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'silent' }),
    ...more,
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  while ((await fetch(`${address}/readyz`)).status !== 200) await sleep(100)
  const browser = await openBrowser()
  const contexts: BrowserContext[] = []

  async function open(look: Look = WIDE): Promise<Tab> {
    const { colorScheme, width, locale = 'en-US' } = look
    const viewport = { width, height: HEIGHT }
    const context = await browser.newContext({ colorScheme, viewport, locale })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    const problems = watch(page, address)
    const traffic = countRequests(page)
    await page.goto(address)
    return { page, context, problems, traffic }
  }

  return {
    address,
    app,
    database,
    keys,
    open,
    async signIn(key, look) {
      const tab = await open(look)
      await tab.page.getByLabel(/^(Your key|Ihr Schlüssel)$/).fill(key)
      await tab.page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click()
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
      await Promise.all(contexts.map((context) => context.close()))
      await app.close()
      await database.close()
      await clone.drop()
    },
  }
}

let browser: Promise<Browser> | undefined

/**
 * The browser of this process, which its files use one after the other: starting one takes longer
 * than opening a tab. Every tab has a context of its own, which shares nothing with others. It is
 * ended with the process.
 */
async function openBrowser(): Promise<Browser> {
  const known = await browser
  if (known?.isConnected()) return known
  browser = chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  return browser
}

function watch(page: Page, address: string): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // Some tests expect a refusal; the browser logs every 4xx response as an error.
    const isResponse = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isResponse) problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(data|blob|about):/.test(url)) problems.push(`host: ${url}`)
  })
  return problems
}

function countRequests(page: Page): Traffic {
  const traffic: Traffic = { begun: 0, open: new Set() }
  page.on('request', (request) => {
    traffic.begun++
    traffic.open.add(request)
  })
  page.on('requestfinished', (request) => traffic.open.delete(request))
  page.on('requestfailed', (request) => traffic.open.delete(request))
  return traffic
}

/** Goes to a page of the console as a link would, and waits until it is loaded. */
export async function visit(tab: Tab, path: string): Promise<void> {
  const { page } = tab
  // The console writes the address of a list after it has drawn it; a step that came first would
  // seem to be the Back button.
  await drawn(tab)
  const step = `history.pushState(null, '', ${JSON.stringify(path)})`
  await page.evaluate(`${step}; dispatchEvent(new PopStateEvent('popstate'))`)
  await drawn(tab)
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.locator('main .skeleton').count(), { timeout: WAIT_MS }).toBe(0)
}

/** Waits until the page at the address of the browser has taken the place of the one before. */
async function drawn({ page }: Tab): Promise<void> {
  const isDrawn = `(() => {
    const { address } = document.querySelector('main')?.dataset ?? {}
    const query = new URLSearchParams(location.search).toString()
    // Who is not signed in sees the same page at every address.
    return address === undefined || address === location.pathname + (query && '?' + query)
  })()`
  await expect.poll(() => page.evaluate(isDrawn), { timeout: WAIT_MS }).toBe(true)
}

/**
 * Longer than what the console waits before it requests counts and plots. The page's own clock
 * measures it, which on a busy machine is late for both.
 */
const QUIET_MS = 250

/** Waits until the page at the address of the browser is drawn and has requested everything. */
export async function settled(tab: Tab): Promise<void> {
  const { page, traffic } = tab
  let before: number
  do {
    before = traffic.begun
    await drawn(tab)
    await page.evaluate(`new Promise((done) => setTimeout(done, ${QUIET_MS}))`)
    await expect.poll(() => traffic.open.size, { timeout: WAIT_MS }).toBe(0)
  } while (traffic.begun !== before)
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** What axe finds wrong with the page as it is now. */
export async function violationsOn(page: Page): Promise<string[]> {
  // Evaluated instead of added as a script, which the page's own policy would refuse.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  // Only violations are described: describing takes longer than finding them.
  const options = "{ iframes: false, resultTypes: ['violations'] }"
  const run = `axe.run(${options}).then(({ violations }) => violations)`
  const violations = await page.evaluate<Violation[]>(run)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
