import {
  checkFor,
  type NetworkCheck,
  networkOf,
  parseNetwork,
  plainAddress,
} from '../lib/networks.ts'
import { Refusal } from '../lib/refusal.ts'

/** Enough for the servers of a shop; every request with the token is compared with all of them. */
export const ALLOWED_ADDRESSES_MAX = 20

/** Refuses an entry that is neither an address nor a network, and names it. */
export function refuseBadAddresses(entries: readonly string[]): void {
  if (entries.length > ALLOWED_ADDRESSES_MAX) {
    throw invalid('allowed_addresses', `must have at most ${ALLOWED_ADDRESSES_MAX} elements`)
  }
  entries.forEach((entry, at) => {
    if (parseNetwork(entry)) return
    const example = 'must be an address or a network, such as 203.0.113.7 or 2001:db8::/32'
    throw invalid(`allowed_addresses[${at}]`, example)
  })
}

/** Refuses an entry that reaches outside the maker's own list. An empty list has no bounds. */
export function refuseAddressesOutside(own: readonly string[], entries: readonly string[]): void {
  if (own.length === 0) return
  refuseBadAddresses(entries)
  const outer = own.map(networkOf)
  entries.map(networkOf).forEach((network, at) => {
    if (outer.some((each) => each.bits <= network.bits && checkFor([each])(network.address))) return
    throw invalid(`allowed_addresses[${at}]`, 'is not among the addresses of the calling token')
  })
}

/** Tells whether a caller may use the token; undefined when it may be used from anywhere. */
export function addressCheck(entries: readonly string[]): NetworkCheck | undefined {
  return entries.length === 0 ? undefined : checkFor(entries.map(networkOf))
}

export function addressNotAllowed(address: string): Refusal {
  const detail = `The token may not be used from the address ${plainAddress(address)}.`
  return new Refusal('address_not_allowed', detail)
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}
