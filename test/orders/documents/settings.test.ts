import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addStone, type OrderMarket, openOrderMarket } from '../order-support.ts'
import { download, setSettings, step } from './document-support.ts'

let market: OrderMarket

beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const read = () => market.call('GET', '/api/operator/settings', { token: market.adminKey })

describe('the settings of the market', () => {
  it('are all null at first, and are set and cleared by name', async () => {
    const before = await read()
    expect(Object.values(before.body)).toEqual(Array(8).fill(null))
    const { body } = await setSettings(market, {
      'seller.name': ' Demo Gems ',
      'seller.address': '48 Market Street\r\nNew York',
      'document.paper': 'letter',
    })
    expect(body).toMatchObject({
      'seller.name': 'Demo Gems',
      'seller.address': '48 Market Street\nNew York',
      'document.paper': 'letter',
      'seller.bank': null,
    })
    const cleared = await setSettings(market, { 'document.paper': null })
    expect(cleared.body['document.paper']).toBe(null)
    expect(cleared.body['seller.name']).toBe('Demo Gems')
  })

  it('refuse wrong names and values, and then change nothing', async () => {
    const before = (await read()).body
    const wrong: [Record<string, string>, string][] = [
      [{ 'seller.title': 'x' }, 'seller.title'],
      [{ 'seller.name': 'two\nlines' }, 'must be one line'],
      [{ 'seller.name': ' ' }, 'must not be empty'],
      [{ 'seller.name': 'x'.repeat(121) }, '120'],
      [{ 'seller.address': 'a\nb\nc\nd\ne\nf\ng' }, 'more than 6 lines'],
      [{ 'seller.tax_number': 'a\u0007b' }, 'control characters'],
      [{ 'document.paper': 'a5' }, 'letter'],
      [{ 'seller.logo': 'logo.png' }, 'seller.logo'],
      [{ 'seller.logo': dataUrl(Buffer.from('not a picture')) }, 'PNG or JPEG'],
      [{ 'seller.logo': dataUrl(pngOf(2000, 10)) }, '2000 x 10'],
      [{ 'seller.logo': dataUrl(pngOf(40, 20).subarray(0, 60)) }, 'damaged'],
    ]
    for (const [body, part] of wrong) {
      const refused = await setSettings(market, { 'seller.bank': 'Example Bank', ...body })
      expect(refused.status, JSON.stringify(body)).toBe(422)
      expect(refused.body.detail + JSON.stringify(refused.body.errors)).toContain(part)
    }
    expect((await read()).body).toEqual(before)
  })

  it('put the logo on documents that are issued later', async () => {
    const [small, large] = [await invoiceBytes(), await withLogo(invoiceBytes)]
    expect(small.toString('latin1')).not.toContain('/Subtype /Image')
    expect(large.toString('latin1')).toContain('/Subtype /Image')
  })

  it('print on the paper that is set', async () => {
    await setSettings(market, { 'document.paper': 'letter' })
    expect((await invoiceBytes()).toString('latin1')).toContain('/MediaBox [0 0 612 792]')
    await setSettings(market, { 'document.paper': 'a4' })
    expect((await invoiceBytes()).toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]')
  })
})

async function invoiceBytes(): Promise<Buffer> {
  const sku = await addStone(market.database.db)
  const { body: placed } = await market.place([sku])
  await step(market, placed.uuid, 'invoice')
  const path = `/api/v3/orders/${placed.uuid}/documents/invoice.pdf`
  return (await download(market, path, market.buyer.key)).bytes
}

async function withLogo<T>(work: () => Promise<T>): Promise<T> {
  const set = await setSettings(market, { 'seller.logo': dataUrl(pngOf(400, 100)) })
  expect(set.status, set.text).toBe(200)
  expect(set.body['seller.logo']).toBe(dataUrl(pngOf(400, 100)))
  const result = await work()
  await setSettings(market, { 'seller.logo': null })
  return result
}

function dataUrl(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`
}

/** A PNG with an alpha channel. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const row = Buffer.alloc(1 + width * 4, 0x80)
  row[0] = 0
  const pixels = deflateSync(Buffer.concat(Array(height).fill(row)))
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND')])
}

/** The checksum is left at zero: pdfkit does not look at it. */
function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}
