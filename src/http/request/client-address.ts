/**
 * Finds the address of the caller. A proxy hides it, and names it in X-Forwarded-For. Anyone can
 * write that header, so it is believed only from the addresses that TRUST_PROXY lists.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { checkFor, networkOf, plainAddress } from '../../lib/networks.ts'
import type { App } from '../route.ts'

interface ClientAddresses {
  of(request: IncomingMessage): string
  /** Whether the address is the caller's own. It is not when a proxy names nobody. */
  isKnown(request: IncomingMessage): boolean
  /** Whether the caller is a program on this machine, and not someone whom a proxy here serves. */
  isLocal(request: IncomingMessage): boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the caller; that of the connection unless a trusted proxy names another. */
    readonly clientAddress: string
    /** Whether that is the caller's own address, and not the one of a proxy that names nobody. */
    readonly isAddressKnown: boolean
    /** Whether the caller is a program on this machine. */
    readonly isLocal: boolean
  }
}

const isLoopback = checkFor(['127.0.0.0/8', '::1'].map(networkOf))

/** Headers that proxies add. A program on this machine that calls directly sends none of them. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'forwarded',
  'via',
]

/** `trusted` lists addresses and networks of proxies. */
export function createClientAddresses(trusted: readonly string[]): ClientAddresses {
  const isTrusted = checkFor(trusted.map(networkOf))

  /**
   * The right-most address that is not a trusted proxy's. Those to its left may be invented, and so
   * may a proxy's address to the left of an entry that is not an address: nobody is named then.
   */
  function find(request: IncomingMessage): { address: string; isKnown: boolean } {
    const connection = connectionAddress(request)
    const forwarded = request.headers['x-forwarded-for']
    if (forwarded === undefined || !isTrusted(connection)) {
      return { address: connection, isKnown: true }
    }
    const hops = String(forwarded)
      .split(',')
      .map((text) => readAddress(text.trim()))
    const caller = hops.findLast((hop) => hop !== undefined && !isTrusted(hop))
    if (caller !== undefined) return { address: caller, isKnown: true }
    const [first] = hops
    const isReadable = first !== undefined && !hops.includes(undefined)
    return { address: isReadable ? first : connection, isKnown: isReadable }
  }

  return {
    of: (request) => find(request).address,
    isKnown: (request) => find(request).isKnown,
    isLocal(request) {
      const { headers } = request
      const { address, isKnown } = find(request)
      if (!isKnown || !isLoopback(address) || !namesThisMachine(headers.host)) return false
      if (PROXY_HEADERS.every((name) => headers[name] === undefined)) return true
      // A proxy has forwarded the call: the loopback address is its own unless it says otherwise.
      return headers['x-forwarded-for'] !== undefined && isTrusted(connectionAddress(request))
    },
  }
}

/** Makes the address part of every request. It is found when it is asked for. */
export function decorateAddresses(app: App, clients: ClientAddresses): void {
  app.decorateRequest('clientAddress', {
    getter() {
      return clients.of(this.raw)
    },
  })
  app.decorateRequest('isAddressKnown', {
    getter() {
      return clients.isKnown(this.raw)
    },
  })
  app.decorateRequest('isLocal', {
    getter() {
      return clients.isLocal(this.raw)
    },
  })
}

function connectionAddress({ socket }: IncomingMessage): string {
  return plainAddress(socket.remoteAddress ?? '')
}

/** Some proxies add a port: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function readAddress(text: string): string | undefined {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text)
  const address = plainAddress(match?.[1] ?? text)
  return isIP(address) === 0 ? undefined : address
}

/** A proxy that adds no headers mostly keeps the name by which the world knows the server. */
function namesThisMachine(host: string | undefined): boolean {
  const name = host
    ?.replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  return name !== undefined && (name === 'localhost' || isLoopback(name))
}
