import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { tellOfWatched } from '../../src/saved-searches/selections/watch-changes.ts'
import { WATCHED_MAX } from '../../src/saved-searches/selections/watched.ts'
import { makeAllNotices } from '../notices/notice-support.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'
import { leaseOf, NO_LEASE } from '../support/stones.ts'

/** Stones that merchants watch: the list, and what they are told. */
let market: TestMarket
let own: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  own = await market.merchant({ country_code: 'DE' })
})
afterAll(() => market.close())

const PATH = '/api/v3/watched'

async function stone(columns: Parameters<typeof stockStones>[1] = {}) {
  return (await stockStones(market, columns))[0]
}

function watch(skus: string[], token = own.key, headers: Record<string, string> = {}) {
  return market.call('POST', PATH, { token, body: { skus }, headers })
}

async function listed(sku: string, token = own.key) {
  const { body } = await market.call('GET', `${PATH}?sku=${sku}`, { token })
  return body.watched[0]
}

type Kind = Parameters<typeof logChanges>[1][number] extends infer Each
  ? Each extends { kind: infer K }
    ? K
    : never
  : never

/** Changes a stone as a feed or an order does, with its entries in the change log. */
async function change(
  { id, sku }: { id: number; sku: string },
  kinds: Kind | Kind[],
  columns: object,
) {
  const { db, numberChanges } = market.app.services
  await inTransaction(db, async (tx) => {
    await tx.updateTable('gem').set(columns).where('id', '=', id).execute()
    await logChanges(
      tx,
      [kinds].flat().map((kind) => ({ gem_id: id, sku, kind })),
    )
  })
  await numberChanges()
}

/** What a merchant was told since the last call, oldest first. */
async function told({ key }: TestMerchant) {
  await tellAll()
  await makeAllNotices(market.database.db)
  const after = heard.get(key) ?? 0
  const { body } = await market.call('GET', `/api/v3/events?after=${after}`, { token: key })
  heard.set(key, body.events.at(-1)?.sequence ?? after)
  return body.events.flatMap((event: { event_type: string; event_data: { stones: object[] } }) =>
    event.event_type === 'watch.change' ? event.event_data.stones : [],
  )
}
const heard = new Map<string, number>()

/** Tells of all changes; the market's own task may be telling of them at this moment. */
async function tellAll() {
  const { db } = market.database
  const behind = async () => {
    await tellOfWatched(db)
    const { rows } = await sql<{ place: number; last: number }>`
      select place, last from watch_place, change_clock`.execute(db)
    return rows[0].last - rows[0].place
  }
  await expect.poll(behind).toBe(0)
}

const SOLD = { state: 'sold', mover: 'order', quantity: 0, ...NO_LEASE }

describe('POST /api/v3/watched', () => {
  it('keeps the price of the day, also when it is sent again', async () => {
    const marked = await stone({ wholesale_price: 1000 })
    const { status, body } = await watch([marked.sku])
    expect(status).toBe(201)
    const [first] = body.watched
    expect(first).toMatchObject({ sku: marked.sku, status: 'available', back_on: null })
    expect(first.stone).toMatchObject({ shape: 'round', weight: 1.01, color: 'G', clarity: 'VS1' })
    expect(first.price_then).toEqual(first.price_now)
    expect(first.price_then.wholesale_price).toBe(1000)
    await change(marked, 'price', { wholesale_price: 900 })
    const [second] = (await watch([marked.sku])).body.watched
    expect(second.price_then).toEqual(first.price_then)
    expect(second.price_now.wholesale_price).toBe(900)
    expect(second.created_on).toBe(first.created_on)
  })

  it('names stones that are not on sale, and watches none of them', async () => {
    const marked = await stone()
    const { status, body } = await watch([marked.sku, 'NOT-A-SKU'])
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ field: 'skus[1]', message: 'is not a stone that is on sale' }])
    expect(await listed(marked.sku)).toBeUndefined()
  })

  it(`refuses more than ${WATCHED_MAX} stones of a merchant`, async () => {
    const { merchant, key } = await market.merchant()
    await sql`
      insert into watched_stone (merchant_uuid, sku, wholesale_price, told_status, told_price,
        created_by)
      select ${merchant.uuid}::uuid, 'X' || n, 1, 'withdrawn', 1, 'test'
      from generate_series(1, ${WATCHED_MAX}::int) as n`.execute(market.database.db)
    const { sku } = await stone()
    const refused = await watch([sku], key)
    expect([refused.status, refused.body.code]).toEqual([409, 'watch_limit'])
    const gone = await listed('X1', key)
    expect(gone).toMatchObject({ stone: null, status: 'withdrawn', price_now: null })
    await market.call('DELETE', `${PATH}/X1`, { token: key })
    expect((await watch([sku], key)).status).toBe(201)
  })

  it('needs the scope orders:write', async () => {
    const merchant_uuid = own.merchant.uuid
    const reader = await market.token({ merchant_uuid, scopes: ['search'] })
    expect((await watch([(await stone()).sku], reader.token)).body.code).toBe('missing_scope')
    expect((await market.call('GET', PATH, { token: reader.token })).status).toBe(200)
  })
})

