import { changeAddress, removeAddress } from '../../merchants/address-store.ts'
import { changeTemplate, removeTemplate } from '../../merchants/template-store.ts'
import { write } from '../request/acting.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, text, uuid } from '../schemas/fields.ts'
import { Removed } from '../schemas/page.ts'
import {
  AddressBody,
  AddressChange,
  AddressSchema,
  TemplateBody,
  TemplateChange,
  TemplateSchema,
} from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import { createAddress, createTemplate, renderAddress, renderTemplate } from '../shared/settings.ts'

const config = { access: merchantWith('settings:write') } as const

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
    (request) =>
      write(services.db, request, async (tx) => {
        const merchant = merchantOf(request)
        return renderAddress(
          await changeAddress(tx, merchant.uuid, request.params.uuid, request.body),
        )
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
    async (request, reply) => {
      const merchant = merchantOf(request)
      await write(services.db, request, (tx) =>
        removeAddress(tx, merchant.uuid, request.params.uuid),
      )
      return reply.code(204).send(null)
    },
  )
}

function registerTemplateChanges(app: App, services: Services): void {
  const tags = ['Merchant Templates']
  const example = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  const params = inlineObject({
    uuid: text('UUID of the template; predefined templates cannot be changed', example, {
      maxLength: 64,
    }),
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
    (request) =>
      write(services.db, request, async (tx) => {
        const merchant = merchantOf(request)
        return renderTemplate(
          await changeTemplate(tx, merchant.uuid, request.params.uuid, request.body),
        )
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
    async (request, reply) => {
      const merchant = merchantOf(request)
      await write(services.db, request, (tx) =>
        removeTemplate(tx, merchant.uuid, request.params.uuid),
      )
      return reply.code(204).send(null)
    },
  )
}
