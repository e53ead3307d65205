import { recordEntry } from '../audit/record-entry.ts'
import { readMarketTime } from '../database/clock.ts'
import type { Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import type { Scope } from '../reference/roles.ts'
import type { Realm } from './token.ts'
import { makerOf, refuseScopesBeyond } from './token-maker.ts'
import { ownerOf } from './token-owner.ts'
import {
  createToken,
  expireToken,
  findTokenByUuid,
  handOver,
  hasEnded,
  lockMaker,
  lockToken,
  type NewToken,
  revokeToken,
  type TokenSummary,
} from './token-store.ts'

/** Long enough to bring a new token to every place that uses the old one. */
export const OVERLAP_SECONDS_MAX = 30 * 86_400
export const OVERLAP_SECONDS_DEFAULT = 86_400

interface RotationRequest {
  realm: Realm
  /** How long the old token still works; with 0 it is revoked at once. */
  overlapSeconds: number
  /** Only a token of this merchant. */
  merchant_uuid?: string
  /** Undefined on the command line, where the caller is the owner of the installation. */
  caller?: TokenSummary
}

/**
 * Replaces a token by a new one with the same name, scopes, limits and remaining life. Keys that
 * the old token made belong to the new one from then on, so that a routine rotation ends nothing;
 * without an overlap the old token is not trusted any more, and they end with it.
 */
export async function rotateToken(
  tx: Tx,
  uuid: string,
  { realm, overlapSeconds, merchant_uuid, caller }: RotationRequest,
): Promise<NewToken> {
  const old = await lockWithMaker(tx, uuid, merchant_uuid)
  if (old.is_session || hasEnded(old, await readMarketTime(tx))) {
    const reason = old.is_session ? 'is a session' : 'was revoked or has expired'
    throw new Refusal('wrong_state', `The token ${uuid} ${reason}; it cannot be rotated.`)
  }
  if (caller) refuseToRotate(caller, old)
  // Revoked first: it leaves its place to the new one when the merchant has no other place left.
  if (overlapSeconds === 0) await revokeToken(tx, uuid)
  const created = await createToken(tx, { ...copyOf(old), realm })
  await recordEntry(tx, {
    action: 'token.rotate',
    subject: { kind: 'token', id: uuid },
    merchant_uuid: old.merchant_uuid,
    before: {},
    after: { replaced_by: created.uuid, overlap_seconds: overlapSeconds },
  })
  if (overlapSeconds > 0) {
    await handOver(tx, uuid, created.uuid)
    await expireToken(tx, uuid, overlapSeconds)
  }
  return created
}

/** Locks the maker before the token, in the order in which a revocation reaches them. */
async function lockWithMaker(tx: Tx, uuid: string, merchant_uuid?: string): Promise<TokenSummary> {
  const seen = await findTokenByUuid(tx, uuid)
  if (seen && seen.made_by !== null) await lockMaker(tx, seen.made_by)
  const token = seen && (await lockToken(tx, uuid))
  if (token && (merchant_uuid === undefined || token.merchant_uuid === merchant_uuid)) return token
  throw new Refusal('not_found', `There is no token ${uuid}.`)
}

/**
 * Rotating returns a secret, so a key may rotate only the keys that it made: a stolen key that
 * rotated itself or its maker would survive its own revocation. A person who signed in with a link
 * may rotate every key, and the operator every key of a merchant or a supplier, within its own
 * scopes, unless its own token has a budget.
 */
function refuseToRotate(caller: TokenSummary, old: TokenSummary): void {
  refuseScopesBeyond(caller, old.scopes)
  const maker = makerOf(caller)
  if (maker === null || old.made_by === maker) return
  // A token with a budget must not get the secret of one without.
  if (ownerOf(caller) !== ownerOf(old) && caller.budget === null) return
  const detail =
    'A key can rotate only keys that it made; sign in with a link, or use "pavilion token rotate".'
  throw new Refusal('forbidden', detail)
}

function copyOf(old: TokenSummary) {
  return {
    type: old.type,
    name: old.name,
    scopes: old.scopes as Scope[],
    allowed_addresses: old.allowed_addresses,
    replaces: old.uuid,
    origins: old.origins,
    ...(old.merchant_uuid !== null && { merchant_uuid: old.merchant_uuid }),
    ...(old.supplier_uuid !== null && { supplier_uuid: old.supplier_uuid }),
    ...(old.made_by !== null && { made_by: old.made_by }),
    ...(old.rate_limit_per_minute !== null && {
      rate_limit_per_minute: old.rate_limit_per_minute,
    }),
    ...(old.expires_on !== null && { expires_on: new Date(millisecondsOf(old.expires_on)) }),
  }
}
