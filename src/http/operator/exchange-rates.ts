import { isoWithOffset } from '../../lib/timestamps.ts'
import {
  countRates,
  type ExchangeRate,
  listRateHistory,
  listRates,
  setExchangeRate,
} from '../../pricing/exchange-rates.ts'
import { removeRate } from '../../pricing/merchant-currency.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import {
  ExchangeRateBody,
  ExchangeRateSchema,
  ExchangeRatesSchema,
} from '../schemas/exchange-rates.ts'
import { inlineObject, text } from '../schemas/fields.ts'
import { PageQuery, pageFrom } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { afterNewPrices } from '../shared/settings.ts'

const reading = { access: operatorWith('settings:read') } as const
const writing = { access: operatorWith('settings:write') } as const
const tags = ['Exchange Rates']
const params = inlineObject({
  currency_code: text('Currency code of three letters', 'EUR', { pattern: '^[A-Z]{3}$' }),
})

/** Exchange rates from US dollars, in which all stock is priced. */
export function registerExchangeRates(app: App, services: Services): void {
  const { db } = services

  app.get(
    '/api/operator/exchange_rates',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the current rates by currency',
        querystring: PageQuery,
        response: { 200: ExchangeRatesSchema },
      },
    },
    async ({ query }) => pageFrom('exchange_rates', (await listRates(db)).map(renderRate), query),
  )

  app.get(
    '/api/operator/exchange_rates/:currency_code',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the rates that one currency has had, newest first',
        params,
        querystring: PageQuery,
        response: { 200: ExchangeRatesSchema },
      },
    },
    async ({ params: { currency_code }, query: { limit, offset } }) => {
      const history = await listRateHistory(db, currency_code, limit, offset)
      const total = await countRates(db, currency_code)
      return { exchange_rates: history.map(renderRate), total, offset, limit }
    },
  )

  app.post(
    '/api/operator/exchange_rates',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Sets a rate; older rates are kept as history',
        body: ExchangeRateBody,
        response: { 201: ExchangeRateSchema },
      },
    },
    (request, reply) => {
      const { currency_code, rate } = request.body
      const written = writeOnce(db, request, reply, 201, async (tx) =>
        renderRate(await setExchangeRate(tx, currency_code, rate)),
      )
      return afterNewPrices(services, written)
    },
  )

  app.delete(
    '/api/operator/exchange_rates/:currency_code',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Removes all rates of a currency; refused while merchants use it',
        params,
        response: { 200: ExchangeRateSchema },
      },
    },
    (request) =>
      write(db, request, async (tx) =>
        renderRate(await removeRate(tx, request.params.currency_code)),
      ),
  )
}

function renderRate({ currency_code, rate, set_on }: ExchangeRate) {
  return { currency_code, rate: Number(rate), set_on: isoWithOffset(set_on) }
}
