import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { Timestamp } from '../database/tables/columns.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import type { Merchant } from './merchant.ts'
import { hashToken, newToken, type Realm, SCOPES, type Scope, type TokenType } from './token.ts'

export interface TokenRequest {
  realm: Realm
  type: TokenType
  /** Undefined for an operator's token. */
  merchant_uuid?: string
  name?: string
  scopes?: readonly Scope[]
  expires_on?: Date
  rate_limit_per_minute?: number
  /** A session of the console, which its holder can end. */
  is_session?: boolean
  /** The key that opened the session, which ends with the key. */
  opened_by?: string
}

/** A token as lists show it: without the token itself. */
export interface TokenSummary {
  uuid: string
  merchant_uuid: string | null
  type: TokenType
  name: string
  scopes: string[]
  hint: string
  rate_limit_per_minute: number | null
  created_on: Timestamp
  expires_on: Timestamp | null
  revoked_on: Timestamp | null
  last_used_on: Timestamp | null
  is_session: boolean
}

// biome-ignore format: a list of columns
const SUMMARY = [
  'uuid', 'merchant_uuid', 'type', 'name', 'scopes', 'hint', 'rate_limit_per_minute',
  'created_on', 'expires_on', 'revoked_on', 'last_used_on', 'is_session',
] as const

/** Creates a token. The token itself is returned here and never again. */
export async function createToken(
  db: Db,
  request: TokenRequest,
): Promise<TokenSummary & { token: string }> {
  if ((request.type === 'admin') !== (request.merchant_uuid === undefined)) {
    throw new Refusal(
      'invalid_request',
      'An admin token has no merchant; every other token needs one.',
      {
        errors: [{ field: 'merchant_uuid', message: 'does not match the type of the token' }],
      },
    )
  }
  if (request.expires_on && request.expires_on.getTime() <= Date.now()) {
    throw new Refusal('invalid_request', 'The token would expire before it is created.', {
      errors: [{ field: 'expires_on', message: 'must be in the future' }],
    })
  }
  const token = newToken(request.realm)
  const expires = request.expires_on ?? expiryOf(request.type)
  const summary = await db
    .insertInto('token')
    .values({
      uuid: newUuid(),
      merchant_uuid: request.merchant_uuid ?? null,
      type: request.type,
      name: request.name ?? '',
      scopes: [...(request.scopes ?? SCOPES)],
      hash: hashToken(token),
      hint: token.slice(-4),
      rate_limit_per_minute: request.rate_limit_per_minute ?? null,
      expires_on: expires?.toISOString() ?? null,
      is_session: request.is_session ?? false,
      opened_by: request.opened_by ?? null,
    })
    .returning(SUMMARY)
    .executeTakeFirstOrThrow()
  return { ...summary, token }
}

/** A signed-in person's token expires by itself; the others are valid until they are revoked. */
function expiryOf(type: TokenType): Date | undefined {
  return type === 'merchant' ? new Date(Date.now() + PERSON_TOKEN_MS) : undefined
}

const PERSON_TOKEN_MS = 12 * 3_600_000

export async function listTokens(
  db: Db,
  page: { limit: number; offset: number; merchant_uuid?: string; type?: TokenType },
): Promise<{ tokens: TokenSummary[]; total: number }> {
  let all = db.selectFrom('token')
  if (page.merchant_uuid) all = all.where('merchant_uuid', '=', page.merchant_uuid)
  if (page.type) all = all.where('type', '=', page.type)
  const tokens = await all
    .select(SUMMARY)
    .orderBy('created_on')
    .orderBy('uuid')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await all
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { tokens, total }
}

/** Revokes a token at once. Revoking it again changes nothing. */
export async function revokeToken(
  db: Db,
  uuid: string,
  merchant_uuid?: string,
): Promise<TokenSummary> {
  let update = db
    .updateTable('token')
    .set({ revoked_on: sql`coalesce(revoked_on, now())` })
    .where('uuid', '=', uuid)
  if (merchant_uuid) update = update.where('merchant_uuid', '=', merchant_uuid)
  const token = await update.returning(SUMMARY).executeTakeFirst()
  if (!token) throw new Refusal('not_found', `There is no token ${uuid}.`)
  return token
}

/** A token and its merchant. */
export interface KnownToken {
  token: TokenSummary
  merchant: Merchant | undefined
}

export async function findToken(db: Db, hash: Buffer): Promise<KnownToken | undefined> {
  const token = await db
    .selectFrom('token')
    .select(SUMMARY)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!token) return undefined
  if (token.merchant_uuid === null) return { token, merchant: undefined }
  const merchant = await db
    .selectFrom('merchant')
    .selectAll()
    .where('uuid', '=', token.merchant_uuid)
    .executeTakeFirstOrThrow()
  return { token, merchant }
}

/** Records when tokens were last used; many at once, because every request uses one. */
export async function recordTokenUse(db: Db, used: ReadonlyMap<string, Date>): Promise<void> {
  if (used.size === 0) return
  const uuids = [...used.keys()]
  const times = [...used.values()].map((time) => time.toISOString())
  await sql`
    update token set last_used_on = used.at
    from unnest(${uuids}::uuid[], ${times}::timestamptz[]) as used (uuid, at)
    where token.uuid = used.uuid and (last_used_on is null or last_used_on < used.at)
  `.execute(db)
}
