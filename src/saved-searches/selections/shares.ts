import { type Selectable, sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import { readMarketTime } from '../../database/clock.ts'
import type { Db, Tx } from '../../database/open.ts'
import type { ShareTable } from '../../database/tables/selections.ts'
import { Refusal } from '../../lib/refusal.ts'
import { DAY_MS } from '../../lib/timestamps.ts'
import { newUuid } from '../../lib/uuid.ts'
import { type Merchant, whyNotAdmitted } from '../../merchants/merchant.ts'
import { findMerchants, lockMerchant } from '../../merchants/merchant-store.ts'
import { hashToken, newCode } from '../../merchants/token.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import { getOnSale } from './chosen-stones.ts'

/** Pages that show stones to a merchant's customer at retail prices; see migration 0058. */
export type Share = Selectable<ShareTable>

export const SHARE_STONES_MAX = 20
export const SHARE_DAYS_MAX = 90
export const SHARE_DAYS_DEFAULT = 14
/** More than a shop talks about at once; it bounds what a stolen key can make public. */
export const LIVING_SHARES_MAX = 500
/** 128 random bits: nobody finds a page by trying. */
const CODE_LENGTH = 22
/** An ended share stays in the list, so that the merchant sees why a customer's link ended. */
const KEPT_DAYS = 7
/** Bounds how long the deletion holds its locks; the rest follows at the next run. */
const DELETED_AT_ONCE_MAX = 1_000

interface ShareRequest {
  skus: readonly string[]
  days: number
  title: string | null
  note: string | null
  /** Who makes it, as the audit names them. */
  created_by: string
}

/** Makes a share. Its code is returned here and stored nowhere. */
export async function createShare(
  tx: Tx,
  merchant: Merchant,
  { days, skus, ...fields }: ShareRequest,
): Promise<{ share: Share; code: string }> {
  const nowMs = await readMarketTime(tx)
  await getOnSale(tx, skus, { list: priceListOf(merchant), nowMs })
  await claimPlace(tx, merchant.uuid)
  const code = newCode(CODE_LENGTH)
  const share = await tx
    .insertInto('share')
    .values({
      ...fields,
      uuid: newUuid(),
      hash: hashToken(code),
      merchant_uuid: merchant.uuid,
      skus: [...skus],
      expires_on: new Date(nowMs + days * DAY_MS).toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEntry(tx, {
    action: 'share.create',
    subject: { kind: 'share', id: share.uuid },
    after: auditedFields(share),
  })
  return { share, code }
}

/** Ends a share at once. One that has ended already stays as it is. */
export async function revokeShare(tx: Tx, merchant: Merchant, uuid: string): Promise<void> {
  const before = await tx
    .selectFrom('share')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('merchant_uuid', '=', merchant.uuid)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw new Refusal('not_found', `There is no share ${uuid}.`)
  if (before.revoked_on !== null) return
  const after = await tx
    .updateTable('share')
    .set({ revoked_on: sql<string>`market_now()` })
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEntry(tx, {
    action: 'share.revoke',
    subject: { kind: 'share', id: uuid },
    before: auditedFields(before),
    after: auditedFields(after),
  })
}

/** The shares of a merchant, newest first, also those that ended a few days ago. */
export async function listShares(
  db: Db,
  merchantUuid: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ shares: Share[]; total: number }> {
  const own = db.selectFrom('share').where('merchant_uuid', '=', merchantUuid)
  const shares = await own
    .selectAll()
    .orderBy('created_on', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { shares, total }
}

/** The living share with a code, of a merchant that trades. */
export async function findShare(
  db: Db,
  code: string,
): Promise<{ share: Share; merchant: Merchant } | undefined> {
  const share = await db
    .selectFrom('share')
    .selectAll()
    .where('hash', '=', hashToken(code))
    .where('revoked_on', 'is', null)
    .where('expires_on', '>', sql<string>`market_clock()`)
    .executeTakeFirst()
  const [merchant] = share ? await findMerchants(db, [share.merchant_uuid]) : []
  return share && merchant && !whyNotAdmitted(merchant) ? { share, merchant } : undefined
}

/** Deletes shares that ended long ago. */
export async function deleteEndedShares(db: Db): Promise<void> {
  await sql`
    delete from share where uuid in (
      select uuid from share
      where least(revoked_on, expires_on) < market_now() - make_interval(days => ${KEPT_DAYS})
      limit ${DELETED_AT_ONCE_MAX}
    )`.execute(db)
}

/** Locks the merchant, so that two shares made at once cannot exceed the limit. */
async function claimPlace(tx: Tx, merchantUuid: string): Promise<void> {
  await lockMerchant(tx, merchantUuid)
  const { used } = await tx
    .selectFrom('share')
    .select((eb) => eb.fn.countAll<number>().as('used'))
    .where('merchant_uuid', '=', merchantUuid)
    .where('revoked_on', 'is', null)
    .where('expires_on', '>', sql<string>`market_now()`)
    .executeTakeFirstOrThrow()
  if (used < LIVING_SHARES_MAX) return
  throw new Refusal(
    'share_limit',
    `A merchant may have ${LIVING_SHARES_MAX} share links at once. Revoke one first.`,
    { extra: { limit: LIVING_SHARES_MAX, used } },
  )
}

/** Without the hash: a reader of the audit need not know it. */
function auditedFields({ skus, title, note, expires_on, revoked_on }: Share) {
  return { skus, title, note, expires_on, revoked_on }
}
