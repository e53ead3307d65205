import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { createLink } from '../../src/people/sign-in-link.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { codeOf, invite, signedIn, signInByLink } from './people.ts'

let market: TestMarket
let node: App
let merchant_uuid: string
beforeAll(async () => {
  market = await openTestMarket()
  node = await buildApp(market.deps)
  await node.ready()
  merchant_uuid = (await market.merchant()).merchant.uuid
})
afterAll(async () => {
  await node.close()
  await market.close()
})
// Every test signs in from the same address.
beforeEach(() => market.database.db.deleteFrom('sign_in_attempt').execute())

const PASSWORD = 'a girdle, medium to thick'

function signIn(email: string, password: string, more: object = {}) {
  return market.call('POST', '/api/v3/session', { body: { email, password, ...more } })
}

function setPassword(token: string, password: string, more: object = {}) {
  return market.call('PUT', '/api/v3/session/password', { token, body: { password, ...more } })
}

describe('an invitation', () => {
  it('signs in once, with the role of the user', async () => {
    const { body } = await invite(market, { role: 'buyer', merchant_uuid })
    expect(body.link).toMatch(/^http:\/\/pavilion\.test\/sign-in#\w{44}$/)
    const opened = await signInByLink(market, body.link)
    expect(opened.status).toBe(201)
    expect(opened.body.user).toMatchObject({ uuid: body.uuid, role: 'buyer' })
    expect(opened.body.scopes).toEqual(body.scopes)
    const again = await signInByLink(market, body.link)
    expect([again.status, again.body.code]).toEqual([401, 'unauthenticated'])
  })

  it('used twice at once signs in one of them', async () => {
    const { body } = await invite(market, { role: 'buyer', merchant_uuid })
    const payload = { code: codeOf(body.link) }
    const [here, there] = await Promise.all([
      signInByLink(market, body.link),
      node.inject({ method: 'POST', url: '/api/v3/session', payload }),
    ])
    expect(new Set([here.status, there.statusCode])).toEqual(new Set([201, 401]))
  })

  it('expires, and is refused like one that never existed', async () => {
    const { body } = await invite(market, { role: 'buyer', merchant_uuid })
    const { db } = market.database
    const past = new Date(Date.now() - 1000).toISOString()
    const links = db.updateTable('sign_in_link').set({ expires_on: past })
    await links.where('user_uuid', '=', body.uuid).execute()
    const expired = await signInByLink(market, body.link)
    const guessed = await signInByLink(market, `x#${'z'.repeat(44)}`)
    expect([expired.status, expired.body.detail]).toEqual([401, guessed.body.detail])
  })

  it('ends when the user is invited again, in whatever case', async () => {
    const first = await invite(market, { role: 'viewer', merchant_uuid, email: 'Twice@a.example' })
    const second = await invite(market, { role: 'viewer', merchant_uuid, email: 'tWICE@A.example' })
    expect(second.body.uuid).toBe(first.body.uuid)
    expect((await signInByLink(market, first.body.link)).status).toBe(401)
    expect((await signInByLink(market, second.body.link)).status).toBe(201)
  })

  it('that a person printed is in the audit with its end, written as every time is', async () => {
    const { url } = await createLink(market.database.db, 'http://pavilion.test', {
      merchant_uuid,
      supplier_uuid: null,
    })
    const { body, text } = await market.call(
      'GET',
      '/api/operator/audit?action=sign_in_link.create&limit=1',
      { token: market.adminKey },
    )
    expect(body.entries[0].after.expires_on).toMatch(/T\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    expect(text).not.toContain(codeOf(url))
  })

  it('is stored as a hash only', async () => {
    const { body } = await invite(market, { role: 'buyer', merchant_uuid })
    const rows = await market.database.db.selectFrom('sign_in_link').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(codeOf(body.link))
  })
})

describe('a password', () => {
  it('signs in after it was set, whatever the case of the address', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    expect((await setPassword(user.token, PASSWORD)).status).toBe(204)
    const opened = await signIn(user.email.toUpperCase(), PASSWORD)
    expect([opened.status, opened.body.user.uuid]).toEqual([201, user.uuid])
    expect(opened.text).not.toContain('hash')
  })

  it('is stored with its parameters and never in clear', async () => {
    const rows = await market.database.db.selectFrom('user_password').selectAll().execute()
    expect(rows[0]).toMatchObject({ cost: 2 ** 15, block_size: 8, parallelism: 3 })
    expect(Buffer.concat(rows.map(({ hash }) => hash)).toString('latin1')).not.toContain(PASSWORD)
  })

  it('that was made with older parameters is accepted, and hashed again', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    const { scryptSync, randomBytes } = await import('node:crypto')
    const salt = randomBytes(16)
    const hash = scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 })
    const old = { user_uuid: user.uuid, salt, hash, cost: 1024, block_size: 8, parallelism: 1 }
    await market.database.db.insertInto('user_password').values(old).execute()
    expect((await signIn(user.email, PASSWORD)).status).toBe(201)
    const stored = market.database.db.selectFrom('user_password').select('cost')
    const { cost } = await stored.where('user_uuid', '=', user.uuid).executeTakeFirstOrThrow()
    expect(cost).toBe(2 ** 15)
    expect((await signIn(user.email, PASSWORD)).status).toBe(201)
  })

  it.each([
    ['short', 'elevenchars'],
    ['one character repeated', 'aaaaaaaaaaaaaaaa'],
    ['longer than any sentence', 'ab'.repeat(101)],
  ])('that is %s is refused without being repeated', async (_, password) => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    const { status, text } = await setPassword(user.token, password)
    expect(status).toBe(422)
    expect(text).not.toContain(password)
  })

  it('is replaced only by somebody who knows it or has a link', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    await setPassword(user.token, PASSWORD)
    const { body } = await signIn(user.email, PASSWORD)
    const next = 'another pavilion facet'
    expect((await setPassword(body.token, next)).body.errors[0].field).toBe('current_password')
    const wrong = await setPassword(body.token, next, { current_password: 'not it, not it' })
    expect(wrong.status).toBe(422)
    const right = await setPassword(body.token, next, { current_password: PASSWORD })
    expect(right.status).toBe(204)
    expect((await signIn(user.email, PASSWORD)).status).toBe(401)
    // The session that set it stays, the others end.
    const session = (token: string) => market.call('GET', '/api/v3/session', { token })
    expect((await session(body.token)).status).toBe(200)
    await expect.poll(async () => (await session(user.token)).status).toBe(401)
  })

  it('of a key, which has no user, is refused', async () => {
    const { status, body } = await setPassword(market.adminKey, PASSWORD)
    expect([status, body.code]).toEqual([409, 'wrong_state'])
  })

  it('does not tell which addresses have an account', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    await setPassword(user.token, PASSWORD)
    const noPassword = await signedIn(market, { role: 'buyer', merchant_uuid })
    const gone = await signedIn(market, { role: 'buyer', merchant_uuid })
    await market.call('PATCH', `/api/operator/users/${gone.uuid}`, {
      token: market.adminKey,
      body: { active: false },
    })
    const bodies = []
    for (const email of [user.email, noPassword.email, gone.email, 'nobody@people.example']) {
      const { status, body } = await signIn(email, 'a wrong pass phrase')
      const { request_id: _, instance: __, ...rest } = body
      bodies.push({ status, ...rest })
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(bodies[0].status).toBe(401)
  })

  it('signs in to the account that it fits, and to the named one if it fits several', async () => {
    const other = (await market.merchant()).merchant.uuid
    const email = 'several@people.example'
    const first = await signedIn(market, { role: 'buyer', merchant_uuid, email })
    const second = await signedIn(market, { role: 'owner', merchant_uuid: other, email })
    await setPassword(first.token, PASSWORD)
    await setPassword(second.token, 'only at the other merchant')
    const user = async (password: string, more: object = {}) =>
      (await signIn(email, password, more)).body.user?.uuid
    expect(await user(PASSWORD)).toBe(first.uuid)
    expect(await user('only at the other merchant')).toBe(second.uuid)
    expect(await user(PASSWORD, { merchant_uuid: other })).toBe(undefined)
    const body = { password: PASSWORD, current_password: 'only at the other merchant' }
    await market.call('PUT', '/api/v3/session/password', { token: second.token, body })
    expect(await user(PASSWORD, { merchant_uuid })).toBe(first.uuid)
    expect(await user(PASSWORD, { merchant_uuid: other })).toBe(second.uuid)
  })
})

