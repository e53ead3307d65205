import { Type } from 'typebox'
import { listAddresses } from '../../merchants/address-store.ts'
import { listTemplates } from '../../merchants/template-store.ts'
import { getMargin, listMargins } from '../../pricing/margin-store.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, list, oneOf, uuid } from '../schemas/fields.ts'
import { MarginSchema } from '../schemas/margins.ts'
import { PageQuery, pageFrom, pageOf } from '../schemas/page.ts'
import { AddressSchema, TemplateSchema } from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import { renderAddress, renderMargin, renderTemplate } from '../shared/settings.ts'

const config = { access: merchantWith('settings:read'), conditional: true } as const

const productTypes = list(
  oneOf(['diamond', 'gemstone'], 'Kind of product'),
  'Only margins for these kinds of products',
  { minItems: 1, maxItems: 10 },
)
const MarginQuery = Type.Object(
  { ...PageQuery.properties, product_type: Type.Optional(productTypes) },
  { additionalProperties: false },
)

/** A merchant's settings as pages; `settings-changes.ts` and `margin-changes.ts` write them. */
export function registerSettingsV3(app: App, { db }: Services): void {
  app.get(
    '/api/v3/merchant_addresses/list',
    {
      config,
      schema: {
        tags: ['Merchant Addresses'],
        summary: "Lists the merchant's shipping addresses, the default first",
        querystring: PageQuery,
        response: { 200: pageOf('MerchantAddressPage', 'merchant_addresses', AddressSchema) },
      },
    },
    async (request) => {
      const addresses = await listAddresses(db, merchantOf(request).uuid)
      return pageFrom('merchant_addresses', addresses.map(renderAddress), request.query)
    },
  )

  app.get(
    '/api/v3/merchant_templates/list',
    {
      config,
      schema: {
        tags: ['Merchant Templates'],
        summary: "Lists the predefined templates and the merchant's own",
        querystring: PageQuery,
        response: { 200: pageOf('MerchantTemplatePage', 'merchant_templates', TemplateSchema) },
      },
    },
    async (request) => {
      const templates = await listTemplates(db, merchantOf(request).uuid)
      return pageFrom('merchant_templates', templates.map(renderTemplate), request.query)
    },
  )

  app.get(
    '/api/v3/profit_margins/list',
    {
      config,
      schema: {
        tags: ['Profit Margins'],
        summary: "Lists the merchant's own profit margins",
        description:
          'Empty when the merchant has no margins of its own: then the default tiers apply.',
        querystring: MarginQuery,
        response: { 200: pageOf('ProfitMarginPage', 'profit_margins', MarginSchema) },
      },
    },
    async (request) => {
      const { uuid } = merchantOf(request)
      const margins = await listMargins(db, uuid, request.query.product_type)
      return pageFrom('profit_margins', margins.map(renderMargin), request.query)
    },
  )

  app.get(
    '/api/v3/profit_margins/:uuid',
    {
      config,
      schema: {
        tags: ['Profit Margins'],
        summary: 'Returns one profit margin',
        params: inlineObject({ uuid: uuid('UUID of the profit margin') }),
        response: { 200: MarginSchema },
      },
    },
    async (request) =>
      renderMargin(await getMargin(db, merchantOf(request).uuid, request.params.uuid)),
  )
}
