import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/http/app.ts'
import { findToken } from '../../../src/merchants/known-tokens.ts'
import { hashToken } from '../../../src/merchants/token.ts'
import { createToken } from '../../../src/merchants/token-store.ts'
import { type DemoTestMarket, openDemoMarket } from '../../support/demo-market.ts'
import { findsSomething, type Pasted, pastedOperations } from './pasted.ts'

/**
 * Every example of every operation is sent as it is in the documents, with the keys that the first
 * start prints. Every response is checked against its schema by `openTestMarket`.
 */

let market: DemoTestMarket
beforeAll(async () => {
  market = await openDemoMarket()
})
afterAll(() => market.close())

const NAMES = ['v2', 'v3', 'operator', 'supplier'] as const
type Name = (typeof NAMES)[number]

function keyFor(name: Name): string {
  const { adminKey, supplierKey, merchantKey } = market.keys
  if (name === 'operator') return adminKey
  return name === 'supplier' ? supplierKey : merchantKey
}

async function paste(name: Name, { method, needsToken, body }: Pasted, url: string) {
  const response = await market.app.inject({
    method: method as 'GET',
    url,
    ...(body && { payload: body.text }),
    headers: {
      ...(needsToken && { authorization: `Bearer ${keyFor(name)}` }),
      ...(body && { 'content-type': body.type }),
    },
  })
  return {
    status: response.statusCode,
    text: response.body,
    type: response.headers['content-type'],
  }
}

async function pastedOf(name: Name): Promise<Pasted[]> {
  const { body } = await market.call('GET', `/openapi/${name}.json`)
  return pastedOperations(body).filter(({ method, path }) => {
    return !WITHOUT_EXAMPLE.has(`${method} ${path}`)
  })
}

/** What no document can show in full, and why. */
const WITHOUT_EXAMPLE = new Map([
  ['POST /api/v3/session', 'it needs a key, a code or a password, which nobody else may read'],
  ['DELETE /api/v3/session', 'a person signs out; a key has no session'],
  ['PUT /api/v3/session/password', 'a person sets it; a key has none'],
])

async function problemsOf(name: Name, pasted: Pasted, url: string): Promise<string[]> {
  const { status, text, type } = await paste(name, pasted, url)
  const title = `${pasted.method} ${url}`
  if (status < 200 || status > 299) return [`${title}: ${status} ${text.slice(0, 300)}`]
  const isRead = pasted.method === 'GET' && String(type).startsWith('application/json')
  if (isRead && !findsSomething(JSON.parse(text))) return [`${title}: finds nothing`]
  return []
}

/** Pastes every example, then the optional parameters one by one. */
async function problemsOfAll(name: Name, all: readonly Pasted[]): Promise<string> {
  const problems: string[] = []
  for (const pasted of all) problems.push(...(await problemsOf(name, pasted, pasted.url)))
  for (const pasted of all) {
    for (const pair of pasted.optional) {
      const url = `${pasted.url}${pasted.url.includes('?') ? '&' : '?'}${pair}`
      problems.push(...(await problemsOf(name, pasted, url)))
    }
  }
  return problems.join('\n')
}

describe('the examples', () => {
  for (const name of NAMES) {
    it(`works as pasted: ${name}`, async () => {
      const all = await pastedOf(name)
      expect(all.length).toBeGreaterThan(5)
      expect(await problemsOfAll(name, all)).toBe('')
    })
  }

  it('leaves out only operations that exist', async () => {
    const { body } = await market.call('GET', '/openapi/v3.json')
    const known = pastedOperations(body).map(({ method, path }) => `${method} ${path}`)
    expect(known).toEqual(expect.arrayContaining([...WITHOUT_EXAMPLE.keys()]))
  })
})

describe('the examples of the sandbox', () => {
  it('work as pasted', async () => {
    const { app: production, database, deps } = market
    const known = await findToken(database.db, hashToken(market.keys.merchantKey))
    const merchant_uuid = known?.merchant?.uuid ?? ''
    const key = { realm: 'test', type: 'api_key', merchant_uuid } as const
    const { token } = await createToken(database.db, key)
    const sandbox = await buildApp({ ...deps, realm: 'test' })
    const shop = { ...market.keys, merchantKey: token }
    try {
      market = { ...market, app: sandbox, keys: shop }
      const response = await sandbox.inject('/openapi/v3.json')
      const all = pastedOperations(response.json()).filter(({ path }) => path.includes('/sandbox/'))
      expect(all).toHaveLength(5)
      expect(await problemsOfAll('v3', all)).toBe('')
    } finally {
      market = { ...market, app: production }
      await sandbox.close()
    }
  })
})
