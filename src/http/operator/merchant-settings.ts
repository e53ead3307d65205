import { getAddress, listAddresses } from '../../merchants/address-store.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { getTemplate, listTemplates } from '../../merchants/template-store.ts'
import { listMargins } from '../../pricing/margin-store.ts'
import { withEtag } from '../request/if-match.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { MarginFilter, MarginsBody, OperatorMarginTableSchema } from '../schemas/margins.ts'
import { PageQuery, pageFrom, pageOf, Removed } from '../schemas/page.ts'
import {
  AddressBody,
  AddressChange,
  AddressSchema,
  TemplateBody,
  TemplateChange,
  TemplateSchema,
} from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import {
  createAddress,
  createTemplate,
  deleteAddress,
  marginTable,
  patchAddress,
  patchTemplate,
  renderAddress,
  renderMargin,
  renderTemplate,
  replaceMarginTable,
} from '../shared/settings.ts'

const reading = { access: operatorWith('settings:read'), conditional: true } as const
const single = { ...reading, hasEtag: true } as const
const writing = { access: operatorWith('merchants:write'), hasEtag: true } as const
const tags = ['Merchants']
const params = inlineObject({ uuid: uuid('UUID of the merchant') })
const addressParams = inlineObject({
  ...params.properties,
  address_uuid: uuid('UUID of the address'),
})
const templateParams = inlineObject({
  ...params.properties,
  template_uuid: uuid('UUID of the template'),
})

/** The addresses, templates and margins of any merchant. */
export function registerMerchantSettings(app: App, services: Services): void {
  registerMerchantAddresses(app, services)
  registerMerchantTemplates(app, services)
  registerMerchantMargins(app, services)
}

function registerMerchantAddresses(app: App, services: Services): void {
  const { db } = services

  app.get(
    '/api/operator/merchants/:uuid/addresses',
    {
      config: reading,
      schema: {
        tags,
        summary: "Lists a merchant's addresses, the default first",
        params,
        querystring: PageQuery,
        response: { 200: pageOf('Addresses', 'addresses', AddressSchema) },
      },
    },
    async (request) => {
      const merchant = await getMerchant(db, request.params.uuid)
      const addresses = await listAddresses(db, merchant.uuid)
      return pageFrom('addresses', addresses.map(renderAddress), request.query)
    },
  )

  app.post(
    '/api/operator/merchants/:uuid/addresses',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Adds an address of a merchant',
        params,
        body: AddressBody,
        response: { 201: AddressSchema },
      },
    },
    (request, reply) => createAddress(services, request, reply, request.params.uuid, request.body),
  )

  app.get(
    '/api/operator/merchants/:uuid/addresses/:address_uuid',
    {
      config: single,
      schema: {
        tags,
        summary: "Returns one of a merchant's addresses",
        params: addressParams,
        response: { 200: AddressSchema },
      },
    },
    async (request, reply) => {
      const merchant = await getMerchant(db, request.params.uuid)
      const address = await getAddress(db, merchant.uuid, request.params.address_uuid)
      return withEtag(reply, renderAddress(address))
    },
  )

  registerAddressChanges(app, services)
}

function registerAddressChanges(app: App, services: Services): void {
  app.patch(
    '/api/operator/merchants/:uuid/addresses/:address_uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: "Changes one of a merchant's addresses, or makes it the default",
        params: addressParams,
        body: AddressChange,
        response: { 200: AddressSchema },
      },
    },
    (request, reply) =>
      patchAddress(services, request, reply, {
        merchantUuid: request.params.uuid,
        uuid: request.params.address_uuid,
        change: request.body,
      }),
  )

  app.delete(
    '/api/operator/merchants/:uuid/addresses/:address_uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: "Deletes one of a merchant's addresses; the oldest other becomes the default",
        params: addressParams,
        response: { 204: Removed },
      },
    },
    (request, reply) =>
      deleteAddress(services, request, reply, {
        merchantUuid: request.params.uuid,
        uuid: request.params.address_uuid,
      }),
  )
}

function registerMerchantTemplates(app: App, services: Services): void {
  const { db } = services

  app.get(
    '/api/operator/merchants/:uuid/templates',
    {
      config: reading,
      schema: {
        tags,
        summary: "Lists a merchant's templates, the predefined ones first",
        params,
        querystring: PageQuery,
        response: { 200: pageOf('Templates', 'templates', TemplateSchema) },
      },
    },
    async (request) => {
      const merchant = await getMerchant(db, request.params.uuid)
      const templates = await listTemplates(db, merchant.uuid)
      return pageFrom('templates', templates.map(renderTemplate), request.query)
    },
  )

  app.post(
    '/api/operator/merchants/:uuid/templates',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Adds a template of a merchant',
        params,
        body: TemplateBody,
        response: { 201: TemplateSchema },
      },
    },
    (request, reply) => createTemplate(services, request, reply, request.params.uuid, request.body),
  )

  app.get(
    '/api/operator/merchants/:uuid/templates/:template_uuid',
    {
      config: single,
      schema: {
        tags,
        summary: "Returns one of a merchant's templates",
        params: templateParams,
        response: { 200: TemplateSchema },
      },
    },
    async (request, reply) => {
      const merchant = await getMerchant(db, request.params.uuid)
      const template = await getTemplate(db, merchant.uuid, request.params.template_uuid)
      return withEtag(reply, renderTemplate(template))
    },
  )

  app.patch(
    '/api/operator/merchants/:uuid/templates/:template_uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: "Changes one of a merchant's own templates",
        params: templateParams,
        body: TemplateChange,
        response: { 200: TemplateSchema },
      },
    },
    (request, reply) =>
      patchTemplate(services, request, reply, {
        merchantUuid: request.params.uuid,
        uuid: request.params.template_uuid,
        change: request.body,
      }),
  )
}

function registerMerchantMargins(app: App, services: Services): void {
  const { db } = services

  app.get(
    '/api/operator/merchants/:uuid/margins',
    {
      config: single,
      schema: {
        tags,
        summary: "Lists a merchant's own margins",
        params,
        querystring: MarginFilter,
        response: { 200: OperatorMarginTableSchema },
      },
    },
    async ({ params, query }, reply) => {
      const whole = withEtag(reply, await marginTable(db, params.uuid))
      if (query.product_type === undefined) return whole
      const margins = await listMargins(db, params.uuid, query.product_type)
      return { margin_mode: whole.margin_mode, profit_margins: margins.map(renderMargin) }
    },
  )

  app.put(
    '/api/operator/merchants/:uuid/margins',
    {
      config: writing,
      schema: {
        tags,
        summary: "Replaces a merchant's margins for one kind of product",
        params,
        body: MarginsBody,
        response: { 200: OperatorMarginTableSchema },
      },
    },
    (request, reply) =>
      replaceMarginTable(services, request, reply, request.params.uuid, request.body),
  )
}
