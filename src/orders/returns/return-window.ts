import {
  DAY_MS,
  isoFromMilliseconds,
  isoWithOffset,
  microsecondsFrom,
} from '../../lib/timestamps.ts'
import { type Order, type OrderLine, unitsWithBuyer } from '../order.ts'

/** Units of a line that a merchant asked to return, without those that it keeps. */
export interface RequestedUnits {
  line_uuid: string
  quantity: number
  status: 'requested' | 'approved' | 'received'
  /** When they were asked for. */
  created_on: string
}

/** Units that shipped together and have not been asked to go back. */
interface Shipped {
  shippedMicros: number
  endMicros: number
  quantity: number
}

const DAY_MICROSECONDS = DAY_MS * 1000

/** Returns why so many units of a line cannot be returned any more. `requested` is oldest first. */
export function whyTooLate(
  order: Order,
  line: OrderLine,
  quantity: number,
  requested: readonly RequestedUnits[],
  now: string,
): { message: string; ended_on: string } | undefined {
  const days = Number(line.product.days_to_return)
  const nowMicros = microsecondsOf(now)
  const shipped = shippedUnits(order, line, days)
  subtractReturned(shipped, line, requested)
  const inTime = shipped.filter(({ endMicros }) => nowMicros < endMicros)
  const left = inTime.reduce((total, each) => total + each.quantity, 0)
  if (quantity <= left) return undefined
  const last = shipped.findLast(({ endMicros }) => nowMicros >= endMicros) ?? shipped[0]
  const ended_on = isoFromMilliseconds(last.endMicros / 1000)
  const until = `${ended_on.slice(0, 16).replace('T', ' ')} UTC`
  const message =
    left > 0
      ? `${line.sku} has ${left} left to return, the others could be returned until ${until}`
      : `${line.sku} could be returned for ${days} days after it was shipped, until ${until}`
  return { message, ended_on }
}

/** The shipments of a line, oldest first. */
function shippedUnits({ fulfillments }: Order, line: OrderLine, days: number): Shipped[] {
  return fulfillments.flatMap(({ created_on, lines }) => {
    const units = lines.find(({ line_uuid }) => line_uuid === line.uuid)
    if (!units) return []
    const shippedMicros = microsecondsOf(created_on)
    const endMicros = shippedMicros + days * DAY_MICROSECONDS
    return [{ shippedMicros, endMicros, quantity: units.quantity }]
  })
}

/**
 * Which units of a line came back is not known: those that shipped first count as returned first.
 * A request counts only for units whose window was open when it was made. Otherwise the units of
 * the last shipment could be asked for, and then as many again whose window is over.
 */
function subtractReturned(
  shipped: Shipped[],
  line: OrderLine,
  requested: readonly RequestedUnits[],
): void {
  const sum = (units: readonly { quantity: number }[]) =>
    units.reduce((total, { quantity }) => total + quantity, 0)
  const received = sum(requested.filter(({ status }) => status === 'received'))
  // What came back while the goods were on memo had no window.
  subtract(shipped, sum(shipped) - unitsWithBuyer(line) - received)
  for (const { quantity, created_on } of requested) {
    const micros = microsecondsOf(created_on)
    subtract(
      shipped.filter(
        ({ shippedMicros, endMicros }) => shippedMicros <= micros && micros < endMicros,
      ),
      quantity,
    )
  }
}

function subtract(shipped: readonly Shipped[], quantity: number): void {
  let left = quantity
  for (const each of shipped) {
    const taken = Math.min(left, each.quantity)
    each.quantity -= taken
    left -= taken
  }
}

function microsecondsOf(timestamp: string): number {
  return microsecondsFrom(isoWithOffset(timestamp))
}
