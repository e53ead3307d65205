import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addStone } from '../order-support.ts'
import { eventsOf, openQuoteMarket, type QuoteMarket } from './quote-support.ts'

let market: QuoteMarket
beforeAll(async () => {
  market = await openQuoteMarket()
})
afterAll(() => market.close())

const stone = (fields = {}) => addStone(market.database.db, fields)
const MINUTE_MS = 60_000
const HOLDS = '/api/v3/inventory/holds'

interface Hold {
  uuid: string
  sku: string
  expires_on: string
}

async function hold(sku: string, minutes: number): Promise<Hold> {
  const body = { sku, minutes }
  const made = await market.call('POST', HOLDS, { token: market.buyer.key, body })
  expect(made.status, made.text).toBe(201)
  return made.body
}

async function heldNow(sku: string): Promise<Hold | undefined> {
  const { body } = await market.call('GET', `${HOLDS}?limit=1000`, { token: market.buyer.key })
  return body.holds.find((each: Hold) => each.sku === sku)
}

const remove = (uuid: string) =>
  market.call('DELETE', `/api/v3/quotes/${uuid}`, { token: market.buyer.key })

const minutesLeft = ({ expires_on }: { expires_on: string }) =>
  Math.round((Date.parse(expires_on) - Date.now()) / MINUTE_MS)

async function holdEvents(sku: string): Promise<string[]> {
  const events = await eventsOf(market, 'hold.')
  return events.flatMap(({ event_type, event_data }) => (event_data.sku === sku ? event_type : []))
}

describe('a hold that a quote has lengthened', () => {
  it('returns to its own end when the quote is deleted', async () => {
    const sku = await stone()
    const own = await hold(sku, 30)
    const quote = await market.quoted([sku], { body: { hold: true, minutes: 600 } })
    expect(await heldNow(sku)).toMatchObject({ uuid: own.uuid, expires_on: quote.held_until })
    await remove(quote.uuid)
    expect(await heldNow(sku)).toEqual(own)
    expect(await holdEvents(sku)).toEqual(['hold.create', 'hold.create', 'hold.create'])
  })

  it('returns to its own end when the offer is declined', async () => {
    const sku = await stone()
    const own = await hold(sku, 30)
    const { uuid } = await market.quoted([{ sku, offer_price: 1 }], { body: { hold: true } })
    expect((await market.answer(uuid, 'decline')).status).toBe(200)
    expect(await heldNow(sku)).toEqual(own)
  })

  it('returns to the end that the merchant has set after the quote', async () => {
    const sku = await stone()
    const quote = await market.quoted([sku], { body: { hold: true, minutes: 60 } })
    const own = await hold(sku, 120)
    await remove(quote.uuid)
    expect(await heldNow(sku)).toEqual(own)
  })

  it('stays as long as another quote needs it, and then returns', async () => {
    const sku = await stone()
    const own = await hold(sku, 30)
    const first = await market.quoted([sku], { body: { hold: true, minutes: 600 } })
    const second = await market.quoted([sku], { body: { hold: true, minutes: 60 } })
    await remove(first.uuid)
    expect(await heldNow(sku)).toMatchObject({ expires_on: second.held_until })
    await remove(second.uuid)
    expect(await heldNow(sku)).toEqual(own)
  })

  it('ends when its own end has passed', async () => {
    const sku = await stone()
    await hold(sku, 0.001)
    const quote = await market.quoted([sku], { body: { hold: true, minutes: 60 } })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await remove(quote.uuid)
    expect(await heldNow(sku)).toBeUndefined()
    expect((await holdEvents(sku)).at(-1)).toBe('hold.release')
  })
})

describe('a quote with a hold by another offer of the same stone', () => {
  it('does not shorten the hold, which moves to that offer', async () => {
    const certificate = { lab: 'GIA', cert_num: '2141438171' }
    const [sku, other] = [await stone(certificate), await stone(certificate)]
    const own = await hold(sku, 600)
    const quote = await market.quoted([other], { body: { hold: true, minutes: 60 } })
    expect(quote.held_until).toBe(own.expires_on)
    expect(await heldNow(other)).toMatchObject({ uuid: own.uuid, expires_on: own.expires_on })
    expect(await heldNow(sku)).toBeUndefined()
    await remove(quote.uuid)
    expect(await heldNow(other)).toMatchObject({ uuid: own.uuid, expires_on: own.expires_on })
  })
})

describe('an answer with new minutes', () => {
  const offered = async (minutes: number) => {
    const sku = await stone()
    const offer = { sku, offer_price: 1000 }
    const { uuid } = await market.quoted([offer], { body: { hold: true, minutes } })
    return { sku, uuid }
  }

  it('holds the stones until the new end', async () => {
    const { sku, uuid } = await offered(30)
    const line_items = [{ sku, price: 1500 }]
    const { body } = await market.answer(uuid, 'counter', { line_items, minutes: 300 })
    expect(minutesLeft(body)).toBe(300)
    expect(body.held_until).toBe(body.expires_on)
    expect(await heldNow(sku)).toMatchObject({ expires_on: body.expires_on })
    const refused = await market.place([sku], { by: (await market.merchant()).key })
    expect(refused.body.code).toBe('sku_on_hold')
  })

  it('holds them for two days in all at most', async () => {
    const { sku, uuid } = await offered(30)
    const { body } = await market.answer(uuid, 'accept', { minutes: 10_080 })
    expect(minutesLeft(body)).toBe(10_080)
    const held = await heldNow(sku)
    expect(held).toMatchObject({ expires_on: body.held_until })
    expect(Date.parse(body.held_until) - Date.parse(body.created_on)).toBe(2880 * MINUTE_MS)
  })

  it('ends the hold earlier with the quote, but not the one that the merchant has for itself', async () => {
    const { sku, uuid } = await offered(600)
    const { body } = await market.answer(uuid, 'accept', { minutes: 10 })
    expect(await heldNow(sku)).toMatchObject({ expires_on: body.expires_on })
    const second = await offered(600)
    const own = await hold(second.sku, 60)
    await market.answer(second.uuid, 'accept', { minutes: 10 })
    expect(await heldNow(second.sku)).toEqual(own)
  })

  it('is possible when the merchant may not hold the stone for longer', async () => {
    const buyer = await market.merchant()
    const path = `/api/operator/merchants/${buyer.merchant.uuid}`
    const limits = { limits: { max_hold_hours: 1 } }
    await market.call('PATCH', path, { token: market.adminKey, body: limits })
    const offer = { sku: await stone(), offer_price: 1000 }
    const { uuid, held_until } = await market.quoted([offer], {
      by: buyer.key,
      body: { hold: true, minutes: 60 },
    })
    const { status, body } = await market.answer(uuid, 'accept', { minutes: 300 })
    expect([status, body.held_until]).toEqual([200, held_until])
  })

  it('leaves a hold that has ended, which another merchant may have', async () => {
    const { sku, uuid } = await offered(2_900)
    const held = await heldNow(sku)
    await market.call('DELETE', `${HOLDS}/${held?.uuid}`, { token: market.buyer.key })
    const other = await market.merchant()
    const body = { sku, minutes: 10 }
    expect((await market.call('POST', HOLDS, { token: other.key, body })).status).toBe(201)
    expect((await market.answer(uuid, 'accept', { minutes: 30 })).status).toBe(200)
    expect(await heldNow(sku)).toBeUndefined()
  })
})
