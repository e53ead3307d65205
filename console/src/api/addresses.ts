import type { Static } from 'typebox'
import type {
  AddressBody,
  AddressChange,
  AddressSchema,
} from '../../../src/http/schemas/settings.ts'
import { call, newIdempotencyKey, type Page } from './client.ts'

export type Address = Static<typeof AddressSchema>
export type NewAddress = Static<typeof AddressBody>

/** Where an address book is in the interface. */
export interface AddressBook {
  /** Whose it is. */
  id: string
  list(signal?: AbortSignal): Promise<Address[]>
  add(address: NewAddress): Promise<Address>
  change(uuid: string, change: Static<typeof AddressChange>): Promise<Address>
  remove(uuid: string): Promise<void>
}

const OWN = '/api/v3/merchant_addresses'
const OPERATOR = '/api/operator/merchants/{merchant}/addresses'

/** The addresses of the merchant that is signed in. */
export const OWN_ADDRESSES: AddressBook = {
  id: 'own',
  async list(signal) {
    type Listed = Page<'merchant_addresses', typeof AddressSchema>
    return (await call<Listed>('GET', `${OWN}/list`, { signal })).merchant_addresses
  },
  add: (body) => call('POST', OWN, { body, idempotencyKey: newIdempotencyKey() }),
  change: (uuid, body) => call('PATCH', `${OWN}/{uuid}`, { path: { uuid }, body }),
  remove: (uuid) => call('DELETE', `${OWN}/{uuid}`, { path: { uuid } }),
}

/** The addresses of any merchant, for the operator. */
export function addressesOf(merchant: string): AddressBook {
  return {
    id: merchant,
    async list(signal) {
      const path = { merchant }
      return (await call<{ addresses: Address[] }>('GET', OPERATOR, { path, signal })).addresses
    },
    add: (body) =>
      call('POST', OPERATOR, { path: { merchant }, body, idempotencyKey: newIdempotencyKey() }),
    change: (uuid, body) => call('PATCH', `${OPERATOR}/{uuid}`, { path: { merchant, uuid }, body }),
    remove: (uuid) => call('DELETE', `${OPERATOR}/{uuid}`, { path: { merchant, uuid } }),
  }
}
