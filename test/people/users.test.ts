import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { invite, signedIn, signInByLink, type TestUser } from './people.ts'

let market: TestMarket
let node: App
let merchant_uuid: string
let supplier_uuid: string
let owner: TestUser
beforeAll(async () => {
  market = await openTestMarket()
  node = await buildApp(market.deps)
  await node.ready()
  merchant_uuid = (await market.merchant()).merchant.uuid
  supplier_uuid = (await createSupplier(market.database.db, 'People Stones')).uuid
  owner = await signedIn(market, { role: 'owner', merchant_uuid })
})
afterAll(async () => {
  await node.close()
  await market.close()
})
beforeEach(() => market.database.db.deleteFrom('sign_in_attempt').execute())

const patch = (token: string, uuid: string, body: object, path = '/api/v3/users') =>
  market.call('PATCH', `${path}/${uuid}`, { token, body })
const remove = (token: string, uuid: string, path = '/api/v3/users') =>
  market.call('DELETE', `${path}/${uuid}`, { token })
const session = (token: string) => market.call('GET', '/api/v3/session', { token })
const on = (app: App, token: string, url = '/api/v3/session') =>
  app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })

describe('users', () => {
  it('are invited and listed by the owner of their merchant', async () => {
    const body = { email: 'listed@people.example', name: 'Listed', role: 'viewer' }
    const made = await market.call('POST', '/api/v3/users', { token: owner.token, body })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...body, active: true, has_password: false, mailed: false })
    expect(Date.parse(made.body.link_expires_on) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    expect(made.body.link_expires_on).toMatch(/T\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    const { body: page } = await market.call('GET', '/api/v3/users?q=LISTED', {
      token: owner.token,
    })
    expect([page.total, page.users[0].uuid]).toEqual([1, made.body.uuid])
    expect(page.users[0]).not.toHaveProperty('link')
  })

  it('of others do not exist for a merchant and a supplier', async () => {
    const other = await signedIn(market, { role: 'owner', supplier_uuid })
    expect((await patch(owner.token, other.uuid, { name: 'x' })).status).toBe(404)
    expect((await remove(owner.token, other.uuid)).status).toBe(404)
    expect((await remove(other.token, owner.uuid, '/api/supplier/users')).status).toBe(404)
    const { body } = await market.call('GET', '/api/supplier/users', { token: other.token })
    expect(body.users.map(({ uuid }: TestUser) => uuid)).toEqual([other.uuid])
  })

  it('have roles of their side only', async () => {
    const { status, body } = await invite(market, { role: 'admin', merchant_uuid })
    expect([status, body.errors[0].field]).toEqual([422, 'role'])
    expect((await invite(market, { role: 'buyer', supplier_uuid })).status).toBe(422)
    expect((await invite(market, { role: 'owner' })).status).toBe(422)
  })

  it('of a merchant that does not exist cannot be invited', async () => {
    const nobody = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
    expect((await invite(market, { role: 'owner', merchant_uuid: nobody })).status).toBe(404)
    expect((await invite(market, { role: 'owner', supplier_uuid: nobody })).status).toBe(404)
    expect((await invite(market, { role: 'owner', merchant_uuid, supplier_uuid })).status).toBe(422)
  })

  it('are not given another role by a second invitation', async () => {
    const first = await invite(market, { role: 'viewer', merchant_uuid, email: 'r@a.example' })
    const again = await invite(market, { role: 'owner', merchant_uuid, email: 'R@a.example' })
    expect([again.status, again.body.code]).toEqual([409, 'email_taken'])
    await patch(owner.token, first.body.uuid, { active: false })
    const closed = await invite(market, { role: 'viewer', merchant_uuid, email: 'r@a.example' })
    expect([closed.status, closed.body.code]).toEqual([409, 'wrong_state'])
  })

  it('are not given more than the inviting key may do itself', async () => {
    const scopes = ['users:read', 'users:write', 'orders:read'] as const
    const key = (await market.token({ merchant_uuid, scopes })).token
    const body = { email: 'more@people.example', role: 'owner' }
    const { status, body: refusal } = await market.call('POST', '/api/v3/users', {
      token: key,
      body,
    })
    expect([status, refusal.code]).toEqual([403, 'missing_scope'])
    const viewer = await signedIn(market, { role: 'viewer', merchant_uuid })
    expect((await patch(key, viewer.uuid, { role: 'owner' })).status).toBe(403)
    expect((await patch(key, owner.uuid, { active: false })).status).toBe(403)
    expect((await remove(key, owner.uuid)).status).toBe(403)
  })
})

