import type { Tx } from '../database/open.ts'
import { addAddress } from '../merchants/address-store.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { createMerchant } from '../merchants/merchant-store.ts'
import { addTemplate } from '../merchants/template-store.ts'
import type { Realm } from '../merchants/token.ts'
import { createToken } from '../merchants/token-store.ts'
import { replaceMargins } from '../pricing/margin-store.ts'
import { adjustmentColumn } from '../pricing/price-adjustment.ts'
import { WIDE_SCOPES } from '../reference/roles.ts'

/** The keys of a new demo market. They are printed once and stored nowhere. */
export interface DemoKeys {
  /** The key of the merchant in the USA. */
  merchantKey: string
  adminKey: string
  /** The key of the supplier that confirms and ships its orders. */
  supplierKey: string
  /** That supplier. */
  supplierUuid: string
}

/**
 * Creates three merchants, one with settings of its own and one with which the operator agreed on
 * prices, and keys for them and the operator.
 */
export async function createDemoMerchants(
  tx: Tx,
  realm: Realm,
): Promise<Omit<DemoKeys, 'supplierKey' | 'supplierUuid'>> {
  const american = await createAmerican(tx)
  const german = await createGerman(tx)
  const belgian = await createBelgian(tx)
  const { token: merchantKey, uuid: made_by } = await createToken(tx, {
    realm,
    type: 'api_key',
    merchant_uuid: american.uuid,
    name: 'demo key',
    // Every scope, so that all of the console can be tried with this key.
    scopes: WIDE_SCOPES,
  })
  // Keys of its shop, to look at, to rotate and to revoke.
  for (const name of ['shop', 'old shop']) {
    await createToken(tx, { realm, type: 'api_key', merchant_uuid: american.uuid, name, made_by })
  }
  for (const { uuid } of [german, belgian]) {
    for (const name of ['demo key', 'old key']) {
      await createToken(tx, { realm, type: 'api_key', merchant_uuid: uuid, name })
    }
  }
  const { token: adminKey } = await createToken(tx, { realm, type: 'admin', name: 'demo operator' })
  return { merchantKey, adminKey }
}

async function createAmerican(tx: Tx): Promise<Merchant> {
  const merchant = await createMerchant(tx, {
    email: 'buying@facet-street.example',
    legal_dba: 'Facet Street Jewelers',
    country_code: 'US',
    currency_code: 'USD',
    business_type: 'retail',
    business_phone: '+1 212 555 0100',
    approval_status: 'approved',
    cc_emails: 'office@facet-street.example, accounts@facet-street.example',
    url: 'https://facet-street.example',
    references: AMERICAN_REFERENCES,
    credit_limit: '500000.00',
    memo_limit: '250000.00',
    ...bothAddresses({
      address_1: '12 Facet Street',
      city: 'New York',
      country_code: 'US',
      postal_code: '10036',
      region: 'NY',
    }),
  })
  for (const [name, address_1, city, postal_code, region] of AMERICAN_ADDRESSES) {
    await addAddress(tx, merchant.uuid, {
      name,
      address_1,
      city,
      postal_code,
      region,
      country_code: 'US',
      phone: '+1 212 555 0100',
    })
  }
  const tiers = AMERICAN_TIERS.map(([min, max, mined_percent, lab_percent]) => {
    return { min, max, mined_percent, lab_percent }
  })
  await replaceMargins(tx, merchant.uuid, { mode: 'weight', product_type: 'diamond', tiers })
  for (const [group, label, color, clarity, grade_name, order] of AMERICAN_TEMPLATES) {
    await addTemplate(tx, merchant.uuid, { group, label, color, clarity, grade_name, order })
  }
  return merchant
}

const AMERICAN_ADDRESSES = [
  ['Main store', '12 Facet Street', 'New York', '10036', 'NY'],
  ['Workshop', '48 Girdle Lane', 'Long Island City', '11101', 'NY'],
  ['Harbor store', '7 Culet Wharf', 'Boston', '02110', 'MA'],
] as const

const AMERICAN_TIERS = [
  [0, 0.49, 60, 90],
  [0.5, 0.99, 45, 75],
  [1, 1.99, 38, 60],
  [2, 2.99, 32, 50],
  [3, 20, 28, 45],
] as const

const AMERICAN_TEMPLATES = [
  ['BRIDAL', 'SIGNATURE', 'E', 'VVS2', 'ideal', 'B1'],
  ['BRIDAL', 'CLASSIC', 'G', 'VS1', 'excellent', 'B2'],
  ['BRIDAL', 'FIRST', 'I', 'SI1', 'very good', 'B3'],
  ['STUDS', 'BRIGHT', 'G', 'VS2', 'excellent', null],
  ['STUDS', 'EVERYDAY', 'J', 'SI1', 'very good', null],
] as const

const AMERICAN_REFERENCES = [
  {
    company_name: 'Girdle & Sons',
    email: 'office@girdle.example',
    business_phone: '+1 212 555 0101',
    first_name: 'Ada',
    last_name: 'Girdle',
  },
]

async function createGerman(tx: Tx): Promise<Merchant> {
  const address = {
    address_1: 'Facettenweg 3',
    city: 'Hamburg',
    country_code: 'DE',
    postal_code: '20457',
    region: '',
  }
  const merchant = await createMerchant(tx, {
    email: 'einkauf@elbkontor.example',
    legal_dba: 'Elbkontor Juweliere',
    country_code: 'DE',
    currency_code: 'EUR',
    business_type: 'retail',
    business_phone: '+49 40 5550100',
    payment_terms_days: 14,
    ...bothAddresses(address),
  })
  await addAddress(tx, merchant.uuid, { ...address, name: 'Kontor', phone: '+49 40 5550100' })
  return merchant
}

/** A buyer of large quantities, which pays other prices than its list. */
async function createBelgian(tx: Tx): Promise<Merchant> {
  const address = {
    address_1: 'Facetstraat 8',
    city: 'Antwerpen',
    country_code: 'BE',
    postal_code: '2018',
    region: '',
  }
  const terms = { mined_percent: -2.5, lab_percent: -4, gemstone_percent: -1, jewelry_percent: -5 }
  const merchant = await createMerchant(tx, {
    email: 'inkoop@scheldehuis.example',
    legal_dba: 'Scheldehuis Juweliers',
    country_code: 'BE',
    currency_code: 'EUR',
    business_type: 'wholesale',
    business_phone: '+32 3 555 01 00',
    price_adjustment: adjustmentColumn(terms),
    payment_terms_days: 60,
    ...bothAddresses(address),
  })
  await addAddress(tx, merchant.uuid, { ...address, name: 'Huis', phone: '+32 3 555 01 00' })
  return merchant
}

function bothAddresses(address: {
  address_1: string
  city: string
  country_code: string
  postal_code: string
  region: string
}) {
  return {
    billing_address_1: address.address_1,
    billing_city: address.city,
    billing_country_code: address.country_code,
    billing_postal_code: address.postal_code,
    billing_region: address.region,
    shipping_address_1: address.address_1,
    shipping_city: address.city,
    shipping_country_code: address.country_code,
    shipping_postal_code: address.postal_code,
    shipping_region: address.region,
  }
}
