import { getMerchant } from '../../../merchants/merchant-store.ts'
import { readAccount } from '../../../orders/ledger/account.ts'
import { listEntries } from '../../../orders/ledger/ledger-store.ts'
import { type App, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import {
  LedgerEntrySchema,
  LedgerQuery,
  OperatorAccountSchema,
} from '../../schemas/orders/account.ts'
import { pageOf } from '../../schemas/page.ts'
import type { Services } from '../../services.ts'
import { renderAccountForOperator, renderEntry } from '../../shared/account.ts'

const config = { access: operatorWith('orders:read'), conditional: true } as const
const tags = ['Merchants']
const params = inlineObject({ uuid: uuid('UUID of the merchant') })

/** What merchants owe, and the entries that it follows from. */
export function registerAccounts(app: App, { db }: Services): void {
  app.get(
    '/api/operator/merchants/:uuid/account',
    {
      config,
      schema: {
        tags,
        summary: "Returns a merchant's limits, what it owes and how long that is late",
        params,
        response: { 200: OperatorAccountSchema },
      },
    },
    async (request) => {
      const merchant = await getMerchant(db, request.params.uuid)
      return renderAccountForOperator(merchant, await readAccount(db, merchant))
    },
  )

  app.get(
    '/api/operator/merchants/:uuid/ledger',
    {
      config,
      schema: {
        tags,
        summary: "Lists the entries of a merchant's ledger, newest first",
        description:
          'Entries are never changed: what is corrected gets another entry. The balance of an ' +
          'order is the sum of its entries.',
        params,
        querystring: LedgerQuery,
        response: { 200: pageOf('LedgerPage', 'entries', LedgerEntrySchema) },
      },
    },
    async ({ params, query }) => {
      const merchant = await getMerchant(db, params.uuid)
      const { entries, total } = await listEntries(db, merchant.uuid, query)
      const { offset, limit } = query
      return { entries: entries.map(renderEntry), total, offset, limit }
    },
  )
}
