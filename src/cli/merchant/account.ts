/** What a merchant owes, and the entries of the ledger that it follows from. */
import type { Command } from 'commander'
import { renderAccountForOperator, renderEntry } from '../../http/shared/account.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { readAccount } from '../../orders/ledger/account.ts'
import { listEntries } from '../../orders/ledger/ledger-store.ts'
import { readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const MERCHANT = ['<uuid|email>', 'Merchant, by UUID or e-mail address'] as const

export function accountCommand(): Command {
  const example = 'pavilion merchant account buyer@shop.example'
  return command('account', 'Show what a merchant owes and how long that is late', example)
    .argument(...MERCHANT)
    .action((uuidOrEmail: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = await getMerchant(db, uuidOrEmail)
          return renderAccountForOperator(merchant, await readAccount(db, merchant))
        },
        (account) =>
          [
            `${account.legal_dba}, terms of ${account.payment_terms_days} days`,
            `Unpaid: $${account.unpaid}, of that overdue: $${account.overdue}`,
            `On memo: $${account.on_memo}, limit: ${limitText(account.memo_limit)}`,
            `Credit limit: ${limitText(account.credit_limit)}`,
            `Available credit: ${limitText(account.available_credit)}`,
            '',
            tableOf(account.ageing, { bucket: 'Days late', orders: 'Orders', amount: 'USD' }, ''),
          ].join('\n'),
      ),
    )
}

function limitText(dollars: number | null): string {
  return dollars === null ? 'none' : `$${dollars}`
}

interface LedgerOptions extends CommonOptions {
  limit: number
}

export function ledgerCommand(): Command {
  const example = 'pavilion merchant ledger buyer@shop.example --limit 20'
  return command('ledger', "List the entries of a merchant's ledger, newest first", example)
    .argument(...MERCHANT)
    .option('--limit <count>', 'Maximum number of entries', readWholeNumber(1, 99_999), 100)
    .action((uuidOrEmail: string, options: LedgerOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { uuid } = await getMerchant(db, uuidOrEmail)
          const page = { limit: options.limit, offset: 0 }
          return (await listEntries(db, uuid, page)).entries.map(renderEntry)
        },
        (entries) =>
          tableOf(
            entries,
            {
              dated_on: 'Date',
              order_id: 'Order',
              kind: 'Kind',
              amount: 'USD',
              label: 'For',
              method: 'Method',
              reference: 'Reference',
              made_by: 'By',
            },
            'No entries.',
          ),
      ),
    )
}
