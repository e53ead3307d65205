import { type JsonTexts, type KeptText, withMember } from '../../lib/json-text.ts'
import type { Order, OrderLine, PageLine } from '../../orders/order.ts'

/** Whose price is the cost of a product: what the buyer paid, or what the supplier asks. */
export type CostReader = 'buyer' | 'supplier'

/** The product of a line, with its cost. */
export function withCost(line: OrderLine, reader: CostReader): OrderLine['product'] {
  const { product } = line
  if (line.sku === '') return product
  const { product_type: stone_type, base_wholesale_price } = product
  return { ...product, cost: costOf({ ...line, stone_type, base_wholesale_price }, reader) }
}

/** The product of a line of a page, which is text, with its cost. */
export function keepWithCost(line: PageLine, reader: CostReader, texts: JsonTexts): KeptText {
  const { product } = line
  return texts.keep(line.sku === '' ? product : withMember(product, 'cost', costOf(line, reader)))
}

interface Priced extends Pick<OrderLine, 'supplier_cost' | 'price'> {
  stone_type: unknown
  base_wholesale_price: unknown
}

function costOf(line: Priced, reader: CostReader): number {
  if (reader === 'supplier') return Number(line.supplier_cost ?? line.price)
  // The base price of melee is that of a carat, but the buyer pays for stones.
  return Number((line.stone_type === 'melee' ? null : line.base_wholesale_price) ?? line.price)
}

/** What tells a buyer where a product comes from, and the list price that its price goes by. */
const SUPPLIER_FIELDS: ReadonlySet<string> = new Set(['supplier_id', 'vendor_sku', 'off_rap_price'])

/**
 * The order as a merchant's dry run shows it. A merchant learns these fields of a product by
 * ordering it; a dry run must not show them for any SKU at no cost.
 */
export function withoutSupplierFields(order: Order): Order {
  const lines = order.lines.map((line) => {
    const shown = Object.entries(line.product).filter(([name]) => !SUPPLIER_FIELDS.has(name))
    return { ...line, product: Object.fromEntries(shown) }
  })
  return { ...order, lines }
}
