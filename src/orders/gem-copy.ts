import {
  type Gem,
  NO_TEMPLATE,
  pricedFrom,
  renderStone,
  renderTerms,
} from '../gems/gem-rendering.ts'
import { scaledFrom } from '../lib/money.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { wholesaleOf } from '../pricing/price-list.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../pricing/price-rules.ts'

/** The wholesale price in the buyer's list, in cents: of the stone, or of a carat of melee. */
export function baseCentsOf(gem: Gem, rules: PriceRules): number {
  return wholesaleOf(gem, rules.list)
}

export function scaledWeightOf(gem: Pick<Gem, 'weight'>): number {
  return Number(scaledFrom(gem.weight, WEIGHT_DECIMALS))
}

/**
 * The gem as an order keeps it, at the buyer's prices of this moment: what a search shows, and
 * what an order shows besides. The quantity is what was in stock just before, and a hold on it
 * is the order's to consume.
 */
export function copyGem(gem: Gem, rules: PriceRules, publicUrl: string): Record<string, unknown> {
  return {
    ...renderStone(gem, publicUrl),
    ...renderTerms({ ...pricedFrom(gem, rules), on_hold: false }, rules),
    ...NO_TEMPLATE,
    off_rap_price: gem.list_price === null ? null : Number(gem.list_price),
    created_on: isoWithOffset(gem.created_on),
    updated_on: isoWithOffset(gem.updated_on),
    supplier_id: gem.supplier_id,
    vendor_sku: gem.vendor_sku,
  }
}
