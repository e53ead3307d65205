import type { Db } from '../database/open.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { loadRates } from './exchange-rates.ts'
import type { Margin, MarginProduct } from './margin.ts'
import { listAllMargins } from './margin-store.ts'
import { type PriceRules, priceRulesFrom } from './price-rules.ts'

/** More tiers than that of all merchants are not kept in memory. */
const TIERS_MAX = 50_000

/**
 * Margins and exchange rates, read ahead so that a merchant who has not asked this node before has
 * prices while the database is away.
 */
export interface RuleParts {
  /** By `performance.now()`. */
  readonly readAtMs: number
  /** The rules of the merchant; undefined when they are not known. */
  rulesOf(merchant: Merchant, currencyCode: string, product: MarginProduct): PriceRules | undefined
  /** The margins of the merchant have changed; with null, any may have. */
  forget(merchantUuid: string | null): void
}

/** Undefined when there are too many margins. */
export async function readRuleParts(db: Db): Promise<RuleParts | undefined> {
  const readAtMs = performance.now()
  const rates = await loadRates(db)
  const margins = await listAllMargins(db, TIERS_MAX)
  if (margins.length === TIERS_MAX) return undefined
  const tiers = new Map<string, Margin[]>()
  for (const margin of margins) {
    const key = `${margin.merchant_uuid} ${margin.product_type}`
    const own = tiers.get(key) ?? []
    own.push(margin)
    tiers.set(key, own)
  }
  const changed = new Set<string>()
  let isKnown = true
  return {
    readAtMs,
    rulesOf(merchant, currency_code, product) {
      const exchange_rate = rates.get(currency_code)
      if (!isKnown || changed.has(merchant.uuid) || exchange_rate === undefined) return undefined
      const ownTiers = tiers.get(`${merchant.uuid} ${product}`) ?? []
      return priceRulesFrom({ merchant, product, ownTiers, currency_code, exchange_rate })
    },
    forget(merchantUuid) {
      if (merchantUuid === null) isKnown = false
      else changed.add(merchantUuid)
    },
  }
}
