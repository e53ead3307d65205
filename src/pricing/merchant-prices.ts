import { isOutage } from '../database/errors.ts'
import type { Db } from '../database/open.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import { DEFAULT_MARGINS } from '../reference/default-margins.ts'
import { getRate } from './exchange-rates.ts'
import type { MarginProduct } from './margin.ts'
import { listMargins } from './margin-store.ts'
import { type MarginTier, type PriceRules, priceRulesFrom } from './prices.ts'

const DEFAULT_TIERS: readonly MarginTier[] = DEFAULT_MARGINS.map((tier) => ({
  ...tier,
  price_min: 0,
}))

/** The rules by which a merchant sees prices, read from the database. */
export async function readPriceRules(
  db: Db,
  merchant: Merchant,
  currencyCode: string = merchant.currency_code,
  product: MarginProduct = 'diamond',
): Promise<PriceRules> {
  // The caller's copy of the merchant may be a moment older than its tiers.
  const [exchange_rate, ownTiers, fresh] = await Promise.all([
    getRate(db, currencyCode),
    listMargins(db, merchant.uuid, [product]),
    getMerchant(db, merchant.uuid),
  ])
  return priceRulesFrom({
    country_code: fresh.country_code,
    margin_mode: marginModeOf(fresh, product, ownTiers),
    ownTiers,
    defaultTiers: DEFAULT_TIERS,
    currency_code: currencyCode,
    exchange_rate,
  })
}

/** A table of gemstone tiers goes by what its tiers say; the merchant's mode is of diamonds. */
export function marginModeOf<Mode>(
  merchant: { margin_mode: Mode },
  product: MarginProduct,
  ownTiers: readonly { weight_or_price: Mode }[],
): Mode {
  const [first] = product === 'gemstone' ? ownTiers : []
  return first ? first.weight_or_price : merchant.margin_mode
}

/** Price rules are trusted this long, in case a word of their change was lost. */
const FRESH_MS = 10_000
const ENTRIES_MAX = 10_000

/**
 * The same, remembered: a search costs no query. What changes margins or rates is told through
 * `forget`; while the database is away the last known rules stay in force, so that reads go on.
 */
export interface PriceRulesCache {
  of(
    merchant: Merchant,
    currencyCode?: string,
    product?: MarginProduct,
  ): PriceRules | Promise<PriceRules>
  /** Of one merchant, or with null of everyone. */
  forget(merchantUuid: string | null): void
}

interface Entry {
  merchantUuid: string
  rules: PriceRules
  readAtMs: number
}

export function createPriceRulesCache(db: Db, now: () => number = Date.now): PriceRulesCache {
  const entries = new Map<string, Entry>()
  // An answer that was read before something was forgotten must not be remembered after it.
  let generation = 0

  async function read(
    key: string,
    merchant: Merchant,
    currencyCode: string,
    product: MarginProduct,
  ): Promise<PriceRules> {
    const asked = generation
    const earlier = entries.get(key)
    try {
      const rules = await readPriceRules(db, merchant, currencyCode, product)
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '')
      if (asked === generation) {
        entries.set(key, { merchantUuid: merchant.uuid, rules, readAtMs: now() })
      }
      return rules
    } catch (error) {
      if (earlier && isOutage(error)) return earlier.rules
      throw error
    }
  }

  return {
    of(merchant, currencyCode = merchant.currency_code, product = 'diamond') {
      const { uuid, country_code, margin_mode } = merchant
      const key = `${uuid} ${country_code} ${margin_mode} ${currencyCode} ${product}`
      const entry = entries.get(key)
      if (entry && now() - entry.readAtMs < FRESH_MS) return entry.rules
      return read(key, merchant, currencyCode, product)
    },
    forget(merchantUuid) {
      generation++
      for (const entry of entries.values()) {
        // Kept for an outage, but asked for again.
        if (merchantUuid === null || entry.merchantUuid === merchantUuid) entry.readAtMs = 0
      }
    },
  }
}
