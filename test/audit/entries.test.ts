import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldEntries } from '../../src/audit/delete-old-entries.ts'
import { recordEntry } from '../../src/audit/record-entry.ts'
import { actingAs, COMMAND_LINE } from '../../src/database/actor.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { expireHolds } from '../../src/gems/holds/end-holds.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { csvOf, stones } from '../feeds/import-support.ts'
import { addParcel } from '../orders/order-support.ts'
import { openWorld, TRACKING, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.market.close())

const db = () => world.market.database.db

async function countEntries(): Promise<number> {
  const { count } = await db()
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

interface Entry {
  uuid: string
  at: string
  actor: { kind: string; uuid: string | null; name: string }
  action: string
  subject: { kind: string; id: string }
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  request_id: string | null
  ip: string | null
}

async function entriesOf(query: string, token = world.admin): Promise<Entry[]> {
  const path = token === world.admin ? '/api/operator/audit' : '/api/v3/audit'
  return (await world.call('GET', `${path}?${query}`, token)).body.entries
}

describe('an entry', () => {
  it('says who did what to what, with the fields that differ before and after', async () => {
    const { uuid } = await world.order()
    await world.call('POST', `/api/v3/orders/${uuid}/cancel`, world.shop, { reason: 'twice' })
    const [cancelled, created] = await entriesOf(`subject=${uuid}`)
    expect(cancelled).toMatchObject({
      action: 'order.cancel',
      subject: { kind: 'order', id: uuid },
      actor: { kind: 'token', name: 'api_key' },
      before: { order_status: null },
      after: { order_status: 'cancelled', reason: 'twice' },
      ip: '127.0.0.1',
    })
    expect(cancelled.after).not.toHaveProperty('order_type')
    expect(cancelled.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
    expect(created).toMatchObject({ action: 'order.create', before: null })
    expect(created.after).toMatchObject({ order_uuid: uuid, total: 1700 })
  })

  it('of an order of melee has the total that the order has, in whole cents', async () => {
    const { uuid } = await world.order({}, await addParcel(db(), 5))
    const [created] = await entriesOf(`subject=${uuid}`)
    // One stone costs 1.625 dollars.
    expect(created.after).toMatchObject({ order_uuid: uuid, total: 1.63 })
  })

  it('has what a removal removed, and what a creation created', async () => {
    const body = {
      name: 'Vault',
      address_1: '1 Safe',
      city: 'Basel',
      postal_code: '',
      country_code: 'CH',
    }
    const made = await world.call('POST', '/api/v3/merchant_addresses', world.shop, body)
    const path = `/api/v3/merchant_addresses/${made.body.uuid}`
    await world.call('PATCH', path, world.shop, { city: 'Zug' })
    await world.call('DELETE', path, world.shop)
    const entries = await entriesOf(`subject=${made.body.uuid}`)
    expect(entries.map(({ action }) => action)).toEqual([
      'address.remove',
      'address.change',
      'address.create',
    ])
    expect(entries[0]).toMatchObject({ before: { city: 'Zug' }, after: null })
    expect(entries[1]).toMatchObject({ before: { city: 'Basel' }, after: { city: 'Zug' } })
    expect(Object.keys(entries[1].after ?? {})).toEqual(['city'])
    expect(entries[2]).toMatchObject({ before: null, after: { city: 'Basel' } })
  })

  it('names the person of a session', async () => {
    const person = { uuid: newUuid(), name: 'Front desk', email: 'desk@shop.example' }
    const owner = { merchant_uuid: world.merchantUuid, role: 'owner', active: true }
    await db()
      .insertInto('app_user')
      .values({ ...person, ...owner })
      .execute()
    const session = await world.market.token({
      type: 'merchant',
      merchant_uuid: world.merchantUuid,
      is_session: true,
      user_uuid: person.uuid,
    })
    const sku = await world.stone()
    await world.call('POST', '/api/v3/inventory/holds', session.token, { sku })
    const [held, opened] = await entriesOf(`actor=${person.uuid}`)
    const actor = { kind: 'user', uuid: person.uuid, name: 'Front desk' }
    expect(held).toMatchObject({ action: 'hold.create', actor, after: { sku } })
    expect(opened).toMatchObject({ action: 'session.open', actor })
    const gem = await world.call('GET', `/api/operator/inventory/gems/${sku}`, world.admin)
    const entry = { action: 'hold.create', actor: { ...actor, kind: 'merchant' } }
    expect(gem.body.history).toContainEqual(expect.objectContaining(entry))
  })

  it('names the command line and the system', async () => {
    const shell = actingAs(db(), COMMAND_LINE)
    const subject = { kind: 'test', id: 'by-hand' }
    await inTransaction(shell, (tx) => recordEntry(tx, { action: 'test.run', subject }))
    expect((await entriesOf('actor=command_line'))[0]).toMatchObject({
      actor: { kind: 'command_line', uuid: null, name: 'command line' },
      subject,
      request_id: null,
      ip: null,
    })
    const sku = await world.stone()
    const hold = await world.call('POST', '/api/v3/inventory/holds', world.shop, { sku })
    await sql`update gem set mover = 'hold', hold_expires_on = now() - interval '1 second'
      where sku = ${sku}`.execute(db())
    await expireHolds(db())
    // The app's own background task may be ending it at this moment.
    const ended = () => entriesOf(`subject=${hold.body.uuid}&actor=system`)
    await expect.poll(ended).toHaveLength(1)
    const [expired] = await ended()
    expect(expired).toMatchObject({ action: 'hold.expire', after: null, before: { sku } })
  })

  it('is one for a whole file, with its counts', async () => {
    const before = await countEntries()
    const path = `/api/operator/imports?supplier=${world.name()}`
    const { body } = await world.upload(path, csvOf(stones(40)))
    expect((await countEntries()) - before).toBe(1)
    const [entry] = await entriesOf(`subject=${body.uuid}`)
    expect(entry).toMatchObject({ action: 'import.run', after: { rows: 40, added: 40 } })
  })

  it('is bounded, and says that something was left out', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`field_${index}`, 'x'.repeat(1_000)]),
    )
    const after = { ...long, text: 'y'.repeat(9_000), items: Array.from({ length: 300 }, () => 1) }
    await inTransaction(db(), (tx) =>
      recordEntry(tx, { action: 'test.long', subject: { kind: 'test', id: 'long' }, after }),
    )
    const [entry] = await entriesOf('subject=long')
    expect(JSON.stringify(entry.after).length).toBeLessThan(17_000)
    expect(entry.after?.['…']).toMatch(/^\d+ more$/)
  })

  it('never has a secret, even if it is given one', async () => {
    const secrets = { token: 's3cret', password: 's3cret', secret: 's3cret', api_token: 's3cret' }
    const after = { url: 'https://u:s3cret@hooks.example/in?key=s3cret', nested: [secrets] }
    await inTransaction(db(), (tx) =>
      recordEntry(tx, { action: 'test.secret', subject: { kind: 'test', id: 'secret' }, after }),
    )
    const [entry] = await entriesOf('subject=secret')
    expect(entry.after).toEqual({ url: 'https://hooks.example/in?…', nested: [{}] })
  })
})