describe('GET /api/v3/watched', () => {
  it('pages through the own stones, the last marked first', async () => {
    const { key } = await market.merchant()
    const [first, second] = [await stone(), await stone()]
    await watch([first.sku], key)
    await watch([second.sku], key)
    const { body } = await market.call('GET', `${PATH}?limit=1`, { token: key })
    expect(body).toMatchObject({ total: 2, offset: 0, limit: 1, watched: [{ sku: second.sku }] })
    expect(await listed(first.sku)).toBeUndefined()
  })

  it('says what became of a stone: held, sold, withdrawn', async () => {
    const stones = [await stone(), await stone(), await stone()]
    await watch(stones.map(({ sku }) => sku))
    await change(stones[0], 'hold', { ...leaseOf(own.merchant.uuid, 30), mover: 'hold' })
    await change(stones[1], 'sold', SOLD)
    await change(stones[2], 'gone', { state: 'gone', mover: 'feed', ...NO_LEASE })
    const rows = []
    for (const { sku } of stones) rows.push(await listed(sku))
    expect(rows.map(({ status }) => status)).toEqual(['held', 'sold', 'withdrawn'])
    expect(rows.map(({ price_now }) => price_now !== null)).toEqual([true, false, false])
    for (const { price_then, stone: facts } of rows) {
      expect(price_then.wholesale_price).toBe(1100)
      expect(facts.shape).toBe('round')
    }
  })
})

describe('DELETE /api/v3/watched/{sku}', () => {
  it('ends it, once', async () => {
    const { sku } = await stone()
    await watch([sku])
    const remove = () => market.call('DELETE', `${PATH}/${sku}`, { token: own.key })
    expect((await remove()).status).toBe(204)
    expect(await listed(sku)).toBeUndefined()
    expect((await remove()).status).toBe(404)
  })
})

describe('the event watch.change', () => {
  it('tells of each new price, each end and each return once, to those who watch', async () => {
    const watcher = await market.merchant({ country_code: 'DE' })
    const other = await market.merchant({ country_code: 'DE' })
    const marked = await stone({ wholesale_price: 1000 })
    const { sku } = marked
    await watch([sku], watcher.key)
    expect(await told(watcher)).toEqual([])
    const steps: [Kind, object, string][] = [
      ['price', { wholesale_price: 900 }, 'price_down'],
      ['price', { wholesale_price: 950 }, 'price_up'],
      ['sold', SOLD, 'sold'],
      ['back', { state: 'available', mover: 'order', quantity: 1 }, 'back'],
      ['gone', { state: 'gone', mover: 'feed' }, 'withdrawn'],
    ]
    for (const [kind, columns, happened] of steps) {
      await change(marked, kind, columns)
      expect(await told(watcher), happened).toEqual([{ sku, change: happened }])
      expect(await told(watcher)).toEqual([])
    }
    expect((await listed(sku, watcher.key)).back_on).not.toBeNull()
    expect(await told(other)).toEqual([])
  })

  it('says nothing of holds, nor of the other price list', async () => {
    const watcher = await market.merchant({ country_code: 'DE' })
    const marked = await stone()
    await watch([marked.sku], watcher.key)
    await change(marked, 'hold', { ...leaseOf(own.merchant.uuid, 30), mover: 'hold' })
    await change(marked, 'release', { ...NO_LEASE, mover: 'hold' })
    await change(marked, 'price', { wholesale_price_us: 1300 })
    expect(await told(watcher)).toEqual([])
  })

  it('says nothing of a stone that the merchant bought itself', async () => {
    const watcher = await market.merchant({ country_code: 'DE' })
    const { sku } = await stone()
    await watch([sku], watcher.key)
    const line_items = [{ sku, quantity: 1 }]
    const body = { order_type: 'invoice', external_order_id: 'W-1', line_items }
    const placed = await market.call('POST', '/api/v3/orders/place', { token: watcher.key, body })
    expect(placed.status, placed.text).toBeLessThan(300)
    expect(await told(watcher)).toEqual([])
    expect((await listed(sku, watcher.key)).status).toBe('sold')
  })

  it('follows the stone to another offer of it', async () => {
    const watcher = await market.merchant({ country_code: 'DE' })
    const certificate = { lab: 'GIA', cert_num: '6600000001' } as const
    const marked = await stone({ ...certificate, wholesale_price: 1000 })
    await watch([marked.sku], watcher.key)
    await stone({ ...certificate, wholesale_price: 800 })
    expect(await told(watcher)).toEqual([{ sku: marked.sku, change: 'price_down' }])
    expect((await listed(marked.sku, watcher.key)).price_now.wholesale_price).toBe(800)
  })

  it('becomes a notice that leads to the list', async () => {
    const watcher = await market.merchant({ country_code: 'DE' })
    const marked = await stone()
    await watch([marked.sku], watcher.key)
    await change(marked, 'sold', SOLD)
    await told(watcher)
    const { body } = await market.call('GET', '/api/v3/notices', { token: watcher.key })
    expect(body.notices).toMatchObject([
      { kind: 'watched_stone', subject: `${marked.sku} was sold` },
    ])
  })

  it('misses nothing when the change log was cut off', async () => {
    const watcher = await market.merchant({ country_code: 'DE' })
    const marked = await stone()
    await watch([marked.sku], watcher.key)
    await tellAll()
    // Both are numbered at once, so that the market's own task cannot tell of the first alone.
    await change(marked, ['price', 'price'], { wholesale_price: 980 })
    await sql`delete from change where sequence < (select last from change_clock)`.execute(
      market.database.db,
    )
    expect(await told(watcher)).toEqual([{ sku: marked.sku, change: 'price_down' }])
  })
})
