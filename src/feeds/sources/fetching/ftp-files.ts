/** Files of an FTP server, with TLS or without. */
import { isIP } from 'node:net'
import { posix } from 'node:path'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { Client, FTPError } from 'basic-ftp'
import { nameOf, pemOf, resolveServer, type Server, whyUntrusted } from './connect.ts'
import { FetchError, fetchErrorOf } from './fetch-error.ts'
import type { FetchContext, FetchRequest } from './fetch-settings.ts'
import { LISTED_MAX, type RemoteFile, type RemoteFiles, tooManyFiles } from './remote-files.ts'

/** The port of FTPS without "AUTH TLS": the connection begins with TLS. */
const IMPLICIT_TLS_PORT = 990
/** The bytes of a list of files: more than `LISTED_MAX` lines have. */
const LISTING_BYTES_MAX = 4 * 1024 ** 2

export async function openFtpFiles(
  server: Server,
  source: FetchRequest,
  { settings, signal }: FetchContext,
): Promise<RemoteFiles> {
  // Data connections go to the address of this one, whatever the server names.
  const [{ address }] = await resolveServer(server, settings.allowedHosts)
  const client = newClient(settings.idleMs)
  const onAbort = () => client.close()
  signal.addEventListener('abort', onAbort, { once: true })
  const close = () => {
    signal.removeEventListener('abort', onAbort)
    client.close()
  }
  try {
    if (source.url.protocol === 'ftps:') {
      const trusted = await trustOf({ ...server, address }, source.hostKey, settings.idleMs)
      await connectTls(client, { ...server, address }, trusted)
    } else await client.connect(address, server.port)
    await client.sendIgnoringError('OPTS UTF8 ON')
    await client.login(source.user ?? 'anonymous', source.password ?? 'guest')
    await client.useDefaultSettings()
    return filesOf(client, close)
  } catch (error) {
    close()
    throw ftpError(error, nameOf(server))
  }
}

function newClient(idleMs: number): Client {
  return new Client(idleMs, {
    allowSeparateTransferHost: false,
    maxListingBytes: LISTING_BYTES_MAX,
  })
}

interface FoundServer extends Server {
  address: string
}

/**
 * Makes sure that it is the right server, before the password is sent, and returns what the library
 * must ask of this and every data connection. A certificate that is trusted by its fingerprint is
 * then the only one that counts. It has a connection of its own, because a session of TLS keeps the
 * verdict with which it began.
 */
async function trustOf(
  server: FoundServer,
  hostKey: string | null,
  idleMs: number,
): Promise<ConnectionOptions> {
  const named: ConnectionOptions = {
    host: server.host,
    ...(isIP(server.host) === 0 && { servername: server.host }),
  }
  const client = newClient(idleMs)
  try {
    await connectTls(client, server, { ...named, rejectUnauthorized: false })
    const tls = client.ftp.socket as TLSSocket
    const refused = whyUntrusted(tls, server, hostKey)
    if (refused) throw refused
    if (hostKey === null) return named
    return { ...named, ca: [pemOf(tls)], checkServerIdentity: () => undefined }
  } finally {
    client.close()
  }
}

async function connectTls(
  client: Client,
  { address, port }: FoundServer,
  options: ConnectionOptions,
): Promise<void> {
  if (port === IMPLICIT_TLS_PORT) {
    await client.connectImplicitTLS(address, port, options)
    return
  }
  await client.connect(address, port)
  await client.useTLS(options)
}

function filesOf(client: Client, close: () => void): RemoteFiles {
  return {
    stat: (path) => statFtp(client, path),
    list: (folder) => listFtp(client, folder),
    async read(path, sink) {
      try {
        await client.downloadTo(sink, path)
      } catch (error) {
        // When the sink refuses the file, the library reports the lost connection.
        throw sink.errored ?? ftpError(error, path)
      }
    },
    close,
  }
}

const UNAVAILABLE = 550

/** What is not a file may be a folder: FTP has no other question that all servers understand. */
async function statFtp(client: Client, path: string): Promise<RemoteFile | undefined> {
  if (!path.endsWith('/')) {
    const size = await known(client.size(path))
    const modified = await known(client.lastMod(path))
    if (size !== undefined || modified !== undefined) {
      return { path, isFolder: false, size, modifiedMs: modified?.getTime() }
    }
  }
  const home = await client.pwd()
  const isFolder = (await known(client.cd(path === '' ? '.' : path))) !== undefined
  if (isFolder) {
    await client.cd(home)
    return { path, isFolder, size: undefined, modifiedMs: undefined }
  }
  // A server that answers neither SIZE nor MDTM may still have the file.
  const parent = await listFtp(client, posix.dirname(path)).catch(() => [])
  return parent.find((file) => file.path === posix.normalize(path))
}

/** Undefined when the server refuses or does not know the command. */
async function known<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof FTPError) return undefined
    throw error
  }
}

/** Asking for the time of each file is a round trip; more files need a server that lists times. */
const TIMES_ASKED_MAX = 1_000

async function listFtp(client: Client, folder: string): Promise<RemoteFile[]> {
  const home = await client.pwd()
  const path = folder === '' ? '.' : folder
  await client.cd(path).catch((error) => {
    if (error instanceof FTPError && error.code === UNAVAILABLE) {
      throw new FetchError('file_not_found', `There is no folder ${path}.`, error)
    }
    throw error
  })
  const entries = (await client.list()).filter(({ isFile, isDirectory }) => isFile || isDirectory)
  if (entries.length > LISTED_MAX) throw tooManyFiles(path)
  const files: RemoteFile[] = []
  for (const { name, isDirectory, size, modifiedAt } of entries) {
    // Only MLSD has exact times; other lists have a time for people.
    const asks = modifiedAt === undefined && !isDirectory && files.length < TIMES_ASKED_MAX
    const time = asks ? await known(client.lastMod(name)) : modifiedAt
    const file = { isFolder: isDirectory, size, modifiedMs: time?.getTime() }
    files.push({ path: posix.join(path, name), ...file })
  }
  await client.cd(home)
  return files
}

const NOT_SIGNED_IN = 530

function ftpError(error: unknown, server: string): FetchError {
  if (error instanceof FTPError) {
    if (error.code === NOT_SIGNED_IN) {
      const detail = `${server} does not accept the user with this password.`
      return new FetchError('sign_in_refused', detail, error)
    }
    const detail = `${server} answered ${error.message.slice(0, 300)}`
    return new FetchError(error.code === UNAVAILABLE ? 'file_not_found' : 'bad_response', detail)
  }
  return fetchErrorOf(error, server)
}
