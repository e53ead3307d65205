import { addressesOf } from '../../api/addresses.ts'
import type { OperatorMerchant } from '../../api/operator/merchants.ts'
import { Addresses } from '../../parts/addresses.tsx'
import { MerchantHead } from './head.tsx'

/** Where the merchant has goods sent. */
export function MerchantAddresses({ merchant }: { merchant: OperatorMerchant }) {
  return (
    <Addresses
      book={addressesOf(merchant.uuid)}
      head={(button) => (
        <MerchantHead merchant={merchant} part="addresses">
          {button}
        </MerchantHead>
      )}
    />
  )
}
