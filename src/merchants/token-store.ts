import { sql } from 'kysely'
import { readMarketTime } from '../database/clock.ts'
import type { Db, Tx } from '../database/open.ts'
import type { Timestamp } from '../database/tables/columns.ts'
import { withinTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { newUuid } from '../lib/uuid.ts'
import type { Role, Scope } from '../reference/roles.ts'
import { hashToken, newToken, type Realm, type TokenType } from './token.ts'
import { refuseBadAddresses } from './token-addresses.ts'
import { recordToken } from './token-audit.ts'
import {
  BUDGET,
  type Budget,
  type BudgetRequest,
  budgetColumns,
  defaultScopesOf,
} from './token-budget.ts'
import { readOrigins } from './token-origins.ts'
import { claimPlace, refuseWrongOwner } from './token-owner.ts'

export interface TokenRequest {
  realm: Realm
  type: TokenType
  /** Only for the tokens of a merchant. */
  merchant_uuid?: string
  /** Only for the tokens of a supplier. */
  supplier_uuid?: string
  name?: string
  scopes?: readonly Scope[]
  expires_on?: Date
  rate_limit_per_minute?: number
  /** A session of the console, which its holder can end. */
  is_session?: boolean
  /** The token that made this one, which ends with it. */
  made_by?: string
  /** Addresses and networks that the token may be used from; from anywhere unless given. */
  allowed_addresses?: readonly string[]
  /** The web pages that a publishable key may be used on. */
  origins?: readonly string[]
  /** The user of a session, and how it was opened. */
  user_uuid?: string
  opened_with?: 'link' | 'password' | 'key'
  /** What may be ordered with it; that of its maker unless given. */
  budget?: BudgetRequest
  /** The token that this one replaces, whose budget goes on. */
  replaces?: string
}

/** A token as lists show it: without the token itself. */
export interface TokenSummary {
  uuid: string
  merchant_uuid: string | null
  supplier_uuid: string | null
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
  made_by: string | null
  allowed_addresses: string[]
  origins: string[]
  opened_with: 'link' | 'password' | 'key' | null
  /** The person whose session it is; null for keys and for sessions without a user. */
  user: TokenUser | null
  /** Null when its orders are not limited. */
  budget: Budget | null
}

interface TokenUser {
  uuid: string
  name: string
  email: string
  role: Role
}

/** A token at its creation, the only time when the token itself is known. */
export type NewToken = TokenSummary & { token: string }

const USER = sql<TokenUser | null>`(
  select json_build_object('uuid', u.uuid, 'name', u.name, 'email', u.email, 'role', u.role)
  from app_user as u where u.uuid = token.user_uuid)`.as('user')

// biome-ignore format: a list of columns
export const SUMMARY = [
  'uuid', 'merchant_uuid', 'supplier_uuid', 'type', 'name', 'scopes', 'hint',
  'rate_limit_per_minute', 'created_on', 'expires_on', 'revoked_on', 'last_used_on', 'is_session',
  'made_by', 'allowed_addresses', 'origins', 'opened_with', USER, BUDGET,
] as const

/** Creates a token. The token itself is returned here and never again. */
export async function createToken(db: Db | Tx, request: TokenRequest): Promise<NewToken> {
  refuseWrongOwner(request)
  refuseBadAddresses(request.allowed_addresses ?? [])
  return withinTransaction(db, (tx) => insertToken(tx, request))
}

async function insertToken(tx: Tx, request: TokenRequest): Promise<NewToken> {
  const expires = expiryOf(request, await readMarketTime(tx))
  if (!request.is_session) await claimPlace(tx, request)
  const token = newToken(request.realm, request.type)
  const uuid = newUuid()
  const scopes = [...(request.scopes ?? defaultScopesOf(request))]
  const summary = await tx
    .insertInto('token')
    .values({
      uuid,
      merchant_uuid: request.merchant_uuid ?? null,
      supplier_uuid: request.supplier_uuid ?? null,
      type: request.type,
      name: request.name ?? '',
      scopes,
      hash: hashToken(token),
      hint: token.slice(-4),
      rate_limit_per_minute: request.rate_limit_per_minute ?? null,
      expires_on: expires?.toISOString() ?? null,
      is_session: request.is_session ?? false,
      made_by: request.made_by ?? null,
      allowed_addresses: [...(request.allowed_addresses ?? [])],
      origins: readOrigins(request),
      user_uuid: request.user_uuid ?? null,
      opened_with: request.opened_with ?? null,
      ...(await budgetColumns(tx, { ...request, uuid, scopes })),
    })
    .returning(SUMMARY)
    .executeTakeFirstOrThrow()
  await recordToken(tx, summary.is_session ? 'session.open' : 'token.create', null, summary)
  return { ...summary, token }
}

/** A signed-in person's token expires by itself; the others are valid until they are revoked. */
function expiryOf({ type, expires_on }: TokenRequest, nowMs: number): Date | undefined {
  if (!expires_on) return type === 'merchant' ? new Date(nowMs + PERSON_TOKEN_MS) : undefined
  if (expires_on.getTime() > nowMs) return expires_on
  throw new Refusal('invalid_request', 'The token would expire before it is created.', {
    errors: [{ field: 'expires_on', message: 'must be in the future' }],
  })
}

const PERSON_TOKEN_MS = 12 * 3_600_000

export async function listTokens(
  db: Db,
  page: {
    limit: number
    offset: number
    merchant_uuid?: string
    supplier_uuid?: string
    types?: readonly TokenType[]
  },
): Promise<{ tokens: TokenSummary[]; total: number }> {
  let all = db.selectFrom('token')
  if (page.merchant_uuid) all = all.where('merchant_uuid', '=', page.merchant_uuid)
  if (page.supplier_uuid) all = all.where('supplier_uuid', '=', page.supplier_uuid)
  if (page.types) all = all.where('type', 'in', page.types)
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

/** Revokes a token and all that it made at once. Revoking it again changes nothing. */
export async function revokeToken(
  db: Db | Tx,
  uuid: string,
  merchant_uuid?: string,
): Promise<TokenSummary> {
  return withinTransaction(db, async (tx) => {
    const earlier = await lockToken(tx, uuid)
    if (!earlier || (merchant_uuid !== undefined && earlier.merchant_uuid !== merchant_uuid)) {
      throw new Refusal('not_found', `There is no token ${uuid}.`)
    }
    const token = await tx
      .updateTable('token')
      .set({ revoked_on: sql`coalesce(revoked_on, market_now())` })
      .where('uuid', '=', uuid)
      .returning(SUMMARY)
      .executeTakeFirstOrThrow()
    const action = token.is_session ? 'session.close' : 'token.revoke'
    if (earlier.revoked_on === null) await recordToken(tx, action, earlier, token)
    return token
  })
}

/** Whether the token can no longer be used at `nowMs`, the market's time. */
export function hasEnded({ revoked_on, expires_on }: TokenSummary, nowMs: number): boolean {
  if (revoked_on !== null) return true
  return expires_on !== null && millisecondsOf(expires_on) <= nowMs
}

export function findTokenByUuid(tx: Tx, uuid: string): Promise<TokenSummary | undefined> {
  return tx.selectFrom('token').select(SUMMARY).where('uuid', '=', uuid).executeTakeFirst()
}

/** Until the transaction ends, the token cannot be changed. */
export function lockToken(tx: Tx, uuid: string): Promise<TokenSummary | undefined> {
  const token = tx.selectFrom('token').select(SUMMARY).where('uuid', '=', uuid)
  return token.forUpdate().executeTakeFirst()
}

/** Like `lockToken`, but a token can make several others at the same time. */
export function lockMaker(tx: Tx, uuid: string): Promise<TokenSummary | undefined> {
  const token = tx.selectFrom('token').select(SUMMARY).where('uuid', '=', uuid)
  return token.forShare().executeTakeFirst()
}

/** Lets a token expire after some seconds, unless it expires earlier anyway. */
export async function expireToken(tx: Tx, uuid: string, seconds: number): Promise<void> {
  const end = sql<string>`least(expires_on, market_now() + make_interval(secs => ${seconds}))`
  await tx.updateTable('token').set({ expires_on: end }).where('uuid', '=', uuid).execute()
}

/** The keys that one token made end with another from now on. Its sessions still end with it. */
export async function handOver(tx: Tx, fromUuid: string, toUuid: string): Promise<void> {
  await tx
    .updateTable('token')
    .set({ made_by: toUuid })
    .where('made_by', '=', fromUuid)
    .where('is_session', '=', false)
    .execute()
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
