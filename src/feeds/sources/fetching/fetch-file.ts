/** Fetches the file of a source by whichever protocol its address names. */
import { fileURLToPath } from 'node:url'
import { decodeSegment } from '../source-url.ts'
import { nameOf, serverOf } from './connect.ts'
import { FetchError, fetchErrorOf } from './fetch-error.ts'
import type { FetchContext, FetchRequest, FetchResult, FetchSettings } from './fetch-settings.ts'
import { openFtpFiles } from './ftp-files.ts'
import { fetchHttp } from './http.ts'
import { openLocalFiles } from './local-files.ts'
import { fetchRemote, type RemoteFiles } from './remote-files.ts'
import { openSftpFiles } from './sftp-files.ts'
import type { Spool } from './spool.ts'

/** Fetches into the spool. `stop` ends it at once. */
export async function fetchFile(
  request: FetchRequest,
  settings: FetchSettings,
  spool: Spool,
  stop: AbortSignal,
): Promise<FetchResult> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(settings.totalMs)])
  try {
    return await fetchBy(request, { settings, signal, spool })
  } catch (error) {
    stop.throwIfAborted()
    if (!signal.aborted) throw error
    const minutes = Math.round(settings.totalMs / 60_000)
    throw new FetchError('fetch_timeout', `The file was not complete after ${minutes} minutes.`)
  }
}

async function fetchBy(request: FetchRequest, context: FetchContext): Promise<FetchResult> {
  const { url, seen } = request
  if (url.protocol === 'http:' || url.protocol === 'https:') return fetchHttp(request, context)
  if (url.protocol === 'file:') {
    return fetchRemote(openLocalFiles(context.signal), fileURLToPath(url), seen, context)
  }
  const server = serverOf(url)
  const files = await openFiles(request, context)
  try {
    return await fetchRemote(files, pathOf(url), seen, context)
  } catch (error) {
    throw fetchErrorOf(error, nameOf(server))
  } finally {
    files.close()
  }
}

function openFiles(request: FetchRequest, context: FetchContext): Promise<RemoteFiles> {
  const server = serverOf(request.url)
  return request.url.protocol === 'sftp:'
    ? openSftpFiles(server, request, context)
    : openFtpFiles(server, request, context)
}

/**
 * The path on the server. One of SFTP begins at the root, or with `/~/` at the user's home; one of
 * FTP begins where the user is after signing in, or with `//` at the root.
 */
function pathOf(url: URL): string {
  const path = url.pathname.split('/').map(decodeSegment).join('/')
  if (url.protocol === 'sftp:') return path.startsWith('/~/') ? path.slice(3) || '.' : path || '/'
  return path.slice(1)
}
