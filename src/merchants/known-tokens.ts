import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { NetworkCheck } from '../lib/networks.ts'
import type { Merchant } from './merchant.ts'
import { addressCheck } from './token-addresses.ts'
import { SUMMARY, type TokenSummary } from './token-store.ts'

/** A token and its merchant. */
export interface KnownToken {
  token: TokenSummary
  merchant: Merchant | undefined
  /** Undefined when the token may be used from anywhere. */
  allows: NetworkCheck | undefined
}

export async function findToken(db: Db | Tx, hash: Buffer): Promise<KnownToken | undefined> {
  return (await findTokens(db, [hash]))[0]
}

/** Finds several tokens at once, each at the position of its hash. */
export async function findTokens(
  db: Db | Tx,
  hashes: readonly Buffer[],
): Promise<(KnownToken | undefined)[]> {
  const tokens = await db
    .selectFrom('token')
    .select([...SUMMARY, 'hash'])
    .where('hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .execute()
  const known = await withMerchants(db, tokens)
  return hashes.map((hash) => known.get(hash.toString('hex')))
}

/** The valid tokens that were made or used last, by hash in hexadecimal digits. */
export async function findRecentTokens(db: Db, limit: number): Promise<Map<string, KnownToken>> {
  const tokens = await db
    .selectFrom('token')
    .select([...SUMMARY, 'hash'])
    .where('revoked_on', 'is', null)
    .where((eb) => eb('expires_on', 'is', null).or('expires_on', '>', sql<string>`market_now()`))
    .orderBy(sql`coalesce(last_used_on, created_on)`, 'desc')
    .limit(limit)
    .execute()
  return withMerchants(db, tokens)
}

/** The merchants whose tokens were made or used last, the latest first. */
export async function listRecentMerchants(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ merchant_uuid: string }>`
    select merchant_uuid from token where merchant_uuid is not null and revoked_on is null
    group by merchant_uuid order by max(coalesce(last_used_on, created_on)) desc
    limit ${limit}`.execute(db)
  return rows.map(({ merchant_uuid }) => merchant_uuid)
}

async function withMerchants(
  db: Db | Tx,
  tokens: readonly (TokenSummary & { hash: Buffer })[],
): Promise<Map<string, KnownToken>> {
  const merchants = await findMerchantsOf(db, tokens)
  const known = new Map<string, KnownToken>()
  for (const { hash, ...token } of tokens) {
    const merchant = merchants.get(token.merchant_uuid ?? '')
    // The market was reset between the two reads: the token is gone like its merchant.
    if (token.merchant_uuid !== null && !merchant) continue
    const allows = addressCheck(token.allowed_addresses)
    known.set(hash.toString('hex'), { token, merchant, allows })
  }
  return known
}

async function findMerchantsOf(
  db: Db,
  tokens: readonly Pick<TokenSummary, 'merchant_uuid'>[],
): Promise<Map<string, Merchant>> {
  const uuids = [...new Set(tokens.flatMap(({ merchant_uuid }) => merchant_uuid ?? []))]
  if (uuids.length === 0) return new Map()
  const merchants = await db
    .selectFrom('merchant')
    .selectAll()
    .where('uuid', '=', sql<string>`any(${uuids}::uuid[])`)
    .execute()
  return new Map(merchants.map((merchant) => [merchant.uuid, merchant]))
}
