import { listFilters } from '../../jewelry/showroom/known-attributes.ts'
import { viewerOf } from '../../jewelry/showroom/viewer.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { ProductFiltersSchema } from '../schemas/product.ts'
import { FilterQuery } from '../schemas/product-query.ts'
import type { Services } from '../services.ts'

export function registerProductFilters(app: App, { showroom }: Services): void {
  app.get(
    '/api/v3/product_filters',
    {
      config: { access: merchantWith('search'), conditional: true, hasTwin: true },
      schema: {
        tags: ['Products'],
        summary: 'Lists the attributes of a type of product, with their values',
        description: 'What filter_variant_options takes. A value that is sold out has count 0.',
        querystring: FilterQuery,
        response: { 200: ProductFiltersSchema },
      },
    },
    async (request) => {
      const { product_type } = request.query
      // Counts have no prices in them, so any currency does.
      const viewer = viewerOf(merchantOf(request), BASE_CURRENCY, '1')
      const filters = listFilters(await showroom.current(), viewer, product_type)
      return { product_type, filters }
    },
  )
}