describe('the limits of signing in', () => {
  it('refuse an account after ten failures on all nodes, even with the right password', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    await setPassword(user.token, PASSWORD)
    const wrong = { email: user.email, password: 'a wrong pass phrase' }
    const there = () => node.inject({ method: 'POST', url: '/api/v3/session', payload: wrong })
    const tries = Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0 ? signIn(wrong.email, wrong.password) : there(),
    )
    const all = await Promise.all(tries)
    const statuses = all.map((one) => ('status' in one ? one.status : one.statusCode))
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    const right = await signIn(user.email, PASSWORD)
    expect([right.status, right.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(800)
  })

  it('do not count what succeeds', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    await setPassword(user.token, PASSWORD)
    for (let count = 0; count < 11; count++) {
      expect((await signIn(user.email, PASSWORD)).status).toBe(201)
    }
  })

  it('refuse an address after twenty requests in a minute, whatever the account', async () => {
    const ask = (email: string) => market.call('POST', '/api/v3/session/link', { body: { email } })
    for (let count = 0; count < 20; count++) {
      expect((await ask(`address-${count}@people.example`)).status).toBe(202)
    }
    const { status, headers } = await ask('address-20@people.example')
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
  })
})

describe('a mailed link', () => {
  it('is answered the same for every address', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    const known = await market.call('POST', '/api/v3/session/link', { body: { email: user.email } })
    const body = { email: 'nobody@people.example' }
    const unknown = await market.call('POST', '/api/v3/session/link', { body })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
  })
})

describe('a session on several nodes', () => {
  const statusOn = async (where: App, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await where.inject({ url: '/api/v3/session', headers })).statusCode
  }

  it('works on each of them at once, and is refused by all after signing out of one', async () => {
    const { token } = await signedIn(market, { role: 'buyer', merchant_uuid })
    expect([await statusOn(market.app, token), await statusOn(node, token)]).toEqual([200, 200])
    const headers = { authorization: `Bearer ${token}` }
    const left = await node.inject({ method: 'DELETE', url: '/api/v3/session', headers })
    expect(left.statusCode).toBe(204)
    await expect.poll(() => statusOn(market.app, token)).toBe(401)
    expect(await statusOn(node, token)).toBe(401)
  })

  it('is refused by all when its user is switched off on one', async () => {
    const user = await signedIn(market, { role: 'buyer', merchant_uuid })
    expect(await statusOn(node, user.token)).toBe(200)
    const path = `/api/operator/users/${user.uuid}`
    await market.call('PATCH', path, { token: market.adminKey, body: { active: false } })
    await expect.poll(() => statusOn(node, user.token)).not.toBe(200)
    expect(await statusOn(market.app, user.token)).not.toBe(200)
  })
})
