/** Files of an SFTP server, whose host key must be the one that the operator gave. */
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import ssh2 from 'ssh2'
import { fingerprintOf, isSame, nameOf, openSocket, otherKey, type Server } from './connect.ts'
import { FetchError, fetchErrorOf } from './fetch-error.ts'
import type { FetchContext, FetchRequest } from './fetch-settings.ts'
import { LISTED_MAX, type RemoteFile, type RemoteFiles, tooManyFiles } from './remote-files.ts'

export async function openSftpFiles(
  server: Server,
  source: FetchRequest,
  { settings, signal }: FetchContext,
): Promise<RemoteFiles> {
  const sock = await openSocket(server, settings, signal)
  const client = new ssh2.Client()
  const onAbort = () => client.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  const close = () => {
    signal.removeEventListener('abort', onAbort)
    client.destroy()
  }
  try {
    await signIn(client, { sock, server, source, connectMs: settings.connectMs })
    const sftp = await called<ssh2.SFTPWrapper>((done) => client.sftp(done))
    return filesOf(sftp, signal, close)
  } catch (error) {
    close()
    throw fetchErrorOf(error, nameOf(server))
  }
}

interface SignIn {
  sock: Readable
  server: Server
  source: FetchRequest
  connectMs: number
}

/** Checks the host key before anything is sent, then signs in. */
function signIn(client: ssh2.Client, { sock, server, source, connectMs }: SignIn): Promise<void> {
  const { user, password, privateKey, hostKey } = source
  let untrusted: FetchError | undefined
  const hostVerifier = (key: Buffer) => {
    const seen = fingerprintOf(key)
    if (hostKey === null) untrusted = noKey(server, seen)
    else if (!isSame(hostKey, seen)) untrusted = otherKey(server, hostKey, seen)
    return untrusted === undefined
  }
  return new Promise((resolve, reject) => {
    client.once('ready', resolve)
    // Later errors reach the call that waits; without a listener they would end the process.
    client.on('error', (error) => reject(untrusted ?? signInError(error, server)))
    client.once('close', () => reject(untrusted ?? new Error('the connection was closed')))
    // Some servers ask for the password as a question.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
      answer(prompts.map(() => password ?? '')),
    )
    client.connect({
      sock,
      username: user ?? '',
      ...(password !== null && { password, tryKeyboard: true }),
      ...(privateKey !== null && { privateKey }),
      hostVerifier,
      readyTimeout: connectMs,
    })
  })
}

function noKey(server: Server, seen: string): FetchError {
  return new FetchError(
    'untrusted_host',
    `The host key of ${nameOf(server)} is not known. The server shows the fingerprint ${seen}; ` +
      'if the supplier confirms it, set it as the host key of the source. Nothing was sent.',
  )
}

function signInError(error: Error & { level?: string }, server: Server): Error {
  if (error.level !== 'client-authentication') return error
  const detail = `${nameOf(server)} does not accept the user with this password or key.`
  return new FetchError('sign_in_refused', detail, error)
}

function filesOf(sftp: ssh2.SFTPWrapper, signal: AbortSignal, close: () => void): RemoteFiles {
  return {
    stat: (path) => statSftp(sftp, path),
    list: (folder) => listSftp(sftp, folder),
    read: (path, sink) => pipeline(Readable.from(readSftp(sftp, path)), sink, { signal }),
    close,
  }
}

const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3

async function statSftp(sftp: ssh2.SFTPWrapper, path: string): Promise<RemoteFile | undefined> {
  try {
    return fileOf(path, await called<ssh2.Stats>((done) => sftp.stat(path, done)))
  } catch (error) {
    if ((error as { code?: number }).code === NO_SUCH_FILE) return undefined
    throw refusedBy(error, path)
  }
}

function fileOf(path: string, found: ssh2.Stats): RemoteFile {
  const { size, mtime } = found
  return { path, isFolder: found.isDirectory(), size, modifiedMs: mtime * 1000 }
}

/** Reads a folder in pieces, so that an endless list is noticed. */
async function listSftp(sftp: ssh2.SFTPWrapper, folder: string): Promise<RemoteFile[]> {
  const files: RemoteFile[] = []
  const handle = await called<Buffer>((done) => sftp.opendir(folder, done)).catch((error) => {
    throw refusedBy(error, folder)
  })
  try {
    for (;;) {
      const entries = await called<ssh2.FileEntry[] | false>((done) =>
        sftp.readdir(handle, (error, list) =>
          (error as { code?: number } | undefined)?.code === END_OF_FILE
            ? done(undefined, false)
            : done(error, list),
        ),
      )
      if (!entries) return files
      for (const { filename, attrs } of entries) {
        if (!isFileOrFolder(attrs)) continue
        files.push(fileOf(posix.join(folder, filename), attrs as ssh2.Stats))
      }
      if (files.length > LISTED_MAX) throw tooManyFiles(folder)
    }
  } finally {
    await called((done) => sftp.close(handle, done)).catch(() => {})
  }
}

const END_OF_FILE = 1

/** Links and devices are left out; what a link names can be an address of its own. */
function isFileOrFolder(attrs: ssh2.Attributes): boolean {
  const stats = attrs as ssh2.Stats
  return stats.isFile() || stats.isDirectory()
}

const PIECE_BYTES = 32 * 1024
/** Pieces that are asked for before the first is there: a distant server is read at full speed. */
const PIECES_AHEAD = 32

async function* readSftp(sftp: ssh2.SFTPWrapper, path: string): AsyncGenerator<Buffer> {
  const handle = await called<Buffer>((done) => sftp.open(path, 'r', done)).catch((error) => {
    throw refusedBy(error, path)
  })
  const asked: Promise<Buffer>[] = []
  let position = 0
  try {
    for (;;) {
      while (asked.length < PIECES_AHEAD) {
        const piece = readPiece(sftp, handle, position)
        // It is awaited later; until then a failure must not count as unhandled.
        piece.catch(() => {})
        asked.push(piece)
        position += PIECE_BYTES
      }
      const piece = await asked.shift()
      if (!piece || piece.length === 0) return
      yield piece
      if (piece.length < PIECE_BYTES) return
    }
  } finally {
    await Promise.allSettled(asked)
    await called((done) => sftp.close(handle, done)).catch(() => {})
  }
}

/** A server may send less than was asked for, so it is asked until the piece is complete. */
async function readPiece(sftp: ssh2.SFTPWrapper, handle: Buffer, at: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  let filled = 0
  while (filled < PIECE_BYTES) {
    const count = await new Promise<number>((resolve, reject) => {
      sftp.read(handle, buffer, filled, PIECE_BYTES - filled, at + filled, (error, bytesRead) => {
        const isEnd = (error as { code?: number } | undefined)?.code === END_OF_FILE
        if (error && !isEnd) reject(error)
        else resolve(isEnd ? 0 : bytesRead)
      })
    })
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}

function refusedBy(error: unknown, path: string): unknown {
  const { code } = error as { code?: number }
  if (code === NO_SUCH_FILE) return new FetchError('file_not_found', `There is no ${path}.`, error)
  if (code !== PERMISSION_DENIED) return error
  return new FetchError('sign_in_refused', `The server does not let the user read ${path}.`, error)
}

/** Turns a call with a callback into a promise. */
function called<T>(
  call: (done: (error?: Error | null, result?: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result as T)))
  })
}
