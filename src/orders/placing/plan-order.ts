import type { OrderChannel, OrderType } from '../../database/tables/orders.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import type { Allocation, Product } from '../product.ts'
import type { Stock } from '../stock/stock.ts'
import type { Substitute } from './substitutes.ts'

export interface OrderRequest {
  merchant_uuid: string
  order_type: OrderType
  line_items: readonly LineRequest[]
  /** Generated when it is not given. */
  order_id?: string | undefined
  order_reference?: string | undefined
  notes?: string | undefined
  shipping_address_uuid?: string | undefined
  /** What happens when a line cannot be ordered; the whole order is refused unless given. */
  on_unavailable?: 'refuse' | 'skip' | undefined
  /** Only the operator may order what is out of stock. */
  allow_unavailable: boolean
  /** Whether the limits of the merchant are not applied, which only the operator may say. */
  ignore_limits?: boolean | undefined
  /** Everything is checked and priced, and nothing is written. */
  dry_run: boolean
  order_channel: OrderChannel
  debug: boolean
  /** The quote whose prices are charged; those of this moment unless given. */
  quote_uuid?: string | undefined
  /** The token that orders, if it has a budget. */
  budget_of?: string | undefined
}

/** What decides whether lines can be ordered. */
type PlanRequest = Pick<
  OrderRequest,
  'merchant_uuid' | 'order_type' | 'line_items' | 'allow_unavailable'
>

interface LineRequest {
  sku: string
  quantity: number
}

export interface LineFault extends FieldError {
  code: 'sku_unavailable' | 'sku_on_hold' | 'not_memoable'
  product: Product
}

/** A line that was left out of the order. */
export interface SkippedLine {
  sku: string
  code: LineFault['code']
  substitutes: Substitute[]
}

export interface OrderPlan {
  allocations: Allocation[]
  /** Every line that cannot be ordered. */
  faults: LineFault[]
}

/** Decides what each line takes of its product, or why it cannot. Refuses unknown SKUs. */
export function planOrder(request: PlanRequest, stock: Stock): OrderPlan {
  refuseUnknown(request.line_items, stock)
  const plan: OrderPlan = { allocations: [], faults: [] }
  const skuByStone = new Map<string, string>()
  for (const [position, { sku, quantity }] of request.line_items.entries()) {
    const product = stock.get(sku) as Product
    const fault = sameStoneFault(product, skuByStone) ?? faultOf(request, product, quantity)
    if (fault) plan.faults.push({ ...fault, field: `line_items[${position}].sku`, product })
    else {
      const taken_quantity = isInStock(product, quantity) ? quantity : 0
      plan.allocations.push({ product, quantity, taken_quantity })
    }
  }
  return plan
}

/**
 * Stones of the sandbox with which a client rehearses what rarely happens; docs/guides/sandbox.md
 * says what each of them does.
 */
export const SCENARIO_SKUS = [
  'TEST-SOLD',
  'TEST-HELD',
  'TEST-SLOW',
  'TEST-DECLINED',
  'TEST-PRICE-UP',
  'TEST-SHIPS',
] as const
export type ScenarioSku = (typeof SCENARIO_SKUS)[number]

const SCENARIOS: ReadonlySet<string> = new Set(SCENARIO_SKUS)

/**
 * The scenarios are never used up. Only orders of a sandbox are marked for debugging: elsewhere a
 * stone may have any of these numbers.
 */
export function takesStock({ debug }: Pick<OrderRequest, 'debug'>, sku: string): boolean {
  return !(debug && SCENARIOS.has(sku))
}

function refuseUnknown(lines: readonly LineRequest[], stock: Stock): void {
  const errors = lines.flatMap(({ sku }, position) =>
    stock.has(sku)
      ? []
      : [{ field: `line_items[${position}].sku`, message: `${sku} is not known` }],
  )
  if (errors.length === 0) return
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new Refusal('invalid_request', `${errors[0].message}${others}.`, { errors })
}

function isInStock(product: Product, quantity: number): boolean {
  return product.state === 'available' && product.quantity >= quantity
}

type Fault = Omit<LineFault, 'field' | 'product'>

/** Two offers of one stone cannot both be ordered. */
function sameStoneFault(product: Product, skuByStone: Map<string, string>): Fault | undefined {
  const certificate = product.stone?.certificate ?? null
  if (certificate === null) return undefined
  const earlier = skuByStone.get(certificate)
  skuByStone.set(certificate, earlier ?? product.sku)
  if (earlier === undefined) return undefined
  const message = `${product.sku} is the same stone as ${earlier}: it has the same certificate`
  return { code: 'sku_unavailable', message }
}

function faultOf(request: PlanRequest, product: Product, quantity: number): Fault | undefined {
  const { sku } = product
  const unavailable = whyUnavailable(request, product, quantity)
  if (unavailable) return { code: 'sku_unavailable', message: `${sku} ${unavailable}` }
  if (product.held_by !== null && product.held_by !== request.merchant_uuid) {
    return { code: 'sku_on_hold', message: `${sku} is held by another merchant` }
  }
  if (request.order_type === 'memo' && !product.memo) {
    return { code: 'not_memoable', message: `${sku} is not offered on memo` }
  }
  return undefined
}

function whyUnavailable(
  request: PlanRequest,
  product: Product,
  quantity: number,
): string | undefined {
  if (product.replaced) return 'is not the stone that was quoted: its supplier reused the number'
  if (product.state === 'sold') return 'is sold'
  if (product.state === 'memo') return 'is out on memo'
  if (product.stone?.taken === 'sold') return 'is sold, by another offer of the same stone'
  if (product.stone?.taken === 'memo') return 'is out on memo, by another offer of the same stone'
  if (isInStock(product, quantity)) return undefined
  if (product.state === 'disabled') return 'is not on sale'
  if (product.single && quantity > 1) return `is a single stone; ${quantity} were asked for`
  const inStock = product.state === 'gone' ? 0 : product.quantity
  if (inStock > 0) return `is short: ${inStock} in stock, ${quantity} were asked for`
  return request.allow_unavailable ? undefined : 'is out of stock'
}

/** The most severe fault gives the refusal its code: a sold stone comes before a held one. */
const BY_SEVERITY = ['sku_unavailable', 'sku_on_hold', 'not_memoable'] as const

const SENTENCES: Record<LineFault['code'], string> = {
  sku_unavailable: 'is not available',
  sku_on_hold: 'is on hold for another merchant',
  not_memoable: 'is not offered on memo',
}

/** The refusal that names every line at fault. */
export function refusalOf(
  faults: readonly LineFault[],
  extra: Record<string, unknown>,
  outcome = 'nothing was ordered',
): Refusal {
  const code = BY_SEVERITY.find((each) => faults.some((fault) => fault.code === each))
  if (!code) throw new Error('there is nothing to refuse')
  const skus = faults.filter((fault) => fault.code === code).map(({ product }) => product.sku)
  const others = faults.length > 1 ? ` (${faults.length} lines cannot be ordered)` : ''
  return new Refusal(code, `${skus[0]} ${SENTENCES[code]}${others}; ${outcome}.`, {
    errors: faults.map(({ field, message }) => ({ field, message })),
    extra,
  })
}
