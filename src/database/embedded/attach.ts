import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount } from './account.ts'
import { ensureCluster, type Paths } from './cluster.ts'
import { boundLog, tailOf } from './log-file.ts'
import { freePort, isFree } from './ports.ts'
import {
  endLeftBackends,
  findPostmaster,
  type Launched,
  launch,
  leaveServer,
  type Postmaster,
  waitUntilGone,
} from './postmaster.ts'
import { isAlive } from './process.ts'
import {
  claimServing,
  endSession,
  isShutdown,
  openSession,
  type Session,
  shareServer,
  whoServes,
} from './session.ts'
import { archiveSettings } from './wal-archive.ts'

export interface AttachOptions {
  paths: Paths
  password: string
  serve: boolean
  settings?: Record<string, string> | undefined
  accountName?: string | undefined
  walArchive?: string | undefined
  /** The only port to use, because connection pools have its address. */
  port?: number | undefined
  /** Stops trying, but not before a server that was just launched is up or stopped. */
  signal?: AbortSignal | undefined
  onEvent: (event: EmbeddedEvent) => void
}

export interface EmbeddedEvent {
  kind:
    | 'account'
    | 'account-created'
    | 'creating'
    | 'starting'
    | 'recovering'
    | 'up'
    | 'down'
    | 'restarting'
    | 'archive-failing'
    | 'archive-working'
    | 'stopped'
  detail: string
}

export interface Attachment {
  session: Session
  postmaster: Postmaster
}

const START_MS = 60_000
/** Replaying the log after a crash may take long, and the server shows that it is doing so. */
const RECOVERY_MS = 900_000
const RECOVERY_NOTICE_MS = 3_000
const STARTS_MAX = 4
const PAUSE_MS = 30

export function urlAt(port: number, password: string, database: string): string {
  const address = `127.0.0.1:${port}/${encodeURIComponent(database)}`
  // Explicit, because PGSSLMODE in the environment may require what the server does not offer.
  return `postgres://pavilion:${password}@${address}?sslmode=disable`
}

/** Finds the running server or starts it, and takes our locks on it. */
export async function attach(options: AttachOptions): Promise<Attachment> {
  const { paths } = options
  const begun = performance.now()
  const recovery = watchRecovery(options, begun)
  let starts = 0
  let own: Launched | undefined
  while (performance.now() < begun + (recovery.isSeen() ? RECOVERY_MS : START_MS)) {
    if (options.signal?.aborted) giveUp(options.signal, own)
    const postmaster = await findPostmaster(paths)
    if (postmaster === undefined && !own?.isRunning()) {
      if (starts === STARTS_MAX) break
      if (starts > 0) await waitForOthers(paths, starts)
      starts++
      own = await start(options)
    }
    if (postmaster?.isReady) {
      starts = 0
      const session = await openLocked(options, postmaster)
      if (session !== undefined) return { session, postmaster }
    } else if (postmaster !== undefined) recovery.notice()
    await sleep(PAUSE_MS)
  }
  throw new Error(
    `The embedded PostgreSQL in ${paths.cluster} did not start. The end of ${paths.logFile}:\n` +
      `${await tailOf(paths.logFile)}`,
  )
}

const GIVE_UP_MS = 3_000

/** A server that is still replaying its log has no clients yet, so it may be stopped. */
function giveUp(signal: AbortSignal, own: Launched | undefined): void {
  if (own?.isRunning() && performance.now() < own.launchedOn + GIVE_UP_MS) return
  own?.stop()
  signal.throwIfAborted()
}

/** A server that was not shut down replays its log first; an event reports when that takes long. */
function watchRecovery({ onEvent }: AttachOptions, begun: number) {
  let isSeen = false
  return {
    isSeen: () => isSeen,
    notice: () => {
      if (isSeen || performance.now() < begun + RECOVERY_NOTICE_MS) return
      isSeen = true
      onEvent({ kind: 'recovering', detail: 'PostgreSQL is replaying its log' })
    },
  }
}

/** Waits after a failed start: another process or a dead server may still be ending. */
async function waitForOthers(paths: Paths, starts: number): Promise<void> {
  await sleep(PAUSE_MS * 3 ** starts)
  await endLeftBackends(paths)
}

