import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { expireHolds } from '../../src/gems/holds/end-holds.ts'
import { type OfferMarket, openOfferMarket } from '../offers/offer-support.ts'

let market: OfferMarket

const ADDRESS = {
  name: 'Store',
  address_1: '1 Facet Street',
  city: 'New York',
  postal_code: '10036',
  country_code: 'US',
}

beforeAll(async () => {
  market = await openOfferMarket()
  await market.post('/api/v3/merchant_addresses', market.german.key, ADDRESS)
})
afterAll(() => market.close())

let lists = 0
/** A supplier with two stones, of which the first had a hold that has just ended. */
async function ended() {
  const supplier = `Supplier ${++lists}`
  const kept = { stock: 'kept', perCarat: 2000 }
  await market.list(supplier, [{ stock: 'held', perCarat: 1000 }, kept])
  const sku = await market.skuOf(supplier, 'held')
  const { body } = await market.hold(market.us.key, sku, 1e-6)
  return { supplier, kept, sku, hold_uuid: body.uuid }
}

const undo = async (uuid: string) => {
  const { status } = await market.post(`/api/operator/imports/${uuid}/undo`, market.adminKey)
  expect(status).toBe(200)
}

async function eventsOf(sku: string): Promise<string[]> {
  const path = '/api/v3/events?after=0&limit=1000'
  const { body } = await market.call('GET', path, { token: market.us.key })
  const events: { event_type: string; event_data: { sku?: string } }[] = body.events
  return events.flatMap(({ event_type, event_data }) => (event_data.sku === sku ? event_type : []))
}

async function importWaits(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and query like '%feed_missing%'`.execute(market.database.db)
  return rows.length > 0
}

const EXPIRED = ['hold.create', 'hold.expire']

describe('the holder of a stone hears that the hold expired', () => {
  it('when another merchant orders the stone at once', async () => {
    const { sku } = await ended()
    expect((await market.order(market.german.key, [sku])).status).toBe(200)
    expect(await eventsOf(sku)).toEqual(EXPIRED)
  })

  it('when another merchant holds the stone at once', async () => {
    const { sku } = await ended()
    expect((await market.hold(market.german.key, sku)).status).toBe(201)
    expect(await eventsOf(sku)).toEqual(EXPIRED)
  })

  it('before it holds the stone again', async () => {
    const { sku, hold_uuid } = await ended()
    const { status, body } = await market.hold(market.us.key, sku)
    expect(status).toBe(201)
    expect(body.uuid).not.toBe(hold_uuid)
    expect(await eventsOf(sku)).toEqual([...EXPIRED, 'hold.create'])
  })

  it('when the operator disables the stone at once', async () => {
    const { sku } = await ended()
    const path = `/api/operator/inventory/gems/${sku}`
    const body = { enabled: false }
    const disabled = await market.call('PATCH', path, { token: market.adminKey, body })
    expect(disabled.status).toBe(200)
    expect(await eventsOf(sku)).toEqual(EXPIRED)
  })

  it('when a file of the supplier without the stone follows at once', async () => {
    const { supplier, sku, kept } = await ended()
    // The import waits for the stone, and is the first to have it.
    const listed = await inTransaction(market.database.db, async (tx) => {
      await sql`select from gem where sku = ${sku} for update`.execute(tx)
      const waiting = market.list(supplier, [kept])
      while (!(await importWaits())) await sleep(5)
      return { waiting }
    })
    await listed.waiting
    const { body } = await market.call('GET', `/api/operator/inventory/gems/${sku}`, {
      token: market.adminKey,
    })
    expect(body.state).toBe('gone')
    expect(await eventsOf(sku)).toEqual(EXPIRED)
  })
  it('when the import that added the stone is undone at once', async () => {
    const supplier = `Supplier ${++lists}`
    const added = await market.list(supplier, [{ stock: 'held', perCarat: 1000 }])
    const sku = await market.skuOf(supplier, 'held')
    await market.hold(market.us.key, sku, 1e-6)
    await undo(added)
    expect(await eventsOf(sku)).toEqual(EXPIRED)
  })

  it('when the import that added the stone is undone, and the operator changed the stone', async () => {
    const supplier = `Supplier ${++lists}`
    const added = await market.list(supplier, [{ stock: 'held', perCarat: 1000 }])
    const sku = await market.skuOf(supplier, 'held')
    const path = `/api/operator/inventory/gems/${sku}`
    await market.call('PATCH', path, { token: market.adminKey, body: { note: 'seen' } })
    await market.hold(market.us.key, sku, 1e-6)
    await undo(added)
    expect(await eventsOf(sku)).toEqual(EXPIRED)
  })

  it('when the import that brought the stone back is undone at once', async () => {
    const { supplier, kept, sku } = await ended()
    await expireHolds(market.database.db)
    await market.list(supplier, [kept])
    const back = await market.list(supplier, [{ stock: 'held', perCarat: 1000 }, kept])
    await market.hold(market.us.key, sku, 1e-6)
    await undo(back)
    expect(await eventsOf(sku)).toEqual([...EXPIRED, ...EXPIRED])
  })
})
