import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '../../src/lib/uuid.ts'
import { deleteEndedShares, LIVING_SHARES_MAX } from '../../src/saved-searches/selections/shares.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

/** Share links: who makes them, what they refuse, and how they end. */
let market: TestMarket
let own: TestMerchant
let other: TestMerchant
let skus: string[]
let parcel: string

beforeAll(async () => {
  market = await openTestMarket()
  own = await market.merchant({ country_code: 'DE' })
  other = await market.merchant()
  const stones = await stockStones(
    market,
    {},
    {},
    { product_type: 'gemstone', species: 'ruby' },
    {
      product_type: 'melee',
      quantity: 50,
    },
  )
  skus = stones.slice(0, 3).map(({ sku }) => sku)
  parcel = stones[3].sku
})
afterAll(() => market.close())

const PATH = '/api/v3/shares'

function send(body: object, token = own.key, headers: Record<string, string> = {}) {
  return market.call('POST', PATH, { token, body, headers })
}

async function shared(body: object = {}, token = own.key) {
  const response = await send({ skus, ...body }, token)
  expect(response.status, response.text).toBe(201)
  return response.body
}

function list(token = own.key, query = '') {
  return market.call('GET', `${PATH}${query}`, { token })
}

/** The status of the page behind a link. */
async function opened(url: string) {
  const { status } = await market.call('GET', new URL(url).pathname)
  return status
}

/** Days between the creation and the end of a share. */
function lifeOf({ created_on, expires_on }: { created_on: string; expires_on: string }) {
  return Math.round((Date.parse(expires_on) - Date.parse(created_on)) / 86_400_000)
}

async function move(uuid: string, change: { expires_on?: string; revoked_on?: string }) {
  const end = (interval: string) => sql<string>`market_now() - ${interval}::interval`
  const set = Object.fromEntries(Object.entries(change).map(([name, age]) => [name, end(age)]))
  await market.database.db.updateTable('share').set(set).where('uuid', '=', uuid).execute()
}