describe('no entry', () => {
  it('is left by refusals and dry runs', async () => {
    const sku = await world.stone()
    const { uuid } = await world.order()
    await world.call('POST', `/api/v3/orders/${uuid}/cancel`, world.shop, {})
    const before = await countEntries()
    const refused = [
      [
        'POST',
        '/api/v2/orders/place',
        world.shop,
        { order_type: 'invoice', line_items: [{ sku: 'NONE', quantity: 1 }] },
      ],
      ['POST', `/api/v3/orders/${uuid}/cancel`, world.shop, {}],
      ['POST', `/api/operator/orders/${uuid}/fulfill`, world.admin, TRACKING],
      ['DELETE', `/api/v3/inventory/holds/${newUuid()}`, world.shop, undefined],
      ['PATCH', `/api/operator/merchants/${newUuid()}`, world.admin, { first_name: 'No one' }],
      ['POST', '/api/v3/session', '', { key: 'pav_live_wrong-key' }],
      ['POST', '/api/operator/merchants', world.shop, {}],
    ] as const
    for (const [method, path, token, body] of refused) {
      const { status } = await world.market.call(method, path, { token, body })
      expect(status, path).toBeGreaterThanOrEqual(400)
    }
    const order = { order_type: 'invoice', line_items: [{ sku, quantity: 1 }], dry_run: true }
    await world.call('POST', '/api/v2/orders/place', world.shop, order)
    const name = world.name()
    await world.upload(`/api/operator/imports?supplier=${name}&dry_run=true`, csvOf(stones(3)))
    const jewelry = 'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price\nR-1,Ring,S,12\n'
    await world.upload(`/api/operator/jewelry/imports?supplier=${name}&dry_run=true`, jewelry)
    expect(await countEntries()).toBe(before)
  })

  it('is left by a file that is refused, whose supplier is forgotten again', async () => {
    const before = await countEntries()
    const { statusCode } = await world.market.app.inject({
      method: 'POST',
      url: `/api/operator/imports?supplier=${world.name()}`,
      headers: { authorization: `Bearer ${world.admin}`, 'content-type': 'text/csv' },
      payload: 'not,a,stock,list\n1,2,3,4\n',
    })
    expect(statusCode).toBe(422)
    expect(await countEntries()).toBe(before)
  })

  it('is left by a response that is repeated for its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newUuid() }
    const body = { sku: await world.stone() }
    const options = { token: world.shop, body, headers }
    const first = await world.market.call('POST', '/api/v3/inventory/holds', options)
    const before = await countEntries()
    const second = await world.market.call('POST', '/api/v3/inventory/holds', options)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.text).toBe(first.text)
    expect(await countEntries()).toBe(before)
  })

  it('survives a transaction that does not commit, and neither does its change', async () => {
    const before = await countEntries()
    const sku = await world.stone()
    // The last statement of an order fails, as a crash before the commit would.
    await sql`create function fail_at_commit() returns trigger language plpgsql as
      $$ begin raise exception 'the commit fails'; end $$`.execute(db())
    await sql`create constraint trigger fail_at_commit after insert on audit_entry
      deferrable initially deferred for each row execute function fail_at_commit()`.execute(db())
    try {
      const { statusCode } = await world.market.app.inject({
        method: 'POST',
        url: '/api/v3/inventory/holds',
        headers: { authorization: `Bearer ${world.shop}` },
        payload: { sku },
      })
      expect(statusCode).toBe(500)
    } finally {
      await sql`drop trigger fail_at_commit on audit_entry`.execute(db())
    }
    expect(await countEntries()).toBe(before)
    const { hold_uuid } = await db()
      .selectFrom('gem')
      .select('hold_uuid')
      .where('sku', '=', sku)
      .executeTakeFirstOrThrow()
    expect(hold_uuid).toBeNull()
  })
})

