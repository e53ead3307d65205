import type { Db } from '../database/open.ts'
import { amountFrom } from '../lib/money.ts'
import { type WholesaleTerms, wholesaleFor } from '../pricing/price-adjustment.ts'
import type { Gem } from './gem.ts'
import { qualityOf } from './gem-rendering.ts'
import { type Parcel, readParcels } from './gem-store.ts'

/** The melee parcels in stock, read again when the stock has changed. */
export interface Parcels {
  of(shape: string, type: string): Promise<Parcel[]>
}

interface Entry {
  sequence: number
  parcels: Promise<Parcel[]>
}

/** `sequenceOf` is the last number of the change log: while it is the same, so is the stock. */
export function createParcels(db: Db, sequenceOf: () => number | undefined): Parcels {
  const entries = new Map<string, Entry>()
  return {
    of(shape, type) {
      const sequence = sequenceOf()
      if (sequence === undefined) return readParcels(db, shape, type)
      const key = `${shape} ${type}`
      const known = entries.get(key)
      if (known?.sequence === sequence) return known.parcels
      const parcels = readParcels(db, shape, type)
      entries.set(key, { sequence, parcels })
      // A failed query is not cached.
      parcels.catch(() => entries.delete(key))
      return parcels
    },
  }
}

type ParcelTree = Record<string, Record<string, Record<string, Sizes>>>
type Sizes = Record<string, Record<string, ReturnType<typeof renderParcel>>>

/** The cheapest parcels by shape, cut code, type, size and quality. */
export function parcelTree(
  parcels: readonly Parcel[],
  terms: WholesaleTerms,
  publicUrl: string,
): ParcelTree {
  const tree = newBranch<ParcelTree>()
  for (const gem of parcels) {
    const leaf = renderParcel(gem, terms, publicUrl)
    const sizes = branch(branch(branch(tree, gem.shape), gem.cut_code), gem.type)
    const qualities = branch(sizes, sizeKey(gem))
    const other: typeof leaf | undefined = qualities[leaf.quality]
    if (!other || leaf.wholesale_price < other.wholesale_price) qualities[leaf.quality] = leaf
  }
  return tree
}

/**
 * Those of the parcels that are on a leaf with one of the others. When a leaf's cheapest parcel is
 * sold out, the next one is seen there, although it did not change itself.
 */
export function onSameLeaves(parcels: readonly Parcel[], others: readonly Parcel[]): Parcel[] {
  const leaves = new Set(others.map(leafOf))
  return parcels.filter((parcel) => leaves.has(leafOf(parcel)))
}

function leafOf(gem: Parcel): string {
  return [gem.shape, gem.cut_code, gem.type, sizeKey(gem), qualityOf(gem)].join('\n')
}

/** A parcel outside of the tree, as JSON, with its place in it. */
export function parcelJson(gem: Parcel, terms: WholesaleTerms, publicUrl: string): string {
  const { shape, cut_code } = gem
  const leaf = renderParcel(gem, terms, publicUrl)
  return JSON.stringify({ ...leaf, shape, cut_code, size: sizeKey(gem) })
}

function branch<T extends object>(parent: Record<string, T>, key: string): T {
  parent[key] ??= newBranch<T>()
  return parent[key]
}

/** Has no names of its own, because some keys are from the files of suppliers. */
function newBranch<T>(): T {
  return Object.create(null) as T
}

function sizeKey({ shape, length, width }: Gem): string {
  return shape === 'round' ? millimetres(length) : `${millimetres(length)} x ${millimetres(width)}`
}

/** One decimal at least and two at most: `1.0`, `1.25`. */
function millimetres(digits: string | null): string {
  const rounded = (Math.round(Number(digits ?? 0) * 100) / 100).toFixed(2)
  return rounded.endsWith('0') ? rounded.slice(0, -1) : rounded
}

function numberOrNull(digits: string | null): number | null {
  return digits === null ? null : Number(digits)
}

function renderParcel(gem: Parcel, terms: WholesaleTerms, publicUrl: string) {
  const price = amountFrom(wholesaleFor(terms, gem))
  return {
    id: gem.id,
    sku: gem.sku,
    product_type: gem.product_type,
    type: gem.type,
    stone_type: null,
    quality: qualityOf(gem),
    quantity: gem.quantity,
    weight: Number(gem.weight),
    wholesale_price: price,
    wholesale_price_per_ct: price,
    tolerance_positive: numberOrNull(gem.tolerance_positive),
    tolerance_negative: numberOrNull(gem.tolerance_negative),
    days_to_return: gem.days_to_return,
    memo_days_to_return: gem.memo ? gem.memo_days_to_return : null,
    internal_days_to_return: gem.internal_days_to_return,
    delivery_days_min: gem.delivery_days_min,
    delivery_days_max: gem.delivery_days_max,
    shape_icon_url: `${publicUrl}/shapes/${gem.shape}.svg`,
    shape_image_url: `${publicUrl}/shapes/${gem.shape}.png`,
    ux_url: gem.ux_url,
    cached_ux_url: gem.cached_ux_url,
    v360_json_base_url: gem.v360_json_base_url,
    v360_info: gem.v360_info,
    is_sustainable: gem.is_sustainable,
    sustainability_details: gem.sustainability_details,
  }
}
