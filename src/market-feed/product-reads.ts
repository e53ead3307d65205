import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { GemProductType } from '../database/tables/gems.ts'
import type { Change } from '../events/change-log.ts'
import type { Gem } from '../gems/gem.ts'
import { isOnSale, isTreated } from '../gems/gem-life.ts'
import {
  extensionJson,
  NO_TEMPLATE,
  pricedFrom,
  renderTerms,
  stoneJson,
} from '../gems/gem-rendering.ts'
import { isParcel, readGems } from '../gems/gem-store.ts'
import { isLeading, type Offer, readOffers } from '../gems/offer-store.ts'
import { parcelJson } from '../gems/parcels.ts'
import { gemstoneJson } from '../gems/search/gemstones.ts'
import { type Listing, readListings, readViewer, readViewers } from '../jewelry/listings.ts'
import { createProductJson } from '../jewelry/showroom/product-json.ts'
import type { Viewer } from '../jewelry/showroom/viewer.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import type { MarginProduct } from '../pricing/margin.ts'
import type { PriceRules } from '../pricing/price-rules.ts'
import { readPriceRules, readPriceRulesOf } from '../pricing/price-rules-cache.ts'
import { jewelryKinds, type ProductKind } from './product-kinds.ts'

/**
 * The changed products, and what several merchants see of them. It belongs to one transaction:
 * what was read for one request is not read again for the others.
 */
export interface ProductReads {
  /** Reads the products of these changes, as far as they are of these kinds. */
  load(changes: readonly Change[], kinds: readonly ProductKind[]): Promise<void>
  /** What the product of a change is now; undefined when it is deleted. After `load`. */
  kindOf(change: Change): ProductKind | undefined
  /** Whether it is a treated diamond, which only some copies have. After `load`. */
  isTreated(change: Change): boolean
  /** What the merchant sees of the product now, as JSON; null when nothing. After `load`. */
  render(change: Change, merchantUuid: string): Promise<string | null>
  rules(merchantUuid: string, product: MarginProduct): Promise<PriceRules>
}

export function createProductReads(
  tx: Tx,
  merchantUuids: readonly string[],
  publicUrl: string,
): ProductReads {
  const stones = createStoneReads(tx, publicUrl)
  const variants = createVariantReads(tx, merchantUuids)
  const rules = createRulesReads(tx, merchantUuids)
  return {
    rules,
    async load(changes, kinds) {
      const gemIds = changes.flatMap(({ gem_id }) => (gem_id === null ? [] : [gem_id]))
      const variantIds = changes.flatMap(({ variant_id }) => variant_id ?? [])
      if (kinds.length > jewelryKinds(kinds).length) await stones.load(gemIds, kinds)
      if (jewelryKinds(kinds).length > 0) await variants.load(variantIds)
    },
    kindOf: ({ gem_id, variant_id }) =>
      gem_id === null ? variants.kindOf(variant_id ?? '') : stones.kindOf(gem_id),
    isTreated: ({ gem_id }) => gem_id !== null && stones.isTreated(gem_id),
    async render({ gem_id, variant_id }, merchantUuid) {
      if (gem_id === null) return variants.render(variant_id ?? '', merchantUuid)
      const product = stones.kindOf(gem_id) === 'gemstone' ? 'gemstone' : 'diamond'
      return stones.render(gem_id, await rules(merchantUuid, product))
    },
  }
}

function createStoneReads(tx: Tx, publicUrl: string) {
  const types = new Map<number, GemProductType>()
  const gems = new Map<number, Gem>()
  const offers = new Map<number, Offer>()
  const askedFor = new Set<number>()
  const rendered = new Map<number, string>()

  /** A merchant that follows other kinds does not wait for thousands of diamonds. */
  async function withoutDiamonds(ids: readonly number[]): Promise<number[]> {
    const { rows } = await sql<{ id: number; product_type: GemProductType }>`
      select id, product_type from gem where id = any(${ids}::bigint[])`.execute(tx)
    for (const { id, product_type } of rows) types.set(id, product_type)
    return ids.filter((id) => types.get(id) !== 'diamond')
  }

  function baseJson(gem: Gem): string {
    const known = rendered.get(gem.id)
    if (known !== undefined) return known
    const more = gem.product_type === 'gemstone' ? gemstoneJson : extensionJson
    const json = stoneJson(gem, publicUrl) + more(gem)
    rendered.set(gem.id, json)
    return json
  }

  return {
    async load(ids: readonly number[], kinds: readonly ProductKind[]): Promise<void> {
      const unread = [...new Set(ids)].filter((id) => !askedFor.has(id))
      const missing = kinds.includes('diamond') ? unread : await withoutDiamonds(unread)
      for (const gem of await readGems(tx, missing)) gems.set(gem.id, gem)
      for (const [id, offer] of await readOffers(tx, missing)) offers.set(id, offer)
      for (const id of missing) askedFor.add(id)
    },
    kindOf: (id: number) => gems.get(id)?.product_type ?? types.get(id),
    isTreated(id: number): boolean {
      const gem = gems.get(id)
      return gem !== undefined && isTreated(gem)
    },
    render(id: number, rules: PriceRules): string | null {
      const gem = gems.get(id)
      const offer = offers.get(id)
      if (!gem || !isOnSale(gem) || !isLeading(offer, rules.list)) return null
      if (isParcel(gem)) return parcelJson(gem, rules, publicUrl)
      const on_hold = (offer ? offer.held_until : gem.hold_expires_on) !== null
      const terms = { ...pricedFrom(gem, rules), on_hold }
      const rest = JSON.stringify({ ...renderTerms(terms, rules), ...NO_TEMPLATE })
      return `${baseJson(gem)},${rest.slice(1)}`
    },
  }
}

function createVariantReads(tx: Tx, merchantUuids: readonly string[]) {
  const listings = new Map<string, Listing>()
  const productJson = createProductJson()
  let viewersOfAll: Promise<Map<string, Viewer>> | undefined

  async function viewerFor(merchantUuid: string): Promise<Viewer> {
    viewersOfAll ??= readViewers(tx, merchantUuids)
    // A merchant without prices is refused, with the reason.
    return (await viewersOfAll).get(merchantUuid) ?? readViewer(tx, merchantUuid)
  }

  return {
    async load(ids: readonly string[]): Promise<void> {
      const missing = [...new Set(ids)].filter((id) => !listings.has(id))
      for (const [id, listing] of await readListings(tx, missing, merchantUuids)) {
        listings.set(id, listing)
      }
    },
    kindOf: (id: string) => listings.get(id)?.row.product.type,
    async render(id: string, merchantUuid: string): Promise<string | null> {
      const listing = listings.get(id)
      if (!listing || listing.row.quantity === 0 || !listing.isSeenBy(merchantUuid)) return null
      return productJson.renderListing(listing.row, await viewerFor(merchantUuid))
    },
  }
}

function createRulesReads(tx: Tx, merchantUuids: readonly string[]): ProductReads['rules'] {
  const rulesOfAll = new Map<MarginProduct, Promise<Map<string, PriceRules>>>()
  return async (merchantUuid, product) => {
    const all = rulesOfAll.get(product) ?? readPriceRulesOf(tx, merchantUuids, product)
    rulesOfAll.set(product, all)
    const rules = (await all).get(merchantUuid)
    if (rules) return rules
    // A merchant without rules is refused, with the reason.
    const merchant = await getMerchant(tx, merchantUuid)
    return readPriceRules(tx, merchant, merchant.currency_code, product)
  }
}
