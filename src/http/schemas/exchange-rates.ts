import { list, number, object, text, timestamp } from './fields.ts'

const currency = text('Three letters', 'EUR', { pattern: '^[A-Z]{3}$' })
const rate = (more = {}) => number('How many of it one US dollar buys', 0.92, more)

export const ExchangeRateBody = object('NewExchangeRate', {
  currency_code: currency,
  rate: rate({ exclusiveMinimum: 0 }),
})

export const ExchangeRateSchema = object('ExchangeRate', {
  currency_code: currency,
  rate: rate(),
  set_on: timestamp('Since when'),
})

export const ExchangeRatesSchema = object('ExchangeRates', {
  exchange_rates: list(ExchangeRateSchema, 'By currency, or newest first'),
})
