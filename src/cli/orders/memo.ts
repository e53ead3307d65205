/** What is out on memo, and the extension of a memo. */
import type { Command } from 'commander'
import { renderMemos, renderOperatorMemo } from '../../http/shared/memo-rendering.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { AGE_BUCKETS } from '../../orders/ledger/terms.ts'
import { listMemos } from '../../orders/memos/memo-ledger.ts'
import { findOrderUuid } from '../../orders/order-store.ts'
import { EXTENSION_DAYS_MAX, extendMemo } from '../../orders/steps/memo.ts'
import { readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { change, EXAMPLE_UUID, ORDER } from './change.ts'

export function memoCommand(): Command {
  return commandGroup('memo', 'List what is out on memo', [listCommand()])
}

interface ListOptions extends CommonOptions {
  merchant?: string
  overdue?: boolean
  limit: number
}

function listCommand(): Command {
  const description = 'List goods that are out on memo, the first due first, with totals by age'
  return command('list', description, 'pavilion memo list --overdue')
    .option('--merchant <uuid|email>', 'Only memos of this merchant')
    .option('--overdue', 'Only memos that are past their due date')
    .option('--limit <count>', 'Maximum number of lines', readWholeNumber(1, 99_999), 100)
    .action((options: ListOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const { limit, overdue } = options
          const query = { merchant_uuid: merchant?.uuid, overdue, limit, offset: 0 }
          return renderMemos(await listMemos(db, query), renderOperatorMemo, query)
        },
        showMemos,
      ),
    )
}

type Memos = ReturnType<typeof renderMemos<ReturnType<typeof renderOperatorMemo>>>

function showMemos({ memos, total, totals }: Memos): string {
  const entries = tableOf(
    memos,
    {
      memo_id: 'Memo',
      merchant_legal_dba: 'Merchant',
      sku: 'SKU',
      quantity: 'Quantity',
      value: 'Value (USD)',
      due_date: 'Due',
      days_left: 'Days left',
      bucket: 'Days late',
      order_uuid: 'Order',
    },
    'Nothing is out on memo.',
  )
  if (total === 0) return entries
  const sums = AGE_BUCKETS.map((bucket) => ({ bucket, value: totals[bucket] }))
  const shown = memos.length < total ? `\n${memos.length} of ${total} lines; see --limit.` : ''
  return `${entries}${shown}\n\n${tableOf(sums, { bucket: 'Days late', value: 'Value (USD)' }, '')}`
}

interface ExtendOptions extends CommonOptions {
  days: number
}

export function extendCommand(): Command {
  const example = `pavilion order extend ${EXAMPLE_UUID} --days 14`
  return command('extend', 'Move the due date of a memo', example)
    .argument(...ORDER)
    .requiredOption('--days <days>', 'By how many days', readWholeNumber(1, EXTENSION_DAYS_MAX))
    .action((order: string, options: ExtendOptions) =>
      change(options, async (tx) => extendMemo(tx, await findOrderUuid(tx, order), options.days)),
    )
}
