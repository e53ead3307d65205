import { listAddresses } from '../../merchants/address-store.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { changeTemplate, listTemplates } from '../../merchants/template-store.ts'
import { listMargins } from '../../pricing/margin-store.ts'
import { write } from '../request/acting.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, list, object, uuid } from '../schemas/fields.ts'
import { MarginsBody, OperatorMarginTableSchema } from '../schemas/margins.ts'
import {
  AddressBody,
  AddressSchema,
  TemplateBody,
  TemplateChange,
  TemplateSchema,
} from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import {
  createAddress,
  createTemplate,
  renderAddress,
  renderMargin,
  renderTemplate,
  replaceMarginTable,
} from '../shared/settings.ts'

const reading = { access: operatorWith('settings:read'), conditional: true } as const
const writing = { access: operatorWith('merchants:write') } as const
const tags = ['Merchants']
const params = inlineObject({ uuid: uuid('UUID of the merchant') })

/** The addresses, templates and margins of any merchant. */
export function registerMerchantSettings(app: App, services: Services): void {
  const { db } = services

  app.get(
    '/api/operator/merchants/:uuid/addresses',
    {
      config: reading,
      schema: {
        tags,
        summary: "Lists a merchant's addresses, the default first",
        params,
        response: { 200: object('Addresses', { addresses: list(AddressSchema, 'All of them') }) },
      },
    },
    async (request) => {
      const merchant = await getMerchant(db, request.params.uuid)
      return { addresses: (await listAddresses(db, merchant.uuid)).map(renderAddress) }
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
    '/api/operator/merchants/:uuid/templates',
    {
      config: reading,
      schema: {
        tags,
        summary: "Lists a merchant's templates, the predefined ones first",
        params,
        response: { 200: object('Templates', { templates: list(TemplateSchema, 'All of them') }) },
      },
    },
    async (request) => {
      const merchant = await getMerchant(db, request.params.uuid)
      return { templates: (await listTemplates(db, merchant.uuid)).map(renderTemplate) }
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

  app.patch(
    '/api/operator/merchants/:uuid/templates/:template_uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: "Changes one of a merchant's own templates",
        params: inlineObject({
          uuid: uuid('UUID of the merchant'),
          template_uuid: uuid('UUID of the template'),
        }),
        body: TemplateChange,
        response: { 200: TemplateSchema },
      },
    },
    (request) =>
      write(db, request, async (tx) => {
        const merchant = await getMerchant(tx, request.params.uuid)
        const { template_uuid } = request.params
        return renderTemplate(await changeTemplate(tx, merchant.uuid, template_uuid, request.body))
      }),
  )

  app.get(
    '/api/operator/merchants/:uuid/margins',
    {
      config: reading,
      schema: {
        tags,
        summary: "Lists a merchant's own margins",
        params,
        response: { 200: OperatorMarginTableSchema },
      },
    },
    async (request) => {
      const { uuid, margin_mode } = await getMerchant(db, request.params.uuid)
      const margins = await listMargins(db, uuid)
      return { margin_mode, profit_margins: margins.map(renderMargin) }
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
    (request) => replaceMarginTable(services, request, request.params.uuid, request.body),
  )
}
