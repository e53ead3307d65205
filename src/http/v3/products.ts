import { queryProducts } from '../../jewelry/showroom/query.ts'
import { type Viewer, viewerOf } from '../../jewelry/showroom/viewer.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { BASE_CURRENCY, getRate } from '../../pricing/exchange-rates.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { pageOf } from '../schemas/page.ts'
import { ProductSchema } from '../schemas/product.ts'
import { JewelryQuery, ProductQuery } from '../schemas/product-query.ts'
import type { Services } from '../services.ts'
import { renderProduct, sendPage } from './product-json.ts'

const config = { access: merchantWith('search'), hasTwin: true } as const
const tags = ['Products']

export function registerProducts(app: App, services: Services): void {
  // The first query need not wait for the load; if that fails, the query makes its own.
  app.addHook('onReady', async () => {
    services.showroom.current().catch(() => {})
  })
  app.post(
    '/api/v3/products/query',
    {
      config,
      schema: {
        tags,
        summary: 'Queries jewelry and watches',
        description:
          'Products in a published public catalogue, or in one shared with the merchant, that ' +
          "have a variant in stock. Prices are the merchant's, in its currency.",
        body: ProductQuery,
        response: { 200: pageOf('ProductPage', 'products', ProductSchema) },
      },
    },
    async (request, reply) => {
      const { q, id, type, include_unavailable, include, ...paging } = request.body
      const viewer = await findViewer(services, merchantOf(request))
      const wish = { q, product_id: id, type, include_unavailable }
      const found = queryProducts(await services.showroom.current(), viewer, wish, paging)
      return sendPage(reply, 'products', found, paging, (row) =>
        renderProduct(row, viewer, include !== undefined),
      )
    },
  )

  app.post(
    '/api/v3/products/jewelry/query',
    {
      config,
      schema: {
        tags,
        summary: 'Queries jewelry',
        description:
          'A product is found when one of its variants meets every condition. ' +
          'GET /api/v3/product_filters lists the keys and values of filter_variant_options.',
        body: JewelryQuery,
        response: { 200: pageOf('ProductPage', 'products', ProductSchema) },
      },
    },
    async (request, reply) => {
      const { id, type: _, order_by, order, limit, offset, include, ...conditions } = request.body
      checkBounds(conditions)
      const viewer = await findViewer(services, merchantOf(request))
      const wish = { ...conditions, product_id: id, type: ['jewelry'] as const }
      const paging = { order_by, order, limit, offset }
      const found = queryProducts(await services.showroom.current(), viewer, wish, paging)
      return sendPage(reply, 'products', found, paging, (row) =>
        renderProduct(row, viewer, include !== undefined),
      )
    },
  )
}

/** Who looks. The operator, and a caller that names a currency, see that instead of its own. */
export async function findViewer(
  { db }: Services,
  merchant: Merchant | undefined,
  currencyCode = merchant?.currency_code ?? BASE_CURRENCY,
): Promise<Viewer> {
  return viewerOf(merchant, currencyCode, await getRate(db, currencyCode))
}

/** Refuses a range whose lower end is above its upper end. */
export function checkBounds(body: {
  wholesale_price_min?: number
  wholesale_price_max?: number
  retail_price_min?: number
  retail_price_max?: number
}): void {
  for (const name of ['wholesale_price', 'retail_price'] as const) {
    const [min, max] = [body[`${name}_min`], body[`${name}_max`]]
    if (min === undefined || max === undefined || min <= max) continue
    const message = `must not be above ${name}_max`
    throw new Refusal('invalid_request', `${name}_min ${message}.`, {
      errors: [{ field: `${name}_min`, message }],
    })
  }
}
