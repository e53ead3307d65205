import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isAllowedHost, isPublicAddress, whyNotAllowed } from './webhook-address.ts'

export interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

/** An attempt without a response by then has failed. */
const TIMEOUT_MS = 10_000
/**
 * The part of that time which a name may take to be resolved. A name without a public address is
 * refused exactly then, so that the time of the refusal does not tell what it resolves to.
 */
const LOOKUP_SHARE = 0.3
/**
 * The same for a name that does not exist and one in a private network: the merchant who reads it
 * in the delivery log must not learn which names the operator's own network has.
 */
const NO_PUBLIC_ADDRESS = 'the name has no public address'

/**
 * Sends a message and returns the status of the response. The name is resolved once, and the
 * connection goes to an address that was checked: a name that resolves differently the second time
 * cannot get past the check. Redirects are not followed, connections are not reused, and the body
 * of the response is not read.
 */
export function sendWebhook(
  message: Message,
  allowedHosts: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<number> {
  const refused = whyNotAllowed(message.url, allowedHosts)
  if (refused) return Promise.reject(new Error(`the address ${refused}`))
  const url = new URL(message.url)
  const isAllowed = isAllowedHost(url, allowedHosts)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((done, fail) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      agent: false,
      ...(!isAllowed && { lookup: checkedLookup(timeoutMs * LOOKUP_SHARE) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    request.on('response', (response) => {
      // A receiver may send an endless body, which is not needed.
      response.on('error', () => {})
      response.destroy()
      done(response.statusCode ?? 0)
    })
    request.on('error', (error) => fail(new Error(messageFor(error, timeoutMs))))
    request.end(message.body)
  })
}

/**
 * Resolves names for a socket, and fails when an address is in a private network or there is none.
 * A failure is reported after `waitMs`, whatever its reason.
 */
export function checkedLookup(waitMs: number, resolve: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    let isDone = false
    // A lookup that is not done by then has failed too.
    const timer = setTimeout(() => {
      isDone = true
      callback(new Error(NO_PUBLIC_ADDRESS), '')
    }, waitMs)
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (isDone || error || addresses.length === 0) return
      if (!addresses.every(({ address }) => isPublicAddress(address))) return
      clearTimeout(timer)
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0].address, addresses[0].family)
    })
  }
}

function messageFor(error: Error & { code?: string; syscall?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError' || error.code === 'ABORT_ERR') {
    return `no response within ${timeoutMs / 1000} seconds`
  }
  // A name that the operator allowed is resolved by the system, whose message would differ.
  if (error.syscall === 'getaddrinfo') return NO_PUBLIC_ADDRESS
  return (error.message || error.code || 'the connection failed').slice(0, 500)
}
