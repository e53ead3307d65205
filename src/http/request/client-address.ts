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
  /** Whether the caller is a program on this machine, and not someone whom a proxy here serves. */
  isLocal(request: IncomingMessage): boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the caller; that of the connection unless a trusted proxy names another. */
    readonly clientAddress: string
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

  /** The right-most address that is not a trusted proxy's. Those to its left may be invented. */
  function of(request: IncomingMessage): string {
    let address = connectionAddress(request)
    if (trusted.length === 0 || !isTrusted(address)) return address
    const forwarded = request.headers['x-forwarded-for'] ?? ''
    for (const text of String(forwarded).split(',').reverse()) {
      const hop = readAddress(text.trim())
      if (hop === undefined) return address
      address = hop
      if (!isTrusted(hop)) return hop
    }
    return address
  }

  return {
    of,
    isLocal(request) {
      const { headers } = request
      if (!isLoopback(of(request)) || !namesThisMachine(headers.host)) return false
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
