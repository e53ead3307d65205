import { BlockList, isIP } from 'node:net'
import { Refusal } from '../lib/refusal.ts'

/** Enough for the servers of a shop; every request with the token is compared with all of them. */
export const ALLOWED_ADDRESSES_MAX = 20

/** Whether a caller at this address may use the token. */
export type AddressCheck = (address: string) => boolean

interface Network {
  address: string
  family: 'ipv4' | 'ipv6'
  /** How many leading bits are compared; all of them for a single address. */
  bits: number
}

const BITS = { ipv4: 32, ipv6: 128 } as const

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
  const outer = own.map(networkOf)
  entries.map(networkOf).forEach((network, at) => {
    if (outer.some((each) => each.bits <= network.bits && listOf([each])(network.address))) return
    throw invalid(`allowed_addresses[${at}]`, 'is not among the addresses of the calling token')
  })
}

/** Undefined when the token may be used from anywhere. */
export function addressCheck(entries: readonly string[]): AddressCheck | undefined {
  return entries.length === 0 ? undefined : listOf(entries.map(networkOf))
}

export function addressNotAllowed(address: string): Refusal {
  const detail = `The token may not be used from the address ${plainAddress(address)}.`
  return new Refusal('address_not_allowed', detail)
}

function listOf(networks: readonly Network[]): AddressCheck {
  const list = new BlockList()
  for (const { address, family, bits } of networks) list.addSubnet(address, bits, family)
  return (text) => {
    const address = plainAddress(text)
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** Parses a stored entry, which was checked when the token was created. */
function networkOf(entry: string): Network {
  const network = parseNetwork(entry)
  if (!network) throw new Error(`not an address or a network: ${entry}`)
  return network
}

function parseNetwork(entry: string): Network | undefined {
  const [address, length, more] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined || address.includes('%')) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (length === undefined) return { address, family, bits: BITS[family] }
  if (!/^\d{1,3}$/.test(length) || Number(length) > BITS[family]) return undefined
  return { address, family, bits: Number(length) }
}

/** A socket that listens on IPv6 reports IPv4 callers as ::ffff:203.0.113.7. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}
