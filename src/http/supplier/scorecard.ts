import { getSupplierByUuid } from '../../gems/supplier-store.ts'
import { readScoreCard } from '../../orders/score-card.ts'
import { type App, operatorWith, supplierUuidOf, supplierWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { ScoreCardSchema } from '../schemas/stock/score-card.ts'
import type { Services } from '../services.ts'

const response = { 200: ScoreCardSchema }
const description =
  'Shares are null when there is nothing to count. A line counts in the period in which it was ' +
  'ordered.'

/** The score card of a supplier, for itself and for the operator. */
export function registerScoreCards(app: App, { db }: Services): void {
  app.get(
    '/api/supplier/scorecard',
    {
      config: { access: supplierWith('inventory:read') },
      schema: { tags: ['Score cards'], summary: 'Returns your score card', description, response },
    },
    async (request) => {
      const { id } = await getSupplierByUuid(db, supplierUuidOf(request))
      return readScoreCard(db, id)
    },
  )

  app.get(
    '/api/operator/suppliers/:uuid/scorecard',
    {
      config: { access: operatorWith('inventory:read') },
      schema: {
        tags: ['Score cards'],
        summary: 'Returns the score card of a supplier',
        description,
        params: inlineObject({ uuid: uuid('UUID of the supplier') }),
        response,
      },
    },
    async ({ params }) => {
      const { id } = await getSupplierByUuid(db, params.uuid)
      return readScoreCard(db, id)
    },
  )
}
