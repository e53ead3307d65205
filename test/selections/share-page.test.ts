import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { textOf } from '../orders/documents/document-support.ts'
import { type Line, openLine } from '../support/line.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'
import { leaseOf, NO_LEASE } from '../support/stones.ts'

/** The pages that a merchant's customers open. */
let market: TestMarket
let own: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  const body = { currency_code: 'EUR', rate: 0.5 }
  const token = market.adminKey
  const rated = await market.call('POST', '/api/operator/exchange_rates', { token, body })
  expect(rated.status, rated.text).toBeLessThan(300)
  own = await market.merchant({
    country_code: 'DE',
    currency_code: 'EUR',
    legal_dba: 'Juwelier <Stern> & Söhne',
    url: 'https://stern.example/',
  })
})
afterAll(() => market.close())

/** A trade-only value that appears in no other number of a page. */
const SECRETS = { cost: 7123.4, wholesale_price: 8761.53, wholesale_price_us: 9347.61 }

async function stone(columns: Parameters<typeof stockStones>[1] = {}) {
  const [{ sku }] = await stockStones(market, {
    ...SECRETS,
    list_price: 15_555,
    vendor_sku: `VENDOR-${stones++}`,
    lab: 'GIA',
    cert_num: String(2_200_000_000 + stones),
    cut_grade: 'EX',
    fluorescence: 'Faint',
    length: '6.45',
    width: '6.40',
    depth: '4.01',
    ...columns,
  })
  return sku
}
let stones = 0

async function share(skus: string[], more: object = {}) {
  const body = { skus, ...more }
  const response = await market.call('POST', '/api/v3/shares', { token: own.key, body })
  expect(response.status, response.text).toBe(201)
  return new URL(response.body.url).pathname
}

function open(path: string, language = 'en') {
  return market.call('GET', path, { headers: { 'accept-language': language } })
}

