import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { limitOf, limitRefusal } from '../reference/merchant-limits.ts'
import { PUBLISHABLE_SCOPES, type Scope, SUPPLIER_SCOPES } from '../reference/roles.ts'
import { lockMerchant } from './merchant-store.ts'
import type { TokenType } from './token.ts'

/** Who a token belongs to: a merchant, a supplier, or the operator when it is neither. */
interface TokenOwner {
  merchant_uuid?: string | null | undefined
  supplier_uuid?: string | null | undefined
}

/** Null for a token of the operator. */
export function ownerOf({ merchant_uuid, supplier_uuid }: TokenOwner): string | null {
  return merchant_uuid ?? supplier_uuid ?? null
}

type OwnedRequest = TokenOwner & { type: TokenType; scopes?: readonly Scope[] }

/** Refuses a token whose type and owner do not fit, and scopes that are of no use to its type. */
export function refuseWrongOwner(request: OwnedRequest): void {
  const { type, merchant_uuid, supplier_uuid, scopes = [] } = request
  const isOfMerchant = type === 'api_key' || type === 'merchant' || type === 'publishable'
  if (isOfMerchant !== (merchant_uuid !== undefined)) {
    const detail = isOfMerchant
      ? `A token of type ${type} needs the merchant that it belongs to.`
      : `A token of type ${type} has no merchant.`
    throw wrongField('merchant_uuid', 'does not match the type of the token', detail)
  }
  if ((type === 'supplier') !== (supplier_uuid !== undefined)) {
    const detail =
      type === 'supplier'
        ? 'A token of type supplier needs the supplier that it belongs to.'
        : `A token of type ${type} has no supplier.`
    throw wrongField('supplier_uuid', 'does not match the type of the token', detail)
  }
  if (type === 'supplier') refuseScopesOutside(SUPPLIER_SCOPES, scopes, "A supplier's token")
  if (type === 'publishable') refuseScopesOutside(PUBLISHABLE_SCOPES, scopes, 'A publishable key')
}

function refuseScopesOutside(
  possible: readonly Scope[],
  scopes: readonly Scope[],
  subject: string,
): void {
  const useless = scopes.filter((scope) => !possible.includes(scope))
  if (useless.length === 0) return
  const list = possible.join(', ')
  const detail = `${subject} cannot have the scope ${useless.join(', ')}; possible: ${list}.`
  throw wrongField('scopes', `must be among ${list}`, detail)
}

function wrongField(field: string, message: string, detail: string): Refusal {
  return new Refusal('invalid_request', detail, { errors: [{ field, message }] })
}

/** As many as a merchant has by default: one for each program, and some while they are rotated. */
const SUPPLIER_KEYS_MAX = 50

/** Locks the owner, so that two keys created at once cannot exceed the limit. */
export async function claimPlace(tx: Tx, owner: TokenOwner): Promise<void> {
  const { merchant_uuid, supplier_uuid } = owner
  const advice = 'Revoke one that is not in use'
  if (merchant_uuid != null) {
    const limit = limitOf(await lockMerchant(tx, merchant_uuid), 'max_keys')
    const used = await countLivingKeys(tx, merchant_uuid)
    if (used >= limit) {
      throw limitRefusal('key_limit', { name: 'max_keys', limit, used, advice })
    }
  }
  if (supplier_uuid != null) {
    await lockSupplierRow(tx, supplier_uuid)
    const used = await countLiving(tx, 'supplier_uuid', supplier_uuid)
    if (used >= SUPPLIER_KEYS_MAX) {
      const most = `A supplier has at most ${SUPPLIER_KEYS_MAX} keys`
      const detail = `${most}; ${used} are in use. ${advice}.`
      throw new Refusal('key_limit', detail, { extra: { limit: SUPPLIER_KEYS_MAX, used } })
    }
  }
}

async function lockSupplierRow(tx: Tx, uuid: string): Promise<void> {
  const found = await tx
    .selectFrom('supplier')
    .select('id')
    .where('uuid', '=', uuid)
    // Tokens refer to the row, and may still do so.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', `There is no supplier ${uuid}.`)
}

/** Counts the keys that have not ended; the sessions of the console are not among them. */
export function countLivingKeys(db: Db | Tx, merchantUuid: string): Promise<number> {
  return countLiving(db, 'merchant_uuid', merchantUuid)
}

async function countLiving(
  db: Db | Tx,
  column: 'merchant_uuid' | 'supplier_uuid',
  uuid: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('token')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(column, '=', uuid)
    .where('is_session', '=', false)
    .where('revoked_on', 'is', null)
    .where((eb) =>
      eb.or([eb('expires_on', 'is', null), eb('expires_on', '>', sql<string>`market_now()`)]),
    )
    .executeTakeFirstOrThrow()
  return count
}
