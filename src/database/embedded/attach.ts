import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount } from './account.ts'
import { ensureCluster, type Place } from './cluster.ts'
import { boundLog, tailOf } from './log-file.ts'
import { freePort, isFree } from './ports.ts'
import {
  endLeftBackends,
  findPostmaster,
  launch,
  type Postmaster,
  waitUntilGone,
} from './postmaster.ts'
import { isAlive } from './process.ts'
import {
  claimServing,
  endSession,
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
  /** Ends the attempts; the server may then be left halfway started. */
  signal?: AbortSignal | undefined
  onEvent: (event: EmbeddedEvent) => void
}

export interface EmbeddedEvent {
  kind: 'creating' | 'starting' | 'recovering' | 'up' | 'down' | 'restarting' | 'stopping'
  detail: string
}

export interface Attachment {
  session: Session
  postmaster: Postmaster
}

const START_MS = 60_000
/** Replaying the log after a crash takes as long as it takes, but shows that it is alive. */
const RECOVERY_MS = 900_000
const STARTS_MAX = 6
const PAUSE_MS = 30

export function urlAt(port: number, password: string, database: string): string {
  return `postgres://pavilion:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
}

/** Finds the running server or starts it, and holds our locks on it. */
export async function attach(options: AttachOptions): Promise<Attachment> {
  const { place, onEvent } = options
  let deadline = Date.now() + START_MS
  let starts = 0
  let own: { isRunning(): boolean } | undefined
  for (; Date.now() < deadline; await sleep(PAUSE_MS)) {
    options.signal?.throwIfAborted()
    const postmaster = await findPostmaster(place)
    if (postmaster === undefined) {
      if (own?.isRunning()) continue
      if (starts === STARTS_MAX) break
      if (starts > 0) {
        await sleep(PAUSE_MS * 2 ** starts)
        await endLeftBackends(place)
      }
      starts++
      own = await start(options)
      continue
    }
    const reached = await reach(options, postmaster)
    if (reached === 'recovering' && deadline < Date.now() + RECOVERY_MS / 2) {
      onEvent({ kind: 'recovering', detail: 'PostgreSQL replays its log after a crash' })
      deadline = Date.now() + RECOVERY_MS
    }
    if (typeof reached === 'string') continue
    await writeServerFile(options, postmaster)
    return { session: reached, postmaster }
  }
  throw new Error(
    `The embedded PostgreSQL in ${place.cluster} did not start. The end of ${place.logFile}:\n` +
      `${await tailOf(place.logFile)}`,
  )
}

async function start({ place, password, settings, port, onEvent }: AttachOptions) {
  const account = await chooseAccount(place.folder, place.cluster)
  await ensureCluster(place, account, password, () =>
    onEvent({ kind: 'creating', detail: `a new PostgreSQL cluster in ${place.cluster}` }),
  )
  await boundLog(place.logFile)
  const chosen = port ?? (await choosePort(place))
  onEvent({ kind: 'starting', detail: `PostgreSQL on 127.0.0.1:${chosen}` })
  return launch(place, { account, port: chosen, settings })
}

/** The last one if possible: a serving process whose server died insists on it. */
async function choosePort({ serverFile }: Place): Promise<number> {
  const last = await readServerFile(serverFile)
  return last !== undefined && (await isFree(last.port)) ? last.port : freePort()
}

type Unreached = 'away' | 'recovering' | 'stopping'

async function reach(
  options: AttachOptions,
  { pid, port }: Postmaster,
): Promise<Session | Unreached> {
  const name = `pavilion ${options.serve ? 'start' : 'command'} ${process.pid}`
  let session: Session
  try {
    session = await openSession(urlAt(port, options.password, 'postgres'), name)
  } catch (error) {
    return whyUnreached(options.place, error)
  }
  try {
    if (await shareServer(session)) {
      if (options.serve) await becomeServing(options.place, session)
      return session
    }
    await endSession(session)
    await waitUntilGone(pid, START_MS)
    return 'stopping'
  } catch (error) {
    const broken = session.hasEnded()
    await endSession(session)
    if (broken) return 'away'
    throw error
  }
}

const CANNOT_CONNECT_NOW = '57P03'
const WRONG_PASSWORD = '28P01'

function whyUnreached(place: Place, error: unknown): Unreached {
  const { code, message } = error as Error & { code?: string }
  if (code === WRONG_PASSWORD) {
    throw new Error(`The password in ${place.passwordFile} is not that of ${place.cluster}.`)
  }
  return code === CANNOT_CONNECT_NOW && /starting up|recovery/.test(message) ? 'recovering' : 'away'
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
