import type { preValidationHookHandler } from 'fastify'
import { queryVariants } from '../../jewelry/showroom/query.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type App, merchantOrOperatorWith } from '../route.ts'
import { pageOf } from '../schemas/page.ts'
import { VariantSchema } from '../schemas/product.ts'
import { VariantQuery } from '../schemas/product-query.ts'
import type { Services } from '../services.ts'
import { renderVariant, sendPage } from './product-json.ts'
import { checkBounds, findViewer } from './products.ts'

export function registerProductVariants(app: App, services: Services): void {
  app.post(
    '/api/v3/product_variants/jewelry/query',
    {
      config: { access: merchantOrOperatorWith('search'), hasTwin: true },
      preValidation: refuseVendorFilter,
      schema: {
        tags: ['Product Variants'],
        summary: 'Queries jewelry variants',
        description:
          'The same catalogues as the product queries. vendor_id is for admin tokens, which see ' +
          'every catalogue at the default price list in USD.',
        body: VariantQuery,
        response: { 200: pageOf('VariantPage', 'variants', VariantSchema) },
      },
    },
    async (request, reply) => {
      const { id, currency_code, order_by, order, limit, offset, include, ...conditions } =
        request.body
      checkVendorFilter(conditions.vendor_id)
      checkBounds(conditions)
      const viewer = await findViewer(services, request.caller.merchant, currency_code)
      const wish = {
        ...conditions,
        variant_id: id,
        type: ['jewelry'] as const,
        // Whoever names a variant wants to know what became of it.
        include_unavailable: conditions.include_unavailable || id !== undefined,
      }
      const paging = { order_by, order, limit, offset }
      const found = queryVariants(await services.showroom.current(), viewer, wish, paging)
      return sendPage(reply, 'variants', found, paging, (row) =>
        renderVariant(row, viewer, include !== undefined),
      )
    },
  )
}

/** Before anything else is said of it: to a merchant the filter is closed in every form. */
const refuseVendorFilter: preValidationHookHandler = ({ body, caller }, _reply, done) => {
  const { vendor_id } = (body ?? {}) as { vendor_id?: unknown }
  if (vendor_id === undefined || !caller.merchant) return done()
  const message = 'may be used with an admin token only'
  done(
    new Refusal('admin_only_filter', `The filter vendor_id ${message}.`, {
      errors: [{ field: 'vendor_id', message }],
    }),
  )
}

function checkVendorFilter(vendorIds: string[] | undefined): void {
  if (vendorIds?.length !== 0) return
  const message = 'must have at least 1 element'
  throw new Refusal('invalid_request', `vendor_id ${message}.`, {
    errors: [{ field: 'vendor_id', message }],
  })
}