async function start(options: AttachOptions) {
  const { paths, password, settings, port, walArchive, onEvent } = options
  const account = await chooseAccount(paths.folder, paths.cluster, { name: options.accountName })
  const { description, isNew } = account
  if (description) onEvent({ kind: isNew ? 'account-created' : 'account', detail: description })
  const onCreate = () =>
    onEvent({ kind: 'creating', detail: `a new PostgreSQL cluster in ${paths.cluster}` })
  await ensureCluster(paths, { account, password, settings, onCreate })
  const archiving = walArchive && (await archiveSettings(walArchive, paths, account))
  await boundLog(paths.logFile)
  if (port !== undefined && !(await isFree(port))) {
    throw new Error(`Port ${port} of the embedded PostgreSQL is taken by another program.`)
  }
  const chosen = port ?? (await choosePort(paths))
  onEvent({ kind: 'starting', detail: `PostgreSQL on 127.0.0.1:${chosen}` })
  return launch(paths, { account, port: chosen, settings: { ...archiving, ...settings } })
}

/** The last port if it is free, because a serving process whose server died needs it. */
async function choosePort({ serverFile }: Paths): Promise<number> {
  const last = await readServerFile(serverFile)
  return last !== undefined && (await isFree(last.port)) ? last.port : freePort()
}

/** Returns undefined when the server cannot be reached now, or its last user is stopping it. */
async function openLocked(options: AttachOptions, found: Postmaster): Promise<Session | undefined> {
  const name = `pavilion ${options.serve ? 'start' : 'command'} ${process.pid}`
  const session = await openSession(urlAt(found.port, options.password, 'postgres'), name).catch(
    (error: unknown) => refuseWrongPassword(options.paths, error),
  )
  if (session === undefined) return undefined
  try {
    if (await shareServer(session)) {
      if (options.serve) await becomeServing(options.paths, session)
      await requirePort(options, session, found)
      await writeServerFile(options, found)
      return session
    }
    await endSession(session)
    await waitUntilGone(found.pid, START_MS)
  } catch (error) {
    const isBroken = session.hasEnded() || isShutdown(error)
    await endSession(session)
    if (!isBroken) throw error
  }
  return undefined
}

const WRONG_PASSWORD = '28P01'

function refuseWrongPassword({ passwordFile, cluster }: Paths, error: unknown): undefined {
  if ((error as { code?: string }).code !== WRONG_PASSWORD) return undefined
  throw new Error(`The password in ${passwordFile} is not that of ${cluster}.`, { cause: error })
}

/** Another process may have started the server on another port while ours was taken. */
async function requirePort({ paths, port }: AttachOptions, session: Session, found: Postmaster) {
  if (port === undefined || port === found.port) return
  await leaveServer(paths, session)
  throw new Error(`PostgreSQL runs on port ${found.port} now; waiting until port ${port} is free.`)
}

const PREDECESSOR_MS = 3_000

/** A predecessor that was just killed may hold its lock for a moment longer. */
async function becomeServing(paths: Paths, session: Session): Promise<void> {
  const deadline = performance.now() + PREDECESSOR_MS
  while (!(await claimServing(session))) {
    const pid = await whoServes(session)
    if (performance.now() > deadline || (pid !== undefined && (await isAlive(pid)))) {
      throw new Error(
        `Pavilion already runs on ${paths.folder} (process ${pid ?? 'unknown'}). Stop it first, ` +
          'or set PAVILION_DATA to another folder.',
      )
    }
    await sleep(50)
  }
}

/** For people and for the next start; Pavilion itself relies on PostgreSQL's own postmaster.pid. */
async function writeServerFile({ paths, serve }: AttachOptions, { pid, port }: Postmaster) {
  const known = await readServerFile(paths.serverFile)
  if (known?.postmaster_pid === pid && !serve) return
  const text = { port, postmaster_pid: pid, serving_pid: serve ? process.pid : null }
  const aside = `${paths.serverFile}.${process.pid}`
  await writeFile(aside, `${JSON.stringify(text)}\n`, { mode: 0o600 })
  await rename(aside, paths.serverFile)
}

async function readServerFile(path: string) {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as { port: number; postmaster_pid: number }
  } catch {
    return undefined
  }
}
