import { createKnownReads, KNOWN_MS, LAST_COMMIT_MS } from '../database/known-reads.ts'
import type { Db } from '../database/open.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { findMerchants, getMerchant } from '../merchants/merchant-store.ts'
import { findRate, getRate } from './exchange-rates.ts'
import type { MarginProduct } from './margin.ts'
import { listMargins, listMarginsOf } from './margin-store.ts'
import { type PriceRules, priceRulesFrom } from './price-rules.ts'
import { type RuleParts, readRuleParts } from './rule-parts.ts'

/** The rules by which a merchant sees prices, read from the database. */
export async function readPriceRules(
  db: Db,
  merchant: Merchant,
  currencyCode: string = merchant.currency_code,
  product: MarginProduct = 'diamond',
): Promise<PriceRules> {
  // The caller's copy of the merchant may be a moment older than its tiers.
  const [exchange_rate, ownTiers, current] = await Promise.all([
    getRate(db, currencyCode),
    listMargins(db, merchant.uuid, [product]),
    getMerchant(db, merchant.uuid),
  ])
  return priceRulesFrom({
    merchant: current,
    product,
    ownTiers,
    currency_code: currencyCode,
    exchange_rate,
  })
}

/**
 * The rules of several merchants, by merchant, in a few statements for all of them. A merchant that
 * is not known or has no exchange rate is left out: `readPriceRules` says why.
 */
export async function readPriceRulesOf(
  db: Db,
  merchantUuids: readonly string[],
  product: MarginProduct,
): Promise<Map<string, PriceRules>> {
  const merchants = await findMerchants(db, merchantUuids)
  const margins = await listMarginsOf(db, merchantUuids, product)
  const rates = new Map<string, string | undefined>()
  for (const { currency_code: code } of merchants) {
    if (!rates.has(code)) rates.set(code, await findRate(db, code))
  }
  const rules = new Map<string, PriceRules>()
  for (const merchant of merchants) {
    const { uuid, currency_code } = merchant
    const exchange_rate = rates.get(currency_code)
    if (exchange_rate === undefined) continue
    const ownTiers = margins.filter(({ merchant_uuid }) => merchant_uuid === uuid)
    const source = { merchant, product, ownTiers, currency_code, exchange_rate }
    rules.set(uuid, priceRulesFrom(source))
  }
  return rules
}

/** Price rules are trusted this long, in case the notification of a change was lost. */
const FRESH_MS = 10_000
const ENTRIES_MAX = 10_000

/**
 * The same rules from memory, so that a search costs no query. A change of margins or rates is
 * announced through `forget`. While the database is away the last known rules stay in force for an
 * hour, so that reads go on.
 */
export interface PriceRulesCache {
  /** The rules when they are in memory and fresh; undefined when `get` has to read them. */
  peek(merchant: Merchant, currencyCode?: string, product?: MarginProduct): PriceRules | undefined
  get(merchant: Merchant, currencyCode?: string, product?: MarginProduct): Promise<PriceRules>
  /** The rules of one merchant are read again at the next use; with null those of everyone. */
  forget(merchantUuid: string | null): void
  /** Announcements may have been missed: all rules are read again, if the database answers soon. */
  doubt(): void
  /** Reads what all rules are made of, for merchants who ask first while the database is away. */
  readAhead(background: Db): Promise<void>
}

interface Entry {
  merchantUuid: string
  rules: PriceRules
  readAtMs: number
  /** Whether a change was announced, or may have been missed. */
  state: 'current' | 'doubtful' | 'changed'
}

export function createPriceRulesCache(db: Db): PriceRulesCache {
  const entries = new Map<string, Entry>()
  const known = createKnownReads()
  // What was read before something was forgotten must not be stored after it.
  let generation = 0
  let parts: RuleParts | undefined

  function fresh(key: string): PriceRules | undefined {
    const entry = entries.get(key)
    if (entry?.state !== 'current' || performance.now() - entry.readAtMs >= FRESH_MS) return
    return entry.rules
  }

  async function read(
    key: string,
    merchant: Merchant,
    currencyCode: string,
    product: MarginProduct,
  ): Promise<PriceRules> {
    const generationBefore = generation
    const again = async () => {
      const rules = await readPriceRules(db, merchant, currencyCode, product)
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '')
      if (generationBefore === generation) {
        const readAtMs = performance.now()
        entries.set(key, { merchantUuid: merchant.uuid, rules, readAtMs, state: 'current' })
      }
      return rules
    }
    const earlier = entries.get(key) ?? entryFrom(parts, merchant, currencyCode, product)
    if (!earlier || performance.now() - earlier.readAtMs > KNOWN_MS) return again()
    return known.read(
      again,
      earlier.rules,
      earlier.state === 'changed' ? LAST_COMMIT_MS : undefined,
    )
  }

  return {
    peek(merchant, currencyCode = merchant.currency_code, product = 'diamond') {
      return fresh(keyOf(merchant, currencyCode, product))
    },
    async get(merchant, currencyCode = merchant.currency_code, product = 'diamond') {
      const key = keyOf(merchant, currencyCode, product)
      return fresh(key) ?? read(key, merchant, currencyCode, product)
    },
    forget(merchantUuid) {
      generation++
      parts?.forget(merchantUuid)
      for (const entry of entries.values()) {
        // The rules stay for an outage, but are read again before they are used otherwise.
        if (merchantUuid === null || entry.merchantUuid === merchantUuid) entry.state = 'changed'
      }
    },
    doubt() {
      generation++
      for (const entry of entries.values()) {
        if (entry.state === 'current') entry.state = 'doubtful'
      }
    },
    async readAhead(background) {
      const generationBefore = generation
      const read = await readRuleParts(background)
      if (generationBefore === generation) parts = read
    },
  }
}

function entryFrom(
  parts: RuleParts | undefined,
  merchant: Merchant,
  currencyCode: string,
  product: MarginProduct,
): Entry | undefined {
  const rules = parts?.rulesOf(merchant, currencyCode, product)
  if (!parts || !rules) return undefined
  return { merchantUuid: merchant.uuid, rules, readAtMs: parts.readAtMs, state: 'doubtful' }
}

function keyOf(merchant: Merchant, currencyCode: string, product: MarginProduct): string {
  const { uuid, country_code, margin_mode } = merchant
  return `${uuid} ${country_code} ${margin_mode} ${currencyCode} ${product}`
}
