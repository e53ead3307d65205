import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import type { AddressCopy, MarginsCopy, OrderChannel } from '../../database/tables/orders.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { type MarginTier, type PriceRules, priceRulesFrom } from '../../pricing/price-rules.ts'
import { DEFAULT_MARGINS } from '../../reference/defaults.ts'
import type { ChargeRule } from '../ledger/charge-rules.ts'

/** A merchant at the time of an order: its data, its shipping address and its price rules. */
export interface Buyer {
  merchant: Merchant
  shippingAddress: AddressCopy
  diamondRules: PriceRules
  gemstoneRules: PriceRules
  margins: MarginsCopy
  /** The rules of all countries, oldest first. */
  chargeRules: ChargeRule[]
  /** Units of the currency of its prices for one US dollar, exact digits. */
  exchange_rate: string
  /** The time of the order by the database's clock, as PostgreSQL prints it. */
  now: string
  /** The operator orders for the merchant, and may order what the merchant does not see. */
  byOperator: boolean
  /** The base of links to the pictures that the server draws itself. */
  publicUrl: string
}

interface BuyerRequest {
  merchant_uuid: string
  shipping_address_uuid?: string | undefined
  order_channel: OrderChannel
  /** The currency of the prices beside those in US dollars; the merchant's own unless given. */
  currency_code?: string | undefined
}

type OwnTier = MarginTier & {
  product_type: 'diamond' | 'gemstone'
  weight_max: number
}

interface BuyerRow {
  merchant: Merchant
  address: AddressCopy | null
  tiers: OwnTier[]
  currency_code: string
  rate: string | null
  rules: ChargeRule[]
  now: string
}

/** Reads everything that an order copies, and what its prices depend on, in one statement. */
export async function getBuyer(tx: Tx, request: BuyerRequest, publicUrl: string): Promise<Buyer> {
  const addressUuid = request.shipping_address_uuid ?? null
  const currency = sql`coalesce(${request.currency_code ?? null}::text, merchant.currency_code)`
  const { rows } = await sql<BuyerRow>`
    select to_jsonb(merchant) as merchant, market_clock() as now, ${currency} as currency_code,
      (select to_jsonb(address) from merchant_address as address
        where address.merchant_uuid = merchant.uuid
          and case when ${addressUuid}::uuid is null then address.is_default
            else address.uuid = ${addressUuid}::uuid end) as address,
      (select coalesce(jsonb_agg(to_jsonb(tier) order by weight_min, price_min), '[]')
        from profit_margin as tier where tier.merchant_uuid = merchant.uuid) as tiers,
      (select rate::text from exchange_rate as newest
        where newest.currency_code = ${currency}
        order by set_on desc limit 1) as rate,
      (select coalesce(jsonb_agg(to_jsonb(rule)
          || jsonb_build_object('amount', amount::text, 'percent', percent::text)
          order by created_on, uuid), '[]') from charge_rule as rule) as rules
    from merchant where uuid = ${request.merchant_uuid} and not deleted`.execute(tx)
  const row = rows.at(0)
  if (!row) throw new Refusal('not_found', `There is no merchant ${request.merchant_uuid}.`)
  if (addressUuid !== null && row.address === null) {
    throw new Refusal('not_found', `There is no address ${addressUuid}.`)
  }
  return { ...buyerFrom(row), byOperator: request.order_channel === 'operator', publicUrl }
}

function buyerFrom(row: BuyerRow): Omit<Buyer, 'byOperator' | 'publicUrl'> {
  const { address, tiers, rules, now, currency_code } = row
  const merchant = withDigits(withCountries(row.merchant))
  const exchange_rate = currency_code === BASE_CURRENCY ? '1' : knownRate(row)
  const rulesFor = (product: 'diamond' | 'gemstone') => {
    const ownTiers = tiers.filter((tier) => tier.product_type === product)
    return priceRulesFrom({
      merchant,
      product,
      ownTiers,
      currency_code,
      exchange_rate,
    })
  }
  return {
    merchant,
    now,
    chargeRules: rules,
    exchange_rate,
    shippingAddress: addressFrom(address ?? shippingAddressOf(merchant)),
    diamondRules: rulesFor('diamond'),
    gemstoneRules: rulesFor('gemstone'),
    margins: marginsCopyOf(tiers.filter((tier) => tier.product_type === 'diamond')),
  }
}

/** An address of the merchant without a country gets the merchant's own. */
function withCountries(merchant: Merchant): Merchant {
  const { country_code, billing_country_code, shipping_country_code } = merchant
  return {
    ...merchant,
    billing_country_code: billing_country_code || country_code,
    shipping_country_code: shipping_country_code || country_code,
  }
}

/** JSON has numbers where a row has digits. */
function withDigits(merchant: Merchant): Merchant {
  const digitsOf = (limit: string | null) => (limit === null ? null : String(limit))
  const { credit_limit, memo_limit } = merchant
  return { ...merchant, credit_limit: digitsOf(credit_limit), memo_limit: digitsOf(memo_limit) }
}

function knownRate({ currency_code, rate }: BuyerRow): string {
  if (rate !== null) return rate
  const detail = `There is no exchange rate for ${JSON.stringify(currency_code)}.`
  const message = 'is not a currency with an exchange rate'
  throw new Refusal('unknown_currency', detail, { errors: [{ field: 'currency_code', message }] })
}

/** The weight tiers in force: the merchant's own, or the defaults when it has none at all. */
function marginsCopyOf(own: readonly OwnTier[]): MarginsCopy {
  const tiers = own.length > 0 ? own : DEFAULT_MARGINS
  const byWeight = tiers.filter((tier) => tier.weight_or_price === 'weight')
  const copyOf = (percent: 'mined_percent' | 'lab_percent') =>
    byWeight.map((tier) => ({
      percent: Number(tier[percent]),
      weight_min: Number(tier.weight_min),
      weight_max: Number(tier.weight_max),
    }))
  return { mined: copyOf('mined_percent'), 'lab grown': copyOf('lab_percent') }
}

export function billingAddressOf(merchant: Merchant): AddressCopy {
  return addressFrom({
    address_1: merchant.billing_address_1,
    address_2: merchant.billing_address_2,
    city: merchant.billing_city,
    country_code: merchant.billing_country_code,
    postal_code: merchant.billing_postal_code,
    region: merchant.billing_region,
  })
}

function shippingAddressOf(merchant: Merchant): AddressCopy {
  return {
    address_1: merchant.shipping_address_1,
    address_2: merchant.shipping_address_2,
    city: merchant.shipping_city,
    country_code: merchant.shipping_country_code,
    postal_code: merchant.shipping_postal_code,
    region: merchant.shipping_region,
  }
}

/** Leaves out what else a row of merchant_address has. */
function addressFrom(address: AddressCopy): AddressCopy {
  const { address_1, address_2, city, country_code, postal_code, region } = address
  return { address_1, address_2, city, country_code, postal_code, region }
}
