import type { Tx } from '../database/open.ts'
import type { OrderType, StockKindName } from '../database/tables/orders.ts'
import type { StoneChange } from '../events/change-log.ts'
import type { Buyer } from './buyer.ts'
import { gemStock } from './gem-stock.ts'
import { variantStock } from './jewelry-stock.ts'
import type { OrderLine } from './order.ts'
import type { GivingBack, Product, Taking } from './product.ts'

/**
 * A kind of product that can be ordered: how its rows are locked, taken and given back. The
 * functions answer what the change log is to say of it, which the caller writes as its last lock.
 */
export interface StockKind {
  /** The products of these SKUs that are of this kind, locked in SKU order when asked to. */
  find(tx: Tx, skus: readonly string[], buyer: Buyer, lock: boolean): Promise<Product[]>
  /** Takes what was found enough. An order that takes too much is a bug by now, not a refusal. */
  take(tx: Tx, takings: readonly Taking[], orderType: OrderType): Promise<StoneChange[]>
  giveBack(tx: Tx, returns: readonly GivingBack[]): Promise<StoneChange[]>
  /** A memo became an invoice. */
  sell(tx: Tx, stockIds: readonly string[]): Promise<StoneChange[]>
}

/** In the order in which their rows are locked. */
const KINDS: Record<StockKindName, StockKind> = {
  gem: gemStock,
  variant: variantStock,
}
const kinds = Object.entries(KINDS) as [StockKindName, StockKind][]

export type Stock = ReadonlyMap<string, Product>

/**
 * Locks the ordered products, kind by kind and each in SKU order, so that two orders for the same
 * products cannot deadlock. A dry run reads the same without locking.
 */
export async function lockStock(
  tx: Tx,
  skus: readonly string[],
  buyer: Buyer,
  lock = true,
): Promise<Stock> {
  const stock = new Map<string, Product>()
  for (const [, kind] of kinds) {
    const rest = skus.filter((sku) => !stock.has(sku))
    if (rest.length === 0) break
    for (const product of await kind.find(tx, rest, buyer, lock)) stock.set(product.sku, product)
  }
  return stock
}

export async function takeStock(
  tx: Tx,
  takings: readonly Taking[],
  orderType: OrderType,
): Promise<StoneChange[]> {
  return forEachKind(
    takings,
    ({ product }) => product.kind,
    (kind, own) => kind.take(tx, own, orderType),
  )
}

/** Puts units of order lines back where the order found them. */
export async function giveBackStock(
  tx: Tx,
  returns: readonly { line: OrderLine; quantity: number }[],
): Promise<StoneChange[]> {
  return forEachKind(
    returns.filter(({ line }) => line.stock_id !== null),
    ({ line }) => line.stock_kind,
    (kind, own) =>
      kind.giveBack(
        tx,
        own.map(({ line, quantity }) => ({
          sku: line.sku,
          stock_id: line.stock_id ?? '',
          quantity: line.taken_quantity > 0 ? quantity : 0,
          taken_from: line.taken_from ?? 'available',
        })),
      ),
  )
}

/** What was on memo in these lines is sold now. */
export async function sellStock(tx: Tx, lines: readonly OrderLine[]): Promise<StoneChange[]> {
  return forEachKind(
    lines.filter((line) => line.stock_id !== null),
    (line) => line.stock_kind,
    (kind, own) =>
      kind.sell(
        tx,
        own.map((line) => line.stock_id ?? ''),
      ),
  )
}

async function forEachKind<T>(
  items: readonly T[],
  kindOf: (item: T) => StockKindName | null,
  work: (kind: StockKind, items: T[]) => Promise<StoneChange[]>,
): Promise<StoneChange[]> {
  const changes: StoneChange[] = []
  for (const [name, kind] of kinds) {
    const own = items.filter((item) => kindOf(item) === name)
    if (own.length > 0) changes.push(...(await work(kind, own)))
  }
  return changes
}
