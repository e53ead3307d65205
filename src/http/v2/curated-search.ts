import { type App, merchantWith } from '../route.ts'
import { CuratedGems, CurationBody } from '../schemas/curation.ts'
import type { Services } from '../services.ts'
import { answerCurated } from '../shared/curated-answer.ts'

export function registerCuratedSearchV2(app: App, services: Services): void {
  app.post(
    '/api/v2/diamonds/ai_search',
    {
      config: { access: merchantWith('search'), countsAsSearch: true },
      schema: {
        tags: ['Diamonds'],
        summary: 'Chooses one stone, or one matched pair, for each template',
        description: 'How stones are chosen is told in docs/curated-search.md.',
        body: CurationBody,
        response: { 200: CuratedGems },
      },
    },
    async (request, reply) => answerCurated(services, request, reply, request.body),
  )
}
