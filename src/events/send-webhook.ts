import { lookup as resolve } from 'node:dns'
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
      ...(!isAllowed && { lookup: checkedLookup }),
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

/** Resolves a name, and fails when one of its addresses is in a private network. */
export const checkedLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const isPublic = addresses.every(({ address }) => isPublicAddress(address))
    if (!isPublic) return callback(new Error(`${hostname} is not on the public internet`), '')
    if (options.all) return callback(null, addresses)
    return callback(null, addresses[0].address, addresses[0].family)
  })
}

function messageFor(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError' || error.code === 'ABORT_ERR') {
    return `no response within ${timeoutMs / 1000} seconds`
  }
  return (error.message || error.code || 'the connection failed').slice(0, 500)
}