/** What a reader sees, without tags and styles. */
function wordsIn(html: string) {
  const body = html.slice(html.indexOf('<body>'))
  return body
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

async function change(sku: string, columns: object) {
  await market.database.db.updateTable('gem').set(columns).where('sku', '=', sku).execute()
}

describe('the page of a share', () => {
  it("shows the stone at the merchant's retail price, under the merchant's name", async () => {
    const sku = await stone()
    const seen = await market.call('GET', `/api/v3/inventory/gems/${sku}`, { token: own.key })
    const price = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' })
    const { status, text } = await open(await share([sku], { title: 'For Anna' }))
    expect(status).toBe(200)
    const words = wordsIn(text)
    expect(words).toContain('Juwelier &lt;Stern&gt; &amp; Söhne')
    expect(words).toContain('For Anna')
    expect(words).toContain(price.format(seen.body.retail_price))
    expect(words).toContain('Clarity VS1')
    expect(words).toContain('Cut Excellent')
    expect(words).toContain('Measurements 6.45 × 6.4 × 4.01 mm')
    expect(words).toContain(`Number ${sku}`)
    expect(text).toContain('href="https://stern.example/"')
  })

  it('says nothing of the trade: no cost, wholesale price, supplier, margin or discount', async () => {
    const sku = await stone({ original_imported_ext_url: 'https://supplier.example/1' })
    const full = await market.call('GET', `/api/v3/inventory/gems/${sku}`, { token: own.key })
    const { text } = await open(await share([sku]))
    const { wholesale_price, base_wholesale_price, off_rap_percentage } = full.body
    const secrets = [wholesale_price, base_wholesale_price, ...Object.values(SECRETS), 15_555]
    const formats = ['en-US', 'de-DE'].map((each) => new Intl.NumberFormat(each))
    for (const secret of secrets) {
      for (const written of [String(secret), ...formats.map((format) => format.format(secret))]) {
        expect(text).not.toContain(written)
      }
    }
    expect(text).not.toContain(String(Math.abs(off_rap_percentage)))
    const page = text.slice(text.indexOf('<body>'))
    expect(page).not.toMatch(/VENDOR-|Test Stones|supplier|wholesale|margin|discount/i)
  })

  it('shows several stones under the same labels, in the order of the share', async () => {
    const [first, second] = [
      await stone({ color: 'E' }),
      await stone({ color: 'F', cut_grade: null }),
    ]
    const { text } = await open(await share([second, first]))
    expect(wordsIn(text)).toContain('A selection of 2 stones')
    const cards = text
      .split('<article')
      .slice(1)
      .map((card) => wordsIn(`<body><p${card}`))
    expect(cards.map((card) => /Color (\w)/.exec(card)?.[1])).toEqual(['F', 'E'])
    expect(cards[0]).toContain('Cut –')
    expect(cards[1]).toContain('Cut Excellent')
  })

  it('says which stones are reserved, sold or withdrawn, and what only a stone on sale costs', async () => {
    const skus = [await stone(), await stone(), await stone(), await stone()]
    const path = await share(skus)
    await change(skus[1], { ...leaseOf(own.merchant.uuid, 30), mover: 'hold' })
    await change(skus[2], { state: 'sold', mover: 'order', quantity: 0, ...NO_LEASE })
    await change(skus[3], { state: 'gone', mover: 'feed', ...NO_LEASE })
    const { text } = await open(path)
    const cards = text.split('<article').slice(1)
    const states = cards.map((card) => /class="state">([^<]+)/.exec(card)?.[1])
    expect(states).toEqual([undefined, 'Reserved', 'Sold', 'No longer available'])
    expect(cards.map((card) => card.includes('class="price"'))).toEqual([true, true, false, false])
  })

  it('follows a stone to the offer that leads now', async () => {
    const [lab, cert_num] = ['GIA', '5500000001']
    const first = await stone({ lab, cert_num })
    const path = await share([first])
    const second = await stone({ lab, cert_num, wholesale_price: 4000, color: 'D' })
    await change(first, { state: 'gone', mover: 'feed', ...NO_LEASE })
    const { text } = await open(path)
    expect(wordsIn(text)).toContain(`Number ${second}`)
    expect(text).toContain('class="price"')
  })

  it('shows a person a page where a certificate cannot be fetched', async () => {
    const sku = await stone({ cert_url: 'https://nowhere.example/report.pdf' })
    const path = `${await share([sku])}/${sku}/certificate`
    const headers = { accept: 'text/html,*/*', 'accept-language': 'de' }
    const opened = await market.call('GET', path, { headers })
    expect(opened.status).toBe(404)
    expect(opened.headers['content-type']).toContain('text/html')
    expect(wordsIn(opened.text)).toContain('Diese Datei ist nicht verfügbar')
    const loaded = await market.call('GET', path, { headers: { accept: 'image/*' } })
    expect(loaded.body.code).toBe('not_found')
  })

  it('writes what people typed as text', async () => {
    const title = '<script>alert(1)</script>'
    const { text } = await open(await share([await stone()], { title, note: '"><img src=x>\nTwo' }))
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toContain('&lt;img src=x&gt;<br>Two')
    expect(text).not.toMatch(/<script|<img src=x/)
  })

  it('runs no script, loads nothing foreign, is not indexed, stored or referred to', async () => {
    const { headers, text } = await open(await share([await stone()]))
    const policy = headers['content-security-policy']
    expect(policy).toMatch(/^default-src 'none'; img-src 'self'; style-src 'sha256-[\w+/=]+';/)
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-robots-tag']).toBe('noindex, nofollow')
    expect(text).not.toMatch(/<script|<link|@import|url\(/)
    const addresses = [...text.matchAll(/src="([^"]+)"/g)].map(([, address]) => address)
    expect(addresses).not.toHaveLength(0)
    for (const address of addresses) expect(address).toMatch(/^\/share\//)
    // Browsers ask for it by themselves.
    expect((await market.call('GET', '/favicon.ico')).status).toBe(204)
  })

  it('is gone when the merchant may no longer use the market', async () => {
    const { merchant, key } = await market.merchant()
    const body = { skus: [await stone()] }
    const made = await market.call('POST', '/api/v3/shares', { token: key, body })
    const path = new URL(made.body.url).pathname
    expect((await open(path)).status).toBe(200)
    await market.database.db
      .updateTable('merchant')
      .set({ api_enabled: false })
      .where('uuid', '=', merchant.uuid)
      .execute()
    expect((await open(path)).status).toBe(404)
  })
})

describe('a link that does not work', () => {
  it('looks the same whether it expired, was revoked or never existed', async () => {
    const skus = [await stone()]
    const [expired, revoked] = [await share(skus), await share(skus)]
    const { body } = await market.call('GET', '/api/v3/shares?limit=2', { token: own.key })
    const [newest, before] = body.shares
    await market.call('DELETE', `/api/v3/shares/${newest.uuid}`, { token: own.key })
    await market.database.db
      .updateTable('share')
      .set({ expires_on: '2020-01-01 00:00:00+00' })
      .where('uuid', '=', before.uuid)
      .execute()
    const pages = []
    for (const path of [expired, revoked, '/share/2222222222222222222222', '/share/x']) {
      const { status, text, headers } = await open(path)
      const { 'x-request-id': _, ...rest } = headers
      pages.push({ status, text, headers: rest })
    }
    expect(pages[0].status).toBe(404)
    expect(pages[0].text).toContain('Please ask the jeweler who sent it to you for a new one.')
    for (const page of pages) expect(page).toEqual(pages[0])
  })

  it('counts against the address that it comes from', async () => {
    const limited = await openLimited(5)
    try {
      const statuses = []
      for (let n = 0; n < 6; n++) statuses.push((await limited.call('GET', '/share/x')).status)
      expect(statuses).toEqual([404, 404, 404, 404, 404, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('the pictures of a share', () => {
  it('are drawings of the shape where the server has no picture', async () => {
    const sku = await stone({ shape: 'oval', image_top_url: 'https://pictures.example/1.jpg' })
    const path = await share([sku])
    const { text } = await open(path)
    expect(text).not.toContain('pictures.example')
    const picture = await market.call('GET', `${path}/${sku}/top`)
    expect([picture.status, picture.headers.location]).toEqual([302, '/shapes/oval.svg'])
    const missing = await market.call('GET', `${path}/${sku}/certificate`)
    expect(missing.status).toBe(404)
  })

  it('lead to those of this server, and to nothing that is not shared', async () => {
    const link = 'http://pavilion.test/media/demo/top/round.svg'
    const sku = await stone({ image_top_url: link, cert_url: 'http://pavilion.test/media/c.svg' })
    const stranger = await stone({ image_top_url: link })
    const path = await share([sku])
    const top = await market.call('GET', `${path}/${sku}/top`)
    expect([top.status, top.headers.location]).toEqual([302, '/media/demo/top/round.svg'])
    expect((await open(path)).text).toContain(`href="${path}/${sku}/certificate"`)
    for (const wrong of [`${path}/${stranger}/top`, `${path}/${sku}/cost`, `/share/x/${sku}/top`]) {
      expect((await market.call('GET', wrong)).status, wrong).toBe(404)
    }
  })
})

describe('the language of the page', () => {
  it('is the one that the browser prefers, German or English', async () => {
    const path = await share([await stone()])
    const german = await open(path, 'fr;q=0.9, de-AT, en;q=0.5')
    expect(german.headers['content-language']).toBe('de')
    expect(german.text).toContain('<html lang="de">')
    expect(wordsIn(german.text)).toContain('Schliff Exzellent')
    expect(wordsIn(german.text)).toMatch(/[\d.]+,\d\d €/)
    for (const language of ['en-GB, de;q=0.5', 'fr', 'de;q=0', '']) {
      expect((await open(path, language)).headers['content-language'], language).toBe('en')
    }
  })
})

describe('a page that cannot be shown now', () => {
  it('says so in the language of the reader, with 503 and Retry-After, and comes back', async () => {
    let line: Line | undefined
    const reach = async (url: string) => {
      line = await openLine(url)
      return line.url
    }
    const other = await openTestMarket({}, { reach })
    try {
      const { key } = await other.merchant()
      const [{ sku }] = await stockStones(other, {})
      const body = { skus: [sku] }
      const made = await other.call('POST', '/api/v3/shares', { token: key, body })
      const path = new URL(made.body.url).pathname
      line?.cut()
      for (const address of [path, `${path}/stones.pdf`]) {
        for (const [language, words] of [
          ['de', 'Bitte versuchen Sie es in einer Minute noch einmal.'],
          ['en', 'Please try again in a minute.'],
        ]) {
          const headers = { 'accept-language': language }
          const away = await other.call('GET', address, { headers })
          expect(away.status).toBe(503)
          expect(Number(away.headers['retry-after'])).toBeGreaterThan(0)
          expect(away.headers['content-type']).toBe('text/html; charset=utf-8')
          expect(away.headers['content-language']).toBe(language)
          expect(wordsIn(away.text)).toContain(words)
          expect(away.text).not.toContain('<script')
        }
      }
      line?.restore()
      await expect.poll(async () => (await other.call('GET', path)).status).toBe(200)
    } finally {
      line?.restore()
      await other.close()
      await line?.close()
    }
  })

  it('is a page as well when an address opens too many', async () => {
    const limited = await openLimited(1)
    try {
      await limited.call('GET', '/share/x')
      const refused = await limited.call('GET', '/share/x')
      expect(refused.status).toBe(429)
      expect(wordsIn(refused.text)).toContain('Please try again in a minute.')
    } finally {
      await limited.close()
    }
  })
})

/** A market that counts the calls of addresses, and in which all calls are in the same minute. */
async function openLimited(addressLimitPerMinute: number): Promise<TestMarket> {
  const limited = await openTestMarket({ addressLimitPerMinute })
  const { clock } = limited.app.services
  vi.spyOn(clock, 'now').mockReturnValue(clock.now())
  return limited
}

/** The texts of all pages of a PDF, with plain spaces. */
async function wordsOf(path: string, language: string): Promise<string> {
  const { rawPayload } = await market.app.inject({
    url: path,
    headers: { 'accept-language': language },
  })
  return (await textOf(rawPayload)).join(' ').replaceAll(/\s+/g, ' ')
}

describe('the PDF of a share', () => {
  const pdfOf = async (path: string, language = 'en') => {
    const { status, headers, text } = await open(`${path}/stones.pdf`, language)
    expect(status).toBe(200)
    return { headers, text }
  }

  it('is linked from the page, and not stored, indexed or framed by what it is not', async () => {
    const path = await share([await stone()])
    expect((await open(path)).text).toContain(`href="${path}/stones.pdf"`)
    const { headers, text } = await pdfOf(path)
    expect(text.slice(0, 5)).toBe('%PDF-')
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-robots-tag']).toBe('noindex, nofollow')
  })

  it('says what the page says, in the language of the reader', async () => {
    const sku = await stone()
    const path = await share([sku], { title: 'For Anna', note: 'With love' })
    const seen = await market.call('GET', `/api/v3/inventory/gems/${sku}`, { token: own.key })
    const euros = (locale: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
        .format(seen.body.retail_price)
        .replaceAll(/\s/g, ' ')
    const english = await wordsOf(`${path}/stones.pdf`, 'en')
    for (const words of ['Juwelier <Stern> & Söhne', 'For Anna', 'With love', 'Excellent', sku]) {
      expect(english).toContain(words)
    }
    expect(english).toContain(euros('en-US'))
    const german = await wordsOf(`${path}/stones.pdf`, 'de')
    expect(german).toContain('Exzellent')
    expect(german).toContain(euros('de-DE'))
    expect(german).not.toMatch(/VENDOR-|Test Stones/)
  })

  it('has all stones of a share, and no price of one that is sold', async () => {
    const skus = [await stone(), await stone(), await stone(), await stone(), await stone()]
    const path = await share(skus)
    await change(skus[2], { state: 'sold', mover: 'order', quantity: 0, ...NO_LEASE })
    const words = await wordsOf(`${path}/stones.pdf`, 'en')
    for (const sku of skus) expect(words).toContain(sku)
    expect(words.match(/€/g)).toHaveLength(4)
    expect(words).toContain('Sold')
  })

  it('is A4, and Letter for a shop where that is the paper', async () => {
    const boxOf = async (path: string) =>
      /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/
        .exec((await pdfOf(path)).text)
        ?.slice(1)
        .map(Number)
    expect(await boxOf(await share([await stone()]))).toEqual([595.28, 841.89])
    const { key } = await market.merchant({ country_code: 'US' })
    const body = { skus: [await stone()] }
    const made = await market.call('POST', '/api/v3/shares', { token: key, body })
    expect(await boxOf(new URL(made.body.url).pathname)).toEqual([612, 792])
  })

  it('does not exist for a link that does not work', async () => {
    const { status, text } = await open('/share/2222222222222222222222/stones.pdf')
    expect(status).toBe(404)
    expect(text).toContain('Please ask the jeweler who sent it to you for a new one.')
  })
})
