import { isoWithOffset } from '../../lib/timestamps.ts'
import { type OrderReturn, type ReturnLine, returnedValue } from '../../orders/returns/return.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'

/** Renders a return, for merchants and for the operator. */
export function renderReturn(found: OrderReturn) {
  const { uuid, order_uuid, merchant_uuid, status, reason } = found
  return {
    uuid,
    order_uuid,
    external_order_id: found.order_id,
    merchant_uuid,
    status,
    reason,
    reject_reason: status === 'rejected' ? found.reject_reason : null,
    currency_code: BASE_CURRENCY,
    total: returnedValue(found),
    line_items: found.lines.map(renderLine),
    created_on: isoWithOffset(found.created_on),
    updated_on: isoWithOffset(found.updated_on),
  }
}

function renderLine({ line_uuid: uuid, price, ...line }: ReturnLine) {
  const { sku, name, description, product_type, quantity } = line
  return { uuid, sku, name, description, product_type, quantity, price: Number(price) }
}
