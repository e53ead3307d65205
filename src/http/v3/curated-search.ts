import type { Db } from '../../database/open.ts'
import { type App, merchantWith } from '../route.ts'
import { CuratedGems, CurationBody } from '../schemas/curation.ts'
import { answerCurated } from '../shared/curated-answer.ts'

export function registerCuratedSearchV3(app: App, { db }: { db: Db }): void {
  app.post(
    '/api/v3/diamonds/get_diamonds_by_merchant_templates',
    {
      config: { access: merchantWith('search') },
      schema: {
        tags: ['Diamonds'],
        summary: 'Chooses one stone, or one matched pair, for each template',
        description: 'How stones are chosen is told in docs/curated-search.md.',
        body: CurationBody,
        response: { 200: CuratedGems },
      },
    },
    async (request, reply) => answerCurated(app, db, request, reply, request.body),
  )
}
