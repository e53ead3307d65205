import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { setExchangeRate } from '../../src/pricing/exchange-rates.ts'
import { setMargins } from '../../src/pricing/set-margins.ts'
import { lastNumber } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'
import { insertStone, leaseOf } from '../support/stones.ts'

let market: TestMarket
let shop: TestMerchant
let stranger: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  stranger = await market.merchant({ country_code: 'DE' })
  await stockStones(market, {}, { weight: '2.5', color: 'D' }, { type: 'lab grown' })
})
afterAll(() => market.close())

const SNAPSHOT = '/api/v3/inventory/snapshot'
const CHANGES = '/api/v3/inventory/changes'

interface Snapshot {
  head: { kind: string; sequence: number; currency_code: string }
  gems: Record<string, unknown>[]
  end: { kind: string; count: number }
}

async function snapshot(token = shop.key): Promise<Snapshot> {
  const { status, text, headers } = await market.call('GET', SNAPSHOT, { token })
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('application/x-ndjson')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { head: lines[0], gems: lines.slice(1, -1), end: lines.at(-1) }
}

const changes = (after: number, query = '', token = shop.key) =>
  market.call('GET', `${CHANGES}?after=${after}${query}`, { token })

describe('GET /api/v3/inventory/snapshot', () => {
  it('has a first line, the visible diamonds as search shows them, and a last line', async () => {
    await insertStone(market.database.db, { state: 'disabled' })
    await insertStone(market.database.db, { product_type: 'melee', quantity: 5 })
    await insertStone(market.database.db, { product_type: 'gemstone', species: 'ruby' })
    const { head, gems, end } = await snapshot()
    const sequence = await lastNumber(market.database.db)
    expect(head).toEqual({ kind: 'snapshot', sequence, currency_code: 'USD' })
    expect(end).toEqual({ kind: 'end', count: gems.length })
    const token = shop.key
    const path = '/api/v3/diamonds/merchant_search'
    const found = await market.call('POST', path, { token, body: { limit: 1000 } })
    const byId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
      Number(a.id) - Number(b.id)
    expect(gems.toSorted(byId)).toEqual(found.body.gems.toSorted(byId))
    expect(gems[0].retail_price).not.toBe((await snapshot(stranger.key)).gems[0].retail_price)
  })

  it('preserves texts with tabs, line breaks, backslashes and quotes', async () => {
    const overtone = 'a\tb\nc\\d"e\r\\N é'
    const details = { claim: 'x\\ny "z"' }
    const { sku } = await insertStone(market.database.db, {
      overtone,
      sustainability_details: JSON.stringify(details),
    })
    const { gems } = await snapshot()
    const gem = gems.find((row) => row.sku === sku)
    expect(gem).toMatchObject({ overtone, sustainability_details: details })
    await sql`delete from gem where sku = ${sku}`.execute(market.database.db)
  })

  it('is compressed with gzip on request', async () => {
    const answer = await market.app.inject({
      url: SNAPSHOT,
      headers: { authorization: `Bearer ${shop.key}`, 'accept-encoding': 'br, gzip' },
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
    const lines = gunzipSync(answer.rawPayload).toString().trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1)!)).toEqual({ kind: 'end', count: lines.length - 2 })
  })

  it('is not compressed for a reader that refuses gzip', async () => {
    const answer = await market.app.inject({
      url: SNAPSHOT,
      headers: { authorization: `Bearer ${shop.key}`, 'accept-encoding': 'br, gzip;q=0' },
    })
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect(JSON.parse(answer.body.trimEnd().split('\n').at(-1)!)).toMatchObject({ kind: 'end' })
  })

  it('is refused in plain text, although it would have been compressed', async () => {
    const { key } = await market.merchant({ currency_code: 'NOK' })
    const answer = await market.app.inject({
      url: SNAPSHOT,
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
    })
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'unknown_currency'])
  })

  it('needs the scope inventory and a merchant', async () => {
    const { token } = await market.token({
      merchant_uuid: shop.merchant.uuid,
      scopes: ['search'],
    })
    for (const path of [SNAPSHOT, `${CHANGES}?after=0`]) {
      expect((await market.call('GET', path, { token })).status).toBe(403)
      expect((await market.call('GET', path, { token: market.adminKey })).status).toBe(403)
    }
  })

  it('ends when its reader disconnects, and serves the next one', async () => {
    await market.app.listen({ port: 0 })
    const { port } = market.app.server.address() as { port: number }
    const headers = { authorization: `Bearer ${shop.key}` }
    for (let n = 0; n < 8; n++) {
      const request = get({ port, path: SNAPSHOT, headers, agent: false })
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      expect(answer.statusCode).toBe(200)
      request.destroy()
      await sleep(30)
    }
    expect((await snapshot()).end.kind).toBe('end')
  })
})

