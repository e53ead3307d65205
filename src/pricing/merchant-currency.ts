import { recordEntry } from '../audit/record-entry.ts'
import type { Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { createMerchant, type NewMerchant } from '../merchants/merchant-store.ts'
import { BASE_CURRENCY, type ExchangeRate, listRates } from './exchange-rates.ts'

/**
 * A merchant sees no price in a currency that has no exchange rate, so it never gets such a
 * currency, and a rate that merchants need is not removed.
 */

/** Creates a merchant; refuses a currency that has no exchange rate. */
export async function addMerchant(tx: Tx, merchant: NewMerchant): Promise<Merchant> {
  if (merchant.currency_code !== undefined) await requireRate(tx, merchant.currency_code)
  return createMerchant(tx, merchant)
}

/** Refuses a currency without a rate, and keeps the rate from being removed until the commit. */
export async function requireRate(tx: Tx, currencyCode: string): Promise<void> {
  if (currencyCode === BASE_CURRENCY) return
  const rates = await tx
    .selectFrom('exchange_rate')
    .select('rate')
    .where('currency_code', '=', currencyCode)
    .forKeyShare()
    .execute()
  if (rates.length > 0) return
  const known = (await listRates(tx)).map(({ currency_code }) => currency_code)
  const message = `must be one of ${[...known, BASE_CURRENCY].sort().join(', ')}`
  throw new Refusal(
    'unknown_currency',
    `There is no exchange rate for ${JSON.stringify(currencyCode)}: currency_code ${message}. ` +
      'Set a rate first to use another currency.',
    { errors: [{ field: 'currency_code', message }] },
  )
}

/** How many merchants the refusal to remove a rate names. */
const NAMED_MAX = 5

/** Removes all rates of a currency; refuses while merchants use it. Returns the latest rate. */
export async function removeRate(tx: Tx, currencyCode: string): Promise<ExchangeRate> {
  // Locked first: who is giving this currency to a merchant has done so before the merchants are
  // counted, or finds no rate afterwards.
  const [latest] = await tx
    .selectFrom('exchange_rate')
    .selectAll()
    .where('currency_code', '=', currencyCode)
    .orderBy('set_on', 'desc')
    .forUpdate()
    .execute()
  if (!latest) throw new Refusal('not_found', `There is no exchange rate for ${currencyCode}.`)
  const users = await tx
    .selectFrom('merchant')
    .select('email')
    .where('currency_code', '=', currencyCode)
    .where('deleted', '=', false)
    .orderBy('email')
    .execute()
  if (users.length > 0) throw rateInUse(currencyCode, users)
  await tx.deleteFrom('exchange_rate').where('currency_code', '=', currencyCode).execute()
  await recordEntry(tx, {
    action: 'exchange_rate.remove',
    subject: { kind: 'exchange_rate', id: currencyCode },
    before: { rate: Number(latest.rate) },
  })
  return latest
}

function rateInUse(currencyCode: string, users: readonly { email: string }[]): Refusal {
  const named = users.slice(0, NAMED_MAX).map(({ email }) => email)
  const more = users.length > NAMED_MAX ? ` and ${users.length - NAMED_MAX} more` : ''
  const merchants = users.length === 1 ? '1 merchant uses' : `${users.length} merchants use`
  return new Refusal(
    'rate_in_use',
    `${merchants} ${currencyCode}: ${named.join(', ')}${more}. Give them another currency first.`,
  )
}
