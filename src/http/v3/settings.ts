import { Type } from 'typebox'
import type { Db } from '../../database/open.ts'
import { getAddress, listAddresses } from '../../merchants/address-store.ts'
import { getTemplate, listTemplates } from '../../merchants/template-store.ts'
import { getMargin, listMargins } from '../../pricing/margin-store.ts'
import { withEtag } from '../request/if-match.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, list, oneOf, uuid } from '../schemas/fields.ts'
import { MarginSchema } from '../schemas/margins.ts'
import { PageQuery, pageFrom, pageOf } from '../schemas/page.ts'
import { AddressSchema, TemplateSchema, templateId } from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import { marginTable, renderAddress, renderMargin, renderTemplate } from '../shared/settings.ts'

const config = { access: merchantWith('settings:read'), conditional: true } as const

const single = { ...config, hasEtag: true } as const

const productTypes = list(
  oneOf(['diamond', 'gemstone'], 'Kind of product'),
  'Only margins for these kinds of products',
  { minItems: 1, maxItems: 10 },
)
const MarginQuery = Type.Object(
  { ...PageQuery.properties, product_type: Type.Optional(productTypes) },
  { additionalProperties: false },
)

/** A merchant's settings; `settings-changes.ts` and `margin-changes.ts` write them. */
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
    '/api/v3/merchant_addresses/:uuid',
    {
      config: single,
      schema: {
        tags: ['Merchant Addresses'],
        summary: 'Returns one shipping address',
        params: inlineObject({ uuid: uuid('UUID of the address') }),
        response: { 200: AddressSchema },
      },
    },
    async (request, reply) => {
      const address = await getAddress(db, merchantOf(request).uuid, request.params.uuid)
      return withEtag(reply, renderAddress(address))
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
    '/api/v3/merchant_templates/:uuid',
    {
      config: single,
      schema: {
        tags: ['Merchant Templates'],
        summary: 'Returns one template',
        params: inlineObject({ uuid: templateId('UUID of the template') }),
        response: { 200: TemplateSchema },
      },
    },
    async (request, reply) => {
      const template = await getTemplate(db, merchantOf(request).uuid, request.params.uuid)
      return withEtag(reply, renderTemplate(template))
    },
  )
  registerMarginsV3(app, db)
}

function registerMarginsV3(app: App, db: Db): void {
  app.get(
    '/api/v3/profit_margins/list',
    {
      config: single,
      schema: {
        tags: ['Profit Margins'],
        summary: "Lists the merchant's own profit margins",
        description:
          'Empty when the merchant has no margins of its own: then the default tiers apply.',
        querystring: MarginQuery,
        response: { 200: pageOf('ProfitMarginPage', 'profit_margins', MarginSchema) },
      },
    },
    async (request, reply) => {
      const { uuid } = merchantOf(request)
      withEtag(reply, await marginTable(db, uuid))
      const margins = await listMargins(db, uuid, request.query.product_type)
      return pageFrom('profit_margins', margins.map(renderMargin), request.query)
    },
  )

  app.get(
    '/api/v3/profit_margins/:uuid',
    {
      config: single,
      schema: {
        tags: ['Profit Margins'],
        summary: 'Returns one profit margin',
        params: inlineObject({ uuid: uuid('UUID of the profit margin') }),
        response: { 200: MarginSchema },
      },
    },
    async (request, reply) => {
      const margin = await getMargin(db, merchantOf(request).uuid, request.params.uuid)
      return withEtag(reply, renderMargin(margin))
    },
  )
}
