import type { FastifyRequest } from 'fastify'
import type { Db, Tx } from '../../database/open.ts'
import {
  type CatalogueSummary,
  changeCatalogueProducts,
  createCatalogue,
  getCatalogue,
  listCatalogues,
  shareCatalogue,
  unshareCatalogue,
  updateCatalogue,
} from '../../jewelry/catalogue-store.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { ListQuery, pageFrom, pageOf } from '../schemas/page.ts'
import {
  CatalogueBody,
  CataloguePatch,
  CatalogueProductsBody,
  CatalogueSchema,
} from '../schemas/product-operator.ts'
import type { Services } from '../services.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Jewelry']
const params = inlineObject({ uuid: uuid('UUID of the catalogue') })
const shareParams = inlineObject({
  uuid: uuid('UUID of the catalogue'),
  merchant_uuid: uuid('UUID of the merchant'),
})
const response = { 200: CatalogueSchema }

/** Catalogues decide which merchants see which jewelry. */
export function registerCatalogues(app: App, { db }: Services): void {
  app.get(
    '/api/operator/catalogues',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the catalogues by name',
        querystring: ListQuery,
        response: { 200: pageOf('Catalogues', 'catalogues', CatalogueSchema) },
      },
    },
    async ({ query }) =>
      pageFrom('catalogues', (await listCatalogues(db)).map(renderCatalogue), query),
  )

  app.post(
    '/api/operator/catalogues',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Creates a catalogue, which is unpublished unless the body says otherwise',
        body: CatalogueBody,
        response: { 201: CatalogueSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) =>
        renderCatalogue(await createCatalogue(tx, request.body)),
      ),
  )

  app.get(
    '/api/operator/catalogues/:uuid',
    { config: reading, schema: { tags, summary: 'Returns one catalogue', params, response } },
    async (request) => renderCatalogue(await getCatalogue(db, request.params.uuid)),
  )

  app.patch(
    '/api/operator/catalogues/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Changes a catalogue: its name, and whether it is published and public',
        params,
        body: CataloguePatch,
        response,
      },
    },
    (request) =>
      change(db, request, (tx) => updateCatalogue(tx, request.params.uuid, request.body)),
  )

  app.post(
    '/api/operator/catalogues/:uuid/products',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Adds products to a catalogue and removes others',
        params,
        body: CatalogueProductsBody,
        response,
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) => {
        const { add = [], remove = [] } = request.body
        const change = { add, remove }
        return renderCatalogue(await changeCatalogueProducts(tx, request.params.uuid, change))
      }),
  )
  registerShares(app, db)
}

function registerShares(app: App, db: Db): void {
  app.put(
    '/api/operator/catalogues/:uuid/merchants/:merchant_uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Shares a catalogue with a merchant, who sees it even when it is not published',
        params: shareParams,
        response,
      },
    },
    (request) =>
      change(db, request, async (tx) => {
        const { uuid, merchant_uuid } = request.params
        return shareCatalogue(tx, uuid, (await getMerchant(tx, merchant_uuid)).uuid)
      }),
  )

  app.delete(
    '/api/operator/catalogues/:uuid/merchants/:merchant_uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Stops sharing a catalogue with a merchant',
        params: shareParams,
        response,
      },
    },
    (request) =>
      change(db, request, (tx) =>
        unshareCatalogue(tx, request.params.uuid, request.params.merchant_uuid),
      ),
  )
}

async function change(
  db: Db,
  request: FastifyRequest,
  work: (tx: Tx) => Promise<CatalogueSummary>,
) {
  return renderCatalogue(await write(db, request, work))
}

function renderCatalogue(catalogue: CatalogueSummary) {
  return {
    ...catalogue,
    created_on: isoWithOffset(catalogue.created_on),
    updated_on: isoWithOffset(catalogue.updated_on),
  }
}
