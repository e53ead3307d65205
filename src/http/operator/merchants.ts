import type { Db } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { addAddress, listAddresses } from '../../merchants/address-store.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { createMerchant, getMerchant, listMerchants } from '../../merchants/merchant-store.ts'
import { addTemplate, listTemplates } from '../../merchants/template-store.ts'
import { listMargins } from '../../pricing/margin-store.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import { changeMerchant, setMargins } from '../../pricing/set-margins.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, list, object, uuid } from '../schemas/fields.ts'
import { MarginsBody, OperatorMarginTableSchema } from '../schemas/margins.ts'
import { MerchantBody, MerchantPatch, OperatorMerchantSchema } from '../schemas/merchant.ts'
import { PageQuery, pageOf } from '../schemas/page.ts'
import { AddressBody, AddressSchema, TemplateBody, TemplateSchema } from '../schemas/settings.ts'
import type { Services } from '../services.ts'
import { renderAddress, renderMargin, renderTemplate } from '../shared/settings-rendering.ts'

const reading = { access: operatorWith('settings:read') } as const
const writing = { access: operatorWith('settings:write') } as const
const tags = ['Merchants']
const params = inlineObject({ uuid: uuid('The merchant') })

export function registerMerchants(app: App, { db }: Services): void {
  app.get(
    '/api/operator/merchants',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the merchants, oldest first',
        querystring: PageQuery,
        response: { 200: pageOf('MerchantPage', 'merchants', OperatorMerchantSchema) },
      },
    },
    async ({ query }) => {
      const { merchants, total } = await listMerchants(db, query)
      return { merchants: merchants.map(renderMerchant), total, ...query }
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
      writeOnce(db, request, reply, 201, async (tx) =>
        renderMerchant(await createMerchant(tx, request.body)),
      ),
  )

  app.get(
    '/api/operator/merchants/:uuid',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Reads one merchant',
        params,
        response: { 200: OperatorMerchantSchema },
      },
    },
    async (request) => renderMerchant(await getMerchant(db, request.params.uuid)),
  )

  app.patch(
    '/api/operator/merchants/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Changes a merchant; api_enabled switches its access on and off',
        params,
        body: MerchantPatch,
        response: { 200: OperatorMerchantSchema },
      },
    },
    async (request) =>
      renderMerchant(
        await inTransaction(db, (tx) => changeMerchant(tx, request.params.uuid, request.body)),
      ),
  )
  registerMerchantSettings(app, db)
}

function registerMerchantSettings(app: App, db: Db): void {
  app.get(
    '/api/operator/merchants/:uuid/addresses',
    {
      config: { ...reading, conditional: true },
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
        summary: 'Adds an address',
        params,
        body: AddressBody,
        response: { 201: AddressSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const merchant = await getMerchant(tx, request.params.uuid)
        return renderAddress(await addAddress(tx, merchant.uuid, request.body))
      }),
  )

  app.get(
    '/api/operator/merchants/:uuid/templates',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: "Lists a merchant's templates, the predefined first",
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
        summary: 'Adds a template',
        params,
        body: TemplateBody,
        response: { 201: TemplateSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const merchant = await getMerchant(tx, request.params.uuid)
        return renderTemplate(await addTemplate(tx, merchant.uuid, request.body))
      }),
  )

  app.get(
    '/api/operator/merchants/:uuid/margins',
    {
      config: { ...reading, conditional: true },
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
    async (request) => {
      const { uuid } = await getMerchant(db, request.params.uuid)
      const margins = await inTransaction(db, (tx) => setMargins(tx, uuid, request.body))
      const { margin_mode } = await getMerchant(db, uuid)
      return { margin_mode, profit_margins: margins.map(renderMargin) }
    },
  )
}

/** The schema of the answer leaves out what an operator has no use for. */
function renderMerchant(merchant: Merchant) {
  return {
    ...merchant,
    price_list: priceListOf(merchant),
    created_on: isoWithOffset(merchant.created_on),
    updated_on: isoWithOffset(merchant.updated_on),
  }
}
