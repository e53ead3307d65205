import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Realm, TokenType } from '../../merchants/token.ts'
import { isNotWritten } from '../../orders/order-store.ts'
import { substitutesFrom } from '../../orders/placing/nearest-stones.ts'
import { type PlacedOrder, placeOrder } from '../../orders/placing/place-order.ts'
import type { OrderRequest } from '../../orders/placing/plan-order.ts'
import { writeOnce } from '../request/idempotency.ts'
import type { PlaceOrderBody } from '../schemas/orders/order-request.ts'
import type { Services } from '../services.ts'
import { withoutSupplierFields } from './order-products.ts'

type Placement = Omit<Static<typeof PlaceOrderBody>, 'order_id'>

/** The members that a refusal to place an order adds to its problem document. */
export const PLACING_REFUSALS =
  'When a line is not available, `errors` names every such line, and `substitutes` lists up to ' +
  'five similar stones for each: `[{sku, stones: [{sku, shape, weight, …}]}]`. When the order id ' +
  'or reference is taken, `order_uuid` is the order that has it. A memo beyond the limits of the ' +
  'merchant is refused with `memo_limit_exceeded`, an invoice beyond its credit limit with ' +
  '`credit_limit_exceeded`, and `limit`, `used` and `requested` are figures. An order beyond the ' +
  'budget of the token is refused with 403 `budget_exceeded`; `budget`, `used`, `left` and ' +
  '`requested` are figures, and a dry run counts nothing. With `quote_uuid` ' +
  'the prices of the quote are charged: 409 `quote_expired`, `quote_not_open` or ' +
  '`quote_ordered` when it cannot be ordered. With `on_unavailable: "skip"` lines that are not ' +
  'available are left out, and the order is refused only when no line is left.'

/** Places an order. v2 and v3 differ in the names of some fields and in their response. */
export async function placeFor<Rendered extends object>(
  { db, realm, publicUrl, diamonds, catchUp }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Placement & { order_id?: string | undefined },
  render: (placed: PlacedOrder) => Rendered,
): Promise<Rendered & { dry_run?: boolean }> {
  const orderRequest = orderRequestOf(request, body, realm)
  const options = { publicUrl, findSubstitutes: substitutesFrom(diamonds.index) }
  if (orderRequest.dry_run) {
    const placed = await inTransaction(db, (tx) => placeOrder(tx, orderRequest, options))
    const isMerchant = request.caller.merchant !== undefined
    const order = isMerchant ? withoutSupplierFields(placed.order) : placed.order
    return { ...render({ ...placed, order }), dry_run: true }
  }
  const place = (writesWithNext: boolean) =>
    writeOnce(db, request, reply, 200, async (tx) =>
      render(await placeOrder(tx, orderRequest, { ...options, writesWithNext })),
    )
  const placed = await place(true).catch((error: unknown) => {
    if (isNotWritten(error)) return place(false)
    throw error
  })
  await catchUp()
  return placed
}

type Buyer = Exclude<TokenType, 'supplier' | 'publishable'>

const CHANNELS: Record<Buyer, OrderRequest['order_channel']> = {
  api_key: 'api',
  merchant: 'console',
  admin: 'operator',
}

function channelOf(type: TokenType): OrderRequest['order_channel'] {
  if (type === 'supplier' || type === 'publishable') throw new Error(`a ${type} places no orders`)
  return CHANNELS[type]
}

function orderRequestOf(
  { caller }: FastifyRequest,
  body: Placement & { order_id?: string | undefined },
  realm: Realm,
): OrderRequest {
  refuseRepeatedSkus(body.line_items)
  return {
    ...body,
    merchant_uuid: buyerOf(caller, body.merchant_uuid),
    // Only the operator may sell what is not in stock.
    allow_unavailable: caller.token.type === 'admin' && (body.allow_unavailable ?? false),
    ignore_limits: caller.token.type === 'admin' && (body.ignore_limits ?? false),
    dry_run: body.dry_run ?? false,
    order_channel: channelOf(caller.token.type),
    debug: realm === 'test',
    ...(caller.token.budget && { budget_of: caller.token.uuid }),
  }
}

export function buyerOf({ merchant }: FastifyRequest['caller'], named: string | undefined): string {
  if (merchant) {
    if (named === undefined || named.toLowerCase() === merchant.uuid) return merchant.uuid
    throw new Refusal(
      'forbidden',
      'merchant_uuid is another merchant; leave it out to order for yourself.',
    )
  }
  if (named !== undefined) return named.toLowerCase()
  const message = 'is required with an admin token: it says who the order is for'
  throw new Refusal('invalid_request', `merchant_uuid ${message}.`, {
    errors: [{ field: 'merchant_uuid', message }],
  })
}

export function refuseRepeatedSkus(lines: readonly { sku: string }[]): void {
  const first = new Map<string, number>()
  const errors = lines.flatMap(({ sku }, position) => {
    const earlier = first.get(sku)
    if (earlier === undefined) first.set(sku, position)
    const message = `${sku} is already in line_items[${earlier}]; increase its quantity`
    return earlier === undefined ? [] : [{ field: `line_items[${position}].sku`, message }]
  })
  if (errors.length === 0) return
  throw new Refusal('invalid_request', `${errors[0].message}.`, { errors })
}
