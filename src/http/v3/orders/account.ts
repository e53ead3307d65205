import { getMerchant } from '../../../merchants/merchant-store.ts'
import { readAccount } from '../../../orders/ledger/account.ts'
import { type App, merchantOf, merchantWith } from '../../route.ts'
import { AccountSchema } from '../../schemas/orders/account.ts'
import type { Services } from '../../services.ts'
import { renderAccount } from '../../shared/account.ts'

export function registerAccountV3(app: App, { db }: Services): void {
  app.get(
    '/api/v3/account',
    {
      config: { access: merchantWith('orders:read'), conditional: true },
      schema: {
        tags: ['Orders'],
        summary: "Returns the merchant's limits, what it owes and what it has on memo",
        description:
          'All amounts are in US dollars. An order counts as unpaid from its placement, with its ' +
          'charges, until its balance is 0.',
        response: { 200: AccountSchema },
      },
    },
    async (request) => {
      // The merchant of the token may have been read before its limits were changed.
      const merchant = await getMerchant(db, merchantOf(request).uuid)
      return renderAccount(await readAccount(db, merchant))
    },
  )
}
