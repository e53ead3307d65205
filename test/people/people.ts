import type { TestMarket, TestResponse } from '../support/market.ts'

/** A user of a test, signed in with the link of its invitation. */
export interface TestUser {
  uuid: string
  email: string
  /** The token of its session. */
  token: string
}

let userCount = 0

/** Invites a user through the operator's interface. */
export function invite(
  market: TestMarket,
  fields: { role: string; email?: string; merchant_uuid?: string; supplier_uuid?: string },
): Promise<TestResponse> {
  userCount++
  const body = { email: `user-${userCount}@people.example`, ...fields }
  return market.call('POST', '/api/operator/users', { token: market.adminKey, body })
}

export function codeOf(link: string): string {
  return link.split('#')[1]
}

export function signInByLink(market: TestMarket, link: string): Promise<TestResponse> {
  return market.call('POST', '/api/v3/session', { body: { code: codeOf(link) } })
}

export async function signedIn(
  market: TestMarket,
  fields: { role: string; email?: string; merchant_uuid?: string; supplier_uuid?: string },
): Promise<TestUser> {
  const invited = await invite(market, fields)
  const { body } = await signInByLink(market, invited.body.link)
  return { uuid: invited.body.uuid, email: invited.body.email, token: body.token }
}
