import type { Static } from 'typebox'
import type {
  AddressBody,
  AddressChange,
  AddressSchema,
} from '../../../src/http/schemas/settings.ts'
import { call, newIdempotencyKey, readAll } from './client.ts'

export type Address = Static<typeof AddressSchema>
export type NewAddress = Static<typeof AddressBody>

const OWN = '/api/v3/merchant_addresses'
const OPERATOR = '/api/operator/merchants/{merchant}/addresses'

/** The addresses of any merchant, for the operator. */
export function addressesOf(merchant: string) {
  return {
    /** Whose they are. */
    id: merchant,
    list: (signal?: AbortSignal): Promise<Address[]> =>
      readAll(OPERATOR, 'addresses', { path: { merchant }, signal }),
    add: (body: NewAddress): Promise<Address> =>
      call('POST', OPERATOR, { path: { merchant }, body, idempotencyKey: newIdempotencyKey() }),
    change: (uuid: string, body: Static<typeof AddressChange>): Promise<Address> =>
      call('PATCH', `${OPERATOR}/{uuid}`, { path: { merchant, uuid }, body }),
    remove: (uuid: string): Promise<void> =>
      call('DELETE', `${OPERATOR}/{uuid}`, { path: { merchant, uuid } }),
  }
}

export type AddressBook = ReturnType<typeof addressesOf>

/** The addresses of the merchant that is signed in. */
export const OWN_ADDRESSES: AddressBook = {
  id: 'own',
  list: (signal) => readAll(`${OWN}/list`, 'merchant_addresses', { signal }),
  add: (body) => call('POST', OWN, { body, idempotencyKey: newIdempotencyKey() }),
  change: (uuid, body) => call('PATCH', `${OWN}/{uuid}`, { path: { uuid }, body }),
  remove: (uuid) => call('DELETE', `${OWN}/{uuid}`, { path: { uuid } }),
}
