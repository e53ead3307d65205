import type { Tx } from '../../database/open.ts'
import type { OrderType, StockKindName } from '../../database/tables/orders.ts'
import type { StockChange } from '../../events/change-log.ts'
import type { OrderLine } from '../order.ts'
import type { Buyer } from '../placing/buyer.ts'
import type { Allocated, Allocation, Product, StockKind, StockUpdate } from '../product.ts'
import { gemStock } from './gem-stock.ts'
import { jewelryStock } from './jewelry-stock.ts'

/** In the order in which their rows are locked. */
const KINDS: Record<StockKindName, StockKind> = {
  gem: gemStock,
  variant: jewelryStock,
}
const kinds = Object.entries(KINDS) as [StockKindName, StockKind][]

/** Products by SKU. */
export type Stock = ReadonlyMap<string, Product>

/**
 * Reads the ordered products, kind by kind. An order locks them, each kind in SKU order, so that
 * two orders for the same products cannot deadlock; a dry run reads the same without locking.
 */
export async function readStock(
  tx: Tx,
  skus: readonly string[],
  buyer: Buyer,
  { lock }: { lock: boolean },
): Promise<Stock> {
  const stock = new Map<string, Product>()
  for (const [, kind] of kinds) {
    const rest = skus.filter((sku) => !stock.has(sku))
    if (rest.length === 0) break
    for (const product of await kind.find(tx, rest, buyer, lock)) stock.set(product.sku, product)
  }
  return stock
}

/** Takes the products of an order out of stock, together with the statement that writes it. */
export async function allocateStock(
  tx: Tx,
  allocations: readonly Allocation[],
  orderType: OrderType,
): Promise<Allocated> {
  let update: StockUpdate | undefined
  const changes = await forEachKind(
    allocations,
    ({ product }) => product.kind,
    async (kind, own) => {
      const allocated = await kind.allocate(tx, own, orderType)
      update ??= allocated.update
      return allocated.changes
    },
  )
  return { changes, update }
}

/** Puts units of order lines back where the order found them. */
export async function restock(
  tx: Tx,
  returns: readonly { line: OrderLine; quantity: number }[],
): Promise<StockChange[]> {
  return forEachKind(
    returns.filter(({ line }) => line.stock_id !== null),
    ({ line }) => line.stock_kind,
    (kind, own) =>
      kind.restock(
        tx,
        own.map(({ line, quantity }) => ({
          sku: line.sku,
          stock_id: line.stock_id ?? '',
          quantity: line.taken_quantity > 0 ? quantity : 0,
          taken_from: line.taken_from ?? 'available',
          parcel: isParcel(line),
        })),
      ),
  )
}

/** Leaves units that the supplier declined out of stock; those of a parcel already are. */
export async function withdrawStock(
  tx: Tx,
  units: readonly { line: OrderLine }[],
): Promise<StockChange[]> {
  return forEachKind(
    units.filter(({ line }) => line.stock_id !== null && !isParcel(line)),
    ({ line }) => line.stock_kind,
    (kind, own) =>
      kind.withdraw(
        tx,
        own.map(({ line }) => line.stock_id ?? ''),
      ),
  )
}

/** Marks what these lines had on memo as sold. */
export async function sellStock(tx: Tx, lines: readonly OrderLine[]): Promise<StockChange[]> {
  return forEachKind(
    lines.filter((line) => line.stock_id !== null && !isParcel(line)),
    (line) => line.stock_kind,
    (kind, own) =>
      kind.sell(
        tx,
        own.map((line) => line.stock_id ?? ''),
      ),
  )
}

/**
 * As it was ordered: the supplier may have given the number of a parcel to a single stone since,
 * which another order may have bought.
 */
function isParcel({ product }: OrderLine): boolean {
  return product.product_type === 'melee'
}

async function forEachKind<T>(
  items: readonly T[],
  kindOf: (item: T) => StockKindName | null,
  work: (kind: StockKind, items: T[]) => Promise<StockChange[]>,
): Promise<StockChange[]> {
  const changes: StockChange[] = []
  for (const [name, kind] of kinds) {
    const own = items.filter((item) => kindOf(item) === name)
    if (own.length > 0) changes.push(...(await work(kind, own)))
  }
  return changes
}
