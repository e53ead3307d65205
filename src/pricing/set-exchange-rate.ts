import type { Tx } from '../database/open.ts'
import { logPriceChange } from '../events/change-log.ts'
import { type ExchangeRate, insertRate } from './exchange-rates.ts'

/** Puts a rate into force, and tells every merchant that pays in the currency. */
export async function setExchangeRate(
  tx: Tx,
  currencyCode: string,
  rate: string | number,
): Promise<ExchangeRate> {
  const inForce = await insertRate(tx, currencyCode, rate)
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