describe('GET /api/v3/inventory/changes', () => {
  it('lists what happened, with the stone as it is now', async () => {
    const { db } = market.database
    const after = await lastNumber(db)
    const [stone] = await stockStones(market, { color: 'E' })
    const body = { sku: stone.sku }
    const token = stranger.key
    const { body: hold } = await market.call('POST', '/api/v3/inventory/holds', { token, body })
    const answer = await changes(after)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ next: after + 2, more: false })
    expect(answer.body.changes).toMatchObject([
      { sequence: after + 1, kind: 'new', sku: stone.sku, gem: { color: 'E', on_hold: true } },
      { sequence: after + 2, kind: 'hold', sku: stone.sku, gem: { wholesale_price: 1200 } },
    ])
    await market.call('DELETE', `/api/v3/inventory/holds/${hold.uuid}`, { token })
    await move(stone, 'sold')
    const later = await changes(after + 2)
    const kinds = later.body.changes.map(({ kind, gem }: { kind: string; gem: unknown }) => [
      kind,
      gem,
    ])
    expect(kinds).toEqual([
      ['release', null],
      ['sold', null],
    ])
  })

  it('pages with limit, and says whether there is more', async () => {
    const after = await lastNumber(market.database.db)
    await stockStones(market, {}, {}, {})
    const first = await changes(after, '&limit=2')
    expect(first.body).toMatchObject({ next: after + 2, more: true })
    const second = await changes(first.body.next, '&limit=2')
    expect(second.body).toMatchObject({ next: after + 3, more: false })
    expect((await changes(second.body.next)).body).toEqual({
      changes: [],
      next: after + 3,
      more: false,
    })
  })

  it('leaves out parcels, gemstones and the prices of others', async () => {
    const { db } = market.database
    const after = await lastNumber(db)
    const parcel = await insertStone(db, { product_type: 'melee', quantity: 5 })
    const ruby = await insertStone(db, { product_type: 'gemstone', species: 'ruby' })
    const kind = 'new' as const
    await inTransaction(db, (tx) =>
      logChanges(
        tx,
        [parcel, ruby].map(({ id, sku }) => ({ gem_id: id, sku, kind })),
      ),
    )
    await inTransaction(db, (tx) =>
      setMargins(tx, stranger.merchant.uuid, {
        mode: 'weight',
        product_type: 'diamond',
        tiers: [],
      }),
    )
    expect((await changes(after)).body).toEqual({ changes: [], next: after + 3, more: false })
    expect((await changes(after, '&limit=1')).body.next).toBe(after + 3)
    const own = (await changes(after, '', stranger.key)).body.changes
    expect(own).toMatchObject([{ kind: 'prices', sku: null, gem: null }])
  })

  it('reports new margins and a new exchange rate to the merchant concerned', async () => {
    const { db } = market.database
    const { merchant, key } = await market.merchant({ currency_code: 'GBP' })
    const after = await lastNumber(db)
    await inTransaction(db, (tx) =>
      setMargins(tx, merchant.uuid, { mode: 'weight', product_type: 'diamond', tiers: [] }),
    )
    await inTransaction(db, (tx) => setExchangeRate(tx, 'GBP', '0.8'))
    const { body } = await changes(after, '', key)
    expect(body.changes.map(({ kind }: { kind: string }) => kind)).toEqual(['prices', 'prices'])
  })

  it('refuses a number that the log no longer has with 410, and wrong ones with 422', async () => {
    const last = await lastNumber(market.database.db)
    const future = await changes(last + 1)
    expect(future).toMatchObject({ status: 422, body: { errors: [{ field: 'after' }] } })
    expect(future.body.detail).toContain('snapshot')
    await market.database.db.deleteFrom('change').where('sequence', '<', last).execute()
    const past = await changes(0)
    expect(past).toMatchObject({ status: 410, body: { code: 'changes_expired' } })
    expect(past.body.detail).toContain('snapshot')
    expect(past.body.oldest_sequence).toEqual(expect.any(Number))
    expect(past.body.detail).toContain(String(past.body.oldest_sequence))
    for (const query of ['after=-1', 'after=x', 'after=0&limit=1001', 'after=0&wait=31', '']) {
      const token = shop.key
      expect((await market.call('GET', `${CHANGES}?${query}`, { token })).status).toBe(422)
    }
  })

  it('waits for a change that concerns the caller, until the time is over', async () => {
    const after = await lastNumber(market.database.db)
    const waiting = changes(after, '&wait=20')
    await sleep(100)
    const { db } = market.database
    await inTransaction(db, (tx) =>
      setMargins(tx, stranger.merchant.uuid, {
        mode: 'weight',
        product_type: 'diamond',
        tiers: [],
      }),
    )
    await sleep(100)
    const [stone] = await stockStones(market, {})
    const answer = await waiting
    expect(answer.body.changes).toMatchObject([{ kind: 'new', sku: stone.sku }])
    const nothing = await changes(answer.body.next, '&wait=1')
    expect(nothing.body).toEqual({ changes: [], next: answer.body.next, more: false })
  })

  it('reports the end of a hold', async () => {
    const { db } = market.database
    const [stone] = await stockStones(market, {})
    const after = await lastNumber(db)
    const body = { sku: stone.sku, minutes: 0.002 }
    await market.call('POST', '/api/v3/inventory/holds', { token: stranger.key, body })
    const seen: string[] = []
    for (let next = after; seen.length < 2; ) {
      const answer = await changes(next, '&wait=10')
      next = answer.body.next
      seen.push(...answer.body.changes.map(({ kind }: { kind: string }) => kind))
    }
    expect(seen).toEqual(['hold', 'release'])
  })
})

