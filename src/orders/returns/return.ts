import type { Selectable } from 'kysely'
import type { OrderTables } from '../../database/tables/orders.ts'
import { scaledFrom } from '../../lib/money.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { isoWithOffset, microsecondsFrom } from '../../lib/timestamps.ts'
import { dollarsFrom, roundedCents } from '../ledger/ledger-entry.ts'
import { type Order, type OrderLine, unitsWithBuyer } from '../order.ts'
import type { Units } from '../steps/order-change.ts'

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
 * Refuses units that were not shipped, may not be returned, or not any more. `openUnits` of a line
 * are asked to go back already; they count as returned.
 */
export function refuseUnreturnable(
  order: Order,
  units: readonly Units[],
  openUnits: ReadonlyMap<string, number>,
  now: string,
): void {
  const unreturnable: FieldError[] = []
  const late: (FieldError & { ended_on: string })[] = []
  for (const [position, { line, quantity }] of units.entries()) {
    const field = `line_items[${position}].quantity`
    const left = unitsWithBuyer(line) - (openUnits.get(line.uuid) ?? 0)
    const message = whyNotReturnable(order, line, quantity, left)
    const tooLate = message === undefined ? whyTooLate(order, line, quantity, now) : undefined
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

const DAY_MICROSECONDS = 86_400_000_000

/**
 * The window of a unit ends so many days after it was shipped. Which units of a line came back is
 * not known, so those that shipped first count as returned first.
 */
function whyTooLate(
  order: Order,
  line: OrderLine,
  quantity: number,
  now: string,
): { message: string; ended_on: string } | undefined {
  const days = Number(line.product.days_to_return)
  const nowMicros = microsecondsOf(now)
  const shipped = order.fulfillments.flatMap(({ created_on, lines }) => {
    const units = lines.find(({ line_uuid }) => line_uuid === line.uuid)
    return units ? [{ created_on, quantity: units.quantity }] : []
  })
  const isOpen = (shippedOn: string) =>
    nowMicros < microsecondsOf(shippedOn) + days * DAY_MICROSECONDS
  const inTime = shipped.filter(({ created_on }) => isOpen(created_on))
  const left = inTime.reduce((total, each) => total + each.quantity, 0)
  if (quantity <= left) return undefined
  const last = shipped.findLast(({ created_on }) => !isOpen(created_on)) ?? shipped[0]
  const endMs = (microsecondsOf(last.created_on) + days * DAY_MICROSECONDS) / 1000
  const ended_on = new Date(endMs).toISOString().replace('Z', '000+00:00')
  const until = `${ended_on.slice(0, 16).replace('T', ' ')} UTC`
  const message =
    left > 0
      ? `${line.sku} has ${left} left to return, the others could be returned until ${until}`
      : `${line.sku} could be returned for ${days} days after it was shipped, until ${until}`
  return { message, ended_on }
}

function microsecondsOf(timestamp: string): number {
  return microsecondsFrom(isoWithOffset(timestamp))
}
