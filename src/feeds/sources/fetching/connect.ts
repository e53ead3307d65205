/**
 * Connections to the servers of suppliers. Nothing in a private network is reached unless the
 * operator allows the host: every address is checked after its name was resolved, and the
 * connection goes to an address that was checked.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isPublicAddress } from '../../../events/webhook-address.ts'
import { FetchError, fetchErrorOf } from './fetch-error.ts'
import type { FetchSettings } from './fetch-settings.ts'

export interface Server {
  /** Without the brackets of an IPv6 address. */
  host: string
  port: number
}

const DEFAULT_PORTS = new Map([
  ['https:', 443],
  ['http:', 80],
  ['sftp:', 22],
  ['ftp:', 21],
  // With "AUTH TLS"; the port of FTPS without it is 990, and must be named.
  ['ftps:', 21],
])

export function serverOf(url: URL): Server {
  const port = url.port === '' ? DEFAULT_PORTS.get(url.protocol) : Number(url.port)
  if (port === undefined) throw new Error(`there is no server behind ${url.protocol}`)
  return { host: url.hostname.replace(/^\[|\]$/g, '').toLowerCase(), port }
}

export function nameOf({ host, port }: Server): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Returns the addresses of a server, all of which are public or allowed. */
export async function resolveServer(
  server: Server,
  allowedHosts: readonly string[],
): Promise<{ address: string; family: number }[]> {
  const { host } = server
  const isAllowed = allowedHosts.includes(bracketed(host)) || allowedHosts.includes(nameOf(server))
  const version = isIP(host)
  const addresses = version
    ? [{ address: host, family: version }]
    : await lookup(host, { all: true }).catch((error) => {
        throw fetchErrorOf(error, host)
      })
  const refused = addresses.find(({ address }) => !isPublicAddress(address))
  if (isAllowed || !refused) return addresses
  const place = version ? `${host} is` : `${host} has the address ${refused.address}, which is`
  throw new FetchError(
    'address_not_allowed',
    `${place} in a private network. If that is right, the operator of this server can allow it: ` +
      `SOURCE_ALLOWED_HOSTS=${nameOf(server)}`,
  )
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Connects to the first address that accepts the connection. */
export async function openSocket(
  server: Server,
  { allowedHosts, connectMs, idleMs }: FetchSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await resolveServer(server, allowedHosts)
  let failure: unknown
  for (const { address } of addresses) {
    try {
      const socket = await connectTo(address, server.port, connectMs, signal)
      socket.setTimeout(idleMs, () => socket.destroy(tooSlow(server, idleMs)))
      return socket
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw fetchErrorOf(failure, nameOf(server))
}

function connectTo(
  address: string,
  port: number,
  connectMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal })
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }))
    }, connectMs)
    socket.once('error', reject)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

function tooSlow(server: Server, idleMs: number): FetchError {
  const detail = `${nameOf(server)} sent nothing for ${idleMs / 1000} seconds.`
  return new FetchError('fetch_timeout', detail)
}

/**
 * Adds TLS to a connection. The certificate must be valid for the host, or be the one whose
 * fingerprint the operator gave.
 */
export function secure(socket: Socket, server: Server, hostKey: string | null): Promise<TLSSocket> {
  const { host } = server
  return new Promise((resolve, reject) => {
    // What is wrong with a certificate is decided below, where its fingerprint is known.
    const tls = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
    })
    tls.once('error', reject)
    tls.once('secureConnect', () => {
      tls.off('error', reject)
      const refused = whyUntrusted(tls, server, hostKey)
      if (!refused) return resolve(tls)
      tls.destroy()
      reject(refused)
    })
  })
}

/** Returns why the server at the other end is not the right one, or undefined. */
export function whyUntrusted(
  tls: TLSSocket,
  server: Server,
  hostKey: string | null,
): FetchError | undefined {
  const { raw } = tls.getPeerCertificate()
  const seen = fingerprintOf(raw)
  if (hostKey !== null) return isSame(hostKey, seen) ? undefined : otherKey(server, hostKey, seen)
  if (tls.authorized) return undefined
  const reason = String(tls.authorizationError)
  return new FetchError(
    'untrusted_host',
    `The certificate of ${nameOf(server)} is not trusted (${reason}). Its fingerprint is ` +
      `${seen}; if the supplier confirms it, set it as the host key of the source.`,
  )
}

export function pemOf(tls: TLSSocket): string {
  return new X509Certificate(tls.getPeerCertificate().raw).toString()
}

/** As `ssh-keygen -l` prints it. */
export function fingerprintOf(bytes: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`
}

export function isSame(hostKey: string, seen: string): boolean {
  return hostKey.replace(/=+$/, '') === seen
}

export function otherKey(server: Server, hostKey: string, seen: string): FetchError {
  return new FetchError(
    'untrusted_host',
    `${nameOf(server)} has the fingerprint ${seen}, not ${hostKey}. Nothing was sent to it. Ask ` +
      'the supplier whether the server was replaced, and then set the new host key.',
  )
}
