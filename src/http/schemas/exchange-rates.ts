import { number, object, text, timestamp } from './fields.ts'
import { pageOf } from './page.ts'

/** Rates are relative to US dollars, in which all stock is priced. */
const currency = text('Currency code of three letters', 'EUR', { pattern: '^[A-Z]{3}$' })
const rate = (more = {}) => number('Units of the currency for one US dollar', 0.92, more)

export const ExchangeRateBody = object('NewExchangeRate', {
  currency_code: currency,
  rate: rate({ exclusiveMinimum: 0 }),
})

export const ExchangeRateSchema = object('ExchangeRate', {
  currency_code: currency,
  rate: rate(),
  set_on: timestamp('When the rate was set'),
})

export const ExchangeRatesSchema = pageOf('ExchangeRates', 'exchange_rates', ExchangeRateSchema)
