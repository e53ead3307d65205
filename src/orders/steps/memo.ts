import type { Tx } from '../../database/open.ts'
import { logConversions } from '../../events/change-log.ts'
import { daysAfter, isoWithOffset, millisecondsOf } from '../../lib/timestamps.ts'
import { invoiceDrafts } from '../ledger/charge-rules.ts'
import { listChargeRules } from '../ledger/rule-store.ts'
import { type Order, unitsReturnable, unitsWithBuyer } from '../order.ts'
import { OPERATOR, refuseUnless, unitsFor } from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { restock, sellStock } from '../stock/stock.ts'
import { chooseUnits, saveChange, type UnitsRequest, unitsOf } from './order-change.ts'

interface ReturnRequest {
  /** Undefined: everything that was not returned yet. */
  line_items?: readonly UnitsRequest[] | undefined
}

/** Returns units of a memo to stock; those that have shipped count first. */
export async function returnMemo(tx: Tx, uuid: string, request: ReturnRequest): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  refuseUnless(order, 'return', whyNotOut(order, 'Only a memo can be returned'))
  const units = chooseUnits(
    order,
    request.line_items,
    unitsFor('return', order, OPERATOR),
    'return',
  )
  const stock = await restock(tx, units)
  const lines = units.map(({ line, quantity }) => ({
    ...line,
    returned_quantity: line.returned_quantity + quantity,
    open_quantity: line.open_quantity - Math.max(0, quantity - unitsWithBuyer(line)),
  }))
  const event_data = { line_items: unitsOf(units) }
  return saveChange(
    tx,
    order,
    { step: 'return', lines, event_type: 'order.memo.return', event_data, stock },
    now,
  )
}

/** Turns a memo into an invoice for what was not returned: the same order, no longer due back. */
export async function convertMemo(tx: Tx, uuid: string): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  refuseUnless(order, 'convert', whyNotOut(order, 'The order is an invoice already'))
  const kept = order.lines.filter((line) => unitsReturnable(line) > 0)
  const rules = await listChargeRules(tx)
  const stock = await sellStock(tx, kept)
  const converted = await saveChange(
    tx,
    order,
    {
      step: 'convert',
      // Their suppliers see that they are sold, and ask for what was updated since.
      lines: kept,
      columns: { order_type: 'invoice', memo_due_date: null, invoiced_on: now },
      entries: invoiceDrafts(order.lines, rules, order.shipping_address.country_code),
      event_type: 'order.memo.convert',
      event_data: {},
      stock,
    },
    now,
  )
  await logConversions(
    tx,
    stock.flatMap((change) => ('gem_id' in change ? [change.gem_id] : [])),
  )
  return converted
}

/** Longer than any memo of the trade. */
export const EXTENSION_DAYS_MAX = 365

/**
 * Moves the due date of a memo by so many days, also when it has passed. A due date in the future
 * is reminded of again.
 */
export async function extendMemo(tx: Tx, uuid: string, days: number): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  refuseUnless(order, 'extend', whyNotOut(order, 'Only a memo can be extended'))
  const memo_due_date = daysAfter(order.memo_due_date ?? now, days)
  const isAhead = millisecondsOf(memo_due_date) > millisecondsOf(now)
  return saveChange(
    tx,
    order,
    {
      step: 'extend',
      columns: { memo_due_date, memo_reminder: isAhead ? null : order.memo_reminder },
      event_type: 'order.memo.extend',
      event_data: { days, memo_due_date: isoWithOffset(memo_due_date) },
    },
    now,
  )
}

function whyNotOut(order: Order, whenInvoice: string): string {
  return order.order_type === 'memo'
    ? 'Everything on the memo was returned or cancelled'
    : whenInvoice
}
