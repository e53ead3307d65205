import { changeGem, type GemChange, releaseGem } from '../../gems/operator/change-gem.ts'
import { listGems } from '../../gems/operator/list-gems.ts'
import { readGem } from '../../gems/operator/read-gem.ts'
import { write } from '../request/acting.ts'
import { type App, operatorWith } from '../route.ts'
import { Removed } from '../schemas/page.ts'
import {
  GemListQuerySchema,
  GemPageSchema,
  GemPatch,
  OperatorGemSchema,
  SkuParams,
} from '../schemas/stock/gems.ts'
import type { Services } from '../services.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Stock']

/** Single stones in the operator's hands: found, looked at, changed and released. */
export function registerOperatorGems(app: App, services: Services): void {
  const { db, catchUp, publicUrl } = services
  registerReads(app, services)

  app.patch(
    '/api/operator/inventory/gems/:sku',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Sets fields of a stone by hand; they stand whatever the feed says',
        description:
          'null takes an override back: the value of the feed is kept beneath it and counts ' +
          'again. A disabled stone is neither found nor sold, and a hold on it ends; orders that ' +
          'have it keep it.',
        params: SkuParams,
        body: GemPatch,
        response: { 200: OperatorGemSchema },
      },
    },
    async (request) => {
      const { sku } = request.params
      const change = request.body as GemChange
      await write(db, request, (tx) => changeGem(tx, sku, change))
      await catchUp()
      return readGem(db, sku, publicUrl)
    },
  )

  app.delete(
    '/api/operator/inventory/gems/:sku/hold',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Ends the hold on a stone, of whichever merchant and by whichever offer',
        params: SkuParams,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const { sku } = request.params
      await write(db, request, (tx) => releaseGem(tx, sku))
      await catchUp()
      return reply.code(204).send(null)
    },
  )
}

function registerReads(app: App, { db, publicUrl }: Services): void {
  app.get(
    '/api/operator/inventory/gems',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the stones of all suppliers and in all states',
        querystring: GemListQuerySchema,
        response: { 200: GemPageSchema },
      },
    },
    async ({ query }) => ({
      ...(await listGems(db, query)),
      offset: query.offset,
      limit: query.limit,
    }),
  )

  app.get(
    '/api/operator/inventory/gems/:sku',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Returns one stone with its offers, overrides and history',
        params: SkuParams,
        response: { 200: OperatorGemSchema },
      },
    },
    ({ params }) => readGem(db, params.sku, publicUrl),
  )
}
