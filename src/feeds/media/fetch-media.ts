import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkedLookup } from '../../events/send-webhook.ts'
import { isAllowedHost, whyNotAllowed } from '../../events/webhook-address.ts'
import { findMediaType, SIGN_BYTES } from '../../reference/media.ts'

/** From which hosts media are fetched, and which of those are in a private network. */
export interface MediaHosts {
  /** Names such as `media.example` and `*.media.example`, or `*` for every public host. */
  hosts: readonly string[]
  /** Hosts that may be called although they are in a private network. */
  privateHosts: readonly string[]
}

const TIMEOUT_MS = 20_000
/** The part of it that a name may take to be resolved. */
const LOOKUP_SHARE = 0.25
const REDIRECTS_MAX = 3
/** A picture has up to a few megabytes, a short video some twenty. */
const BYTES_MAX = 32 * 1024 ** 2

/** Whether media of this address are fetched. Its name is resolved and checked later. */
export function isMediaAddress(link: string, { hosts, privateHosts }: MediaHosts): boolean {
  if (!URL.canParse(link) || !/^https?:\/\//i.test(link)) return false
  const { hostname } = new URL(link)
  const isListed = hosts.some((host) =>
    host.startsWith('*') ? hostname.endsWith(host.slice(1)) : hostname === host,
  )
  // As for webhooks, and without encryption, too: nothing secret is sent.
  const plain = link.split('#')[0].replace(/^http:/i, 'https:')
  return isListed && whyNotAllowed(plain, privateHosts) === undefined
}

/**
 * Fetches a picture, a video or a PDF into a file. Every redirect is checked like the link itself.
 * Fails when it is anything else, too large or too slow.
 */
export async function fetchMedia(link: string, file: string, hosts: MediaHosts): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let url = link
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    if (!isMediaAddress(url, hosts)) throw new Error('its address is not allowed')
    const response = await get(new URL(url), hosts, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return store(response, file, signal)
    response.destroy()
    const { location } = headers
    const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined
    if (!isRedirect || !URL.canParse(location, url)) throw new Error(`status ${statusCode}`)
    url = new URL(location, url).href
  }
  throw new Error('too many redirects')
}

function get(url: URL, { privateHosts }: MediaHosts, signal: AbortSignal) {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const isAllowed = isAllowedHost(url, privateHosts)
  return new Promise<IncomingMessage>((done, fail) => {
    const request = send(url, {
      headers: { 'user-agent': 'Pavilion-Media' },
      agent: false,
      ...(!isAllowed && { lookup: checkedLookup(TIMEOUT_MS * LOOKUP_SHARE) }),
      signal,
    })
    request.on('response', done)
    request.on('error', fail)
    request.end()
  })
}

async function store(response: IncomingMessage, file: string, signal: AbortSignal): Promise<void> {
  let bytes = 0
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > BYTES_MAX ? new Error('it is too large') : null, chunk)
    },
  })
  await pipeline(response, bound, createWriteStream(file, { mode: 0o600 }), { signal })
  if ((await readMediaType(file)) === undefined) throw new Error('it is not a picture')
}

/** The type of a file, by its first bytes. */
export async function readMediaType(file: string): Promise<string | undefined> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGN_BYTES), 0, SIGN_BYTES, 0)
    return findMediaType(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}
