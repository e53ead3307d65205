import type { OperatorLine, OperatorOrder } from '../../api/operator/orders.ts'
import { unitsOf } from '../../orders/units.ts'

/** Which steps the server would take now; the page offers these and no others. */
export interface PossibleSteps {
  confirm: boolean
  decline: boolean
  ship: boolean
  /** A prepaid order ships once it is paid. */
  isUnpaid: boolean
  charge: boolean
  invoice: boolean
  pay: boolean
  cancel: boolean
  /** A memo is out: it can be extended, converted and returned. */
  isOnMemo: boolean
}

export function possibleSteps(order: OperatorOrder): PossibleSteps {
  const lines = goodsOf(order)
  const isMemo = order.order_type === 'memo'
  const isKept = lines.some((line) => unitsOf(order, line).kept > 0)
  const isOpen = lines.some((line) => line.open_quantity > 0)
  const isUninvoiced = !isMemo && isKept && order.invoiced_on === null
  return {
    confirm: lines.some(isUnconfirmed),
    decline: lines.some(isDeclinable),
    ship: isOpen,
    isUnpaid: !isMemo && order.payment_terms_days === 0 && order.payment_status !== 'paid',
    charge: isUninvoiced,
    invoice: isUninvoiced,
    pay: !isMemo && order.balance > 0,
    cancel: isOpen,
    isOnMemo: isMemo && isKept,
  }
}

/** The lines of goods; a certificate ships with its stone. */
export function goodsOf(order: OperatorOrder): OperatorLine[] {
  return order.line_items.filter(({ sku }) => sku !== '')
}

export function isUnconfirmed({ open_quantity, confirmed_by }: OperatorLine): boolean {
  return open_quantity > 0 && confirmed_by === null
}

/** What somebody has promised is cancelled instead. */
export function isDeclinable({ open_quantity, confirmed_by }: OperatorLine): boolean {
  return open_quantity > 0 && (confirmed_by === null || confirmed_by === 'placement')
}
