import { COSTS } from '../request/call-costs.ts'
import { type App, shopWindowOrOperatorWith, shopWindowWith } from '../route.ts'
import { pageOf } from '../schemas/page.ts'
import { ProductFiltersSchema, ProductSchema, VariantSchema } from '../schemas/product.ts'
import { FilterQuery, JewelryQuery, ProductQuery, VariantQuery } from '../schemas/product-query.ts'
import type { Services } from '../services.ts'
import {
  readProductFilters,
  refuseVendorFilter,
  sendJewelry,
  sendProducts,
  sendVariants,
} from '../shared/products.ts'

const access = shopWindowWith('search')

/** Jewelry and watches, from memory. */
export function registerProductsV3(app: App, services: Services): void {
  app.post(
    '/api/v3/products/query',
    {
      config: { access, cost: COSTS.query, changesNothing: true, mayBeStale: true },
      schema: {
        tags: ['Products'],
        summary: 'Queries jewelry and watches',
        description:
          'Products in a published public catalogue, or in one shared with the merchant, that ' +
          "have a variant in stock. Prices are the merchant's, in its currency. " +
          'GET /api/v3/product_filters lists the keys and values of filter_variant_options.',
        body: ProductQuery,
        response: { 200: pageOf('ProductPage', 'products', ProductSchema) },
      },
    },
    async (request, reply) => sendProducts(services, request, reply, request.body),
  )

  app.post(
    '/api/v3/products/jewelry/query',
    {
      config: { access, cost: COSTS.query, changesNothing: true, mayBeStale: true },
      schema: {
        tags: ['Products'],
        summary: 'Queries jewelry',
        description:
          'A product matches when one of its variants satisfies every condition. ' +
          'GET /api/v3/product_filters lists the keys and values of filter_variant_options.',
        body: JewelryQuery,
        response: { 200: pageOf('ProductPage', 'products', ProductSchema) },
      },
    },
    async (request, reply) => sendJewelry(services, request, reply, request.body),
  )

  app.post(
    '/api/v3/product_variants/jewelry/query',
    {
      config: {
        access: shopWindowOrOperatorWith('search'),
        cost: COSTS.query,
        changesNothing: true,
        mayBeStale: true,
      },
      preValidation: refuseVendorFilter,
      schema: {
        tags: ['Product Variants'],
        summary: 'Queries jewelry variants',
        description:
          'Covers the same catalogues as the product queries. vendor_id is for admin tokens, ' +
          'which see every catalogue at the default price list in USD.',
        body: VariantQuery,
        response: { 200: pageOf('VariantPage', 'variants', VariantSchema) },
      },
    },
    async (request, reply) => sendVariants(services, request, reply, request.body),
  )

  app.get(
    '/api/v3/product_filters',
    {
      config: { access, conditional: true, mayBeStale: true },
      schema: {
        tags: ['Products'],
        summary: 'Lists the attributes of a product type, with their values',
        description:
          'The keys and values that filter_variant_options accepts. A value that is sold out has ' +
          'the count 0.',
        querystring: FilterQuery,
        response: { 200: ProductFiltersSchema },
      },
    },
    (request) => readProductFilters(services, request, request.query),
  )
}
