import type { Tx } from '../database/open.ts'
import { DAY_MS } from '../lib/timestamps.ts'
import { listRates } from '../pricing/exchange-rates.ts'

/** Units per US dollar: the rate of a month ago, and the current one. */
const RATES = {
  EUR: ['0.93120000', '0.92000000'],
  GBP: ['0.80150000', '0.79000000'],
  CAD: ['1.36000000', '1.37000000'],
  AUD: ['1.54300000', '1.52000000'],
  CHF: ['0.89900000', '0.88000000'],
  JPY: ['148.90000000', '151.20000000'],
  INR: ['83.10000000', '83.60000000'],
}

/** Sets rates for currencies that have none; rates that the operator has set stay. */
export async function createDemoRates(tx: Tx, asOfMs: number): Promise<void> {
  const known = new Set((await listRates(tx)).map((rate) => rate.currency_code))
  const times = [asOfMs - 30 * DAY_MS, asOfMs].map((ms) => new Date(ms).toISOString())
  const rows = Object.entries(RATES)
    .filter(([currency_code]) => !known.has(currency_code))
    .flatMap(([currency_code, rates]) =>
      rates.map((rate, index) => ({ currency_code, rate, set_on: times[index] })),
    )
  if (rows.length > 0) await tx.insertInto('exchange_rate').values(rows).execute()
}
