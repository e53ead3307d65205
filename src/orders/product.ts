import type { RawBuilder } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { GemState } from '../database/tables/gems.ts'
import type { OrderType, StockKindName } from '../database/tables/orders.ts'
import type { StockChange } from '../events/change-log.ts'
import type { Hold } from '../gems/holds/hold-store.ts'
import type { OtherOffers } from '../gems/offer-store.ts'
import type { Buyer } from './placing/buyer.ts'

/** A product of any kind as an order sees it, at the buyer's prices. */
export interface Product {
  kind: StockKindName
  /** Its row in the table of its kind. */
  stock_id: string
  sku: string
  product_id: string
  product_type: 'gem' | 'jewelry' | 'watch'
  name: string
  description: string
  vendor: string | null
  /** It is ordered by a quote, and its number belonged to another stone when that was made. */
  replaced?: boolean
  /** There is one of it, which is sold or on memo once it is ordered. */
  single: boolean
  state: GemState
  quantity: number
  /** The merchant whose hold on it, or on another offer of the same stone, is running. */
  held_by: string | null
  /** A hold on it that has ended, and that was not cleared yet. */
  ended_hold: Hold | null
  /** Of a gem: its certificate, unless it is a stone of its own, and the stone's other offers. */
  stone: (OtherOffers & { certificate: string | null }) | null
  memo: boolean
  memo_days_to_return: number | null
  /** The wholesale price of one in 1/10,000 US dollars. */
  unit_price: number
  supplier_id: number
  /** Whether its supplier must confirm an order of it. */
  confirms: boolean
  /** What the supplier asks, in US dollars; for melee the price of a carat. */
  supplier_cost: string | null
  /** What the supplier asks for one, in 1/10,000 US dollars. */
  unit_cost: number | null
  /** The copy that the order keeps, in the shape of the interface. */
  fields: Record<string, unknown>
  /** What a text search finds it by. */
  words: string[]
}

/** What an order line takes out of stock. A backorder takes nothing. */
export interface Allocation {
  product: Product
  quantity: number
  taken_quantity: number
}

/** The entries for the change log, and what the statement that writes the order has to update. */
export interface Allocated {
  changes: StockChange[]
  update: StockUpdate | undefined
}

/** An update of the stock, which must return so many rows. */
export interface StockUpdate {
  statement: RawBuilder<unknown>
  rows: number
}

/** What an order line puts back into stock. */
export interface Restock {
  sku: string
  stock_id: string
  quantity: number
  /** The state in which the order found the product. */
  taken_from: string
  /** Units of a melee parcel. */
  parcel: boolean
}

/**
 * A kind of product that can be ordered: how its rows are locked, allocated and restocked. The
 * functions return the entries for the change log, which the caller writes last.
 */
export interface StockKind {
  /** The products of these SKUs that are of this kind; with `lock`, locked in SKU order. */
  find(tx: Tx, skus: readonly string[], buyer: Buyer, lock: boolean): Promise<Product[]>
  /** Takes products that were found in stock: if too few are left by now, that is a bug. */
  allocate(tx: Tx, allocations: readonly Allocation[], orderType: OrderType): Promise<Allocated>
  restock(tx: Tx, returns: readonly Restock[]): Promise<StockChange[]>
  /** Takes off sale single products that cannot be delivered, until a file lists them again. */
  withdraw(tx: Tx, stockIds: readonly string[]): Promise<StockChange[]>
  /** Marks single products on memo as sold, when the memo becomes an invoice. */
  sell(tx: Tx, stockIds: readonly string[]): Promise<StockChange[]>
}
