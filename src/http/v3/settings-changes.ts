import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { Removed } from '../schemas/page.ts'
import {
  AddressBody,
  AddressChange,
  AddressSchema,
  TemplateBody,
  TemplateChange,
  TemplateSchema,
  templateId,
} from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import {
  createAddress,
  createTemplate,
  deleteAddress,
  deleteTemplate,
  patchAddress,
  patchTemplate,
} from '../shared/settings.ts'

const config = { access: merchantWith('settings:write'), hasEtag: true } as const

/** How a merchant changes its own addresses and templates. */
export function registerSettingsChanges(app: App, services: Services): void {
  registerAddressChanges(app, services)
  registerTemplateChanges(app, services)
}

function registerAddressChanges(app: App, services: Services): void {
  const tags = ['Merchant Addresses']
  const params = inlineObject({ uuid: uuid('UUID of the address') })

  app.post(
    '/api/v3/merchant_addresses',
    {
      config,
      schema: {
        tags,
        summary: 'Adds a shipping address; the first one becomes the default',
        body: AddressBody,
        response: { 201: AddressSchema },
      },
    },
    (request, reply) =>
      createAddress(services, request, reply, merchantOf(request).uuid, request.body),
  )

  app.patch(
    '/api/v3/merchant_addresses/:uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Changes a shipping address, or makes it the default',
        params,
        body: AddressChange,
        response: { 200: AddressSchema },
      },
    },
    (request, reply) =>
      patchAddress(services, request, reply, {
        merchantUuid: merchantOf(request).uuid,
        uuid: request.params.uuid,
        change: request.body,
      }),
  )

  app.delete(
    '/api/v3/merchant_addresses/:uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Deletes a shipping address; the oldest other one becomes the default',
        params,
        response: { 204: Removed },
      },
    },
    (request, reply) =>
      deleteAddress(services, request, reply, {
        merchantUuid: merchantOf(request).uuid,
        uuid: request.params.uuid,
      }),
  )
}

function registerTemplateChanges(app: App, services: Services): void {
  const tags = ['Merchant Templates']
  const params = inlineObject({
    uuid: templateId('UUID of the template; predefined templates cannot be changed'),
  })

  app.post(
    '/api/v3/merchant_templates',
    {
      config,
      schema: {
        tags,
        summary: 'Adds a template for curated search',
        body: TemplateBody,
        response: { 201: TemplateSchema },
      },
    },
    (request, reply) =>
      createTemplate(services, request, reply, merchantOf(request).uuid, request.body),
  )

  app.patch(
    '/api/v3/merchant_templates/:uuid',
    {
      config,
      schema: {
        tags,
        summary: "Changes one of the merchant's own templates",
        params,
        body: TemplateChange,
        response: { 200: TemplateSchema },
      },
    },
    (request, reply) =>
      patchTemplate(services, request, reply, {
        merchantUuid: merchantOf(request).uuid,
        uuid: request.params.uuid,
        change: request.body,
      }),
  )

  app.delete(
    '/api/v3/merchant_templates/:uuid',
    {
      config,
      schema: {
        tags,
        summary: "Deletes one of the merchant's own templates",
        params,
        response: { 204: Removed },
      },
    },
    (request, reply) =>
      deleteTemplate(services, request, reply, {
        merchantUuid: merchantOf(request).uuid,
        uuid: request.params.uuid,
      }),
  )
}
