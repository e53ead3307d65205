import type { Selectable } from 'kysely'
import type { OrderTables } from '../../database/tables/orders.ts'
import { scaledFrom } from '../../lib/money.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { dollarsFrom, roundedCents } from '../ledger/ledger-entry.ts'
import { type Order, type OrderLine, unitsWithBuyer } from '../order.ts'
import type { Units } from '../steps/order-change.ts'
import { type RequestedUnits, whyTooLate } from './return-window.ts'

/** Goods of an invoice that a merchant asks to send back, and what became of it. */
export interface OrderReturn extends ReturnRow {
  /** The id of its order. */
  order_id: string
  lines: ReturnLine[]
}

export type ReturnRow = Selectable<OrderTables['order_return']>
export type ReturnStatus = ReturnRow['status']

type ReturnedColumn = 'sku' | 'name' | 'description' | 'product_type' | 'price'

export interface ReturnLine extends Pick<OrderLine, ReturnedColumn> {
  line_uuid: string
  quantity: number
}

/** The status that a return may have next; a trigger in SQL repeats the table. */
export const STEPS: Record<ReturnStatus, readonly ReturnStatus[]> = {
  requested: ['approved', 'rejected'],
  // What was approved may arrive damaged, or never.
  approved: ['received', 'rejected'],
  rejected: [],
  received: [],
}
export const RETURN_STATUSES = Object.keys(STEPS) as ReturnStatus[]

const VERBS: Record<ReturnStatus, string> = {
  requested: 'request',
  approved: 'approve',
  rejected: 'reject',
  received: 'receive',
}

/** Refuses a step that the status does not allow, and names those that it allows. */
export function refuseStep({ uuid, status }: ReturnRow, to: ReturnStatus): void {
  if (STEPS[status].includes(to)) return
  const allowed = STEPS[status].map((each) => VERBS[each])
  const hint = allowed.length > 0 ? `possible: ${allowed.join(', ')}` : 'nothing is left to do'
  throw new Refusal('wrong_state', `Return ${uuid} is ${status}; ${hint}.`, { extra: { allowed } })
}

/** What the returned goods cost, in US dollars, rounded once. */
export function returnedValue({ lines }: Pick<OrderReturn, 'lines'>): number {
  const sum = lines.reduce(
    (total, { price, quantity }) => total + scaledFrom(price, 4) * BigInt(quantity),
    0n,
  )
  return dollarsFrom(roundedCents(sum))
}

/**
 * Refuses units that were not shipped, may not be returned, or not any more. What is `requested`
 * already counts as returned.
 */
export function refuseUnreturnable(
  order: Order,
  units: readonly Units[],
  requested: readonly RequestedUnits[],
  now: string,
): void {
  const unreturnable: FieldError[] = []
  const late: (FieldError & { ended_on: string })[] = []
  for (const [position, { line, quantity }] of units.entries()) {
    const field = `line_items[${position}].quantity`
    const earlier = requested.filter(({ line_uuid }) => line_uuid === line.uuid)
    const open = earlier.filter(({ status }) => status !== 'received')
    const left = open.reduce((rest, each) => rest - each.quantity, unitsWithBuyer(line))
    const message = whyNotReturnable(order, line, quantity, left)
    const tooLate =
      message === undefined ? whyTooLate(order, line, quantity, earlier, now) : undefined
    if (message !== undefined) unreturnable.push({ field, message })
    if (tooLate) late.push({ field, ...tooLate })
  }
  if (unreturnable.length > 0) throw refusalOf('not_returnable', unreturnable)
  if (late.length > 0) {
    const errors = late.map(({ field, message }) => ({ field, message }))
    throw refusalOf('return_window_over', errors, { window_ended_on: late[0].ended_on })
  }
}

function refusalOf(
  code: 'not_returnable' | 'return_window_over',
  errors: FieldError[],
  extra = {},
): Refusal {
  return new Refusal(code, `${errors[0].message}; nothing was requested.`, { errors, extra })
}

function whyNotReturnable(
  order: Order,
  line: OrderLine,
  quantity: number,
  left: number,
): string | undefined {
  const { sku, product } = line
  if (order.order_type === 'memo') return `${sku} is on memo, which the seller takes back`
  if (product.returnable !== true || typeof product.days_to_return !== 'number') {
    return `${sku} was sold without the right to return it`
  }
  if (line.fulfilled_quantity === 0) return `${sku} has not shipped; cancel it instead`
  if (quantity <= left) return undefined
  return left <= 0
    ? `All of ${sku} that has shipped is returned, or asked to be`
    : `${sku} has ${left} left to return, ${quantity} were asked for`
}
