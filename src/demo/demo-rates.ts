import type { Tx } from '../database/open.ts'

/** Units per US dollar; each currency has had another rate a month earlier. */
const RATES = {
  EUR: ['0.93120000', '0.92000000'],
  GBP: ['0.80150000', '0.79000000'],
  CAD: ['1.36000000', '1.37000000'],
  AUD: ['1.54300000', '1.52000000'],
  CHF: ['0.89900000', '0.88000000'],
  JPY: ['148.90000000', '151.20000000'],
  INR: ['83.10000000', '83.60000000'],
}

export async function createDemoRates(tx: Tx, asOfMs: number): Promise<void> {
  const moments = [asOfMs - 30 * 86_400_000, asOfMs].map((ms) => new Date(ms).toISOString())
  const rows = Object.entries(RATES).flatMap(([currency_code, rates]) =>
    rates.map((rate, place) => ({ currency_code, rate, set_on: moments[place] })),
  )
  // A rate that the operator set before stays in force.
  await tx
    .insertInto('exchange_rate')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
