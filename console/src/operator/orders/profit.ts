import type { OperatorLine, OperatorOrder } from '../../api/operator/orders.ts'
import { unitsOf } from '../../orders/units.ts'

/** What one unit costs the operator, in US dollars; a supplier's price of melee is per carat. */
export function unitCost({ product_data: { fields } }: OperatorLine): number | undefined {
  const { cost, product_type, weight } = fields
  if (typeof cost !== 'number') return undefined
  return product_type === 'melee' && typeof weight === 'number' ? cost * weight : cost
}

/** What the operator earns with the units of a line that the merchant keeps. */
export function profitOf(order: OperatorOrder, line: OperatorLine): number | undefined {
  const cost = unitCost(line)
  return cost === undefined ? undefined : cents((line.price - cost) * unitsOf(order, line).kept)
}

/** The profit on all goods, and its share of what they sell for; unknown without any cost. */
export function totalProfit(order: OperatorOrder) {
  const known = order.line_items.flatMap((line) => {
    const profit = profitOf(order, line)
    return profit === undefined ? [] : [{ profit, sold: line.price * unitsOf(order, line).kept }]
  })
  if (known.length === 0) return undefined
  const profit = cents(known.reduce((sum, line) => sum + line.profit, 0))
  const sold = known.reduce((sum, line) => sum + line.sold, 0)
  return { profit, share: sold > 0 ? profit / sold : undefined }
}

const cents = (amount: number) => Math.round(amount * 100) / 100