describe('a change of a user', () => {
  it('of its role binds open sessions on every node', async () => {
    const user = await signedIn(market, { role: 'viewer', merchant_uuid })
    const order = (app: App) =>
      app.inject({
        method: 'POST',
        url: '/api/v3/orders/place',
        headers: { authorization: `Bearer ${user.token}` },
        payload: {},
      })
    expect((await order(node)).statusCode).toBe(403)
    await patch(owner.token, user.uuid, { role: 'buyer' })
    await expect.poll(async () => (await order(node)).statusCode).toBe(422)
    await patch(owner.token, user.uuid, { role: 'viewer' })
    await expect.poll(async () => (await order(node)).statusCode).toBe(403)
    await expect.poll(async () => (await session(user.token)).body.user.role).toBe('viewer')
  })

  it('that deactivates it ends sessions and links on every node', async () => {
    const user = await signedIn(market, { role: 'viewer', merchant_uuid })
    const email = user.email
    const { body: again } = await invite(market, { role: 'viewer', merchant_uuid, email })
    expect((await on(node, user.token)).statusCode).toBe(200)
    expect((await patch(owner.token, user.uuid, { active: false })).body.active).toBe(false)
    await expect.poll(async () => (await on(node, user.token)).statusCode).toBe(401)
    expect((await signInByLink(market, again.link)).status).toBe(401)
    await patch(owner.token, user.uuid, { active: true })
    expect((await signInByLink(market, again.link)).status).toBe(401)
  })

  it('that removes it ends sessions, also those that a session opened', async () => {
    const user = await signedIn(market, { role: 'viewer', merchant_uuid })
    const { body } = await market.call('POST', '/api/v3/session', { body: { key: user.token } })
    expect(body.user.uuid).toBe(user.uuid)
    expect((await remove(owner.token, user.uuid)).status).toBe(204)
    for (const token of [user.token, body.token]) {
      await expect.poll(async () => (await on(node, token)).statusCode).toBe(401)
    }
    expect((await remove(owner.token, user.uuid)).status).toBe(404)
  })
})

describe('the last owner', () => {
  it('keeps its role and is not removed', async () => {
    const shop = { merchant_uuid: (await market.merchant()).merchant.uuid }
    const only = await signedIn(market, { role: 'owner', ...shop })
    await signedIn(market, { role: 'buyer', ...shop })
    for (const change of [{ role: 'buyer' }, { active: false }]) {
      const { status, body } = await patch(only.token, only.uuid, change)
      expect([status, body.code]).toEqual([409, 'last_owner'])
    }
    expect((await remove(only.token, only.uuid)).status).toBe(409)
    const byOperator = await remove(market.adminKey, only.uuid, '/api/operator/users')
    expect(byOperator.status).toBe(409)
    expect((await patch(only.token, only.uuid, { name: 'Renamed' })).status).toBe(200)
  })

  it('stays when two owners remove each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const shop = { merchant_uuid: (await market.merchant()).merchant.uuid }
      const [a, b] = [
        await signedIn(market, { role: 'owner', ...shop }),
        await signedIn(market, { role: 'owner', ...shop }),
      ]
      await market.database.db.deleteFrom('sign_in_attempt').execute()
      await Promise.all([
        remove(a.token, b.uuid),
        node.inject({
          method: 'DELETE',
          url: `/api/v3/users/${a.uuid}`,
          headers: { authorization: `Bearer ${b.token}` },
        }),
      ])
      const left = await market.database.db
        .selectFrom('app_user')
        .select('uuid')
        .where('merchant_uuid', '=', shop.merchant_uuid)
        .execute()
      expect(left).toHaveLength(1)
    }
  })

  it('of the operator is an admin', async () => {
    const admin = await signedIn(market, { role: 'admin' })
    const path = '/api/operator/users'
    expect((await remove(market.adminKey, admin.uuid, path)).body.code).toBe('last_owner')
    const second = await signedIn(market, { role: 'admin' })
    expect((await remove(second.token, admin.uuid, path)).status).toBe(204)
  })
})

describe('sessions', () => {
  it('are listed to their user, and to an owner all of them', async () => {
    const shop = { merchant_uuid: (await market.merchant()).merchant.uuid }
    const boss = await signedIn(market, { role: 'owner', ...shop })
    const user = await signedIn(market, { role: 'viewer', ...shop })
    const list = async (token: string, query = '') =>
      (await market.call('GET', `/api/v3/sessions${query}`, { token })).body
    const all = await list(boss.token)
    expect(all.sessions.map((row: { user_uuid: string }) => row.user_uuid).toSorted()).toEqual(
      [boss.uuid, user.uuid].toSorted(),
    )
    expect(all.sessions.filter((row: { current: boolean }) => row.current)).toHaveLength(1)
    expect((await list(boss.token, `?user_uuid=${user.uuid}`)).total).toBe(1)
    expect((await list(owner.token, `?user_uuid=${user.uuid}`)).total).toBe(0)
  })

  it('are ended by their user and by an owner, and by nobody else', async () => {
    const shop = { merchant_uuid: (await market.merchant()).merchant.uuid }
    const boss = await signedIn(market, { role: 'owner', ...shop })
    const user = await signedIn(market, { role: 'viewer', ...shop })
    const other = await signedIn(market, { role: 'viewer', ...shop })
    const uuidOf = async (one: TestUser) =>
      (await market.call('GET', `/api/v3/sessions?user_uuid=${one.uuid}`, { token: boss.token }))
        .body.sessions[0].uuid
    const end = async (token: string, uuid: string) =>
      (await market.call('DELETE', `/api/v3/sessions/${uuid}`, { token })).status
    const uuid = await uuidOf(user)
    expect(await end(other.token, uuid)).toBe(404)
    expect(await end(owner.token, uuid)).toBe(404)
    expect((await on(node, user.token)).statusCode).toBe(200)
    expect(await end(boss.token, uuid)).toBe(204)
    await expect.poll(async () => (await on(node, user.token)).statusCode).toBe(401)
    expect(await end(other.token, await uuidOf(other))).toBe(204)
  })
})
