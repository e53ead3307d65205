import type { AddressCopy } from '../../database/tables/orders.ts'
import type { Party } from '../../documents/content.ts'
import { twoLetterCountry } from '../../reference/countries.ts'
import type { Order } from '../order.ts'

/** The buyer with its billing address and tax number. */
export function billTo({ merchant, merchant_legal_dba, billing_address }: Order): Party {
  const tax = merchant.tax_id ? [`Tax number ${merchant.tax_id}`] : []
  return {
    name: merchant_legal_dba,
    lines: [...contactOf(merchant), ...addressLines(billing_address), ...tax],
  }
}

export function shipTo({ merchant, merchant_legal_dba, shipping_address }: Order): Party {
  return {
    name: merchant_legal_dba,
    lines: [...contactOf(merchant), ...addressLines(shipping_address)],
  }
}

function contactOf({ first_name, last_name }: Order['merchant']): string[] {
  return [[first_name, last_name].filter(Boolean).join(' ')].filter(Boolean)
}

/** Countries that write the postal code behind the city and the region. */
const CODE_LAST: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'GB', 'IN', 'IE', 'NZ', 'SG'])

function addressLines(address: AddressCopy): string[] {
  const { address_1, address_2, city, region, postal_code } = address
  const code = twoLetterCountry(address.country_code)
  const place = CODE_LAST.has(code)
    ? [[city, region].filter(Boolean).join(', '), postal_code]
    : [postal_code, [city, region].filter(Boolean).join(', ')]
  return [address_1, address_2, place.filter(Boolean).join(' '), countryName(code)].filter(Boolean)
}

/** `United States`; the code itself when it has no name. */
function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code
}
