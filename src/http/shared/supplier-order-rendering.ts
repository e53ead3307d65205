import { isoWithOffset } from '../../lib/timestamps.ts'
import { confirmationOf } from '../../orders/order.ts'
import type { SupplierLine, SupplierOrder } from '../../orders/supplier-orders.ts'
import { twoLetterCountry } from '../../reference/countries.ts'
import { renderProgress } from './operator-order-rendering.ts'

/** An order as a supplier sees it. */
export function renderSupplierOrder(order: SupplierOrder) {
  const { shipping_address: address } = order
  return {
    uuid: order.uuid,
    order_type: order.order_type,
    ordered_on: isoWithOffset(order.ordered_on),
    confirmation: confirmationOf(order.lines),
    fulfillment_status: shippedPartOf(order.lines),
    line_items: order.lines.map(renderLine),
    shipping_address: address && {
      ...address,
      country_code: twoLetterCountry(address.country_code),
    },
    fulfillments: order.fulfillments.map(({ lines, order_uuid: _, ...shipment }) => ({
      ...shipment,
      created_on: isoWithOffset(shipment.created_on),
      line_items: lines,
    })),
  }
}

function renderLine(line: SupplierLine) {
  return {
    uuid: line.uuid,
    sku: line.sku,
    vendor_sku: line.vendor_sku,
    description: line.description,
    product_type: line.product_type,
    quantity: line.quantity,
    fulfilled_quantity: line.fulfilled_quantity,
    ...renderProgress(line),
    price: line.supplier_cost === null ? null : Number(line.supplier_cost),
    created_on: isoWithOffset(line.created_on),
    updated_on: isoWithOffset(line.updated_on),
  }
}

function shippedPartOf(lines: readonly SupplierLine[]): 'partial' | 'fulfilled' | null {
  const isShipped = lines.some((line) => line.fulfilled_quantity > 0)
  const isLeft = lines.some((line) => line.open_quantity > 0)
  if (!isShipped) return null
  return isLeft ? 'partial' : 'fulfilled'
}
