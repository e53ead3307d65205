import { changeSupplier } from '../../feeds/importing/applying/change-supplier.ts'
import { readStoneMapping } from '../../feeds/mapping/stone-fields.ts'
import { renderSupplier, type SupplierSettings } from '../../gems/supplier.ts'
import { createSupplier, getSupplierByUuid, listSuppliers } from '../../gems/supplier-store.ts'
import { readJewelryMapping } from '../../jewelry/importing/jewelry-fields.ts'
import { listSupplierFigures } from '../../orders/supplier-figures.ts'
import { forCaller } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { ListQuery, pageFrom } from '../schemas/page.ts'
import {
  ChangedSupplierSchema,
  SupplierBody,
  SupplierFiguresSchema,
  SupplierPatch,
  SupplierSchema,
  SuppliersSchema,
} from '../schemas/suppliers.ts'
import type { Services } from '../services.ts'
import { afterNewPrices } from '../shared/settings.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Suppliers']
const params = inlineObject({ uuid: uuid('UUID of the supplier') })

/** A supplier's settings decide how its feed is read, and what its stones cost and allow. */
export function registerSuppliers(app: App, services: Services): void {
  const { db } = services
  app.get(
    '/api/operator/suppliers',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the suppliers by name',
        querystring: ListQuery,
        response: { 200: SuppliersSchema },
      },
    },
    async ({ query }) =>
      pageFrom('suppliers', (await listSuppliers(db)).map(renderSupplier), query),
  )

  app.get(
    '/api/operator/suppliers/figures',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Counts the stock, the open order lines and the sources of every supplier',
        querystring: ListQuery,
        response: { 200: SupplierFiguresSchema },
      },
    },
    async ({ query }) => pageFrom('suppliers', await listSupplierFigures(db), query),
  )

  app.get(
    '/api/operator/suppliers/:uuid',
    {
      config: reading,
      schema: { tags, summary: 'Returns one supplier', params, response: { 200: SupplierSchema } },
    },
    async (request) => renderSupplier(await getSupplierByUuid(db, request.params.uuid)),
  )

  registerSupplierChanges(app, services)
}

function registerSupplierChanges(app: App, services: Services): void {
  const { db, pools } = services
  app.post(
    '/api/operator/suppliers',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Creates a supplier',
        body: SupplierBody,
        response: { 201: SupplierSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const { name, ...settings } = request.body
        checkMapping(settings)
        return renderSupplier(await createSupplier(tx, name, settings))
      }),
  )

  app.patch(
    '/api/operator/suppliers/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Changes a supplier; a markup changes the prices of its stones at once',
        description:
          'Whether it confirms and ships applies to orders from now on, other settings apply ' +
          'with its next import.',
        params,
        body: SupplierPatch,
        response: { 200: ChangedSupplierSchema },
      },
    },
    async (request) => {
      const { name } = await getSupplierByUuid(db, request.params.uuid)
      checkMapping(request.body)
      const write = changeSupplier(forCaller(pools.imports, request), name, request.body)
      const { supplier, changed } = await afterNewPrices(services, write)
      return { ...renderSupplier(supplier), changed }
    },
  )
}

/** Refuses a mapping that the next import would refuse. */
function checkMapping({ mapping, jewelry_mapping }: SupplierSettings): void {
  if (mapping) readStoneMapping(mapping)
  if (jewelry_mapping) readJewelryMapping(jewelry_mapping)
}
