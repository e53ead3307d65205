import { type Insertable, sql, type Updateable } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import { isUniqueViolation } from '../database/errors.ts'
import type { Db, Tx } from '../database/open.ts'
import type { MerchantTable } from '../database/tables/merchants.ts'
import { withinTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { isUuid, newUuid } from '../lib/uuid.ts'
import { findCountry } from '../reference/countries.ts'
import { isCurrency } from '../reference/currencies.ts'
import { MERCHANT_LIMIT_NAMES, type OwnLimits } from '../reference/merchant-limits.ts'
import type { Merchant } from './merchant.ts'
import { type MerchantProfile, profileColumns } from './merchant-profile.ts'

type ProfileColumn = keyof MerchantProfile

export type NewMerchant = Omit<Insertable<MerchantTable>, 'uuid' | ProfileColumn> & MerchantProfile
export type MerchantChange = MerchantProfile &
  Omit<Updateable<MerchantTable>, 'uuid' | 'created_on' | 'updated_on' | ProfileColumn>

export async function createMerchant(db: Db | Tx, merchant: NewMerchant): Promise<Merchant> {
  refuseUnknownCurrency(merchant)
  const row = { ...columnsOf(merchant), ...checkedCountries(merchant), uuid: newUuid() }
  return withinTransaction(db, async (tx) => {
    const created = await refuseTakenEmail(merchant.email, () =>
      tx.insertInto('merchant').values(row).returningAll().executeTakeFirstOrThrow(),
    )
    await recordMerchant(tx, 'merchant.create', null, created)
    return created
  })
}

export async function updateMerchant(
  db: Db | Tx,
  uuid: string,
  change: MerchantChange,
): Promise<Merchant> {
  refuseUnknownCurrency(change)
  const updated_on = sql<string>`market_now()`
  const row = { ...columnsOf(change), ...checkedCountries(change), updated_on }
  return withinTransaction(db, async (tx) => {
    await lockMerchant(tx, uuid)
    const earlier = await getMerchant(tx, uuid)
    const merchant = await refuseTakenEmail(change.email ?? '', () =>
      tx
        .updateTable('merchant')
        .set(row)
        .where('uuid', '=', uuid)
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    await recordMerchant(tx, 'merchant.change', earlier, merchant)
    return merchant
  })
}

async function recordMerchant(
  tx: Tx,
  action: string,
  before: Merchant | null,
  after: Merchant,
): Promise<void> {
  await recordEntry(tx, {
    action,
    subject: { kind: 'merchant', id: after.uuid },
    merchant_uuid: after.uuid,
    before: before && auditedFields(before),
    after: auditedFields(after),
  })
}

/** The merchant as the operator sees it. */
function auditedFields({ created_on: _, updated_on: __, ...merchant }: Merchant) {
  const { credit_limit, memo_limit, ...fields } = merchant
  return {
    ...fields,
    credit_limit: numberOrNull(credit_limit),
    memo_limit: numberOrNull(memo_limit),
  }
}

function numberOrNull(digits: string | null): number | null {
  return digits === null ? null : Number(digits)
}

/** Returns a merchant by uuid or, as the command line allows, by email. */
export async function getMerchant(db: Db, uuidOrEmail: string): Promise<Merchant> {
  const merchants = db.selectFrom('merchant').selectAll()
  const merchant = isUuid(uuidOrEmail)
    ? await merchants.where('uuid', '=', uuidOrEmail).executeTakeFirst()
    : await merchants
        .where(sql`lower(email)`, '=', uuidOrEmail.toLowerCase())
        .where('deleted', '=', false)
        .executeTakeFirst()
  if (!merchant) throw unknownMerchant(uuidOrEmail)
  return merchant
}

/** The merchants with these uuids, in any order; unknown ones are left out. */
export function findMerchants(db: Db | Tx, uuids: readonly string[]): Promise<Merchant[]> {
  return db.selectFrom('merchant').selectAll().where('uuid', 'in', uuids).execute()
}

/**
 * Every change of a merchant's settings takes this lock, so that two changes run in turn, on
 * whatever nodes. Returns the limits that hold for it.
 */
export async function lockMerchant(tx: Tx, merchantUuid: string): Promise<OwnLimits> {
  const limits = await tx
    .selectFrom('merchant')
    .select(MERCHANT_LIMIT_NAMES)
    .where('uuid', '=', merchantUuid)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!limits) throw unknownMerchant(merchantUuid)
  return limits
}

interface MerchantPage {
  merchants: Merchant[]
  total: number
}

/** What merchants can be sorted by. No credit limit is more than any. */
const SORTS = {
  created_on: sql`created_on`,
  legal_dba: sql`lower(legal_dba)`,
  country_code: sql`country_code`,
  currency_code: sql`currency_code`,
  payment_terms_days: sql`payment_terms_days`,
  credit_limit: sql`credit_limit`,
} as const

type MerchantSort = keyof typeof SORTS
export const MERCHANT_SORTS = Object.keys(SORTS) as MerchantSort[]

export async function listMerchants(
  db: Db,
  page: {
    limit: number
    offset: number
    sort_col?: MerchantSort | undefined
    sort_order?: 'asc' | 'desc' | undefined
    /** In any case, a part of the name, the e-mail or the operator's own number. */
    q?: string | undefined
    api_enabled?: boolean | undefined
  },
): Promise<MerchantPage> {
  const { sort_col = 'created_on', sort_order = 'asc', q = '', api_enabled } = page
  const contains = sql<boolean>`position(lower(${q}) in
    lower(concat_ws(E'\\n', legal_dba, email, external_id))) > 0`
  const all = db
    .selectFrom('merchant')
    .where('deleted', '=', false)
    .$if(q !== '', (query) => query.where(contains))
    .$if(api_enabled !== undefined, (query) =>
      query.where('api_enabled', '=', api_enabled === true),
    )
  const merchants = await all
    .selectAll()
    .orderBy(SORTS[sort_col], sort_order)
    .orderBy('uuid')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await all
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { merchants, total }
}

/** Whether the market has no merchant yet, so that the demo merchants may be created. */
export async function isWithoutMerchants(db: Db): Promise<boolean> {
  const row = await db.selectFrom('merchant').select('uuid').limit(1).executeTakeFirst()
  return row === undefined
}

function unknownMerchant(name: string): Refusal {
  return new Refusal('not_found', `There is no merchant ${name}.`)
}

function columnsOf<Row extends MerchantProfile>(row: Row) {
  const { approval_status, cc_emails, url, references, ...columns } = row
  return { ...columns, ...profileColumns({ approval_status, cc_emails, url, references }) }
}

function refuseUnknownCurrency({ currency_code }: { currency_code?: string }): void {
  if (currency_code === undefined || isCurrency(currency_code)) return
  const message = `${currency_code} is not a currency code such as USD or EUR`
  throw new Refusal('unknown_currency', `The currency is not valid: ${message}.`, {
    errors: [{ field: 'currency_code', message }],
  })
}

const COUNTRY_FIELDS = ['country_code', 'billing_country_code', 'shipping_country_code'] as const
type Countries = Partial<Record<(typeof COUNTRY_FIELDS)[number], string>>

/** The countries by two letters, as orders copy them. An address may have none. */
function checkedCountries(change: Countries): Countries {
  const countries: Countries = {}
  for (const field of COUNTRY_FIELDS) {
    const code = change[field]
    if (code === undefined) continue
    const country = findCountry(code)
    if (!country && (code !== '' || field === 'country_code')) {
      const message = `${code} is not a country code such as US or DE`
      throw new Refusal('invalid_request', `The country is not valid: ${message}.`, {
        errors: [{ field, message }],
      })
    }
    countries[field] = country ?? ''
  }
  return countries
}

async function refuseTakenEmail<T>(email: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'merchant_email')) {
      throw new Refusal('email_taken', `Another merchant has the email ${email}.`)
    }
    throw error
  }
}
