import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import type { MarketTime } from '../../database/clock.ts'
import { Refusal } from '../../lib/refusal.ts'
import { millisecondsOf } from '../../lib/timestamps.ts'
import type { KnownToken } from '../../merchants/known-tokens.ts'
import { whyNotAdmitted } from '../../merchants/merchant.ts'
import { isTokenOf, type Realm, TOKEN_TYPES, type TokenType } from '../../merchants/token.ts'
import { addressNotAllowed } from '../../merchants/token-addresses.ts'
import type { TokenCache } from '../../merchants/token-cache.ts'
import { whyNotFrom } from '../../merchants/token-origins.ts'
import { hasScope } from '../../reference/roles.ts'
import type { Access, App, Caller } from '../route.ts'
import type { AddressLimiter } from './address-limit.ts'
import type { CallCost } from './call-costs.ts'
import { checkIdempotencyKey } from './idempotency.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Which types of token each kind of access admits, besides publishable keys. */
const ADMITTED: Record<Access['who'], readonly TokenType[]> = {
  public: TOKEN_TYPES,
  'any token': TOKEN_TYPES.filter((type) => type !== 'publishable'),
  merchant: ['api_key', 'merchant'],
  operator: ['admin'],
  'merchant or operator': ['api_key', 'merchant', 'admin'],
  supplier: ['supplier'],
}

/** The types of token that may call a route. */
export function admittedTypes(access: Access): readonly TokenType[] {
  const types = ADMITTED[access.who]
  return 'publishable' in access ? [...types, 'publishable'] : types
}

interface AccessDeps {
  realm: Realm
  tokens: TokenCache
  limiter: RateLimiter
  addresses: AddressLimiter
  clock: MarketTime
}

/**
 * Adds a check of the bearer token to every route, according to the access that it declares. A call
 * counts against its token; one without a valid token, and every call of a public route, against
 * the address that it comes from.
 */
