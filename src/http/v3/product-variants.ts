import { queryVariants } from '../../jewelry/showroom-query.ts'
import { Refusal } from '../../lib/refusal.ts'
import { merchantOrOperatorWith } from '../access.ts'
import type { Caller } from '../caller.ts'
import type { App } from '../route.ts'
import { pageOf } from '../schemas/page.ts'
import { VariantSchema } from '../schemas/product.ts'
import { VariantQuery } from '../schemas/product-query.ts'
import { renderVariant, sendPage } from './product-json.ts'
import { checkBounds, findViewer, type ShowroomDeps } from './products.ts'

export function registerProductVariants(app: App, deps: ShowroomDeps): void {
  app.post(
    '/api/v3/product_variants/jewelry/query',
    {
      config: { access: merchantOrOperatorWith('search') },
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
      checkVendorFilter(conditions.vendor_id, request.caller)
      checkBounds(conditions)
      const viewer = await findViewer(deps, request.caller.merchant, currency_code)
      const wish = {
        ...conditions,
        variant_id: id,
        type: ['jewelry'] as const,
        // Whoever names a variant wants to know what became of it.
        include_unavailable: conditions.include_unavailable || id !== undefined,
      }
      const paging = { order_by, order, limit, offset }
      const found = queryVariants(await deps.showroom.current(), viewer, wish, paging)
      return sendPage(reply, 'variants', found, paging, (row) =>
        renderVariant(row, viewer, include !== undefined),
      )
    },
  )
}

function checkVendorFilter(vendorIds: string[] | undefined, { merchant }: Caller): void {
  if (vendorIds === undefined) return
  if (merchant) {
    const message = 'may be used with an admin token only'
    throw new Refusal('admin_only_filter', `The filter vendor_id ${message}.`, {
      errors: [{ field: 'vendor_id', message }],
    })
  }
  if (vendorIds.length === 0) {
    const message = 'must have at least 1 element'
    throw new Refusal('invalid_request', `vendor_id ${message}.`, {
      errors: [{ field: 'vendor_id', message }],
    })
  }
}
