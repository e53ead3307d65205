import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { MarketTime } from '../../database/clock.ts'
import { Refusal } from '../../lib/refusal.ts'
import { millisecondsOf } from '../../lib/timestamps.ts'
import { whyNotAdmitted } from '../../merchants/merchant.ts'
import { isTokenOf, type Realm, type TokenType } from '../../merchants/token.ts'
import { addressNotAllowed } from '../../merchants/token-addresses.ts'
import type { TokenCache } from '../../merchants/token-cache.ts'
import type { KnownToken } from '../../merchants/token-store.ts'
import type { Access, App, Caller } from '../route.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Which types of token each kind of access admits. */
export const ADMITTED: Record<Exclude<Access['who'], 'public'>, readonly TokenType[]> = {
  'any token': ['api_key', 'merchant', 'admin'],
  merchant: ['api_key', 'merchant'],
  operator: ['admin'],
  'merchant or operator': ['api_key', 'merchant', 'admin'],
}

interface AccessDeps {
  realm: Realm
  tokens: TokenCache
  limiter: RateLimiter
  clock: MarketTime
}

/** Adds a check of the bearer token to every route, according to the access that it declares. */
export function registerAccess(app: App, deps: AccessDeps): void {
  app.decorateRequest('caller', null as unknown as Caller)
  app.addHook('onRoute', (route) => {
    const access = route.config?.access
    if (access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not declare who may call it`)
    }
    if (access.who === 'public') return
    // Before the route's other hooks: none of them runs for a caller who is not admitted.
    route.onRequest = [checkCaller(access, deps), route.onRequest ?? []].flat()
  })
}

/** Uses a callback, so that a request with a cached token creates no promise. */
function checkCaller(access: Access, deps: AccessDeps): onRequestHookHandler {
  return (request, reply, done) => {
    const header = request.headers.authorization ?? ''
    const known = deps.tokens.peek(header)
    if (known) {
      admit(request, reply, known, access, deps)
      return done()
    }
    const token = readBearer(header)
    checkToken(token, deps.realm)
    deps.tokens
      .find(header, token)
      .then((found) => admit(request, reply, found, access, deps))
      .then(() => done(), done)
  }
}

function readBearer(header: string): string {
  if (header === '') {
    throw unauthenticated('The token is missing; send Authorization: Bearer <token>.')
  }
  // Few spellings are accepted, because the cache stores each of them with its token.
  const match = /^Bearer {1,4}(\S+)$/i.exec(header)
  if (!match) throw unauthenticated('The Authorization header must have the form Bearer <token>.')
  return match[1]
}

/** Refuses a mistyped token, or one of the other market, without a query. */
function checkToken(token: string, realm: Realm): void {
  if (!isTokenOf(realm, token)) throw unauthenticated(whyNotAToken(token, realm))
}

function whyNotAToken(text: string, realm: Realm): string {
  const other = realm === 'live' ? 'test' : 'live'
  if (text.startsWith(`pav_${other}_`)) {
    return realm === 'live'
      ? 'This is a sandbox token (pav_test_…); use a production token (pav_live_…) at this address.'
      : 'This is a production token (pav_live_…); use a sandbox token (pav_test_…) at this address.'
  }
  return 'The token is not valid; check that it was copied completely.'
}

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  known: KnownToken | undefined,
  access: Access,
  { limiter, clock }: AccessDeps,
): void {
  if (!known) throw unauthenticated('The token is unknown.')
  // Set before the checks, so that the log names the token of a refused request, too.
  request.caller = known
  const { token, merchant, allows } = known
  if (token.revoked_on !== null) throw unauthenticated('The token was revoked.')
  if (token.expires_on !== null && millisecondsOf(token.expires_on) <= clock.now()) {
    throw unauthenticated('The token has expired.')
  }
  const refused = merchant && whyNotAdmitted(merchant)
  if (refused) throw new Refusal('api_not_enabled', refused)
  // Not counted: a stolen key must not use up the minute of its owner.
  if (allows && !allows(request.ip)) throw addressNotAllowed(request.ip)
  limiter.count(reply, token.uuid, token.rate_limit_per_minute)
  checkType(known, access)
}

function checkType({ token }: KnownToken, access: Access): void {
  if (access.who !== 'public' && !ADMITTED[access.who].includes(token.type)) {
    const admitted = ADMITTED[access.who].join(' or ')
    throw new Refusal(
      'forbidden',
      `A token of type ${token.type} is not allowed here; use one of type ${admitted}.`,
    )
  }
  if ('scope' in access && !token.scopes.includes(access.scope)) {
    throw new Refusal('missing_scope', `The token does not have the scope ${access.scope}.`)
  }
}

function unauthenticated(detail: string): Refusal {
  return new Refusal('unauthenticated', detail)
}
