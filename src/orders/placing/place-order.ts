import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { issueMemo } from '../documents/issue-document.ts'
import { lockCredit, refuseOverCreditLimit } from '../ledger/credit-limit.ts'
import type { Order } from '../order.ts'
import { findDuplicates, insertOrder, insertOrderWithNext } from '../order-store.ts'
import { atQuotedPrices, readQuote, refuseUnlessQuoted } from '../quotes/order-by-quote.ts'
import { markOrdered } from '../quotes/quote-store.ts'
import { refuseSecondSale } from '../stock/gem-stock.ts'
import { allocateStock, readStock } from '../stock/stock.ts'
import { countInBudgets } from './budget.ts'
import { type Buyer, getBuyer } from './buyer.ts'
import { draftOrder } from './draft-order.ts'
import { lockMemos, refuseOverMemoLimit } from './memo-limit.ts'
import {
  type LineFault,
  type OrderPlan,
  type OrderRequest,
  planOrder,
  refusalOf,
  type SkippedLine,
  takesStock,
} from './plan-order.ts'
import type { FindSubstitutes } from './substitutes.ts'

interface PlacingDeps {
  findSubstitutes: FindSubstitutes
  /** The base of the links that the order keeps. */
  publicUrl: string
  /** Whether the order may be written with the next statement; see `insertOrderWithNext`. */
  writesWithNext?: boolean
}

export interface PlacedOrder {
  order: Order
  /** Empty unless the request lets lines be skipped. */
  skipped: SkippedLine[]
}

/** Places the order and takes its products out of stock, all of it or nothing. */
export async function placeOrder(
  tx: Tx,
  request: OrderRequest,
  { findSubstitutes, publicUrl, writesWithNext = false }: PlacingDeps,
): Promise<PlacedOrder> {
  const isMemo = request.order_type === 'memo'
  if (isMemo && !request.dry_run) await lockMemos(tx, request.merchant_uuid)
  const buyer = await getBuyer(tx, request, publicUrl)
  const isLimited = !isMemo && buyer.merchant.credit_limit !== null && !request.ignore_limits
  if (isLimited && !request.dry_run) await lockCredit(tx, request.merchant_uuid)
  const quote = await readQuote(tx, request)
  await refuseDuplicate(tx, request)
  if (quote) refuseUnlessQuoted(quote, request.line_items)
  const skus = request.line_items.map(({ sku }) => sku)
  const stock = await readStock(tx, skus, buyer, { lock: !request.dry_run })
  const { allocations, faults } = planOrder(request, quote ? atQuotedPrices(stock, quote) : stock)
  const skipped = await skipFaults(tx, request, buyer, { allocations, faults }, findSubstitutes)
  if (isMemo && !request.ignore_limits) {
    await refuseOverMemoLimit(tx, buyer.merchant, allocations)
  }
  const memoId = isMemo && !request.dry_run ? await nextMemoId(tx) : null
  const draft = draftOrder(request, buyer, allocations, memoId)
  if (isLimited) await refuseOverCreditLimit(tx, buyer.merchant, draft.order.entries)
  if (request.dry_run) return { order: draft.order, skipped }
  if (request.budget_of) await countInBudgets(tx, request.budget_of, draft.order.total)
  const taken = allocations.filter(({ product }) => takesStock(request, product.sku))
  const allocated = await allocateStock(tx, taken, request.order_type)
  if (writesWithNext && !isMemo && !quote) {
    await insertOrderWithNext(tx, draft, allocated)
    return { order: draft.order, skipped }
  }
  if (!(await insertOrder(tx, draft, allocated).catch(refuseSecondSale))) {
    await refuseDuplicate(tx, request)
    throw new Error('the order was not written, and there is no duplicate')
  }
  if (quote) await markOrdered(tx, quote.uuid, draft.order.uuid, buyer.now)
  const documents = isMemo ? [await issueMemo(tx, draft.order)] : []
  return { order: { ...draft.order, documents }, skipped }
}

/**
 * Refuses the order when lines cannot be ordered, unless they may be skipped and others remain. A
 * repeated order finds its stones sold, to itself. It is refused as the duplicate that it is,
 * so duplicates are looked for once more after the wait for the lock.
 */
async function skipFaults(
  tx: Tx,
  request: OrderRequest,
  buyer: Buyer,
  { allocations, faults }: OrderPlan,
  findSubstitutes: FindSubstitutes,
): Promise<SkippedLine[]> {
  if (faults.length === 0) return []
  await refuseDuplicate(tx, request)
  const gems = faults.flatMap(({ product }) => (product.kind === 'gem' ? [product] : []))
  const substitutes = await findSubstitutes(tx, {
    refused: gems,
    buyer,
    except: skusWithoutFault(request, faults),
    memo: request.order_type === 'memo',
  })
  if (request.on_unavailable !== 'skip' || allocations.length === 0) {
    throw refusalOf(faults, { substitutes })
  }
  const stonesFor = new Map(substitutes.map(({ sku, stones }) => [sku, stones]))
  return faults.map(({ code, product: { sku } }) => {
    return { sku, code, substitutes: stonesFor.get(sku) ?? [] }
  })
}

/** SKUs that the order can have: they do not substitute for another of its lines. */
function skusWithoutFault(request: OrderRequest, faults: readonly LineFault[]): string[] {
  const refused = new Set(faults.map(({ product }) => product.sku))
  return request.line_items.flatMap(({ sku }) => (refused.has(sku) ? [] : [sku]))
}

async function refuseDuplicate(tx: Tx, request: OrderRequest): Promise<void> {
  const { merchant_uuid, order_id, order_reference } = request
  if (order_id === undefined && !order_reference) return
  const duplicates = await findDuplicates(tx, merchant_uuid, order_id, order_reference)
  const sameId = duplicates.find((duplicate) => duplicate.order_id === order_id)
  if (sameId) {
    throw new Refusal('duplicate_order_id', `There is already an order ${order_id}.`, {
      extra: { order_uuid: sameId.uuid },
    })
  }
  const [sameReference] = duplicates
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