describe('the database', () => {
  const refusal = /never changed or deleted/

  it('refuses to change, delete or empty entries', async () => {
    await expect(sql`update audit_entry set action = 'x.y'`.execute(db())).rejects.toThrow(refusal)
    await expect(sql`delete from audit_entry`.execute(db())).rejects.toThrow(refusal)
    await expect(sql`truncate audit_entry`.execute(db())).rejects.toThrow(refusal)
  })

  it('deletes entries that are older than they are kept, and no others', async () => {
    await sql`insert into audit_entry (at, actor_kind, actor_name, actor_side, action, subject_kind,
        subject_id)
      select market_now() - make_interval(days => days), 'system', 'system', 'system', 'test.old',
        'test', 'old'
      from unnest(array[700, 729, 731, 2000]) as days`.execute(db())
    const before = await countEntries()
    expect(await deleteOldEntries(db(), 730)).toBe(2)
    expect(await countEntries()).toBe(before - 2)
    expect(await entriesOf('subject=old')).toHaveLength(2)
    await expect(deleteOldEntries(db(), 0)).rejects.toThrow('at least a day')
  })
})

describe('the lists', () => {
  it('filter by actor, subject, action and time, and page without gap or repetition', async () => {
    const shop = await world.market.merchant()
    const { uuid } = await world.market.token({ merchant_uuid: shop.merchant.uuid, name: 'Till' })
    for (let count = 0; count < 5; count++) {
      await world.call('POST', '/api/v3/inventory/holds', shop.key, { sku: await world.stone() })
    }
    const all = await entriesOf('action=hold.create&limit=500')
    expect(all.every(({ action }) => action === 'hold.create')).toBe(true)
    const paged: Entry[] = []
    let cursor = ''
    do {
      const more = cursor === '' ? '' : `&cursor=${cursor}`
      const path = `/api/operator/audit?action=hold.create&limit=2${more}`
      const { body } = await world.call('GET', path, world.admin)
      expect(body).toMatchObject({ total: all.length, offset: paged.length, limit: 2 })
      paged.push(...body.entries)
      cursor = body.next_cursor ?? ''
    } while (cursor !== '')
    expect(paged).toEqual(all)
    const nouns = await entriesOf('action=hold.*&limit=500')
    expect(nouns.length).toBeGreaterThan(all.length)
    const [third] = all.slice(2)
    const since = await entriesOf(`action=hold.create&from=${encodeURIComponent(third.at)}`)
    expect(since).toEqual(all.slice(0, 3))
    const until = await entriesOf(`action=hold.create&to=${encodeURIComponent(third.at)}&limit=500`)
    expect(until).toEqual(all.slice(3))
    expect((await entriesOf(`subject=${uuid}`)).map(({ action }) => action)).toEqual([
      'token.create',
    ])
    const own = await entriesOf(`merchant_uuid=${shop.merchant.uuid}&action=hold.create`)
    expect(own).toHaveLength(5)
    const actor = own[0].actor.uuid
    expect(await entriesOf(`actor=${actor}&action=hold.create`)).toEqual(own)
  })

  it('refuse a wrong filter or cursor, and name it', async () => {
    for (const [query, field] of [
      ['actor=somebody', 'actor'],
      ['from=yesterday', 'from'],
      ['to=2026-02-31', 'to'],
      ['cursor=nonsense', 'cursor'],
      ['offset=-1', 'offset'],
      ['limit=501', 'limit'],
      ['who=me', 'who'],
    ]) {
      const path = `/api/operator/audit?${query}`
      const { status, body } = await world.market.call('GET', path, { token: world.admin })
      expect(status, query).toBe(422)
      expect(body.errors[0].field).toBe(field)
    }
  })

  it('skip as many entries as offset says, unless a cursor does', async () => {
    const path = '/api/operator/audit?limit=2'
    const { body: first } = await world.call('GET', path, world.admin)
    const { body: second } = await world.call('GET', `${path}&offset=2`, world.admin)
    expect(second).toMatchObject({ total: first.total, offset: 2, limit: 2 })
    const cursor = `${path}&cursor=${first.next_cursor}`
    expect((await world.call('GET', cursor, world.admin)).body).toEqual(second)
    const both = await world.market.call('GET', `${cursor}&offset=2`, { token: world.admin })
    expect([both.status, both.body.errors[0].field]).toEqual([422, 'offset'])
  })

  it("have a merchant's own entries for it, and nothing of who the operator is", async () => {
    const shop = await world.market.merchant()
    const office = await world.market.token({ type: 'admin', name: 'Secret office' })
    const path = `/api/operator/merchants/${shop.merchant.uuid}`
    const change = { first_name: 'Changed', price_adjustment: { mined_percent: -7 } }
    await world.call('PATCH', path, office.token, change)
    await world.call('POST', '/api/v3/inventory/holds', shop.key, { sku: await world.stone() })
    const other = await world.order()
    const entries = await entriesOf('limit=500', shop.key)
    expect(entries.map(({ action }) => action)).toEqual([
      'hold.create',
      'merchant.change',
      'token.create',
      'merchant.create',
    ])
    expect(entries[0].actor.kind).toBe('token')
    expect(entries[1]).toMatchObject({
      actor: { kind: 'operator', uuid: null, name: 'operator' },
      after: { first_name: 'Changed' },
      request_id: null,
      ip: null,
    })
    const text = JSON.stringify(entries)
    expect(text).not.toContain('Secret office')
    expect(text).not.toContain(office.uuid)
    expect(text).not.toContain('price_adjustment')
    expect(text).not.toContain(other.uuid)
    expect(await entriesOf(`actor=${office.uuid}`, shop.key)).toEqual([])
    expect(await entriesOf(`subject=${other.uuid}`, shop.key)).toEqual([])
  })
})
