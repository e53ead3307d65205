import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChangesFrom } from '../../src/events/change-log.ts'
import { raiseAlerts } from '../../src/saved-searches/alerts/raise-alerts.ts'
import { type OfferMarket, openOfferMarket } from '../offers/offer-support.ts'
import { advance } from '../orders/quotes/quote-support.ts'
import type { TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'
import {
  alertsOf,
  compared,
  endLease,
  raiseDue,
  raiseNow,
  saveAlert,
  toldOf,
} from './alert-support.ts'

/** When alerts are raised, and about which stones. */
let market: OfferMarket
let merchant: TestMerchant

beforeAll(async () => {
  market = await openOfferMarket()
  merchant = market.us
})
afterAll(() => market.close())

let weights = 1

/** A weight that no other test uses, so that tests share one market. */
function newWeight(): number {
  return Number((++weights / 100).toFixed(2)) + 2
}

async function told(uuid: string, by = merchant): Promise<string[]> {
  await compared(market.app, market.second)
  await raiseNow(market)
  return toldOf(market, by, uuid)
}

function stock(weight: number, columns = {}) {
  return stockStones(market, { weight: String(weight), ...columns })
}

function exactly(weight: number) {
  return { weight_min: weight, weight_max: weight }
}

async function reprice(sku: string, wholesale_price_us: number) {
  const { status, text } = await market.call('PATCH', `/api/operator/inventory/gems/${sku}`, {
    token: market.adminKey,
    body: { wholesale_price_us },
  })
  expect(status, text).toBe(200)
}

describe('an alert', () => {
  it('tells of new stones once, and not of what matched when the search was saved', async () => {
    const weight = newWeight()
    const [before] = await stock(weight)
    const uuid = await saveAlert(market, merchant, exactly(weight), { name: 'Rings' })
    const [first] = await stock(weight)
    const [second] = await stock(weight)
    await stock(newWeight())
    expect((await told(uuid)).sort()).toEqual([first.sku, second.sku].sort())
    const [alert] = (await alertsOf(market, merchant)).filter(
      (each) => each.saved_search_uuid === uuid,
    )
    expect(alert).toMatchObject({ name: 'Rings', more: 0 })
    for (const { sku } of [before, first]) await reprice(sku, 1250)
    expect(await told(uuid)).toHaveLength(2)
  })

  it('waits for the end of the minute, or of the day in UTC', async () => {
    const { db } = market.database
    const weight = newWeight()
    const instant = await saveAlert(market, merchant, exactly(weight))
    const daily = await saveAlert(market, merchant, exactly(weight), { alert: 'daily' })
    // A minute begins: its end, at which a node would raise the alert, is far.
    const { rows: now } = await sql<{ seconds: number }>`
      select ceil(60 - extract(second from market_clock()))::int as seconds`.execute(db)
    await advance(market, `${now[0].seconds} seconds`)
    const [{ sku }] = await stock(weight)
    await compared(market.app, market.second)
    const { rows } = await sql<{ search_uuid: string; rest: string; late: boolean }>`
      select search_uuid, to_char(due_on at time zone 'UTC', 'HH24:MI:SS') as rest,
        due_on > market_clock() + interval '1 minute' as late
      from saved_search_stones where due_on is not null`.execute(db)
    const dueOf = (uuid: string) => rows.find(({ search_uuid }) => search_uuid === uuid)
    expect(dueOf(instant)).toMatchObject({ rest: expect.stringMatching(/:00$/), late: false })
    expect(dueOf(daily)?.rest).toBe('00:00:00')
    await advance(market, '1 minute')
    await raiseDue(db)
    expect(await toldOf(market, merchant, instant)).toEqual([sku])
    await advance(market, '1 day')
    await raiseDue(db)
    expect(await toldOf(market, merchant, daily)).toEqual([sku])
    expect(await toldOf(market, merchant, instant)).toEqual([sku])
  })

  it('tells of a stone that becomes cheap enough', async () => {
    const weight = newWeight()
    const [{ sku }] = await stock(weight)
    const search = await market.post('/api/v3/diamonds/merchant_search', merchant.key, {
      filters: { sku: [sku] },
    })
    const [{ retail_price }] = search.body.gems
    const limit = { max_retail_price: retail_price - 0.01 }
    const uuid = await saveAlert(market, merchant, exactly(weight), limit)
    await reprice(sku, 1300)
    expect(await told(uuid)).toEqual([])
    await reprice(sku, 1100)
    expect(await told(uuid)).toEqual([sku])
    await reprice(sku, 1300)
    await reprice(sku, 1100)
    expect(await told(uuid)).toEqual([sku])
  })

  it('tells of a held stone when it is released, or when the hold ends by itself', async () => {
    const weight = newWeight()
    const [released, ended] = [...(await stock(weight)), ...(await stock(weight))]
    const hold = await market.hold(market.german.key, released.sku)
    await market.hold(market.german.key, ended.sku)
    const uuid = await saveAlert(market, merchant, exactly(weight))
    const asked = await saveAlert(market, merchant, { ...exactly(weight), on_hold: true })
    await reprice(released.sku, 1150)
    expect(await told(uuid)).toEqual([])
    const path = `/api/v3/inventory/holds/${hold.body.uuid}`
    await market.call('DELETE', path, { token: market.german.key })
    expect(await told(uuid)).toEqual([released.sku])
    await advance(market, '11 minutes')
    await market.second.services.clock.measure()
    await reprice(ended.sku, 1150)
    expect(await told(uuid)).toEqual([released.sku, ended.sku])
    expect(await told(asked)).toEqual([])
  })

  it('tells of a stone that comes back from an order', async () => {
    const weight = newWeight()
    const [{ sku }] = await stock(weight)
    const order = await market.order(market.german.key, [sku])
    const uuid = await saveAlert(market, merchant, exactly(weight))
    expect(await told(uuid)).toEqual([])
    const path = `/api/v3/orders/${order.body.uuid}/cancel`
    expect((await market.post(path, market.german.key)).status).toBe(200)
    expect(await told(uuid)).toEqual([sku])
  })

  it("counts the offer that leads in the merchant's price list", async () => {
    const weight = newWeight()
    const same = { weight: String(weight), lab: 'GIA', cert_num: `9${weight}` }
    const searches = [
      { by: market.us, uuid: await saveAlert(market, market.us, exactly(weight)) },
      { by: market.german, uuid: await saveAlert(market, market.german, exactly(weight)) },
    ]
    const [dear, cheap] = await stockStones(
      market,
      { ...same, wholesale_price: 900, wholesale_price_us: 900 },
      { ...same, wholesale_price: 950, wholesale_price_us: 850 },
    )
    expect(await told(searches[0].uuid, market.us)).toEqual([cheap.sku])
    expect(await told(searches[1].uuid, market.german)).toEqual([dear.sku])
  })

  it('finds gemstones, and stones by their certificate', async () => {
    const species = await saveAlert(market, merchant, { species: ['ruby'] }, { kind: 'gemstone' })
    const number = await saveAlert(market, merchant, { cert_num: ['4711'] })
    const [ruby] = await stock(1, { product_type: 'gemstone', species: 'ruby', treatment: 'none' })
    const [diamond] = await stock(newWeight(), { cert_num: '4711' })
    expect(await told(species)).toEqual([ruby.sku])
    expect(await told(number)).toEqual([diamond.sku])
  })
})

describe('a search that is changed', () => {
  const change = (uuid: string, body: Record<string, unknown>) =>
    market.call('PATCH', `/api/v3/saved_searches/${uuid}`, { token: merchant.key, body })

  it('begins again when its filters or its alert change', async () => {
    const [weight, wider] = [newWeight(), newWeight()]
    await stock(wider)
    const uuid = await saveAlert(market, merchant, exactly(weight))
    const [first] = await stock(weight)
    await compared(market.app, market.second)
    await change(uuid, { filters: { weight_min: weight, weight_max: wider } })
    const [second] = await stock(wider)
    expect(await told(uuid)).toEqual([second.sku])
    await change(uuid, { alert: 'off' })
    await stock(weight)
    expect(await told(uuid)).toHaveLength(1)
    await change(uuid, { alert: 'daily' })
    const [third] = await stock(weight)
    expect(await told(uuid)).toEqual([second.sku, third.sku])
    expect(first.sku).not.toBe(third.sku)
  })

  it('keeps what it knows when only its name changes, or nothing does', async () => {
    const weight = newWeight()
    const uuid = await saveAlert(market, merchant, exactly(weight))
    const [{ sku }] = await stock(weight)
    await compared(market.app, market.second)
    await change(uuid, { name: 'Another name' })
    await change(uuid, { filters: exactly(weight), alert: 'instant', max_retail_price: null })
    expect(await told(uuid)).toEqual([sku])
    await reprice(sku, 1010)
    expect(await told(uuid)).toEqual([sku])
  })

  it('raises nothing after it was deleted with alerts that wait', async () => {
    const weight = newWeight()
    const uuid = await saveAlert(market, merchant, exactly(weight))
    await stock(weight)
    await compared(market.app, market.second)
    const path = `/api/v3/saved_searches/${uuid}`
    expect((await market.call('DELETE', path, { token: merchant.key })).status).toBe(204)
    expect(await told(uuid)).toEqual([])
  })
})

describe('prices of a merchant that change', () => {
  it('raise no alert by themselves, and count for every later change of a stone', async () => {
    const weight = newWeight()
    const buyer = await market.merchant()
    const [{ sku }] = await stock(weight)
    const limit = { max_retail_price: 1201 }
    const uuid = await saveAlert(market, buyer, exactly(weight), limit)
    await compared(market.app, market.second)
    const tiers = [{ min: 0, max: 100, mined_percent: 0, lab_percent: 0 }]
    const { status, text } = await market.call('PUT', '/api/v3/profit_margins', {
      token: buyer.key,
      body: { mode: 'weight', product_type: 'diamond', tiers },
    })
    expect(status, text).toBe(200)
    expect(await told(uuid, buyer)).toEqual([])
    await reprice(sku, 1199)
    expect(await told(uuid, buyer)).toEqual([sku])
  })
})

describe('a failure', () => {
  /** Every insert into the table fails until the returned function is called. */
  async function breakInserts(table: string): Promise<() => Promise<void>> {
    const { db } = market.database
    await sql`create or replace function refuse_insert() returns trigger language plpgsql
      as $$ begin raise exception 'the test refuses it'; end $$`.execute(db)
    await sql`create trigger refuse_insert before insert on ${sql.table(table)}
      for each row execute function refuse_insert()`.execute(db)
    return async () => {
      await sql`drop trigger refuse_insert on ${sql.table(table)}`.execute(db)
    }
  }

  it('while matches are recorded loses and repeats nothing, also on another node', async () => {
    const weight = newWeight()
    const uuid = await saveAlert(market, merchant, exactly(weight))
    await compared(market.app, market.second)
    const repair = await breakInserts('saved_search_stones')
    const [{ sku }] = await stock(weight)
    await expect(compared(market.app, market.second)).rejects.toThrow('the test refuses it')
    await repair()
    await endLease(market)
    await compared(market.second, market.app)
    expect(await told(uuid)).toEqual([sku])
    await reprice(sku, 1222)
    expect(await told(uuid)).toEqual([sku])
  })

  it('while alerts are raised loses and repeats nothing', async () => {
    const weight = newWeight()
    const uuid = await saveAlert(market, merchant, exactly(weight))
    const [{ sku }] = await stock(weight)
    await compared(market.app, market.second)
    const repair = await breakInserts('event')
    await expect(raiseNow(market)).rejects.toThrow('the test refuses it')
    await repair()
    await Promise.all([raiseAlerts(market.database.db), raiseAlerts(market.database.db)])
    expect(await told(uuid)).toEqual([sku])
  })
})

describe('very many stones', () => {
  it('are told in several events, also after the log was cleared and by another node', async () => {
    const { db } = market.database
    const weight = newWeight()
    const uuid = await saveAlert(market, merchant, exactly(weight))
    const [{ id }] = await stock(weight)
    expect(await told(uuid)).toHaveLength(1)
    await endLease(market)
    await inTransaction(db, async (tx) => {
      await sql`insert into gem (sku, supplier_id, vendor_sku, product_type, type, shape, cut_code,
          weight, color, clarity, cost, wholesale_price, wholesale_price_us)
        select 'MANY-' || n, supplier_id, 'MANY-' || n, product_type, type, shape, cut_code,
          weight, color, clarity, cost, wholesale_price, wholesale_price_us
        from gem, generate_series(1, 2100) as n where id = ${id}`.execute(tx)
      await logChangesFrom(
        tx,
        sql`select id as gem_id, sku, 'new' as kind from gem where sku like 'MANY-%'`,
      )
      await sql`delete from change where sequence <= (select last - 100 from change_clock)`.execute(
        tx,
      )
    })
    expect(new Set(await told(uuid)).size).toBe(2101)
    const sizes = (await alertsOf(market, merchant))
      .filter((each) => each.saved_search_uuid === uuid)
      .map(({ skus }) => skus.length)
    expect(sizes).toEqual([1, 1000, 1000, 100])
  })
})
