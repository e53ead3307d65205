import { readMarketTime } from '../database/clock.ts'
import type { Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { DAY_MS, isoFromMilliseconds, millisecondsOf } from '../lib/timestamps.ts'
import { hasScope, type Scope } from '../reference/roles.ts'
import { refuseAddressesOutside } from './token-addresses.ts'
import { ownerOf } from './token-owner.ts'
import {
  createToken,
  hasEnded,
  lockMaker,
  type NewToken,
  type TokenRequest,
  type TokenSummary,
} from './token-store.ts'

/**
 * Tokens that a caller creates with its own token. They have no more scope, rate, life or addresses
 * than the token that made them, and end with it.
 */
interface ChildRequest extends TokenRequest {
  scopes: readonly Scope[]
  /** Another way to say when the token expires. */
  expires_in_days?: number
}

/** Creates a token on behalf of the caller, within what the caller's own token may do. */
export async function createChildToken(
  tx: Tx,
  caller: TokenSummary,
  { expires_in_days, ...request }: ChildRequest,
  installationLimit: number,
): Promise<NewToken> {
  refuseNoScopes(request.scopes)
  refuseScopesBeyond(caller, request.scopes)
  const nowMs = await readMarketTime(tx)
  const life = expires_in_days && { expires_on: new Date(nowMs + expires_in_days * DAY_MS) }
  const bounded = { ...request, ...life, ...boundAddresses(caller, request) }
  const makerUuid = makerOf(caller)
  if (makerUuid === null) return createToken(tx, bounded)
  const maker = await lockLivingMaker(tx, makerUuid)
  return createToken(tx, {
    ...bounded,
    ...boundLife(maker, bounded.expires_on, life ? 'expires_in_days' : 'expires_on'),
    ...boundRate(maker, request, installationLimit),
    made_by: maker.uuid,
  })
}

/**
 * The token that whatever the caller creates will end with: a key itself, for a session the key
 * that opened it. Null for a session that a link opened, because its person is the owner.
 */
export function makerOf(caller: TokenSummary): string | null {
  return caller.is_session ? caller.made_by : caller.uuid
}

/** Locks the maker, so that a revocation at the same time either is seen here or ends the child. */
async function lockLivingMaker(tx: Tx, uuid: string): Promise<TokenSummary> {
  const maker = await lockMaker(tx, uuid)
  if (maker && !hasEnded(maker, await readMarketTime(tx))) return maker
  throw new Refusal('unauthenticated', 'The token was revoked or has expired.')
}

/** A caller that has only what is given by name must name it. */
function refuseNoScopes(scopes: readonly string[]): void {
  if (scopes.length > 0) return
  const detail = 'scopes must be given: the caller has none of those that a key has by default.'
  throw new Refusal('invalid_request', detail, {
    errors: [{ field: 'scopes', message: 'must name at least one scope' }],
  })
}

/** Refuses more scopes than the caller has: otherwise its own scopes would limit nothing. */
export function refuseScopesBeyond(caller: TokenSummary, requested: readonly string[]): void {
  const missing = requested.filter((scope) => !hasScope(caller.scopes, scope))
  if (missing.length === 0) return
  const detail = `The token cannot grant scopes that it does not have: ${missing.join(', ')}.`
  throw new Refusal('missing_scope', detail)
}

function boundLife(maker: TokenSummary, expires_on: Date | undefined, field: string) {
  if (maker.expires_on === null) return {}
  const end = new Date(millisecondsOf(maker.expires_on))
  if (expires_on && expires_on > end) {
    throw beyond(
      field,
      `must end at ${isoFromMilliseconds(end.getTime())} at the latest, as the caller's token does`,
    )
  }
  return { expires_on: expires_on ?? end }
}

/** Null means the limit of the installation, and 0 means no limit. */
function boundRate(maker: TokenSummary, request: TokenRequest, installationLimit: number) {
  const rateOf = (limit: number | null) => (limit ?? installationLimit) || Number.POSITIVE_INFINITY
  const most = rateOf(maker.rate_limit_per_minute)
  const requested = request.rate_limit_per_minute
  if (requested !== undefined && rateOf(requested) > most) {
    throw beyond('rate_limit_per_minute', `must be from 1 to ${most}, the caller's own limit`)
  }
  if (requested !== undefined || rateOf(null) <= most) return {}
  return { rate_limit_per_minute: most }
}

/** Where the operator's servers are does not matter for the key of a merchant or a supplier. */
function boundAddresses(caller: TokenSummary, request: TokenRequest) {
  const { allowed_addresses } = request
  if (ownerOf(caller) !== ownerOf(request)) return {}
  if (!allowed_addresses) return { allowed_addresses: caller.allowed_addresses }
  refuseAddressesOutside(caller.allowed_addresses, allowed_addresses)
  return {}
}

function beyond(field: string, message: string): Refusal {
  const detail = `A token cannot create one that may do more than itself: ${field} ${message}.`
  return new Refusal('invalid_request', detail, { errors: [{ field, message }] })
}
