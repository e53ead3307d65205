import type { Tx } from '../../database/open.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import type { Order, OrderLine } from '../order.ts'
import {
  linesOf,
  type OrderActor,
  type OrderStep,
  refuseUnless,
  unitsFor,
  wrongState,
} from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { getBuyer } from '../placing/buyer.ts'
import {
  type FindSubstitutes,
  findOtherOffers,
  SUBSTITUTES_MAX,
  type Substitutes,
} from '../placing/substitutes.ts'
import { withdrawStock } from '../stock/stock.ts'
import { insertCancellations } from './cancel-order.ts'
import { saveChange, type Units, unitsOf } from './order-change.ts'

interface LinesRequest {
  /** Undefined: every line that the step is possible for. */
  line_item_uuids?: readonly string[] | undefined
}

/** Confirms lines: the supplier has the goods, and will deliver them. */
export async function confirmLines(
  tx: Tx,
  uuid: string,
  request: LinesRequest,
  actor: Exclude<OrderActor, { role: 'merchant' }>,
): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid, actor)
  refuseUnless(order, 'confirm', 'Nothing of the order waits for a confirmation', actor)
  const units = chooseLines(order, request, 'confirm', actor)
  const lines = units.map(({ line }) => {
    return { ...line, confirmed_on: now, confirmed_by: actor.role }
  })
  const event_data = { by: actor.role, line_items: unitsOf(units) }
  return saveChange(
    tx,
    order,
    { step: 'confirm', by: actor.role, lines, event_type: 'order.confirm', event_data },
    now,
  )
}

interface DeclineRequest extends LinesRequest {
  reason: string
}

interface DeclineDeps {
  findSubstitutes: FindSubstitutes
  publicUrl: string
}

/**
 * Declines lines: the supplier cannot deliver them. They are cancelled, and their stones are gone
 * until a feed lists them again. The event names similar stones that are available.
 */
export async function declineLines(
  tx: Tx,
  uuid: string,
  request: DeclineRequest,
  actor: Exclude<OrderActor, { role: 'merchant' }>,
  deps: DeclineDeps,
): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid, actor)
  refuseUnless(order, 'decline', 'Nothing of the order is left to decline', actor)
  const units = chooseLines(order, request, 'decline', actor)
  const { reason } = request
  await insertCancellations(tx, order, units, reason, now)
  const stock = await withdrawStock(tx, units)
  const substitutes = await substitutesFor(tx, order, units, deps)
  const lines = units.map(({ line, quantity }) => ({
    ...line,
    cancelled_quantity: line.cancelled_quantity + quantity,
    open_quantity: 0,
    declined_on: now,
  }))
  const line_items = units.map(({ line, quantity }) => {
    return { uuid: line.uuid, sku: line.sku, quantity }
  })
  return saveChange(
    tx,
    order,
    {
      step: 'decline',
      by: actor.role,
      lines,
      event_type: 'order.line.decline',
      event_data: { reason, by: actor.role, line_items, substitutes },
      stock,
    },
    now,
  )
}

/** All units that wait, of the named lines or of every line that the step is possible for. */
function chooseLines(
  order: Order,
  { line_item_uuids: uuids }: LinesRequest,
  step: OrderStep,
  actor: OrderActor,
): Units[] {
  const lines = linesOf(order, actor)
  const leftOf = unitsFor(step, order, actor)
  if (uuids === undefined) {
    return lines
      .map((line) => ({ line, quantity: leftOf(line) }))
      .filter(({ quantity }) => quantity > 0)
  }
  const known = new Map(lines.map((line) => [line.uuid, line]))
  const chosen = uuids.map((uuid) => uuid.toLowerCase())
  refuseUnknown(chosen, known)
  const units = chosen.map((uuid) => {
    const line = known.get(uuid) as OrderLine
    return { line, quantity: leftOf(line) }
  })
  const errors = units.flatMap(({ line, quantity }, position) => {
    const message = `${line.sku} ${whyNot(line, step, actor)}`
    return quantity > 0 ? [] : [{ field: `line_item_uuids[${position}]`, message }]
  })
  if (errors.length > 0) throw wrongState(order, errors[0].message, { errors, actor })
  return units
}

function refuseUnknown(uuids: readonly string[], known: ReadonlyMap<string, OrderLine>): void {
  const errors = uuids.flatMap((uuid, position): FieldError[] => {
    const field = `line_item_uuids[${position}]`
    if (!known.has(uuid)) return [{ field, message: 'is not a line of this order' }]
    return uuids.indexOf(uuid) < position ? [{ field, message: 'is named twice' }] : []
  })
  if (errors.length === 0) return
  throw new Refusal('invalid_request', `${errors[0].field} ${errors[0].message}.`, { errors })
}

function whyNot(line: OrderLine, step: OrderStep, { role }: OrderActor): string {
  if (line.declined_on !== null) return 'is declined already'
  if (line.fulfilled_quantity > 0) return 'has shipped'
  if (line.open_quantity === 0) return 'is cancelled or returned'
  if (step !== 'decline') return 'is confirmed already'
  const advice = role === 'supplier' ? 'ask the operator to cancel it' : 'cancel it instead'
  return `is confirmed already, ${advice}`
}

/**
 * Similar stones at the buyer's prices, after the stone itself where another supplier has it; none
 * for a buyer that no longer has any prices.
 */
async function substitutesFor(
  tx: Tx,
  order: Order,
  units: readonly Units[],
  { findSubstitutes, publicUrl }: DeclineDeps,
): Promise<Substitutes[]> {
  const refused = units.flatMap(({ line: { sku, stock_kind, stock_id, product } }) =>
    stock_kind === 'gem' && stock_id !== null ? [{ sku, stock_id, fields: product }] : [],
  )
  if (refused.length === 0) return []
  const { merchant_uuid, order_channel } = order
  const buyer = await getBuyer(tx, { merchant_uuid, order_channel }, publicUrl).catch(orNoBuyer)
  if (buyer === undefined) return []
  const except = order.lines.flatMap(({ sku }) => (sku === '' ? [] : [sku]))
  const memo = order.order_type === 'memo'
  const same = await findOtherOffers(tx, { refused, buyer, memo })
  const near = await findSubstitutes(tx, { refused, buyer, except, memo })
  return near.map(({ sku, stones }) => {
    const offer = same.get(sku)
    const others = stones.filter((stone) => stone.sku !== offer?.sku)
    return { sku, stones: [...(offer ? [offer] : []), ...others].slice(0, SUBSTITUTES_MAX) }
  })
}

/** A merchant that was deleted since, or whose currency has no rate any more. */
function orNoBuyer(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
