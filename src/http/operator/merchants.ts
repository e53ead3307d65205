import type { FastifyReply } from 'fastify'
import type { Tx } from '../../database/open.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { MerchantReference } from '../../merchants/merchant-profile.ts'
import { getMerchant, listMerchants, lockMerchant } from '../../merchants/merchant-store.ts'
import { addMerchant } from '../../pricing/merchant-currency.ts'
import { adjustmentColumn, type PriceAdjustmentRequest } from '../../pricing/price-adjustment.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import { changeMerchant } from '../../pricing/set-margins.ts'
import type { OwnLimits } from '../../reference/merchant-limits.ts'
import { writeOnce } from '../request/idempotency.ts'
import { withEtag, writeIfMatch } from '../request/if-match.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import {
  MerchantBody,
  MerchantListQuery,
  MerchantPatch,
  MerchantWithUsageSchema,
  OperatorMerchantSchema,
} from '../schemas/merchant.ts'
import { pageOf } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { renderTerms } from '../shared/account.ts'
import { readUsage, renderLimits } from '../shared/merchant-limits.ts'
import { afterNewPrices } from '../shared/settings.ts'

const reading = { access: operatorWith('settings:read') } as const
const writing = { access: operatorWith('merchants:write'), hasEtag: true } as const
const tags = ['Merchants']
const params = inlineObject({ uuid: uuid('UUID of the merchant') })

export function registerMerchants(app: App, services: Services): void {
  const { db } = services

  app.get(
    '/api/operator/merchants',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the merchants, oldest first unless another order is asked for',
        querystring: MerchantListQuery,
        response: { 200: pageOf('MerchantPage', 'merchants', OperatorMerchantSchema) },
      },
    },
    async ({ query }) => {
      const { merchants, total } = await listMerchants(db, query)
      const { limit, offset } = query
      return { merchants: merchants.map(renderMerchant), total, limit, offset }
    },
  )

  app.post(
    '/api/operator/merchants',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Creates a merchant',
        body: MerchantBody,
        response: { 201: OperatorMerchantSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        return withEtag(reply, renderMerchant(await addMerchant(tx, columnsOf(request.body))))
      }),
  )

  app.get(
    '/api/operator/merchants/:uuid',
    {
      config: { ...reading, hasEtag: true },
      schema: {
        tags,
        summary: 'Returns one merchant, with what it has of everything that is limited',
        params,
        response: { 200: MerchantWithUsageSchema },
      },
    },
    async (request, reply) => withUsage(reply, await getMerchant(db, request.params.uuid)),
  )

  app.patch(
    '/api/operator/merchants/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Changes a merchant; api_enabled switches its access on and off',
        description:
          'A limit that is lower than what the merchant has removes nothing; it refuses more. ' +
          'A new price_adjustment is in force at once, and raises a change of kind prices.',
        params,
        body: MerchantPatch,
        response: { 200: MerchantWithUsageSchema },
      },
    },
    async (request, reply) => {
      const { uuid } = request.params
      const change = columnsOf(request.body)
      const current = async (tx: Tx) => {
        await lockMerchant(tx, uuid)
        return renderMerchant(await getMerchant(tx, uuid))
      }
      const written = writeIfMatch(db, request, current, (tx) => changeMerchant(tx, uuid, change))
      return withUsage(reply, await afterNewPrices(services, written))
    },
  )

  /** The ETag leaves out what the merchant has, which changes without a write of the merchant. */
  async function withUsage(reply: FastifyReply, merchant: Merchant) {
    const rendered = withEtag(reply, renderMerchant(merchant))
    return { ...rendered, usage: await readUsage(db, merchant) }
  }
}

/** What a request says of a merchant, as its columns. */
function columnsOf<Body extends MerchantRequest>(body: Body) {
  const { limits, price_adjustment, ...columns } = body
  if (price_adjustment === undefined) return { ...columns, ...limits }
  return { ...columns, ...limits, price_adjustment: adjustmentColumn(price_adjustment) }
}

interface MerchantRequest {
  limits?: Partial<OwnLimits>
  price_adjustment?: PriceAdjustmentRequest | null
}

/** The response schema drops the fields that an operator has no use for. */
function renderMerchant(merchant: Merchant) {
  return {
    ...merchant,
    references: merchant.references as MerchantReference[],
    price_list: priceListOf(merchant),
    limits: renderLimits(merchant),
    ...renderTerms(merchant),
    created_on: isoWithOffset(merchant.created_on),
    updated_on: isoWithOffset(merchant.updated_on),
  }
}
