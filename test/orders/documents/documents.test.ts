import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addParcel,
  addStone,
  addStones,
  type OrderMarket,
  openOrderMarket,
} from '../order-support.ts'
import { documentsOf, download, pagesOf, step, TRACKING, textOf } from './document-support.ts'

let market: OrderMarket

beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

async function placeStones(count: number, body: object = {}) {
  const skus = await addStones(market.database.db, count)
  const placed = await market.place(skus, { body: { ...body } })
  expect(placed.status, placed.text).toBe(200)
  return { skus, uuid: placed.body.uuid as string, lines: placed.body.line_items }
}

const kindsOf = async (uuid: string) =>
  (await documentsOf(market, uuid, market.buyer.key)).map(({ kind }) => kind)

describe('a packing slip', () => {
  it('is issued for each shipment, without prices', async () => {
    const { uuid, lines, skus } = await placeStones(2)
    await step(market, uuid, 'fulfill', {
      ...TRACKING,
      line_items: [{ uuid: lines[0].uuid, quantity: 1 }],
    })
    await step(market, uuid, 'fulfill', { ...TRACKING, tracking_number: 'FX-2202' })
    const documents = await documentsOf(market, uuid, market.buyer.key)
    const slips = documents.filter(({ kind }) => kind === 'packing_slip')
    expect(slips.map(({ number }) => number)).toEqual([
      expect.stringMatching(/^PS-\d{6}$/),
      expect.stringMatching(/^PS-\d{6}$/),
    ])
    expect(documents.filter(({ kind }) => kind === 'invoice')).toHaveLength(1)
    const texts = await Promise.all(
      slips.map(async ({ url }) => {
        const { bytes } = await download(market, new URL(url).pathname, market.buyer.key)
        return (await textOf(bytes)).join(' ')
      }),
    )
    expect(texts[0]).toContain(skus[0])
    expect(texts[0]).not.toContain(skus[1])
    expect(texts[0]).toContain('FX-2201')
    expect(texts[1]).toContain(skus[1])
    expect(texts[1]).toContain('FX-2202')
    expect(texts[1]).toContain('GIA certificate')
    for (const text of texts) {
      expect(text).not.toContain('1,700')
      expect(text).not.toContain('USD')
    }
  })
})

describe('a memo', () => {
  it('has its document from placement on, with values, due date and terms', async () => {
    const { uuid, skus } = await placeStones(1, { order_type: 'memo' })
    const [memo] = await documentsOf(market, uuid, market.buyer.key)
    expect(memo).toMatchObject({ kind: 'memo', number: expect.stringMatching(/^M-\d{6}$/) })
    const [page] = await pagesOf(market, uuid, 'memo', market.buyer.key)
    for (const text of [
      'Memorandum',
      memo.number,
      skus[0],
      'RETURN BY',
      'Total value USD 1,700.00',
      'for inspection only',
      'Received by',
    ]) {
      expect(page).toContain(text)
    }
  })

  it('is invoiced when it is converted, for what was not returned', async () => {
    const { uuid, lines, skus } = await placeStones(2, { order_type: 'memo' })
    await step(market, uuid, 'fulfill', TRACKING)
    await step(market, uuid, 'return', { line_items: [{ uuid: lines[0].uuid, quantity: 1 }] })
    expect(await kindsOf(uuid)).toEqual(['memo', 'packing_slip'])
    await step(market, uuid, 'convert')
    expect(await kindsOf(uuid)).toEqual(['memo', 'packing_slip', 'invoice'])
    const [page] = await pagesOf(market, uuid, 'invoice', market.buyer.key)
    expect(page).toContain(skus[1])
    expect(page).not.toContain(skus[0])
    expect(page).toContain('Balance due 1,700.00')
  })
})

