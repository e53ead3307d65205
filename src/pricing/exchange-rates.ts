import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import { logPriceChange } from '../events/change-log.ts'
import { Refusal } from '../lib/refusal.ts'
import { isCurrency } from '../reference/currencies.ts'

/** How many units of a currency one US dollar buys. `rate` holds exact digits. */
export interface ExchangeRate {
  currency_code: string
  rate: string
  set_on: string
}

/** The currency of every stored price, and the one that rates are given in. */
export const BASE_CURRENCY = 'USD'

/** Up to ten digits before and eight after the point: what the column holds. */
const RATE = /^\d{1,10}(\.\d{1,8})?$/

/** Puts a rate into force, and announces new prices to every merchant that pays in the currency. */
export async function setExchangeRate(
  tx: Tx,
  currencyCode: string,
  rate: string | number,
): Promise<ExchangeRate> {
  const earlier = await findRate(tx, currencyCode)
  const inForce = await insertRate(tx, currencyCode, rate)
  await recordEntry(tx, {
    action: 'exchange_rate.set',
    subject: { kind: 'exchange_rate', id: currencyCode },
    before: earlier === undefined ? null : { rate: Number(earlier) },
    after: { rate: Number(inForce.rate) },
  })
  const merchants = await tx
    .selectFrom('merchant')
    .select('uuid')
    .where('currency_code', '=', currencyCode)
    .where('deleted', '=', false)
    .orderBy('uuid')
    .execute()
  for (const { uuid } of merchants) await logPriceChange(tx, uuid)
  return inForce
}

/**
 * Stores a rate beside the older ones, without announcing it as `setExchangeRate` does. It is the
 * newest one also where the clock of a sandbox was set back since the one before.
 */
export async function insertRate(
  tx: Tx,
  currencyCode: string,
  rate: string | number,
): Promise<ExchangeRate> {
  checkRate(currencyCode, String(rate))
  const set_on = sql<string>`greatest(market_clock(), (
    select max(set_on) + interval '1 microsecond' from exchange_rate
    where currency_code = ${currencyCode}))`
  return tx
    .insertInto('exchange_rate')
    .values({ currency_code: currencyCode, rate: String(rate), set_on })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function checkRate(currencyCode: string, rate: string): void {
  const refuse = (field: string, message: string) => {
    throw new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
  }
  if (!/^[A-Z]{3}$/.test(currencyCode)) {
    refuse('currency_code', 'must be three capital letters, for example EUR')
  }
  if (!isCurrency(currencyCode)) {
    refuse(
      'currency_code',
      `must be the code of a currency such as EUR, which ${currencyCode} is not`,
    )
  }
  if (currencyCode === BASE_CURRENCY) {
    refuse(
      'currency_code',
      `must not be ${BASE_CURRENCY}: it is the currency that rates are given in`,
    )
  }
  if (!RATE.test(rate) || Number(rate) === 0) {
    refuse('rate', 'must be a number above 0 with at most eight decimals')
  }
}

/** The rates in force, by currency. The base currency has none: its rate is 1 by definition. */
export function listRates(db: Db | Tx): Promise<ExchangeRate[]> {
  return db
    .selectFrom('exchange_rate')
    .selectAll()
    .distinctOn('currency_code')
    .orderBy('currency_code')
    .orderBy('set_on', 'desc')
    .execute()
}

/** The digits of all rates in force by currency, and `'1'` for the base currency. */
export async function loadRates(db: Db | Tx): Promise<Map<string, string>> {
  const rates = new Map([[BASE_CURRENCY, '1']])
  for (const { currency_code, rate } of await listRates(db)) rates.set(currency_code, rate)
  return rates
}

/** The rates that a currency has had, newest first. */
export function listRateHistory(
  db: Db | Tx,
  currencyCode: string,
  limit = 100,
  offset = 0,
): Promise<ExchangeRate[]> {
  return db
    .selectFrom('exchange_rate')
    .selectAll()
    .where('currency_code', '=', currencyCode)
    .orderBy('set_on', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countRates(db: Db | Tx, currencyCode: string): Promise<number> {
  const { total } = await db
    .selectFrom('exchange_rate')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('currency_code', '=', currencyCode)
    .executeTakeFirstOrThrow()
  return total
}

/** The digits of the rate in force, `'1'` for the base currency; refuses a currency without one. */
export async function getRate(db: Db | Tx, currencyCode: string): Promise<string> {
  const rate = await findRate(db, currencyCode)
  if (rate !== undefined) return rate
  throw new Refusal(
    'unknown_currency',
    `There is no exchange rate for ${JSON.stringify(currencyCode)}.`,
    { errors: [{ field: 'currency_code', message: 'is not a currency with an exchange rate' }] },
  )
}

/** The digits of the rate in force; undefined for a currency without one. */
export async function findRate(db: Db | Tx, currencyCode: string): Promise<string | undefined> {
  if (currencyCode === BASE_CURRENCY) return '1'
  const [newest] = await listRateHistory(db, currencyCode, 1)
  return newest?.rate
}
