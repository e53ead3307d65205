/** Orders after they were placed. The functions are those of the operator's API. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Tx } from '../../database/open.ts'
import { renderForOperator } from '../../http/shared/operator-order-rendering.ts'
import { roundedAmount } from '../../lib/money.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { loadOrders } from '../../orders/load-orders.ts'
import { confirmationOf, type Order } from '../../orders/order.ts'
import { findOrderUuid, getOrder } from '../../orders/order-store.ts'
import { searchOrders } from '../../orders/search-orders.ts'
import { cancelOrder } from '../../orders/steps/cancel-order.ts'
import { fulfillOrder } from '../../orders/steps/fulfill-order.ts'
import { convertMemo, returnMemo } from '../../orders/steps/memo.ts'
import type { UnitsRequest } from '../../orders/steps/order-change.ts'
import { readLine, readUuid, readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { change, EXAMPLE_UUID, ORDER, showOrder } from './change.ts'
import { confirmCommand, declineCommand } from './confirmation.ts'
import { documentCommand, invoiceCommand } from './document.ts'
import { extendCommand } from './memo.ts'
import { chargeCommand, payCommand } from './order-money.ts'

export function orderCommand(): Command {
  return commandGroup(
    'order',
    'List orders; record answers, shipments, payments, cancellations and returns',
    [
      listCommand(),
      showCommand(),
      confirmCommand(),
      declineCommand(),
      fulfillCommand(),
      payCommand(),
      chargeCommand(),
      unitsCommand('cancel', 'Cancel what has not shipped and put it back on sale')
        .option('--reason <text>', 'Reason for the cancellation', readLine)
        .action((name: string, options: CancelOptions) =>
          change(options, async (tx) => {
            const request = { line_items: options.line, reason: options.reason }
            return cancelOrder(tx, await findOrderUuid(tx, name), request)
          }),
        ),
      unitsCommand('return', 'Record the return of a memo and put it back on sale').action(
        (name: string, options: UnitsOptions) =>
          change(options, async (tx) =>
            returnMemo(tx, await findOrderUuid(tx, name), { line_items: options.line }),
          ),
      ),
      verbCommand('convert', 'Convert a memo into an invoice', (tx, uuid) => convertMemo(tx, uuid)),
      extendCommand(),
      invoiceCommand(),
      documentCommand(),
    ],
  )
}

interface ListOptions extends CommonOptions {
  merchant?: string
  overdue?: boolean
  unconfirmed?: boolean
  search?: string
  limit: number
}

function listCommand(): Command {
  return command('list', 'List orders, newest first', 'pavilion order list --overdue')
    .option('--merchant <uuid|email>', 'Only orders of this merchant')
    .option('--overdue', 'Only memos that are past their due date')
    .option('--unconfirmed', 'Only orders that wait for the answer of a supplier')
    .option('--search <words>', 'Only orders that contain all these words')
    .option('--limit <count>', 'Maximum number of orders', readWholeNumber(1, 99_999), 100)
    .action((options: ListOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const { uuids } = await searchOrders(db, {
            merchant_uuid: merchant?.uuid,
            overdue: options.overdue,
            unconfirmed: options.unconfirmed,
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
            {
              uuid: 'UUID',
              order_id: 'Order ID',
              order_type: 'Type',
              merchant_legal_dba: 'Merchant',
              total: 'Total (USD)',
              confirmation: 'Confirmation',
              fulfillment_status: 'Fulfillment',
              payment_status: 'Payment',
              order_status: 'Status',
              memo_due_date: 'Memo due',
            },
            'No orders.',
          ),
      ),
    )
}

function showCommand(): Command {
  return command('show', 'Show one order', `pavilion order show ${EXAMPLE_UUID}`)
    .argument(...ORDER)
    .action((name: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db }, publicUrl }) =>
          renderForOperator(await getOrder(db, await findOrderUuid(db, name)), await publicUrl()),
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
  // An order of the demo market, so that the example can be tried as it is.
  const example =
    'pavilion order fulfill DEMO-1012 --tracking-company "Facet Express" --tracking-number FX-1001'
  return unitsCommand('fulfill', 'Record a shipment of an order', example)
    .requiredOption('--tracking-company <name>', 'Carrier', readLine)
    .requiredOption('--tracking-number <number>', 'Tracking number', readLine)
    .option('--tracking-url <url>', 'Page that tracks the shipment', readUrl)
    .action((name: string, options: FulfillOptions) =>
      change(options, async (tx) =>
        fulfillOrder(tx, await findOrderUuid(tx, name), {
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
  return command(name, description, `pavilion order ${name} ${EXAMPLE_UUID}`)
    .argument(...ORDER)
    .action((order: string, options: CommonOptions) =>
      change(options, async (tx) => verb(tx, await findOrderUuid(tx, order))),
    )
}

/** A command about the lines that `--line` names, or about every line that it can apply to. */
function unitsCommand(
  name: string,
  description: string,
  example = `pavilion order ${name} ${EXAMPLE_UUID}`,
): Command {
  return command(name, description, example)
    .argument(...ORDER)
    .addOption(
      new Option(
        '--line <uuid:quantity>',
        'Only this line and quantity (default: all lines); repeatable',
      ).argParser(readUnits),
    )
}

function readUnits(text: string, earlier: UnitsRequest[] | undefined): UnitsRequest[] {
  const match = /^([0-9a-f-]{36}):([1-9]\d{0,6})$/i.exec(text)
  if (!match)
    throw new InvalidArgumentError('Expected the UUID of a line and a quantity, as in uuid:2.')
  return [...(earlier ?? []), { uuid: readUuid(match[1]), quantity: Number(match[2]) }]
}

function readUrl(text: string): string {
  if (/^https?:\/\/\S+$/.test(text)) return text
  throw new InvalidArgumentError('Expected a URL, such as https://track.example/1.')
}

/** An order as one row of the list. */
function summaryOf(order: Order) {
  const { uuid, order_id, order_reference, order_type, order_status, memo_id, debug } = order
  const { payment_status, fulfillment_status, merchant_uuid, merchant_legal_dba } = order
  return {
    uuid,
    order_id,
    order_reference,
    order_type,
    order_status,
    payment_status,
    fulfillment_status,
    confirmation: confirmationOf(order.lines),
    merchant_uuid,
    merchant_legal_dba,
    memo_id,
    memo_due_date: isoOrNull(order.memo_due_date),
    ordered_on: isoWithOffset(order.ordered_on),
    total: roundedAmount(order.total),
    debug,
  }
}
