import { listSupplierStock } from '../../gems/supplier-stock.ts'
import { getSupplierByUuid } from '../../gems/supplier-store.ts'
import { type App, supplierUuidOf, supplierWith } from '../route.ts'
import { SupplierStockPage, SupplierStockQuery } from '../schemas/stock/supplier-stock.ts'
import type { Services } from '../services.ts'

/** A supplier's own stones and parcels, sold ones included. */
export function registerSupplierInventory(app: App, { db }: Services): void {
  app.get(
    '/api/supplier/inventory',
    {
      config: { access: supplierWith('inventory:read'), conditional: true },
      schema: {
        tags: ['Stock'],
        summary: 'Lists your stones and parcels in all states, by stock number',
        description:
          'Every field is as your feed wrote it, also where the operator has set another value. ' +
          'Prices are yours, in US dollars at the rate of the import.',
        querystring: SupplierStockQuery,
        response: { 200: SupplierStockPage },
      },
    },
    async (request) => {
      const { id } = await getSupplierByUuid(db, supplierUuidOf(request))
      const { query } = request
      const page = await listSupplierStock(db, { ...query, supplier_id: id })
      return { ...page, offset: query.offset, limit: query.limit }
    },
  )
}
