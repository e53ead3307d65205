import { BlockList, isIP } from 'node:net'
import { PRIVATE_NETWORKS } from '../lib/networks.ts'

/**
 * Which addresses a webhook may have. A merchant chooses the address, and the server that calls it
 * stands in the operator's private network: nothing there may be reached.
 */
const forbidden = new BlockList()
// biome-ignore format: a table of networks
const FORBIDDEN_V4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16],
  ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24],
  ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24],
  ['224.0.0.0', 4], ['240.0.0.0', 4],
]
for (const [network, prefix] of FORBIDDEN_V4) forbidden.addSubnet(network, prefix, 'ipv4')

/** Only global unicast is public, except for the networks below, which are reserved or tunnels. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
// biome-ignore format: a table of networks
const FORBIDDEN_V6: [network: string, prefix: number][] = [
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20],
]
for (const [network, prefix] of FORBIDDEN_V6) forbidden.addSubnet(network, prefix, 'ipv6')

/** Whether an IP address is public: not loopback, private, link-local, metadata or reserved. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !forbidden.check(address, 'ipv4')
  if (version !== 6) return false
  return publicV6.check(address, 'ipv6') && !forbidden.check(address, 'ipv6')
}

const local = new BlockList()
// biome-ignore format: a table of networks
const LOCAL_V4: [network: string, prefix: number][] = [
  ['10.0.0.0', 8], ['127.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16],
]
for (const [network, prefix] of LOCAL_V4) local.addSubnet(network, prefix, 'ipv4')
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')

/** Without the addresses of machines' metadata, which are link-local. */
function isLocal(host: string): boolean {
  const version = isIP(host)
  if (version === 0) return isPrivateName(host)
  return local.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Names that are only used in private networks. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/

/**
 * Returns why a URL cannot be an endpoint, or undefined. What its name resolves to is checked when
 * a message is sent.
 */
export function whyNotAllowed(text: string, allowedHosts: readonly string[]): string | undefined {
  if (!URL.canParse(text)) return 'must be an address such as https://shop.example/hooks'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or a password'
  if (url.hash !== '') return 'must not have a fragment'
  if (isAllowedHost(url, allowedHosts)) return undefined
  if (url.protocol !== 'https:') return 'must begin with https://'
  const host = bareHost(url)
  const isPrivate = isIP(host) ? !isPublicAddress(host) : isPrivateName(host)
  if (isPrivate) return 'must be on the public internet'
  return PORTS.includes(url.port) ? undefined : 'must use port 443 or 80'
}

/**
 * The ports of web servers; URL leaves out the one of its scheme. With any port a merchant could
 * make this server knock at every service of a third party.
 */
const PORTS = ['', '443', '80']

function isPrivateName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return PRIVATE_NAME.test(name) || !name.includes('.')
}

/** Whether the operator allowed the `host` or `host:port`, which may then be private. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  if (allowedHosts.includes(url.hostname) || allowedHosts.includes(url.host)) return true
  return allowedHosts.includes(PRIVATE_NETWORKS) && isLocal(bareHost(url))
}

/** The host without the brackets of an IPv6 address. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}
