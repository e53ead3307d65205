/** Returns of invoiced goods. The functions are those of the operator's API. */
import { type Command, Option } from 'commander'
import type { Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { renderReturn } from '../../http/shared/return-rendering.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { findOrderUuid } from '../../orders/order-store.ts'
import { approveReturn, receiveReturn, rejectReturn } from '../../orders/returns/change-return.ts'
import {
  type OrderReturn,
  RETURN_STATUSES,
  type ReturnStatus,
} from '../../orders/returns/return.ts'
import { getReturn, searchReturns } from '../../orders/returns/return-store.ts'
import { readLine, readUuid, readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const EXAMPLE_UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'

export function returnCommand(): Command {
  return commandGroup('return', 'List returns of invoiced goods; decide on them, receive them', [
    listCommand(),
    showCommand(),
    verbCommand('approve', 'Tell the merchant to send the goods back').action(
      (uuid: string, options: CommonOptions) => change(options, (tx) => approveReturn(tx, uuid)),
    ),
    verbCommand('reject', 'Reject a return that was not received yet')
      .option('--reason <text>', 'Reason, which the merchant sees', readLine)
      .action((uuid: string, options: CommonOptions & { reason?: string }) =>
        change(options, (tx) => rejectReturn(tx, uuid, { reason: options.reason })),
      ),
    verbCommand('receive', 'Record that the goods are back, and credit the merchant').action(
      (uuid: string, options: CommonOptions) => change(options, (tx) => receiveReturn(tx, uuid)),
    ),
  ])
}

interface ListOptions extends CommonOptions {
  merchant?: string
  order?: string
  status?: ReturnStatus
  limit: number
}

function listCommand(): Command {
  return command('list', 'List returns, newest first', 'pavilion return list --status requested')
    .option('--merchant <uuid|email>', 'Only returns of this merchant')
    .option('--order <uuid|order-id>', 'Only returns of this order')
    .addOption(new Option('--status <status>', 'Only this status').choices(RETURN_STATUSES))
    .option('--limit <count>', 'Maximum number of returns', readWholeNumber(1, 99_999), 100)
    .action((options: ListOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const { returns } = await searchReturns(db, {
            merchant_uuid: merchant?.uuid,
            order_uuid: options.order && (await findOrderUuid(db, options.order)),
            status: options.status && [options.status],
            limit: options.limit,
            offset: 0,
          })
          return returns.map(renderReturn)
        },
        (returns) =>
          tableOf(
            returns,
            {
              uuid: 'UUID',
              status: 'Status',
              external_order_id: 'Order ID',
              merchant_uuid: 'Merchant',
              total: 'Value (USD)',
              reason: 'Reason',
              created_on: 'Requested',
            },
            'No returns.',
          ),
      ),
    )
}

function showCommand(): Command {
  return verbCommand('show', 'Show one return').action((uuid: string, options: CommonOptions) =>
    onMarket(
      options,
      async ({ database }) => renderReturn(await getReturn(database.db, uuid)),
      showReturn,
    ),
  )
}

function verbCommand(name: string, description: string): Command {
  return command(name, description, `pavilion return ${name} ${EXAMPLE_UUID}`).argument(
    '<uuid>',
    'UUID of the return',
    readUuid,
  )
}

function change(options: CommonOptions, work: (tx: Tx) => Promise<OrderReturn>): Promise<void> {
  return onMarket(
    options,
    async ({ database }) => renderReturn(await inTransaction(database.db, work)),
    showReturn,
  )
}

function showReturn(found: ReturnType<typeof renderReturn>): string {
  const { uuid, status, external_order_id, order_uuid, total, reason } = found
  const head = `Return of $${total} of order ${external_order_id} (${order_uuid})`
  const rejected = found.reject_reason ? `\nRejected: ${found.reject_reason}` : ''
  const lines = tableOf(
    found.line_items,
    { uuid: 'Line', sku: 'SKU', name: 'Product', quantity: 'Quantity', price: 'Price (USD)' },
    'No lines.',
  )
  return `${head}\n${uuid}: ${status}\nReason: ${reason}${rejected}\n\n${lines}`
}
