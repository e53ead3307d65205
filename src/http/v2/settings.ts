import { listAddresses } from '../../merchants/address-store.ts'
import { listTemplates } from '../../merchants/template-store.ts'
import { getMargin, listMargins } from '../../pricing/margin-store.ts'
import { withEtag } from '../request/if-match.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, integer, list, object, uuid } from '../schemas/fields.ts'
import { MarginSchema } from '../schemas/margins.ts'
import { AddressSchema, TemplateSchema } from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import { renderAddress, renderMargin, renderTemplate } from '../shared/settings.ts'

const config = { access: merchantWith('settings:read'), conditional: true } as const

const AddressList = object('MerchantAddresses', {
  merchant_addresses: list(AddressSchema, 'The default address first'),
  total: integer('Number of addresses', 1),
})

/** v2 reads settings as whole lists; changing them is part of v3 only. */
export function registerSettingsV2(app: App, { db }: Services): void {
  app.get(
    '/api/v2/merchant_addresses/list',
    {
      config,
      schema: {
        tags: ['Merchant Addresses'],
        summary: "Lists the merchant's shipping addresses",
        response: { 200: AddressList },
      },
    },
    async (request) => {
      const addresses = await listAddresses(db, merchantOf(request).uuid)
      return { merchant_addresses: addresses.map(renderAddress), total: addresses.length }
    },
  )

  app.get(
    '/api/v2/profit_margins/list',
    {
      config,
      schema: {
        tags: ['Profit Margins'],
        summary: "Lists the merchant's own profit margins",
        response: { 200: list(MarginSchema, 'Empty when the default tiers apply') },
      },
    },
    async (request) => (await listMargins(db, merchantOf(request).uuid)).map(renderMargin),
  )

  app.get(
    '/api/v2/profit_margins/:uuid',
    {
      config: { ...config, hasEtag: true },
      schema: {
        tags: ['Profit Margins'],
        summary: 'Returns one profit margin',
        description: 'The same as GET /api/v3/profit_margins/{uuid}.',
        params: inlineObject({ uuid: uuid('UUID of the profit margin') }),
        response: { 200: MarginSchema },
      },
    },
    async (request, reply) => {
      const margin = await getMargin(db, merchantOf(request).uuid, request.params.uuid)
      return withEtag(reply, renderMargin(margin))
    },
  )

  app.get(
    '/api/v2/merchant_templates/list',
    {
      config,
      schema: {
        tags: ['Merchant Templates'],
        summary: "Lists the predefined templates and the merchant's own",
        response: { 200: list(TemplateSchema, 'The predefined templates first') },
      },
    },
    async (request) => (await listTemplates(db, merchantOf(request).uuid)).map(renderTemplate),
  )
}
