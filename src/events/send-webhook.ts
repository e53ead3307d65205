import { lookup as resolve } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { bareHost, isAllowedHost, isPublicAddress, whyNotAllowed } from './webhook-address.ts'

export interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

/** A receiver that has not answered by then has failed. */
const ANSWER_MS = 10_000

/**
 * Sends a message and answers the receiver's status. The name is resolved once, every address is
 * checked, and the connection goes to what was checked: a name that changes its answer between
 * check and connect gains nothing. Redirects are not followed, connections are not kept, and of
 * the answer only the status is read.
 */
export function sendWebhook(
  message: Message,
  allowedHosts: readonly string[],
  answerMs = ANSWER_MS,
): Promise<number> {
  const refused = whyNotAllowed(message.url, allowedHosts)
  if (refused) return Promise.reject(new Error(`the address ${refused}`))
  const url = new URL(message.url)
  const isAllowed = isAllowedHost(url, allowedHosts)
  const host = bareHost(url)
  // A literal address is connected to without a look-up, so it is checked here.
  if (isIP(host) && !isAllowed && !isPublicAddress(host)) {
    return Promise.reject(new Error('the address must be on the public internet'))
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((done, fail) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      agent: false,
      ...(!isAllowed && { lookup: checkedLookup }),
      signal: AbortSignal.timeout(answerMs),
    })
    request.on('response', (response) => {
      // A receiver may send without end; its words do not matter.
      response.on('error', () => {})
      response.destroy()
      done(response.statusCode ?? 0)
    })
    request.on('error', (error) => fail(new Error(wordsFor(error, answerMs))))
    request.end(message.body)
  })
}

/** Resolves a name as usual, and refuses it when one of its addresses is of the inside. */
export const checkedLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const inside = addresses.find(({ address }) => !isPublicAddress(address))
    if (inside) return callback(new Error(`${hostname} is not on the public internet`), '')
    if (options.all) return callback(null, addresses)
    return callback(null, addresses[0].address, addresses[0].family)
  })
}

function wordsFor(error: Error & { code?: string }, answerMs: number): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError' || error.code === 'ABORT_ERR') {
    return `no answer within ${answerMs / 1000} seconds`
  }
  return (error.message || error.code || 'the connection failed').slice(0, 500)
}