describe('POST /api/v3/shares', () => {
  it('returns a link that works for two weeks, once', async () => {
    const { url, ...share } = await shared()
    expect(share).toMatchObject({ skus, title: null, note: null, status: 'active' })
    expect(share.created_by).toBe('api_key')
    expect(lifeOf(share)).toBe(14)
    expect(url).toMatch(/^http:\/\/pavilion\.test\/share\/[2-9A-Za-z]{22}$/)
    expect(await opened(url)).toBe(200)
    const listed = await list()
    expect(listed.body.shares[0]).toEqual(share)
    expect(listed.text).not.toContain(url.split('/').at(-1))
  })

  it('stores a hash of the code, and the audit has neither', async () => {
    const { url, uuid } = await shared({ title: 'For Anna', note: 'Both\nare fine.' })
    const code = url.split('/').at(-1)
    const { db } = market.database
    const rows = await sql<{ text: string }>`
      select to_jsonb(share)::text as text from share where uuid = ${uuid}
      union all select to_jsonb(audit_entry)::text from audit_entry where subject_id = ${uuid}
    `.execute(db)
    expect(rows.rows).toHaveLength(2)
    for (const { text } of rows.rows) expect(text).not.toContain(code)
    expect(rows.rows[1].text).toContain('share.create')
    expect(rows.rows[1].text).not.toContain('hash')
  })

  it('keeps to 1 to 90 days and 1 to 20 stones', async () => {
    expect(lifeOf(await shared({ expires_in_days: 90 }))).toBe(90)
    const bodies = [
      { skus, expires_in_days: 0 },
      { skus, expires_in_days: 91 },
      { skus, expires_in_days: 1.5 },
      { skus: [] },
      { skus: Array.from({ length: 21 }, (_, n) => `S${n}`) },
      { skus: [skus[0], skus[0]] },
      { skus, title: 'two\nlines' },
      { skus, title: '' },
    ]
    for (const body of bodies) {
      expect((await send(body)).status, JSON.stringify(body)).toBe(422)
    }
  })

  it('names the stones that the merchant does not see on sale', async () => {
    const { status, body } = await send({ skus: [skus[0], 'NOT-A-SKU', parcel] })
    expect([status, body.code]).toEqual([422, 'invalid_request'])
    const message = 'is not a stone that is on sale'
    expect(body.errors).toEqual([
      { field: 'skus[1]', message },
      { field: 'skus[2]', message },
    ])
  })

  it('makes one share for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newUuid() }
    const first = await send({ skus }, own.key, headers)
    const second = await send({ skus }, own.key, headers)
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  it(`refuses more than ${LIVING_SHARES_MAX} living shares, and counts no ended ones`, async () => {
    const { merchant, key } = await market.merchant()
    const { db } = market.database
    await sql`
      insert into share (uuid, hash, merchant_uuid, skus, created_by, expires_on)
      select gen_random_uuid(), sha256((${merchant.uuid} || n)::bytea), ${merchant.uuid}::uuid,
        ${[skus[0]]}::text[], 'test', market_now() + interval '1 day'
      from generate_series(1, ${LIVING_SHARES_MAX}::int) as n`.execute(db)
    const refused = await send({ skus }, key)
    expect([refused.status, refused.body.code]).toEqual([409, 'share_limit'])
    expect(refused.body).toMatchObject({ limit: LIVING_SHARES_MAX, used: LIVING_SHARES_MAX })
    const [last] = (await list(key, '?limit=1')).body.shares
    await market.call('DELETE', `${PATH}/${last.uuid}`, { token: key })
    await shared({}, key)
  })

  it('needs the scope orders:write, and is not for publishable keys', async () => {
    const merchant_uuid = own.merchant.uuid
    const reader = await market.token({ merchant_uuid, scopes: ['search'] })
    const refused = await send({ skus }, reader.token)
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope'])
    expect((await list(reader.token)).status).toBe(200)
    const origins = ['https://shop.example']
    const shop = await market.token({ merchant_uuid, type: 'publishable', origins })
    const [origin] = origins
    expect((await send({ skus }, shop.token, { origin })).body.code).toBe('forbidden')
  })
})

describe('GET /api/v3/shares', () => {
  it('pages through the own shares, newest first', async () => {
    const { key } = await market.merchant()
    const made = [await shared({ title: 'A' }, key), await shared({ title: 'B' }, key)]
    const { body } = await list(key, '?limit=1&offset=1')
    expect(body).toMatchObject({ total: 2, limit: 1, offset: 1 })
    expect(body.shares.map(({ uuid }: { uuid: string }) => uuid)).toEqual([made[0].uuid])
    expect((await list(other.key)).body.total).toBe(0)
  })

  it('says which links have ended', async () => {
    const { key } = await market.merchant()
    const ended = await shared({}, key)
    await move(ended.uuid, { expires_on: '1 second' })
    const revoked = await shared({}, key)
    await market.call('DELETE', `${PATH}/${revoked.uuid}`, { token: key })
    const { body } = await list(key)
    const statuses = body.shares.map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(['revoked', 'expired'])
    expect(await opened(ended.url)).toBe(404)
    expect(await opened(revoked.url)).toBe(404)
  })
})

describe('DELETE /api/v3/shares/{uuid}', () => {
  it('ends the page at once, and may be repeated', async () => {
    const { uuid, url } = await shared()
    expect(await opened(url)).toBe(200)
    const revoke = () => market.call('DELETE', `${PATH}/${uuid}`, { token: own.key })
    expect((await revoke()).status).toBe(204)
    expect(await opened(url)).toBe(404)
    expect((await revoke()).status).toBe(204)
    const entries = await market.database.db
      .selectFrom('audit_entry')
      .select('action')
      .where('subject_id', '=', uuid)
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['share.create', 'share.revoke'])
  })

  it('does not find the share of another merchant', async () => {
    const { uuid, url } = await shared()
    const { status } = await market.call('DELETE', `${PATH}/${uuid}`, { token: other.key })
    expect(status).toBe(404)
    expect(await opened(url)).toBe(200)
  })
})

describe('the removal of ended shares', () => {
  it('leaves the living ones and those of the last week', async () => {
    const { key } = await market.merchant()
    const living = await shared({}, key)
    const fresh = await shared({}, key)
    const expired = await shared({}, key)
    const revoked = await shared({}, key)
    await move(fresh.uuid, { expires_on: '6 days' })
    await move(expired.uuid, { expires_on: '8 days' })
    await move(revoked.uuid, { revoked_on: '8 days' })
    await deleteEndedShares(market.database.db)
    const { shares } = (await list(key)).body
    const left = shares.map(({ uuid }: { uuid: string }) => uuid)
    expect(left).toEqual([fresh.uuid, living.uuid])
  })
})
