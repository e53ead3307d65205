import type { LineItem, Order, OrderReturn } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { dateTime } from '../../lib/format.ts'
import { goodsOf, unitsOf } from '../units.ts'

/** What of a line may go back: how many units and until when, or why nothing. */
interface ReturnableLine {
  line: LineItem
  most: number
  /** When the right to return the first of these units ends. */
  until: Date | undefined
  whyNot: string | undefined
}

/** The same rules as the server's, so that a person sees them before asking. */
export function returnableLines(order: Order, returns: readonly OrderReturn[]): ReturnableLine[] {
  return goodsOf(order).map((line) => {
    const { most, until, whyNot } = decide(order, line, openUnits(returns, line.uuid))
    return { line, most, until, whyNot }
  })
}

/** Units that are asked to go back, and are neither rejected nor received yet. */
function openUnits(returns: readonly OrderReturn[], uuid: string): number {
  return returns
    .filter(({ status }) => status === 'requested' || status === 'approved')
    .flatMap(({ line_items }) => line_items)
    .reduce((sum, line) => sum + (line.uuid === uuid ? line.quantity : 0), 0)
}

const DAY_MS = 86_400_000

type Decision = Pick<ReturnableLine, 'most'> & Partial<ReturnableLine>

function decide(order: Order, line: LineItem, open: number): Decision {
  const { returnable, days_to_return: days } = line.product_data.fields
  if (returnable !== true || typeof days !== 'number') {
    return { most: 0, whyNot: t('Sold without the right to return it.') }
  }
  if (unitsOf(order, line).cancelled === line.quantity) {
    return { most: 0, whyNot: t('It was cancelled.') }
  }
  if (line.fulfilled_quantity === 0) return { most: 0, whyNot: t('It has not shipped yet.') }
  const left = line.fulfilled_quantity - unitsOf(order, line).returned - open
  if (left <= 0) return { most: 0, whyNot: t('It is returned already, or asked to be.') }
  const shipped = order.fulfillments.flatMap(({ created_on, line_items }) => {
    const units = line_items.find(({ uuid }) => uuid === line.uuid)
    const end = new Date(Date.parse(created_on) + days * DAY_MS)
    return units ? [{ end, quantity: units.quantity }] : []
  })
  const inTime = shipped.filter(({ end }) => end.getTime() > Date.now())
  const ends = inTime.map(({ end }) => end.getTime())
  const units = inTime.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units === 0) {
    const date = dateTime(shipped.at(-1)?.end.toISOString() ?? null)
    return { most: 0, whyNot: t('It could be returned until {date}.', { date }) }
  }
  return { most: Math.min(left, units), until: new Date(Math.min(...ends)) }
}
