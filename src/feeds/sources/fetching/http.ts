/** Fetches a file over HTTP or HTTPS, unless the server says that it has not changed. */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { nameOf, openSocket, secure, serverOf } from './connect.ts'
import { FetchError, fetchErrorOf } from './fetch-error.ts'
import type { FetchContext, FetchRequest, FetchResult } from './fetch-settings.ts'
import { tooLarge } from './spool.ts'

/** A file that is moved more often is a loop. */
const REDIRECTS_MAX = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export async function fetchHttp(source: FetchRequest, context: FetchContext): Promise<FetchResult> {
  let { url } = source
  for (let redirects = 0; ; redirects++) {
    const socket = await openConnection(url, source, context)
    try {
      const response = await send(url, source, socket)
      const next = redirectOf(response, url)
      if (!next) return await receive(response, source, context)
      if (redirects === REDIRECTS_MAX) {
        const detail = `The address redirects more than ${REDIRECTS_MAX} times.`
        throw new FetchError('bad_response', detail)
      }
      url = next
    } catch (error) {
      context.signal.throwIfAborted()
      throw fetchErrorOf(error, nameOf(serverOf(url)))
    } finally {
      socket.destroy()
    }
  }
}

async function openConnection(
  url: URL,
  { url: first, hostKey }: FetchRequest,
  { settings, signal }: FetchContext,
): Promise<Socket> {
  const server = serverOf(url)
  const socket = await openSocket(server, settings, signal)
  if (url.protocol !== 'https:') return socket
  // The fingerprint is that of the server that the operator named.
  const expected = url.host === first.host ? hostKey : null
  try {
    return await secure(socket, server, expected)
  } catch (error) {
    socket.destroy()
    throw fetchErrorOf(error, nameOf(server))
  }
}

function send(url: URL, source: FetchRequest, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = request(url, {
      // The connection is open and checked; it is used for this request only.
      createConnection: () => socket,
      headers: headersFor(url, source),
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end()
  })
}

function headersFor(url: URL, { url: first, user, password, seen }: FetchRequest) {
  // Another server must not learn the password.
  const signsIn = user !== null && url.origin === first.origin
  const credentials = Buffer.from(`${user}:${password ?? ''}`).toString('base64')
  return {
    // Without an agent Node would add port 80.
    host: url.host,
    'user-agent': 'Pavilion-Sources',
    accept: '*/*',
    'accept-encoding': 'gzip',
    connection: 'close',
    ...(signsIn && { authorization: `Basic ${credentials}` }),
    ...(seen?.etag !== undefined && { 'if-none-match': seen.etag }),
    ...(seen?.last_modified !== undefined && { 'if-modified-since': seen.last_modified }),
  }
}

/** The next address of a redirect. Its message names the host only: the rest may be a secret. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | undefined {
  if (!REDIRECTS.has(statusCode)) return undefined
  const { location } = headers
  if (location === undefined || !URL.canParse(location, url.href)) {
    throw new FetchError('bad_response', 'The server redirects without an address.')
  }
  const next = new URL(location, url)
  const isHttp = next.protocol === 'http:' || next.protocol === 'https:'
  if (!isHttp || (url.protocol === 'https:' && next.protocol === 'http:')) {
    const detail = `The server redirects from https to ${next.protocol.slice(0, -1)}: refused.`
    throw new FetchError('bad_response', isHttp ? detail : detail.replace('https', 'the web'))
  }
  return next
}

async function receive(
  response: IncomingMessage,
  { url, seen }: FetchRequest,
  { settings, signal, spool }: FetchContext,
): Promise<FetchResult> {
  const { statusCode = 0, headers } = response
  const fileName = fileNameOf(url)
  if (statusCode === 304 && seen) return { isUnchanged: true, fileName, seen }
  if (statusCode !== 200) throw badStatus(statusCode)
  if (Number(headers['content-length'] ?? 0) > settings.fileBytesMax) {
    throw tooLarge(settings.fileBytesMax)
  }
  const coding = headers['content-encoding'] ?? 'identity'
  const decoders = coding === 'gzip' || coding === 'x-gzip' ? [createGunzip()] : []
  if (decoders.length === 0 && coding !== 'identity') {
    throw new FetchError('bad_response', `The server sends the file in the coding "${coding}".`)
  }
  await pipeline([response, ...decoders, spool.sink()], { signal })
  const sha256 = spool.sha256()
  const { etag, 'last-modified': lastModified } = headers
  return {
    isUnchanged: seen?.sha256 === sha256,
    fileName,
    seen: { path: url.pathname, sha256, etag, last_modified: lastModified },
  }
}

function badStatus(status: number): FetchError {
  if (status === 401 || status === 403) {
    const detail = `The server answered ${status}: check the user, the password and the address.`
    return new FetchError('sign_in_refused', detail)
  }
  if (status === 404 || status === 410) {
    return new FetchError('file_not_found', `The server answered ${status}: there is no such file.`)
  }
  return new FetchError('bad_response', `The server answered ${status} instead of the file.`)
}

/** The last part of the path, which people recognise in the list of imports. */
function fileNameOf(url: URL): string {
  const last = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .at(-1)
  return last ?? url.hostname
}