export function registerAccess(app: App, deps: AccessDeps): void {
  app.decorateRequest('caller', null as unknown as Caller)
  app.decorateRequest('charge', function charge(this: FastifyRequest, reply, cost) {
    const counted = countedAtOnce(this.routeOptions.config.cost)
    return cost > counted ? deps.limiter.count(reply, this.caller, cost, counted) : undefined
  })
  app.decorateRequest('checkAgain', function checkAgain(this: FastifyRequest) {
    return refuseEnded(this, deps)
  })
  app.addHook('onRoute', (route) => {
    const { access, cost } = route.config ?? {}
    if (access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not declare who may call it`)
    }
    if (route.config?.uncounted) return
    const check =
      access.who === 'public' ? countAddress(deps) : checkCaller(access, countedAtOnce(cost), deps)
    // Before the route's other hooks: none of them runs for a caller who is not admitted.
    route.onRequest = [check, route.onRequest ?? []].flat()
    if (typeof cost?.of === 'function') {
      // When the body is valid, and before the work.
      route.preHandler = [chargeFor(cost.of), route.preHandler ?? []].flat()
    }
  })
}

/** Until a call is answered that has waited, its token may be revoked and its user demoted. */
async function refuseEnded(request: FastifyRequest, { tokens, clock }: AccessDeps): Promise<void> {
  const { access } = request.routeOptions.config
  const header = request.headers.authorization ?? ''
  const known = tokens.peek(header) ?? (await tokens.find(header, readBearer(header), false))
  if (!known || !access) throw unauthenticated('The token is unknown.')
  const refusal = whyNotValid(request, known, clock)
  if (refusal) throw refusal
  checkType(known, access)
}

/** What a call is counted as before its body is read. */
function countedAtOnce(cost: CallCost | undefined): number {
  return typeof cost?.of === 'number' ? cost.of : 1
}

function countAddress({ addresses }: AccessDeps): onRequestHookHandler {
  return (request, reply, done) =>
    done(addresses.count(reply, request.clientAddress) ?? checkIdempotencyKey(request))
}

/** Uses a callback, so that a request with a cached token creates no promise. */
function checkCaller(access: Access, cost: number, deps: AccessDeps): onRequestHookHandler {
  const check = { access, cost }
  return (request, reply, done) => {
    const header = request.headers.authorization ?? ''
    const known = deps.tokens.peek(header)
    if (known) {
      const counting = admit(request, reply, known, check, deps)
      if (!counting) return done()
      counting.then(() => done(), done)
      return
    }
    const token = readBearer(header)
    if (!isTokenOf(deps.realm, token)) {
      throw countStranger(request, reply, whyNotAToken(header, token, deps.realm), deps)
    }
    const isSuspect = deps.addresses.isUsedUp(request.clientAddress)
    deps.tokens
      .find(header, token, isSuspect)
      .then((found) => admit(request, reply, found, check, deps))
      .then(() => done(), done)
  }
}

function chargeFor(costOf: Exclude<CallCost['of'], number | 'later'>): preHandlerHookHandler {
  return (request, reply, done) => {
    const counting = request.charge(reply, costOf(request))
    if (!counting) return done()
    counting.then(() => done(), done)
  }
}

/** Few spellings are accepted, because the cache stores each of them with its token. */
function readBearer(header: string): string {
  return /^Bearer {1,4}(\S+)$/i.exec(header)?.[1] ?? ''
}

/** Tells a missing or mistyped token, or one of the other market, without a query. */
function whyNotAToken(header: string, token: string, realm: Realm): Refusal {
  if (header === '') {
    return unauthenticated('The token is missing; send Authorization: Bearer <token>.')
  }
  if (token === '') {
    return unauthenticated('The Authorization header must have the form Bearer <token>.')
  }
  const other = realm === 'live' ? 'test' : 'live'
  if (!token.startsWith(`pav_${other}_`) && !token.startsWith(`pav_pub_${other}_`)) {
    return unauthenticated('The token is not valid; check that it was copied completely.')
  }
  const detail =
    realm === 'live'
      ? 'This is a sandbox token (pav_test_…); use a production token (pav_live_…) at this address.'
      : 'This is a production token (pav_live_…); use a sandbox token (pav_test_…) at this address.'
  return unauthenticated(detail)
}

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  known: KnownToken | undefined,
  { access, cost }: { access: Access; cost: number },
  deps: AccessDeps,
): Promise<void> | undefined {
  if (!known) throw countStranger(request, reply, unauthenticated('The token is unknown.'), deps)
  // Set before the checks, so that the log names the token of a refused request, too.
  request.caller = known
  const refusal = whyNotValid(request, known, deps.clock)
  if (refusal) throw countStranger(request, reply, refusal, deps)
  const counting = deps.limiter.count(reply, known, cost)
  if (counting) return counting.then(() => checkCall(request, known, access))
  checkCall(request, known, access)
  return undefined
}

function checkCall(request: FastifyRequest, known: KnownToken, access: Access): void {
  checkType(known, access)
  const badKey = checkIdempotencyKey(request)
  if (badKey) throw badKey
}

/** What is refused here does not count against the token: others must not use up its minute. */
function whyNotValid(
  request: FastifyRequest,
  { token, merchant, allows }: KnownToken,
  clock: MarketTime,
): Refusal | undefined {
  if (token.revoked_on !== null) return unauthenticated('The token was revoked.')
  if (token.expires_on !== null && millisecondsOf(token.expires_on) <= clock.now()) {
    return unauthenticated('The token has expired.')
  }
  const refused = merchant && whyNotAdmitted(merchant)
  if (refused) return new Refusal('api_not_enabled', refused)
  if (allows && !(request.isAddressKnown && allows(request.clientAddress))) {
    return addressNotAllowed(request.clientAddress)
  }
  if (token.type !== 'publishable') return undefined
  return whyNotFrom(token.origins, request.headers.origin)
}

/** Counts a call without a valid token. Returns why it is refused: the limit comes first. */
function countStranger(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  { addresses }: AccessDeps,
): Refusal {
  return addresses.count(reply, request.clientAddress) ?? refusal
}

function checkType({ token }: KnownToken, access: Access): void {
  const isPublishable = token.type === 'publishable'
  const isAdmitted = isPublishable
    ? 'publishable' in access
    : ADMITTED[access.who].includes(token.type)
  if (!isAdmitted) {
    const admitted = admittedTypes(access).join(' or ')
    throw new Refusal(
      'forbidden',
      `A token of type ${token.type} is not allowed here; use one of type ${admitted}.`,
    )
  }
  if ('scope' in access && !hasScope(token.scopes, access.scope)) {
    throw new Refusal('missing_scope', `The token does not have the scope ${access.scope}.`)
  }
}

function unauthenticated(detail: string): Refusal {
  return new Refusal('unauthenticated', detail)
}
