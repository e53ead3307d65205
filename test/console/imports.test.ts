import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  type Tab,
  visit,
} from '../support/browser.ts'
import { untranslatedOn } from './untranslated.ts'

/** Imports of stones and jewelry, and catalogues, in a real browser. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.adminKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

const HEAD = 'Stock #,Shape,Weight,Color,Clarity,Lab,Certificate #,Price Per Carat'
const row = (n: number, price: number) => `I-${n},Round,1.0${n},F,VS1,GIA,21414390${n},${price}`
const feed = (rows: string[]) => Buffer.from([HEAD, ...rows].join('\n'))

async function choose(name: string, buffer: Buffer, { page }: Tab = tab): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer }
  await page.getByLabel('Choose a file', { exact: true }).setInputFiles(file)
}
const button = (name: string) => tab.page.getByRole('button', { name, exact: true })
const inDialog = (name: string) =>
  tab.page.getByRole('dialog').getByRole('button', { name, exact: true })
const importButton = () => tab.page.getByRole('button', { name: 'Import', exact: true })

describe.skipIf(!hasChromium)('imports in the console', { timeout: TIMEOUT_MS }, () => {
  it('say why rows were rejected, and save them and the mapping as files', async () => {
    const { page } = tab
    await visit(tab, '/operator/imports')
    const rows = [1, 2, 3, 4, 5].map((n) => row(n, 6000 + n))
    await choose('first.csv', feed([...rows, 'I-9,Blob,1.00,D,IF,GIA,2141439099,9000']))
    await page.getByLabel('Supplier (a new name creates one)', { exact: true }).fill('Brake Gems')
    await button('Check file').click()
    await page.getByRole('cell', { name: 'The shape is not known', exact: true }).waitFor()
    const rejected = page.waitForEvent('download')
    await button('Save rejected rows as CSV').click()
    expect((await rejected).suggestedFilename()).toBe('rejected.csv')
    const mapping = page.waitForEvent('download')
    await button('Save the mapping as a file').click()
    expect((await mapping).suggestedFilename()).toBe('first.csv.mapping.json')
    await importButton().click()
    await page.getByRole('link', { name: 'first.csv', exact: true }).waitFor()
  })

  it('let a column be corrected that was not recognized', async () => {
    const { page } = tab
    await visit(tab, '/operator/imports')
    const text = [1, 2, 3].map((n) => row(n, 7000 + n)).join('\n')
    await choose('odd.csv', Buffer.from(`${HEAD.replace('Price Per Carat', 'Qqq')}\n${text}`))
    await page.getByLabel('Supplier (a new name creates one)', { exact: true }).fill('Odd Gems')
    await button('Check file').click()
    await page.getByText(/^No column was recognized as price; name it in the table of/).waitFor()
    await page.getByLabel('Field for Qqq', { exact: true }).selectOption('price_per_carat')
    await button('Check file').click()
    await importButton().waitFor()
    await choose('odd.csv', Buffer.from(HEAD))
  })

  it('stop before most of the stock is removed, until the operator decides', async () => {
    const { page } = tab
    await visit(tab, '/operator/imports')
    await choose('short.csv', feed([row(1, 6001)]))
    await page.getByLabel('Supplier (a new name creates one)', { exact: true }).fill('Brake Gems')
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('replace')
    await button('Check file').click()
    await page.getByText(/^Nothing was changed\. Decide it/).waitFor()
    await page
      .getByLabel('Refuse if more than this % would be removed', { exact: true })
      .fill('100')
    await button('Check file').click()
    await page.getByText('Column mapping', { exact: true }).waitFor()
    // What was not checked is not imported.
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('update')
    await page.getByText('What you chose has changed since the check', { exact: false }).waitFor()
    expect(await importButton().isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('replace')
    await importButton().click()
    await page.getByText('0 new, 0 changed, 4 removed.', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Supplier', exact: true }).selectOption('Brake Gems')
    await page.getByText('2 imports', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'short.csv', exact: true }).click()
    await button('Undo import').click()
    await inDialog('Undo').click()
    await page.getByText('undone', { exact: true }).waitFor()
  })

  it('of jewelry are checked, imported into a catalogue and undone', async () => {
    const { page } = tab
    await visit(tab, '/operator/catalogues')
    await page.getByLabel('Name of a new catalogue', { exact: true }).fill('Console bridal')
    await button('Create catalogue').click()
    await page.getByRole('heading', { name: 'Console bridal', exact: true }).waitFor()
    await visit(tab, '/operator/imports/jewelry')
    const head = 'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price,Shelf'
    const lines = [head, 'R-1,Ring,Zephyr solitaire,1200,A', 'R-2,Ring,Zephyr band,ask,B']
    await choose('rings.csv', Buffer.from(lines.join('\n')))
    await page.getByLabel('Supplier (a new name creates one)', { exact: true }).fill('Ring House')
    await page
      .getByRole('combobox', { name: 'Catalogue of new products', exact: true })
      .selectOption('Console bridal')
    await button('Check file').click()
    await page.getByText('The price is not a number above zero', { exact: true }).waitFor()
    expect(await page.getByLabel('Field for Shelf', { exact: true }).inputValue()).toBe('')
    await importButton().click()
    await page.getByText('1 new, 0 changed, 0 removed.', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'rings.csv', exact: true }).click()
    await button('Undo import').click()
    await inDialog('Undo').click()
    await page.getByText('undone', { exact: true }).waitFor()
  })

  it('of jewelry fill catalogues, which are published and shared', async () => {
    const { page } = tab
    await visit(tab, '/operator/catalogues')
    await page.getByRole('link', { name: 'Console bridal', exact: true }).click()
    await page.getByLabel('Words of the products, or a SKU', { exact: true }).fill('ring')
    await button('Find').click()
    await page.getByText(/^Found: \d+ products$/).waitFor()
    await button('Add them').click()
    await inDialog('Add').click()
    await expect
      .poll(async () => (await page.locator('.page-head').innerText()).includes('0 products'))
      .toBe(false)
    const shares = page.getByRole('region', { name: 'Shared with', exact: true })
    await shares.getByRole('checkbox').first().click()
    await page.getByText('Seen by: 1 merchant', { exact: true }).waitFor()
    await page.getByLabel('Published', { exact: true }).check()
    await page.getByLabel('Meant for every merchant', { exact: true }).check()
    await button('Save').click()
    await page.getByText('Seen by: all merchants', { exact: true }).waitFor()
  })

  it('of 60 columns stay in the window of a phone, in German too', async () => {
    const narrow = await market.signIn(market.keys.adminKey, NARROW)
    const { page } = narrow
    await page.evaluate("localStorage.setItem('pavilion-language', 'de')")
    await page.goto(`${market.address}/operator/imports`)
    await page.getByRole('heading', { name: 'Importe', exact: true }).waitFor()
    const names = Array.from({ length: 52 }, (_, column) => `Extra column ${column}`)
    const lines = [
      [HEAD, ...names].join(),
      ...[row(1, 6000), row(2, 6000), 'I-3,Round,,F,VS1,GIA,2141439098,6000'].map((cells) =>
        [cells, ...names.map(() => 'text')].join(),
      ),
    ]
    const buffer = Buffer.from(lines.join('\n'))
    await page
      .getByLabel('Datei wählen', { exact: true })
      .setInputFiles({ name: 'breit.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Lieferant (ein neuer Name legt ihn an)', { exact: true }).fill('Breit')
    await page.getByRole('button', { name: 'Datei prüfen', exact: true }).click()
    await page.getByText('Das Gewicht fehlt', { exact: true }).waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(NARROW.width)
    expect(await untranslatedOn(page)).toEqual([])
    expect([...tab.problems, ...narrow.problems]).toEqual([])
  })
})
