import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Static } from 'typebox'
import { listFilters } from '../../jewelry/showroom/known-attributes.ts'
import { type Found, queryProducts, queryVariants } from '../../jewelry/showroom/query.ts'
import { type Viewer, viewerOf } from '../../jewelry/showroom/viewer.ts'
import { Refusal } from '../../lib/refusal.ts'
import { sinceFrom } from '../../lib/timestamps.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { seesRetailOnly } from '../response/hidden-fields.ts'
import { merchantOf } from '../route.ts'
import type {
  FilterQuery,
  JewelryQuery,
  ProductQuery,
  VariantQuery,
} from '../schemas/product-query.ts'
import type { Services } from '../services.ts'

/** The queries for jewelry and watches. v2 and v3 differ in nothing but their paths. */
export async function sendProducts(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Static<typeof ProductQuery>,
): Promise<FastifyReply> {
  const { id, order_by, order, limit, offset, include, ...filters } = body
  const updated_since = sinceFrom('updated_since', body.updated_since)
  const viewer = await findViewer(services, request)
  const conditions = { ...filters, product_id: id, updated_since }
  const paging = { order_by, order, limit, offset }
  const found = queryProducts(await services.showroom.current(), viewer, conditions, paging)
  return sendPage(reply, 'products', found, paging, (row) =>
    services.productJson.renderProduct(row, viewer, include !== undefined),
  )
}

export async function sendJewelry(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Static<typeof JewelryQuery>,
): Promise<FastifyReply> {
  const { id, type: _, order_by, order, limit, offset, include, ...filters } = body
  checkBounds(filters)
  const updated_since = sinceFrom('updated_since', body.updated_since)
  const viewer = await findViewer(services, request)
  const conditions = { ...filters, product_id: id, type: ['jewelry'] as const, updated_since }
  const paging = { order_by, order, limit, offset }
  const found = queryProducts(await services.showroom.current(), viewer, conditions, paging)
  return sendPage(reply, 'products', found, paging, (row) =>
    services.productJson.renderProduct(row, viewer, include !== undefined),
  )
}

export async function sendVariants(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Static<typeof VariantQuery>,
): Promise<FastifyReply> {
  const { id, currency_code, order_by, order, limit, offset, include, ...filters } = body
  checkVendorFilter(filters.vendor_id)
  checkBounds(filters)
  const viewer = await findViewer(services, request, currency_code)
  const conditions = {
    ...filters,
    variant_id: id,
    type: ['jewelry'] as const,
    updated_since: sinceFrom('updated_since', body.updated_since),
    // A caller who names a variant wants to know what happened to it, even if it is sold.
    include_unavailable: filters.include_unavailable || id !== undefined,
  }
  const paging = { order_by, order, limit, offset }
  const found = queryVariants(await services.showroom.current(), viewer, conditions, paging)
  return sendPage(reply, 'variants', found, paging, (row) =>
    services.productJson.renderVariant(row, viewer, include !== undefined),
  )
}

export async function readProductFilters(
  { showroom }: Services,
  request: FastifyRequest,
  { product_type }: Static<typeof FilterQuery>,
) {
  // The counts contain no prices, so any currency does.
  const viewer = viewerOf(merchantOf(request), BASE_CURRENCY, '1')
  return { product_type, filters: listFilters(await showroom.current(), viewer, product_type) }
}

/** Runs before validation, so that a merchant learns nothing about the filter from its errors. */
export const refuseVendorFilter: preValidationHookHandler = ({ body, caller }, _reply, done) => {
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

/** Prices are in the merchant's currency, or in one that the request names. */
async function findViewer(
  { rates }: Services,
  request: FastifyRequest,
  currency_code?: string,
): Promise<Viewer> {
  const { merchant } = request.caller
  const currencyCode = currency_code ?? merchant?.currency_code ?? BASE_CURRENCY
  const rate = await rates.get(currencyCode)
  return viewerOf(merchant, currencyCode, rate, !seesRetailOnly(request))
}

/** Refuses a range whose lower bound is above its upper bound. */
function checkBounds(body: {
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

/** Sends a page of rows that are rendered to text. */
function sendPage<Row>(
  reply: FastifyReply,
  name: 'products' | 'variants',
  { rows, total }: Found<Row>,
  { offset, limit }: { offset: number; limit: number },
  render: (row: Row) => string,
): FastifyReply {
  const page = rows.map(render).join(',')
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"${name}":[${page}],"total":${total},"offset":${offset},"limit":${limit}}`)
}
