import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount } from './account.ts'
import { ensureCluster, type Place } from './cluster.ts'
import { leave } from './leave.ts'
import { boundLog, tailOf } from './log-file.ts'
import { freePort, isFree } from './ports.ts'
import {
  endLeftBackends,
  findPostmaster,
  type Launched,
  launch,
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

export interface AttachOptions {
  place: Place
  password: string
  serve: boolean
  settings?: Record<string, string> | undefined
  /** Only this port will do: pools hold its address. */
  port?: number | undefined
  /** Ends the attempts, but not before a server that was just launched is up or stopped. */
  signal?: AbortSignal | undefined
  onEvent: (event: EmbeddedEvent) => void
}

export interface EmbeddedEvent {
  kind: 'creating' | 'starting' | 'recovering' | 'up' | 'down' | 'restarting' | 'stopped'
  detail: string
}

export interface Attachment {
  session: Session
  postmaster: Postmaster
}

const START_MS = 60_000
/** Replaying the log after a crash takes as long as it takes, but shows that it is alive. */
const RECOVERY_MS = 900_000
const RECOVERY_NOTICE_MS = 3_000
const STARTS_MAX = 4
const PAUSE_MS = 30

export function urlAt(port: number, password: string, database: string): string {
  const address = `127.0.0.1:${port}/${encodeURIComponent(database)}`
  // Said explicitly, because PGSSLMODE in the environment may ask for what is not there.
  return `postgres://pavilion:${password}@${address}?sslmode=disable`
}

/** Finds the running server or starts it, and holds our locks on it. */
export async function attach(options: AttachOptions): Promise<Attachment> {
  const { place } = options
  const begun = Date.now()
  const recovery = noticeRecovery(options, begun)
  let starts = 0
  let own: Launched | undefined
  while (Date.now() < begun + (recovery.isSeen() ? RECOVERY_MS : START_MS)) {
    if (options.signal?.aborted) giveUp(options.signal, own)
    const postmaster = await findPostmaster(place)
    if (postmaster === undefined && !own?.isRunning()) {
      if (starts === STARTS_MAX) break
      if (starts > 0) await giveWay(place, starts)
      starts++
      own = await start(options)
    }
    if (postmaster?.isReady) {
      starts = 0
      const session = await reach(options, postmaster)
      if (session !== undefined) return { session, postmaster }
    } else if (postmaster !== undefined) recovery.see()
    await sleep(PAUSE_MS)
  }
  throw new Error(
    `The embedded PostgreSQL in ${place.cluster} did not start. The end of ${place.logFile}:\n` +
      `${await tailOf(place.logFile)}`,
  )
}

const GIVE_UP_MS = 3_000

/** Nobody can be connected to a server that is still replaying its log: it may be stopped. */
function giveUp(signal: AbortSignal, own: Launched | undefined): void {
  if (own?.isRunning() && Date.now() < own.launchedOn + GIVE_UP_MS) return
  own?.stop()
  signal.throwIfAborted()
}

/** A server that was not shut down replays its log first; people are told when that takes long. */
function noticeRecovery({ onEvent }: AttachOptions, begun: number) {
  let isSeen = false
  return {
    isSeen: () => isSeen,
    see: () => {
      if (isSeen || Date.now() < begun + RECOVERY_NOTICE_MS) return
      isSeen = true
      onEvent({ kind: 'recovering', detail: 'PostgreSQL is replaying its log' })
    },
  }
}

/** After a failed start: what another process or a dead server holds may be free in a moment. */
async function giveWay(place: Place, starts: number): Promise<void> {
  await sleep(PAUSE_MS * 3 ** starts)
  await endLeftBackends(place)
}

async function start({ place, password, settings, port, onEvent }: AttachOptions) {
  const account = await chooseAccount(place.folder, place.cluster)
  const onCreate = () =>
    onEvent({ kind: 'creating', detail: `a new PostgreSQL cluster in ${place.cluster}` })
  await ensureCluster(place, { account, password, settings, onCreate })
  await boundLog(place.logFile)
  if (port !== undefined && !(await isFree(port))) {
    throw new Error(`Port ${port} of the embedded PostgreSQL is taken by another program.`)
  }
  const chosen = port ?? (await choosePort(place))
  onEvent({ kind: 'starting', detail: `PostgreSQL on 127.0.0.1:${chosen}` })
  return launch(place, { account, port: chosen, settings })
}

/** The last one if possible: a serving process whose server died insists on it. */
async function choosePort({ serverFile }: Place): Promise<number> {
  const last = await readServerFile(serverFile)
  return last !== undefined && (await isFree(last.port)) ? last.port : freePort()
}

/** Undefined: it cannot be reached now, or is just being stopped by its last user. */
async function reach(options: AttachOptions, found: Postmaster): Promise<Session | undefined> {
  const name = `pavilion ${options.serve ? 'start' : 'command'} ${process.pid}`
  const session = await openSession(urlAt(found.port, options.password, 'postgres'), name).catch(
    (error: unknown) => refuseWrongPassword(options.place, error),
  )
  if (session === undefined) return undefined
  try {
    if (await shareServer(session)) {
      if (options.serve) await becomeServing(options.place, session)
      await insistOnPort(options, session, found)
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

function refuseWrongPassword({ passwordFile, cluster }: Place, error: unknown): undefined {
  if ((error as { code?: string }).code !== WRONG_PASSWORD) return undefined
  throw new Error(`The password in ${passwordFile} is not that of ${cluster}.`, { cause: error })
}

/** Another process started the server elsewhere while our port was taken. */
async function insistOnPort({ place, port }: AttachOptions, session: Session, found: Postmaster) {
  if (port === undefined || port === found.port) return
  await leave(place, session)
  throw new Error(`PostgreSQL runs on port ${found.port} now; waiting until port ${port} is free.`)
}

const PREDECESSOR_MS = 3_000

/** A predecessor that was just killed may seem to hold its lock for a moment longer. */
async function becomeServing(place: Place, session: Session): Promise<void> {
  const deadline = Date.now() + PREDECESSOR_MS
  while (!(await claimServing(session))) {
    const pid = await whoServes(session)
    if (Date.now() > deadline || (pid !== undefined && (await isAlive(pid)))) {
      throw new Error(
        `Pavilion already runs on ${place.folder} (process ${pid ?? 'unknown'}). Stop it first, ` +
          'or set PAVILION_DATA to another folder.',
      )
    }
    await sleep(50)
  }
}

/** For people and for the next start; the truth about the server is PostgreSQL's own file. */
async function writeServerFile({ place, serve }: AttachOptions, { pid, port }: Postmaster) {
  const known = await readServerFile(place.serverFile)
  if (known?.postmaster_pid === pid && !serve) return
  const text = { port, postmaster_pid: pid, serving_pid: serve ? process.pid : null }
  const aside = `${place.serverFile}.${process.pid}`
  await writeFile(aside, `${JSON.stringify(text)}\n`, { mode: 0o600 })
  await rename(aside, place.serverFile)
}

async function readServerFile(path: string) {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as { port: number; postmaster_pid: number }
  } catch {
    return undefined
  }
}
