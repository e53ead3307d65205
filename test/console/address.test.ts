import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  settled,
  type Tab,
  visit,
} from '../support/browser.ts'

/** The address follows the list that a click asks for; what comes in between must not lose it. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.merchantKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

/** The field of a value, whose label also has a count. */
const FIELD = `(name) => [...document.querySelectorAll('#filters label')]
  .find((label) => label.textContent.trim().startsWith(name))?.querySelector('input')`
/** Clicks on values as fast as the page draws them, then runs the statement. */
const clickAnd = (names: readonly string[], then: string) =>
  tab.page.evaluate(`(async () => {
    for (const name of ${JSON.stringify(names)}) {
      await new Promise(requestAnimationFrame)
      ;(${FIELD})(name).click()
    }
    ${then}
  })()`)
const isChosen = (name: string) => tab.page.evaluate<boolean>(`(${FIELD})('${name}')?.checked`)
const search = () => new URL(tab.page.url()).search

describe.skipIf(!hasChromium)('the address of a search', { timeout: TIMEOUT_MS }, () => {
  it('has what was clicked before a key that reloads the page', async () => {
    await visit(tab, '/search')
    await settled(tab)
    const loaded = tab.page.waitForEvent('load')
    // In a task of its own: a reload in this one would take the result of the script with it.
    const key = "dispatchEvent(new KeyboardEvent('keydown'))"
    await clickAnd(['Oval'], `${key}; setTimeout(() => location.reload())`)
    await loaded
    await expect.poll(search).toBe('?shape=oval')
    await expect.poll(() => isChosen('Oval'), { timeout: 30_000 }).toBe(true)
  })

  it('has a step for each of two quick clicks', async () => {
    await visit(tab, '/search?color=F')
    await settled(tab)
    await clickAnd(['Oval', 'Mined'], '')
    await expect.poll(search).toMatch(/^(?=.*shape=oval)(?=.*type=mined)/)
    await tab.page.goBack()
    await expect.poll(search).toMatch(/^(?=.*shape=oval)(?!.*type=mined)/)
    await tab.page.goBack()
    await expect.poll(search).toBe('?color=F')
    await expect.poll(() => isChosen('Oval')).toBe(false)
  })

  it('is that of before, when Back follows the click at once', async () => {
    await visit(tab, '/search?type=lab_grown')
    await visit(tab, '/search?type=mined')
    await settled(tab)
    await clickAnd(['Oval'], 'history.back()')
    await expect.poll(() => isChosen('Oval')).toBe(false)
    await settled(tab)
    expect(search()).toBe('?type=mined')
  })

  it('is one step for clicks on one filter that follow each other closely', async () => {
    await visit(tab, '/search?type=mined')
    await settled(tab)
    await clickAnd(['Oval', 'Pear'], '')
    await expect.poll(search).toContain('pear')
    await tab.page.goBack()
    await expect.poll(search).toBe('?type=mined')
  })
})
