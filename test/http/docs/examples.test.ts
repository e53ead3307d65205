import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    return !WITHOUT_EXAMPLE.some((pattern) => pattern.test(`${method} ${path}`))
  })
}

/** What the demo market does not have: their examples show what is meant, and find nothing. */
const WITHOUT_EXAMPLE = [
  // A webhook belongs to the merchant's own server, a session to a person who signed in.
  /\/webhooks/,
  / \/api\/v3\/sessions?\b/,
  // Scenarios and the clock are served by the sandbox only.
  /\/sandbox\//,
  // Each of these steps needs an order, a quote or a return of its own.
  /^(POST|PUT) \/api\/operator\/(orders|quotes|returns)\/\{uuid\}/,
  /(imports|sources|catalogues|charge_rules|mails|quarantine)\b/,
  /\/operator\/(tokens\/|merchants\/\{uuid\}\/(templates|margins)|exchange_rates)/,
  /\/operator\/inventory\/(gems\/\{sku\}\/hold|conflicts)/,
  /\/supplier\/users/,
]

async function problemsOf(name: Name, pasted: Pasted, url: string): Promise<string[]> {
  const { status, text, type } = await paste(name, pasted, url)
  const title = `${pasted.method} ${url}`
  if (status < 200 || status > 299) return [`${title}: ${status} ${text.slice(0, 300)}`]
  const isRead = pasted.method === 'GET' && String(type).startsWith('application/json')
  if (isRead && !findsSomething(JSON.parse(text))) return [`${title}: finds nothing`]
  return []
}

describe('the examples', () => {
  for (const name of NAMES) {
    it(`works as pasted: ${name}`, async () => {
      const problems: string[] = []
      const all = await pastedOf(name)
      for (const pasted of all) problems.push(...(await problemsOf(name, pasted, pasted.url)))
      for (const pasted of all) {
        for (const pair of pasted.optional) {
          const url = `${pasted.url}${pasted.url.includes('?') ? '&' : '?'}${pair}`
          problems.push(...(await problemsOf(name, pasted, url)))
        }
      }
      expect(all.length).toBeGreaterThan(5)
      expect(problems.join('\n')).toBe('')
    })
  }
})
