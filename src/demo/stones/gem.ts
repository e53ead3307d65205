import type { Insertable } from 'kysely'
import type { GemTable } from '../../database/tables/gems.ts'
import { GEM_COLUMNS, skuOf } from '../../gems/gem.ts'
import { wholesaleCents } from '../../gems/supplier.ts'
import { digitsFrom } from '../../lib/money.ts'
import { DAY_MS } from '../../lib/timestamps.ts'
import { type Chance, type Choices, choices } from '../chance.ts'
import type { DemoSupplier } from '../suppliers.ts'

/** A stone of the demo market, as a row of the table without its id. */
export type DemoGem = Required<Omit<Insertable<GemTable>, 'id' | 'apart'>>

/** What the generators of stones share. */
export interface DemoContext {
  chance: Chance
  /** For what was added to the market later, so that everything else is drawn as before. */
  remarks: Chance
  suppliers: DemoSupplier[]
  /** The address in links, without a slash at its end. */
  publicUrl: string
  /** The time that the market is generated for, in milliseconds since 1970. */
  asOfMs: number
  /** The last stock number of each supplier. */
  stock: Map<number, number>
  /** The number of certificates issued, so that no two stones get the same number. */
  certificates: { issued: number }
}

/** The columns of a row, in the order of the COPY. */
export const DEMO_COLUMNS = GEM_COLUMNS.filter(
  // PostgreSQL fills these itself.
  (column) => column !== 'id' && column !== 'certificate' && column !== 'apart',
)

type NotNull = {
  [Column in keyof DemoGem]: null extends DemoGem[Column] ? never : Column
}[keyof DemoGem]

/** The values of the columns that cannot be null, for a stone without any details. */
const NOT_NULL: Pick<DemoGem, NotNull> = {
  sku: '',
  supplier_id: 0,
  vendor_sku: '',
  product_type: 'diamond',
  type: 'mined',
  shape: '',
  cut_code: '',
  weight: 0,
  is_fancy: false,
  cost: '',
  list_price_from_grid: false,
  wholesale_price: '',
  wholesale_price_us: '',
  state: 'available',
  quantity: 1,
  can_hold: true,
  memo: false,
  returnable: true,
  is_manual: false,
  media_requested: false,
  feed_gone: false,
  created_on: '',
  updated_on: '',
}

/**
 * Every stone is a copy of this one. It has every column from the start, because adding seventy
 * properties to an object one by one is twenty times slower. They are in the order of the COPY.
 */
const BLANK = {
  ...Object.fromEntries(DEMO_COLUMNS.map((column) => [column, null])),
  ...NOT_NULL,
} as DemoGem

type Offer = Pick<DemoGem, OfferField>
type OfferField =
  | 'sku'
  | 'supplier_id'
  | 'vendor_sku'
  | 'cost'
  | 'wholesale_price'
  | 'wholesale_price_us'
  | 'returnable'
  | 'memo'
  | 'days_to_return'
  | 'memo_days_to_return'
  | 'internal_days_to_return'
  | 'delivery_days_min'
  | 'delivery_days_max'
  | 'country_code'
  | 'created_on'
  | 'updated_on'

/**
 * Makes a row of the supplier's offer and the parts of the stone. The parts are assigned one after
 * the other, because merging them first is slower.
 */
export function gemFrom(offer: Offer, stone: Stone, ...parts: Partial<DemoGem>[]): DemoGem {
  return Object.assign({ ...BLANK }, offer, stone, ...parts)
}

type Stone = Partial<DemoGem> & Pick<DemoGem, 'product_type' | 'type' | 'shape' | 'weight'>

export function nextVendorSku(context: DemoContext, supplier: DemoSupplier): string {
  const number = (context.stock.get(supplier.id) ?? 100_000) + 1
  context.stock.set(supplier.id, number)
  return `${supplier.stock_prefix}-${number}`
}

/** Returns the prices and terms of a stone that costs its supplier this many US dollars. */
export function offerFrom(
  context: DemoContext,
  supplier: DemoSupplier,
  vendorSku: string,
  costDollars: number,
): Offer {
  const { chance } = context
  const { settings } = supplier
  const costCents = quotedCents(costDollars, supplier.quotes_round_prices)
  const isHome = supplier.branches.length === 0 || chance.hits(0.8)
  const extraDays = isHome ? 0 : 1
  const listedMs = context.asOfMs - Math.ceil(chance.decaying(40 * DAY_MS))
  return {
    sku: skuOf(supplier.uuid, vendorSku),
    supplier_id: supplier.id,
    vendor_sku: vendorSku,
    cost: digitsFrom(costCents),
    wholesale_price: digitsFrom(wholesaleCents(costCents, supplier.factor)),
    wholesale_price_us: digitsFrom(wholesaleCents(costCents, supplier.factor_us)),
    returnable: settings.returnable && chance.hits(0.96),
    memo: settings.memo && chance.hits(0.6),
    days_to_return: settings.days_to_return,
    memo_days_to_return: settings.memo_days_to_return,
    internal_days_to_return: settings.internal_days_to_return,
    delivery_days_min: settings.delivery_days_min + extraDays,
    delivery_days_max: settings.delivery_days_max + extraDays,
    country_code: isHome ? settings.country_code : chance.oneOf(supplier.branches),
    created_on: timestampOf(listedMs),
    updated_on: timestampOf(listedMs + chance.next() * (context.asOfMs - listedMs)),
  }
}

/** `toISOString` is slow for a million times, which are of a few hundred days: days are cached. */
const days = new Map<number, string>()
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

export function timestampOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS)
  let printed = days.get(day)
  if (printed === undefined) {
    printed = new Date(day * DAY_MS).toISOString().slice(0, 11)
    days.set(day, printed)
  }
  const seconds = Math.floor((ms - day * DAY_MS) / 1000)
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${printed}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[seconds % 60]}Z`
}

/** People quote round figures, so many stones have exactly the same price. */
function quotedCents(dollars: number, isRound: boolean): number {
  if (!isRound) return Math.max(100, Math.round(dollars * 100))
  const step = dollars < 500 ? 5 : dollars < 2000 ? 10 : dollars < 20_000 ? 25 : 100
  return Math.max(1, Math.round(dollars / step)) * step * 100
}

export function supplierShares(
  suppliers: DemoSupplier[],
  type: 'mined' | 'lab grown',
): Choices<DemoSupplier> {
  return choices(suppliers.map((supplier) => [supplier, supplier.share[type]] as const))
}
