import { call, newIdempotencyKey } from './client.ts'

/** As `Overview` in /openapi/operator.json. */
export interface Overview {
  stock: {
    total: number
    by_supplier: { supplier: string; stones: number; synced_on: string | null; fresh: boolean }[]
    by_shape: { shape: string; stones: number }[]
    by_state: { state: string; stones: number }[]
  }
  orders: { today: number; open: number; unpaid: number; overdue_memos: number }
  merchants: { total: number; without_access: number }
  searches_per_minute: number[]
  health: { status: string; checks: { name: string; result: string }[] }
}

export function readOverview(signal?: AbortSignal): Promise<Overview> {
  return call('GET', '/api/operator/overview', { signal })
}

/** As `ExchangeRate` in /openapi/operator.json. */
export interface ExchangeRate {
  currency_code: string
  rate: number
  set_on: string
}

export function listRates(signal?: AbortSignal): Promise<{ exchange_rates: ExchangeRate[] }> {
  return call('GET', '/api/operator/exchange_rates', { signal })
}

export function listRateHistory(
  currency_code: string,
  signal?: AbortSignal,
): Promise<{ exchange_rates: ExchangeRate[] }> {
  const path = { currency_code }
  return call('GET', '/api/operator/exchange_rates/{currency_code}', { path, signal })
}

export function setRate(currency_code: string, rate: number): Promise<ExchangeRate> {
  return call('POST', '/api/operator/exchange_rates', {
    body: { currency_code, rate },
    idempotencyKey: newIdempotencyKey(),
  })
}
