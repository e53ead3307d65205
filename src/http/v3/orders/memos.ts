import { listMemos } from '../../../orders/memos/memo-ledger.ts'
import { COSTS } from '../../request/call-costs.ts'
import { type App, merchantOf, merchantWith } from '../../route.ts'
import { MemoPageSchema, MemoQuery } from '../../schemas/orders/memo.ts'
import type { Services } from '../../services.ts'
import { renderMemo, renderMemos } from '../../shared/memo-rendering.ts'

/** What the merchant has on memo. */
export function registerMemos(app: App, { db }: Services): void {
  app.get(
    '/api/v3/memos',
    {
      config: { access: merchantWith('orders:read'), cost: COSTS.list, conditional: true },
      schema: {
        tags: ['Orders'],
        summary: 'Lists what the merchant has on memo, the first due first',
        querystring: MemoQuery,
        response: { 200: MemoPageSchema },
      },
    },
    async (request) => {
      const merchant_uuid = merchantOf(request).uuid
      const ledger = await listMemos(db, { ...request.query, merchant_uuid })
      return renderMemos(ledger, renderMemo, request.query)
    },
  )
}
