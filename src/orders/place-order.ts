import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { OrderChannel, OrderType } from '../database/tables/orders.ts'
import { logChanges } from '../events/change-log.ts'
import { recordEvent } from '../events/events.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Buyer, getBuyer } from './buyer.ts'
import { draftOrder } from './draft-order.ts'
import type { Order } from './order.ts'
import { findTwins, insertOrder } from './order-store.ts'
import { type LineFault, type LineRequest, planOrder, refusalOf } from './plan-order.ts'
import { lockStock, takeStock } from './stock.ts'
import type { FindSubstitutes } from './substitutes.ts'

export interface OrderRequest {
  merchant_uuid: string
  order_type: OrderType
  line_items: readonly LineRequest[]
  /** Made up when it is not given. */
  order_id?: string | undefined
  order_reference?: string | undefined
  notes?: string | undefined
  shipping_address_uuid?: string | undefined
  allow_unavailable: boolean
  /** Everything is checked and priced, and nothing is written. */
  dry_run: boolean
  order_channel: OrderChannel
  debug: boolean
}

export interface PlacingDeps {
  findSubstitutes: FindSubstitutes
  /** The address in links that the order keeps. */
  publicUrl: string
}

/** Places the order and takes its products out of stock, all of it or nothing. */
export async function placeOrder(
  tx: Tx,
  request: OrderRequest,
  { findSubstitutes, publicUrl }: PlacingDeps,
): Promise<Order> {
  const buyer = await getBuyer(tx, request, publicUrl)
  await refuseTwin(tx, request)
  const skus = request.line_items.map(({ sku }) => sku)
  const stock = await lockStock(tx, skus, buyer, !request.dry_run)
  const { takings, faults } = planOrder(request, stock)
  if (faults.length > 0) throw await refuse(tx, request, buyer, faults, findSubstitutes)
  const memoId = request.order_type === 'memo' && !request.dry_run ? await nextMemoId(tx) : null
  const draft = draftOrder(request, buyer, takings, memoId)
  if (request.dry_run) return draft.order
  if (!(await insertOrder(tx, draft))) {
    await refuseTwin(tx, request)
    throw new Error('the order was not written, and has no twin')
  }
  const changes = await takeStock(tx, takings, request.order_type)
  await recordEvent(tx, draft.created)
  await logChanges(tx, changes)
  return draft.order
}

/**
 * A repeated order finds its stones sold, to itself. So that it hears of its twin and not of
 * that, the twin is looked for once more after the wait for the lock.
 */
async function refuse(
  tx: Tx,
  request: OrderRequest,
  buyer: Buyer,
  faults: readonly LineFault[],
  findSubstitutes: FindSubstitutes,
): Promise<Refusal> {
  await refuseTwin(tx, request)
  const gems = faults.flatMap(({ product }) => (product.kind === 'gem' ? [product] : []))
  const substitutes = await findSubstitutes(tx, {
    refused: gems,
    buyer,
    except: stillWanted(request, faults),
    memo: request.order_type === 'memo',
  })
  return refusalOf(faults, { substitutes })
}

/** SKUs that the order has already: no substitute for another of its lines. */
function stillWanted(request: OrderRequest, faults: readonly LineFault[]): string[] {
  const refused = new Set(faults.map(({ product }) => product.sku))
  return request.line_items.flatMap(({ sku }) => (refused.has(sku) ? [] : [sku]))
}

async function refuseTwin(tx: Tx, request: OrderRequest): Promise<void> {
  const { merchant_uuid, order_id, order_reference } = request
  if (order_id === undefined && !order_reference) return
  const twins = await findTwins(tx, merchant_uuid, order_id, order_reference)
  const sameId = twins.find((twin) => twin.order_id === order_id)
  if (sameId) {
    throw new Refusal('duplicate_order_id', `There is already an order ${order_id}.`, {
      extra: { order_uuid: sameId.uuid },
    })
  }
  const [sameReference] = twins
  if (sameReference) {
    const detail = `There is already an order with the reference ${order_reference}.`
    throw new Refusal('duplicate_order_reference', detail, {
      extra: { order_uuid: sameReference.uuid },
    })
  }
}

const MEMO_DIGITS = 6

async function nextMemoId(tx: Tx): Promise<string> {
  const { rows } = await sql<{ number: number }>`
    select nextval('memo_number') as number`.execute(tx)
  return `M-${String(rows[0].number).padStart(MEMO_DIGITS, '0')}`
}
