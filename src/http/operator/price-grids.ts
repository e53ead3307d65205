import { listGrids, renderGrid } from '../../feeds/grids/grid-store.ts'
import { GRID_BYTES_MAX, loadGrid } from '../../feeds/grids/load-grid.ts'
import { forCaller } from '../request/acting.ts'
import { registerUploads } from '../request/upload.ts'
import { type App, operatorWith } from '../route.ts'
import { ListQuery, pageFrom } from '../schemas/page.ts'
import { LoadedGridsSchema, PriceGridQuery, PriceGridsSchema } from '../schemas/suppliers.ts'
import type { Services } from '../services.ts'
import { afterNewPrices } from '../shared/settings.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Price Grids']
const UPLOAD_EXAMPLE = 'BR,VS1,G,1.00,1.49,8200,3/31/2026\n'

/** Sheets of reference prices: the list prices of stones whose feeds carry none. */
export function registerPriceGrids(app: App, services: Services): void {
  const { db, pools, runOnce, uploads } = services

  app.get(
    '/api/operator/price_grids',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the sheets of reference prices, newest first',
        querystring: ListQuery,
        response: { 200: PriceGridsSchema },
      },
    },
    async ({ query }) => pageFrom('price_grids', (await listGrids(db)).map(renderGrid), query),
  )

  registerUploads(app, (scope) => {
    scope.post(
      '/api/operator/price_grids',
      {
        config: { ...writing, uploadExample: UPLOAD_EXAMPLE },
        schema: {
          tags,
          summary: 'Loads a sheet of reference prices, which is the body',
          description:
            'CSV without a header: shape (BR or PS), clarity, color, from ct, to ct, price per ' +
            'carat in US dollars, date. Every mined diamond without a list price of its own gets ' +
            'the one of the newest sheet.',
          querystring: PriceGridQuery,
          response: { 200: LoadedGridsSchema },
        },
      },
      (request, reply) =>
        uploads.receive(request, reply, GRID_BYTES_MAX, ({ bytes }) =>
          runOnce(request, reply, async () => {
            const fileName = request.query.file_name
            const load = loadGrid(forCaller(pools.imports, request), { bytes, fileName })
            const { price_grids, changed } = await afterNewPrices(services, load)
            return { price_grids: price_grids.map(renderGrid), changed }
          }),
        ),
    )
  })
}
