import type { Db } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { addAddress, changeAddress, removeAddress } from '../../merchants/address-store.ts'
import { addTemplate, changeTemplate, removeTemplate } from '../../merchants/template-store.ts'
import { writeOnce } from '../request/idempotency.ts'
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
import { renderAddress, renderTemplate } from '../shared/settings-rendering.ts'
import { registerMarginChanges } from './margin-changes.ts'

const config = { access: merchantWith('settings:write') } as const

/** What a merchant may change of its own settings; the operator's verbs have the same checks. */
export function registerSettingsChanges(app: App, services: Services): void {
  registerAddressChanges(app, services.db)
  registerTemplateChanges(app, services.db)
  registerMarginChanges(app, services)
}

function registerAddressChanges(app: App, db: Db): void {
  const tags = ['Merchant Addresses']
  const params = inlineObject({ uuid: uuid('The address') })

  app.post(
    '/api/v3/merchant_addresses',
    {
      config,
      schema: {
        tags,
        summary: 'Adds a shipping address; the first one is the default',
        body: AddressBody,
        response: { 201: AddressSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) =>
        renderAddress(await addAddress(tx, merchantOf(request).uuid, request.body)),
      ),
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
      inTransaction(db, async (tx) => {
        const { uuid: merchantUuid } = merchantOf(request)
        return renderAddress(
          await changeAddress(tx, merchantUuid, request.params.uuid, request.body),
        )
      }),
  )

  app.delete(
    '/api/v3/merchant_addresses/:uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Removes a shipping address; the oldest other one becomes the default',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const { uuid: merchantUuid } = merchantOf(request)
      await inTransaction(db, (tx) => removeAddress(tx, merchantUuid, request.params.uuid))
      return reply.code(204).send(null)
    },
  )
}

function registerTemplateChanges(app: App, db: Db): void {
  const tags = ['Merchant Templates']
  const example = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  const params = inlineObject({
    uuid: text('The template; predefined ones cannot be changed', example, { maxLength: 64 }),
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
      writeOnce(db, request, reply, 201, async (tx) =>
        renderTemplate(await addTemplate(tx, merchantOf(request).uuid, request.body)),
      ),
  )

  app.patch(
    '/api/v3/merchant_templates/:uuid',
    {
      config,
      schema: {
        tags,
        summary: "Changes a template of the merchant's own",
        params,
        body: TemplateChange,
        response: { 200: TemplateSchema },
      },
    },
    (request) =>
      inTransaction(db, async (tx) => {
        const { uuid: merchantUuid } = merchantOf(request)
        return renderTemplate(
          await changeTemplate(tx, merchantUuid, request.params.uuid, request.body),
        )
      }),
  )

  app.delete(
    '/api/v3/merchant_templates/:uuid',
    {
      config,
      schema: {
        tags,
        summary: "Removes a template of the merchant's own",
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const { uuid: merchantUuid } = merchantOf(request)
      await inTransaction(db, (tx) => removeTemplate(tx, merchantUuid, request.params.uuid))
      return reply.code(204).send(null)
    },
  )
}
