import type { Tx } from '../../database/open.ts'
import { changeAddress, getAddress, removeAddress } from '../../merchants/address-store.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { lockMerchant } from '../../merchants/merchant-store.ts'
import { removeTemplate } from '../../merchants/template-store.ts'
import { withEtag, writeIfMatch } from '../request/if-match.ts'
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
  lockedTemplate,
  patchTemplate,
  renderAddress,
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
    async (request, reply) => {
      const merchant = merchantOf(request)
      const { uuid } = request.params
      const changed = await writeIfMatch(services.db, request, addressOf(merchant, uuid), (tx) =>
        changeAddress(tx, merchant.uuid, uuid, request.body),
      )
      return withEtag(reply, renderAddress(changed))
    },
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
      const { uuid } = request.params
      await writeIfMatch(services.db, request, addressOf(merchant, uuid), (tx) =>
        removeAddress(tx, merchant.uuid, uuid),
      )
      return reply.code(204).send(null)
    },
  )
}

/** The address as its GET shows it, with its merchant locked as every change of it does. */
function addressOf(merchant: Merchant, uuid: string) {
  return async (tx: Tx) => {
    await lockMerchant(tx, merchant.uuid)
    return renderAddress(await getAddress(tx, merchant.uuid, uuid))
  }
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
    async (request, reply) => {
      const merchantUuid = merchantOf(request).uuid
      const { uuid } = request.params
      await writeIfMatch(services.db, request, lockedTemplate(merchantUuid, uuid), (tx) =>
        removeTemplate(tx, merchantUuid, uuid),
      )
      return reply.code(204).send(null)
    },
  )
}
