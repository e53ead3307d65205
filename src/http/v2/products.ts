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

/** The jewelry queries of v3 under v2, so that a merchant's software can speak one version only. */
export function registerProductsV2(app: App, services: Services): void {
  app.post(
    '/api/v2/products/query',
    {
      config: { access, cost: COSTS.query, changesNothing: true, mayBeStale: true },
      schema: {
        tags: ['Products'],
        summary: 'Queries jewelry and watches',
        description: 'The same as POST /api/v3/products/query.',
        body: ProductQuery,
        response: { 200: pageOf('ProductPage', 'products', ProductSchema) },
      },
    },
    async (request, reply) => sendProducts(services, request, reply, request.body),
  )

  app.post(
    '/api/v2/products/jewelry/query',
    {
      config: { access, cost: COSTS.query, changesNothing: true, mayBeStale: true },
      schema: {
        tags: ['Products'],
        summary: 'Queries jewelry',
        description: 'The same as POST /api/v3/products/jewelry/query.',
        body: JewelryQuery,
        response: { 200: pageOf('ProductPage', 'products', ProductSchema) },
      },
    },
    async (request, reply) => sendJewelry(services, request, reply, request.body),
  )

  app.post(
    '/api/v2/product_variants/jewelry/query',
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
        description: 'The same as POST /api/v3/product_variants/jewelry/query.',
        body: VariantQuery,
        response: { 200: pageOf('VariantPage', 'variants', VariantSchema) },
      },
    },
    async (request, reply) => sendVariants(services, request, reply, request.body),
  )

  app.get(
    '/api/v2/product_filters',
    {
      config: { access, conditional: true, mayBeStale: true },
      schema: {
        tags: ['Products'],
        summary: 'Lists the attributes of a product type, with their values',
        description: 'The same as GET /api/v3/product_filters.',
        querystring: FilterQuery,
        response: { 200: ProductFiltersSchema },
      },
    },
    (request) => readProductFilters(services, request, request.query),
  )
}
