import type { OrderType } from '../database/tables/orders.ts'
import { type FieldError, Refusal } from '../lib/refusal.ts'
import { hasInvoice } from './ledger/terms.ts'
import { isCertificate, type Order, type OrderLine, unitsWithBuyer } from './order.ts'

/**
 * The life of an order: which step may be taken from where, and by whom. The trigger `order_steps`
 * has the same table in SQL as the last line of defence, so every statement that moves units, or
 * turns a memo into an invoice, names its step and who takes it (`step`, `step_by`).
 *
 * A line has units in several states at once: of five, two are shipped and three wait. Units that
 * wait are `unconfirmed` until the supplier or the operator answers; `accepted` when their supplier
 * needs no confirmation; `confirmed` after an answer, or when some of the line has shipped.
 */
export type UnitState =
  | 'unconfirmed'
  | 'accepted'
  | 'confirmed'
  | 'shipped'
  | 'cancelled'
  | 'returned'
export type Role = 'merchant' | 'supplier' | 'operator'
export type OrderStep = keyof typeof STEPS

interface Rule {
  /** The types of orders that the step is for. */
  orders: readonly OrderType[]
  /** For each role that may take the step: the states of the units that it can be taken for. */
  from: Partial<Record<Role, readonly UnitState[]>>
  /** The state that the units go to; null when they stay where they are. */
  to: UnitState | null
}

const INVOICE = ['invoice'] as const
const MEMO = ['memo'] as const
const ANY = ['invoice', 'memo'] as const
/** Not promised by anybody yet. */
const UNANSWERED = ['unconfirmed', 'accepted'] as const
const WAITING = [...UNANSWERED, 'confirmed'] as const
/** Neither cancelled nor returned. */
const KEPT = [...WAITING, 'shipped'] as const

const STEPS = {
  // Lines of a supplier that needs no confirmation are not confirmed again, and can be declined.
  confirm: {
    orders: ANY,
    from: { supplier: ['unconfirmed'], operator: ['unconfirmed'] },
    to: 'confirmed',
  },
  fulfill: { orders: ANY, from: { supplier: WAITING, operator: WAITING }, to: 'shipped' },
  pay: { orders: INVOICE, from: { operator: KEPT }, to: null },
  // Until the invoice is made.
  charge: { orders: INVOICE, from: { operator: KEPT }, to: null },
  // A merchant cancels only while nothing of the order has shipped.
  cancel: { orders: ANY, from: { merchant: UNANSWERED, operator: WAITING }, to: 'cancelled' },
  decline: { orders: ANY, from: { supplier: UNANSWERED, operator: UNANSWERED }, to: 'cancelled' },
  return: { orders: MEMO, from: { operator: KEPT }, to: 'returned' },
  convert: { orders: MEMO, from: { operator: KEPT }, to: null },
  // Before anything ships; shipping and converting invoice by themselves.
  invoice: { orders: INVOICE, from: { operator: KEPT }, to: null },
  extend: { orders: MEMO, from: { operator: KEPT }, to: null },
  // Goods that were invoiced come back by a return of their own.
  request_return: { orders: INVOICE, from: { merchant: ['shipped'] }, to: null },
  approve_return: { orders: INVOICE, from: { operator: ['shipped'] }, to: null },
  reject_return: { orders: INVOICE, from: { operator: ['shipped'] }, to: null },
  receive_return: { orders: INVOICE, from: { operator: ['shipped'] }, to: 'returned' },
} as const satisfies Record<string, Rule>

const RULES: Record<OrderStep, Rule> = STEPS
export const ORDER_STEPS = Object.keys(STEPS) as OrderStep[]
export const ROLES: readonly Role[] = ['merchant', 'supplier', 'operator']
export const UNIT_STATES: readonly UnitState[] = [...KEPT, 'cancelled', 'returned']

/** Steps of a return, which its own state decides: an order does not offer them. */
const OF_A_RETURN: ReadonlySet<OrderStep> = new Set([
  'approve_return',
  'reject_return',
  'receive_return',
])

/** Whether the step may be taken for units in this state. */
export function mayTake(step: OrderStep, role: Role, type: OrderType, from: UnitState): boolean {
  const rule = RULES[step]
  return rule.orders.includes(type) && (rule.from[role]?.includes(from) ?? false)
}

/** Where the step takes units to; null when they stay. */
export function destinationOf(step: OrderStep): UnitState | null {
  return RULES[step].to
}

/** Who takes a step. Merchants see their own orders, and suppliers their own lines. */
export type OrderActor =
  | { role: 'operator' }
  | { role: 'merchant'; merchant_uuid: string }
  | { role: 'supplier'; supplier_id: number; ships: boolean }

export const OPERATOR = { role: 'operator' } as const satisfies OrderActor

/** The lines that the actor can do something about; certificates follow their stones. */
export function linesOf(order: Order, actor: OrderActor): OrderLine[] {
  return order.lines.filter(
    (line) =>
      !isCertificate(line) && (actor.role !== 'supplier' || line.supplier_id === actor.supplier_id),
  )
}

/** The state of the line's units that wait. */
export function waitingState({ confirmed_by }: Pick<OrderLine, 'confirmed_by'>): UnitState {
  if (confirmed_by === null) return 'unconfirmed'
  return confirmed_by === 'placement' ? 'accepted' : 'confirmed'
}

function unitsIn(line: OrderLine, state: UnitState): number {
  if (state === 'shipped') return unitsWithBuyer(line)
  if (state === 'cancelled') return line.cancelled_quantity
  if (state === 'returned') return line.returned_quantity
  return waitingState(line) === state ? line.open_quantity : 0
}

/** How many units of a line the actor may take the step for. */
export function unitsFor(step: OrderStep, order: Order, actor: OrderActor) {
  const { orders, from } = RULES[step]
  const states = orders.includes(order.order_type) ? (from[actor.role] ?? []) : []
  return (line: OrderLine): number =>
    states.reduce((units, state) => units + unitsIn(line, state), 0)
}

/** The steps that the actor may take now. */
function possibleSteps(order: Order, actor: OrderActor): OrderStep[] {
  const lines = linesOf(order, actor)
  return ORDER_STEPS.filter((step) => {
    if (OF_A_RETURN.has(step)) return false
    if (step === 'pay' && order.payment_status !== null) return false
    if ((step === 'charge' || step === 'invoice') && hasInvoice(order)) return false
    if (step === 'cancel' && actor.role === 'merchant' && hasShipped(order)) return false
    if (step === 'fulfill' && actor.role === 'supplier' && !actor.ships) return false
    return lines.some((line) => unitsFor(step, order, actor)(line) > 0)
  })
}

export function hasShipped(order: Pick<Order, 'lines'>): boolean {
  return order.lines.some((line) => line.fulfilled_quantity > 0)
}

/** Refuses a step, and names the ones that the order's state allows the actor. */
export function wrongState(
  order: Order,
  why: string,
  { errors, actor = OPERATOR }: { errors?: FieldError[]; actor?: OrderActor } = {},
): Refusal {
  const allowed = possibleSteps(order, actor)
  const hint = allowed.length > 0 ? `possible: ${allowed.join(', ')}` : 'nothing is left to do'
  return new Refusal('wrong_state', `${why}; ${hint}.`, {
    ...(errors && { errors }),
    extra: { allowed },
  })
}

export function refuseUnless(
  order: Order,
  step: OrderStep,
  why: string,
  actor: OrderActor = OPERATOR,
): void {
  if (!possibleSteps(order, actor).includes(step)) throw wrongState(order, why, { actor })
}