async function move(stone: { id: number; sku: string }, kind: 'sold' | 'gone' | 'back') {
  const { db } = market.database
  await inTransaction(db, async (tx) => {
    const state = kind === 'back' ? 'available' : kind
    const mover = kind === 'sold' ? 'order' : 'feed'
    const quantity = kind === 'back' ? 1 : 0
    await sql`
      update gem set state = ${state}, quantity = ${quantity}, mover = ${mover},
        hold_uuid = null, hold_merchant_uuid = null, hold_created_on = null, hold_expires_on = null
      where id = ${stone.id}`.execute(tx)
    await logChanges(tx, [{ gem_id: stone.id, sku: stone.sku, kind }])
  })
}

describe('a snapshot and the changes after it', () => {
  const act = fc.constantFrom(
    'new',
    'price',
    'hold',
    'short hold',
    'release',
    'sold',
    'gone',
    'back',
  )

  it('equal a later snapshot, whatever was written in between', async () => {
    const { db } = market.database
    const copy = new Map<string, unknown>()
    const first = await snapshot()
    for (const gem of first.gems) copy.set(String(gem.sku), gem)
    let next = first.head.sequence
    let compared = 0
    const acts = fc.sample(fc.tuple(act, fc.nat()), { numRuns: 120, seed: 5 })
    for (let at = 0; at < acts.length; at += 12) {
      // Several writes at the same time, while the copy is brought up to date.
      const writes = Promise.all(acts.slice(at, at + 12).map(([what, which]) => write(what, which)))
      next = await follow(copy, next)
      await writes
      const later = await snapshot()
      next = await follow(copy, next)
      // The end of a hold may have been logged after the snapshot; then the copy is ahead of it.
      if (next !== later.head.sequence) continue
      compared++
      const wanted = new Map(later.gems.map((gem) => [String(gem.sku), gem]))
      expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(wanted))
    }
    expect(compared).toBeGreaterThan(2)
    expect(await lastNumber(db)).toBeGreaterThan(first.head.sequence + 50)
  })

  /** Applies changes until there are no more. */
  async function follow(copy: Map<string, unknown>, after: number) {
    let next = after
    for (;;) {
      const { body } = await changes(next, '&limit=7')
      for (const { sku, gem } of body.changes) {
        if (gem === null) copy.delete(sku)
        else copy.set(sku, gem)
      }
      next = body.next
      if (!body.more) return next
    }
  }

  async function write(what: string, which: number): Promise<void> {
    const { db } = market.database
    if (what === 'new') {
      await stockStones(market, { color: 'H' })
      return
    }
    const stones = await db.selectFrom('gem').select(['id', 'sku', 'state']).execute()
    const stone = stones[which % stones.length]
    const token = which % 2 === 0 ? shop.key : stranger.key
    if (what === 'price') {
      await inTransaction(db, async (tx) => {
        const price = 1000 + (which % 500)
        await sql`update gem set wholesale_price_us = ${price} where id = ${stone.id}`.execute(tx)
        await logChanges(tx, [{ gem_id: stone.id, sku: stone.sku, kind: 'price' }])
      })
    } else if (what.endsWith('hold')) {
      const body = { sku: stone.sku, minutes: what === 'hold' ? 5 : 0.0005 }
      await market.call('POST', '/api/v3/inventory/holds', { token, body })
    } else if (what === 'release') {
      const { body } = await market.call('GET', '/api/v3/inventory/holds', { token })
      const hold = body.holds[0]
      if (hold) await market.call('DELETE', `/api/v3/inventory/holds/${hold.uuid}`, { token })
    } else {
      await move(stone, what as 'sold').catch(refusedMove)
    }
  }

  /** The life of a stone does not allow every move, which other tests check. */
  function refusedMove(error: unknown): void {
    if ((error as { constraint?: string }).constraint !== 'gem_moves') throw error
  }

  it('are the same for requests that share a read as for each alone', async () => {
    const { db } = market.database
    const german = await market.merchant({ country_code: 'DE' })
    const last = await lastNumber(db)
    const first = db.selectFrom('change').select('sequence').orderBy('sequence').limit(1)
    const { sequence } = await first.executeTakeFirstOrThrow()
    const request = fc.record({
      after: fc.oneof(
        fc.integer({ min: sequence - 1, max: last }),
        fc.constantFrom(0, sequence - 1, last - 3, last, last + 1),
      ),
      limit: fc.constantFrom(1, 2, 7, 1000),
      token: fc.constantFrom(shop.key, stranger.key, german.key),
    })
    const ask = async ({
      after,
      limit,
      token,
    }: {
      after: number
      limit: number
      token: string
    }) => {
      const { status, body } = await changes(after, `&limit=${limit}`, token)
      return { status, body: { ...body, request_id: '' } }
    }
    for (const requests of fc.sample(fc.array(request, { maxLength: 30 }), {
      numRuns: 8,
      seed: 7,
    })) {
      const together = await Promise.all(requests.map(ask))
      const alone: unknown[] = []
      for (const each of requests) alone.push(await ask(each))
      expect(together).toEqual(alone)
    }
  })

  it('reach every waiting request, while it is written', async () => {
    const { db } = market.database
    const start = await lastNumber(db)
    const seen = async ({ key }: TestMerchant, limit: number, end: () => number) => {
      const sequences: number[] = []
      for (let next = start; next < end(); ) {
        const { body } = await changes(next, `&limit=${limit}&wait=1`, key)
        for (const change of body.changes) sequences.push(change.sequence)
        next = body.next
      }
      return sequences
    }
    let last = Number.POSITIVE_INFINITY
    const followers = [1, 3, 1000, 1000].map((limit, n) =>
      seen(n % 2 === 0 ? shop : stranger, limit, () => last),
    )
    for (let n = 0; n < 20; n++) await stockStones(market, {}, { color: 'E' })
    last = await lastNumber(db)
    const all = Array.from({ length: last - start }, (_, n) => start + n + 1)
    for (const sequences of await Promise.all(followers)) {
      expect(sequences.filter((sequence) => sequence <= last)).toEqual(all)
    }
  })

  it('agree on a hold that has ended and has not been cleared yet', async () => {
    const { db } = market.database
    const { id, sku } = await insertStone(db, leaseOf(stranger.merchant.uuid, -5))
    await inTransaction(db, (tx) => logChanges(tx, [{ gem_id: id, sku, kind: 'new' }]))
    const { gems } = await snapshot()
    expect(gems.find((gem) => gem.sku === sku)).toMatchObject({ on_hold: false })
  })
})