describe('a credit note', () => {
  it('is issued each time that goods are cancelled after the invoice', async () => {
    const { uuid, lines, skus } = await placeStones(3)
    await step(market, uuid, 'invoice')
    for (const line of lines.slice(0, 2)) {
      await step(market, uuid, 'cancel', {
        line_items: [{ uuid: line.uuid, quantity: 1 }],
        reason: `no longer wanted: ${line.sku}`,
      })
    }
    const documents = await documentsOf(market, uuid, market.buyer.key)
    expect(documents.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note', 'credit_note'])
    const numbers = documents.slice(1).map(({ number }) => Number(number.slice(-6)))
    expect(numbers[1]).toBe(numbers[0] + 1)
    const [page] = await pagesOf(market, uuid, 'credit_note', market.buyer.key)
    expect(page).toContain(skus[1])
    expect(page).not.toContain(skus[2])
    expect(page).toContain(documents[0].number)
    expect(page).toContain(`no longer wanted: ${skus[1]}`)
    expect(page).toContain('Total credit USD 1,700.00')
  })

  it('credits in all what was invoiced, to the cent', async () => {
    const sku = await addParcel(market.database.db, 1000)
    const { body: placed } = await market.place([], {
      body: { line_items: [{ sku, quantity: 333 }] },
    })
    const [line] = placed.line_items
    await step(market, placed.uuid, 'invoice')
    for (const quantity of [111, 111, 111]) {
      await step(market, placed.uuid, 'cancel', { line_items: [{ uuid: line.uuid, quantity }] })
    }
    const notes = await documentsOf(market, placed.uuid, market.buyer.key)
    const credits = []
    for (const { url } of notes.filter(({ kind }) => kind === 'credit_note')) {
      const { bytes } = await download(market, new URL(url).pathname, market.buyer.key)
      const [page] = await textOf(bytes)
      credits.push(Number(/Total credit USD ([\d.,]+)/.exec(page)?.[1].replace(',', '')))
      const rows = /Goods ([\d.]+)(?: Rounding ([−\d.]+))? Total credit USD ([\d.]+)/.exec(page)
      const amount = (text = '0') => Math.round(Number(text.replace('−', '-')) * 100)
      expect(amount(rows?.[1]) + amount(rows?.[2])).toBe(amount(rows?.[3]))
    }
    expect(Math.round(credits.reduce((sum, each) => sum + each, 0) * 100)).toBe(54113)
  })

  it('is issued when returned goods are received', async () => {
    const returnable = { returnable: true, days_to_return: 30 }
    const skus = await addStones(market.database.db, 2, () => returnable)
    const { body: placed } = await market.place(skus)
    await step(market, placed.uuid, 'fulfill', TRACKING)
    const line_items = [{ uuid: placed.line_items[0].uuid, quantity: 1 }]
    const asked = await market.call('POST', `/api/v3/orders/${placed.uuid}/returns`, {
      token: market.buyer.key,
      body: { line_items, reason: 'too small beside the other' },
    })
    expect(asked.status, asked.text).toBe(201)
    for (const verb of ['approve', 'receive']) {
      const path = `/api/operator/returns/${asked.body.uuid}/${verb}`
      const taken = await market.call('POST', path, { token: market.adminKey, body: {} })
      expect(taken.status, taken.text).toBe(200)
    }
    expect(await kindsOf(placed.uuid)).toEqual(['packing_slip', 'invoice', 'credit_note'])
    const [page] = await pagesOf(market, placed.uuid, 'credit_note', market.buyer.key)
    expect(page).toContain(skus[0])
    expect(page).toContain('Total credit USD 1,700.00')
  })

  it('is not needed before the invoice', async () => {
    const { uuid } = await placeStones(1)
    await step(market, uuid, 'cancel')
    expect(await kindsOf(uuid)).toEqual([])
  })
})

describe('the documents of an order', () => {
  it('are 404 for another merchant, and for everybody before they exist', async () => {
    const { uuid } = await placeStones(1)
    const path = `/api/v3/orders/${uuid}/documents/invoice.pdf`
    const early = await market.call('GET', path, { token: market.buyer.key })
    expect(early.status).toBe(404)
    expect(early.body.detail).toContain('has no invoice yet')
    const { documents } = await step(market, uuid, 'invoice')
    const { key } = await market.merchant()
    const paths = [
      path,
      `/api/v3/orders/${uuid}/documents/invoice/${documents[0].number}.pdf`,
      `/api/v3/orders/${uuid}/documents/memo.pdf`,
    ]
    for (const each of paths) {
      const foreign = await market.call('GET', each, { token: key })
      expect(foreign.status).toBe(404)
      expect(foreign.body.detail).toBe(`There is no order ${uuid}.`)
    }
    const wrong = await market.call(
      'GET',
      `/api/v3/orders/${uuid}/documents/invoice/INV-1999-000001.pdf`,
      { token: market.buyer.key },
    )
    expect(wrong.status).toBe(404)
    expect(wrong.body.detail).toContain(`it has ${documents[0].number}`)
  })

  it('refuse an unknown kind with the known ones', async () => {
    const { uuid } = await placeStones(1)
    const path = `/api/v3/orders/${uuid}/documents/receipt.pdf`
    const { status, body } = await market.call('GET', path, { token: market.buyer.key })
    expect(status).toBe(422)
    expect(body.detail).toContain('invoice')
  })

  it('are listed for the operator with addresses of its own, and cannot be changed', async () => {
    const { uuid } = await placeStones(1)
    const { documents } = await step(market, uuid, 'fulfill', TRACKING)
    for (const { url } of documents) {
      expect(url).toContain(`http://pavilion.test/api/operator/orders/${uuid}/documents/`)
      const { status, bytes } = await download(market, new URL(url).pathname, market.adminKey)
      expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    const { db } = market.database
    const change = db.updateTable('document').set({ number: 'X' }).where('order_uuid', '=', uuid)
    await expect(change.execute()).rejects.toThrow('never changed')
    const removal = db.deleteFrom('document').where('order_uuid', '=', uuid)
    await expect(removal.execute()).rejects.toThrow('never changed')
  })

  it('say how the stone was treated and where it was certified', async () => {
    const sku = await addStone(market.database.db, {
      treatment: 'laser drilled',
      lab: null,
      lab_name: 'Local Lab',
      is_fancy: true,
      fancy_color_intensity: 'VIV',
      color: 'YL',
    })
    const { body: placed } = await market.place([sku])
    await step(market, placed.uuid, 'invoice')
    const [page] = await pagesOf(market, placed.uuid, 'invoice', market.buyer.key)
    expect(page).toContain('Treatment laser drilled')
    expect(page).toContain('Color fancy vivid yellow')
    expect(page).toContain('Local Lab 22')
  })
})
