import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { renderForOperator } from '../http/shared/order-rendering.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import { cancelOrder } from '../orders/cancel-order.ts'
import { fulfillOrder } from '../orders/fulfill-order.ts'
import { convertMemo, returnMemo } from '../orders/memo.ts'
import type { Order } from '../orders/order.ts'
import type { UnitsRequest } from '../orders/order-change.ts'
import { getOrder, loadOrders } from '../orders/order-store.ts'
import { payOrder } from '../orders/pay-order.ts'
import { searchOrders } from '../orders/search-orders.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { showOrder, summaryOf } from './order-views.ts'
import { tableOf } from './output/table.ts'
import { readUuid } from './token.ts'

export function orderCommand(): Command {
  return commandGroup('order', 'list orders and do what happens to them afterwards', [
    listCommand(),
    showCommand(),
    fulfillCommand(),
    verbCommand('pay', 'record a payment', (tx, uuid) => payOrder(tx, uuid)),
    unitsCommand('cancel', 'cancel what has not shipped; stock returns')
      .option('--reason <words>', 'why')
      .action((uuid: string, options: CancelOptions) =>
        change(options, (tx) =>
          cancelOrder(tx, uuid, { line_items: options.line, reason: options.reason }),
        ),
      ),
    unitsCommand('return', 'take a memo back; stock returns').action(
      (uuid: string, options: UnitsOptions) =>
        change(options, (tx) => returnMemo(tx, uuid, { line_items: options.line })),
    ),
    verbCommand('convert', 'turn a memo into an invoice', (tx, uuid) => convertMemo(tx, uuid)),
  ])
}

interface ListOptions extends CommonOptions {
  merchant?: string
  overdue?: boolean
  search?: string
  limit: number
}

function listCommand(): Command {
  return command('list', 'list orders, newest first', 'pavilion order list --overdue')
    .option('--merchant <uuid|email>', 'only orders of this merchant')
    .option('--overdue', 'only memos that should be back')
    .option('--search <words>', 'only orders with these words')
    .option('--limit <n>', 'at most so many', readLimit, 100)
    .action((options: ListOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const { uuids } = await searchOrders(db, {
            merchant_uuid: merchant?.uuid,
            overdue: options.overdue,
            text: options.search,
            sort_col: 'ordered_on',
            sort_order: 'desc',
            limit: options.limit,
            offset: 0,
          })
          return (await loadOrders(db, uuids)).map(summaryOf)
        },
        (orders) =>
          tableOf(
            orders,
            [
              'uuid',
              'order_id',
              'order_type',
              'merchant_legal_dba',
              'total',
              'fulfillment_status',
              'payment_status',
              'order_status',
              'memo_due_date',
            ],
            'No orders.',
          ),
      ),
    )
}

function showCommand(): Command {
  return command('show', 'show one order', 'pavilion order show <uuid>')
    .argument('<uuid>', 'the order', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database }) => renderForOperator(await getOrder(database.db, uuid)),
        showOrder,
      ),
    )
}

interface UnitsOptions extends CommonOptions {
  line?: UnitsRequest[]
}

interface CancelOptions extends UnitsOptions {
  reason?: string
}

interface FulfillOptions extends UnitsOptions {
  trackingCompany: string
  trackingNumber: string
  trackingUrl?: string
}

function fulfillCommand(): Command {
  return unitsCommand('fulfill', 'ship units of an order')
    .requiredOption('--tracking-company <name>', 'carrier')
    .requiredOption('--tracking-number <number>', 'the carrier’s number')
    .option('--tracking-url <address>', 'where to follow it', readAddress)
    .action((uuid: string, options: FulfillOptions) =>
      change(options, (tx) =>
        fulfillOrder(tx, uuid, {
          line_items: options.line,
          tracking_company: options.trackingCompany,
          tracking_number: options.trackingNumber,
          tracking_url: options.trackingUrl,
        }),
      ),
    )
}

function verbCommand(
  name: string,
  description: string,
  verb: (tx: Tx, uuid: string) => Promise<Order>,
): Command {
  return command(name, description, `pavilion order ${name} <uuid>`)
    .argument('<uuid>', 'the order', readUuid)
    .action((uuid: string, options: CommonOptions) => change(options, (tx) => verb(tx, uuid)))
}

/** A verb about some of the lines, or all that it can be about. */
function unitsCommand(name: string, description: string): Command {
  return command(name, description, `pavilion order ${name} <uuid> --line <uuid>:1`)
    .argument('<uuid>', 'the order', readUuid)
    .addOption(
      new Option('--line <uuid:quantity>', 'only this line; may be repeated').argParser(readUnits),
    )
}

function change(options: CommonOptions, verb: (tx: Tx) => Promise<Order>): Promise<void> {
  return onMarket(
    options,
    async ({ database }) => renderForOperator(await inTransaction(database.db, verb)),
    showOrder,
  )
}

function readUnits(text: string, earlier: UnitsRequest[] | undefined): UnitsRequest[] {
  const match = /^([0-9a-f-]{36}):([1-9]\d{0,6})$/i.exec(text)
  if (!match) throw new InvalidArgumentError('It takes the uuid of a line and a number, as uuid:2.')
  return [...(earlier ?? []), { uuid: readUuid(match[1]), quantity: Number(match[2]) }]
}

function readAddress(text: string): string {
  if (/^https?:\/\/\S+$/.test(text)) return text
  throw new InvalidArgumentError('It takes an address such as https://track.example/1.')
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number from 1 to 99999.')
}
