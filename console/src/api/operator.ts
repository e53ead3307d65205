import type { Static } from 'typebox'
import type {
  ExchangeRateBody,
  ExchangeRateSchema,
  ExchangeRatesSchema,
} from '../../../src/http/schemas/exchange-rates.ts'
import type {
  FiguresQuery,
  FiguresSchema,
  OverviewSchema,
} from '../../../src/http/schemas/overview.ts'
import { call, newIdempotencyKey, readAll } from './client.ts'

export type Overview = Static<typeof OverviewSchema>

export function readOverview(signal?: AbortSignal): Promise<Overview> {
  return call('GET', '/api/operator/overview', { signal })
}

export type Figures = Static<typeof FiguresSchema>

export function readFigures(
  query: Static<typeof FiguresQuery>,
  signal?: AbortSignal,
): Promise<Figures> {
  return call('GET', '/api/operator/figures', { query, signal })
}

export type Rate = Static<typeof ExchangeRateSchema>
type ExchangeRates = Static<typeof ExchangeRatesSchema>

export function listRates(signal?: AbortSignal): Promise<Rate[]> {
  return readAll('/api/operator/exchange_rates', 'exchange_rates', { signal })
}

export function listRateHistory(
  currency_code: string,
  signal?: AbortSignal,
): Promise<ExchangeRates> {
  const path = { currency_code }
  return call('GET', '/api/operator/exchange_rates/{currency_code}', { path, signal })
}

export function setRate(
  rate: Static<typeof ExchangeRateBody>,
): Promise<Static<typeof ExchangeRateSchema>> {
  return call('POST', '/api/operator/exchange_rates', {
    body: rate,
    idempotencyKey: newIdempotencyKey(),
  })
}
