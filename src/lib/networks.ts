import { BlockList, isIP } from 'node:net'

/** An address, or a network in CIDR notation. */
interface Network {
  address: string
  family: 'ipv4' | 'ipv6'
  /** How many leading bits are compared; all of them for a single address. */
  bits: number
}

/** Whether an address belongs to one of several networks. */
export type NetworkCheck = (address: string) => boolean

const BITS = { ipv4: 32, ipv6: 128 } as const

/** Parses `203.0.113.7` or `2001:db8::/32`; undefined when the text is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [address, length, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined || address.includes('%')) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (length === undefined) return { address, family, bits: BITS[family] }
  if (!/^\d{1,3}$/.test(length) || Number(length) > BITS[family]) return undefined
  return { address, family, bits: Number(length) }
}

/** Parses a text that was checked before. */
export function networkOf(text: string): Network {
  const network = parseNetwork(text)
  if (!network) throw new Error(`not an address or a network: ${text}`)
  return network
}

export function checkFor(networks: readonly Network[]): NetworkCheck {
  const list = new BlockList()
  for (const { address, family, bits } of networks) list.addSubnet(address, bits, family)
  return (text) => {
    const address = plainAddress(text)
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** A socket that listens on IPv6 reports IPv4 callers as ::ffff:203.0.113.7. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * Returns what one caller is counted by: an IPv4 address, or the first 64 bits of an IPv6 address.
 * A caller who has one address of such a network has all of them.
 */
export function callerKey(address: string): string {
  const plain = plainAddress(address)
  if (isIP(plain) !== 6) return plain
  const [head, tail] = plain.toLowerCase().split('::')
  const first = groupsOf(head)
  if (tail !== undefined) {
    const last = groupsOf(tail)
    const zeros = GROUPS - first.length - last.length
    first.push(...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...last)
  }
  const network = first.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

/** The last two groups may be written as an IPv4 address, which is never part of the network. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}

/** How an address on this machine names a server that listens on `host`. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Among the hosts that may be called it stands for this machine and all private networks. It cannot
 * be the name of a host.
 */
export const PRIVATE_NETWORKS = '(private networks)'
