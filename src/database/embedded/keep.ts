import { setTimeout as sleep } from 'node:timers/promises'
import { type Attachment, type AttachOptions, attach, urlAt } from './attach.ts'
import type { Paths } from './cluster.ts'
import { boundLog } from './log-file.ts'
import { findPostmaster, leaveServer } from './postmaster.ts'
import {
  endSession,
  findArchiveFailure,
  isResponsive,
  openSession,
  type Session,
} from './session.ts'

interface Keeper {
  isUp(): boolean
  close(): Promise<void>
}

/** For a command: it holds its shared lock until it is done, and does not watch the server. */
export function keepUsing(options: AttachOptions, { session }: Attachment): Keeper {
  return {
    isUp: () => !session.hasEnded(),
    close: onlyOnce(() => release(options, session)),
  }
}

/**
 * For the process that serves. When its session breaks without being closed, PostgreSQL has died
 * or restarted: it attaches again on the same port, however long that takes.
 */
export function keepServing(options: AttachOptions, first: Attachment): Keeper {
  const closing = new AbortController()
  const { signal } = closing
  const again = { ...options, port: first.postmaster.port, signal }
  let { session } = first
  let isResponding = true

  async function watch(): Promise<void> {
    for (;;) {
      await session.ended
      if (signal.aborted) return
      options.onEvent({ kind: 'down', detail: 'the connection to PostgreSQL broke' })
      const attachment = await restart(again)
      if (attachment === undefined) return
      session = attachment.session
      if (signal.aborted) return
      options.onEvent({ kind: 'up', detail: `PostgreSQL is back on 127.0.0.1:${again.port}` })
    }
  }

  async function checkRegularly(): Promise<void> {
    const checkArchive = watchArchive(options)
    while (!signal.aborted) {
      await pause(HEARTBEAT_MS, signal)
      isResponding = session.hasEnded() || (await isResponsive(session))
      if (isResponding && !session.hasEnded()) await checkArchive(session).catch(() => {})
      await boundLog(options.paths.logFile).catch(() => {})
    }
  }

  const watching = watch()
  void checkRegularly()
  const close = async () => {
    closing.abort()
    if (session.hasEnded()) await watching
    await release(options, session)
    await watching
  }
  return { isUp: () => isResponding && !session.hasEnded(), close: onlyOnce(close) }
}

/** A log that cannot be archived is kept in the data folder, until that is full. */
function watchArchive({ walArchive, onEvent }: AttachOptions): (session: Session) => Promise<void> {
  let isFailing = false
  return async (session) => {
    if (walArchive === undefined) return
    const failing = await findArchiveFailure(session)
    if ((failing !== undefined) === isFailing) return
    isFailing = failing !== undefined
    const kept = `it is kept in the data folder until ${walArchive} can be written`
    onEvent(
      failing === undefined
        ? { kind: 'archive-working', detail: 'the log of PostgreSQL is archived again' }
        : { kind: 'archive-failing', detail: `${failing} cannot be archived; ${kept}` },
    )
  }
}

const HEARTBEAT_MS = 2_000
const WAIT_MS_FIRST = 50
const WAIT_MS_MAX = 5_000

async function restart(options: AttachOptions & { signal: AbortSignal }) {
  const { signal, onEvent } = options
  for (let waitMs = WAIT_MS_FIRST; !signal.aborted; waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) {
    try {
      return await attach(options)
    } catch (error) {
      if (signal.aborted) break
      onEvent({ kind: 'restarting', detail: (error as Error).message })
      await pause(waitMs, signal)
    }
  }
  return undefined
}

async function release({ paths, password, onEvent }: AttachOptions, held: Session): Promise<void> {
  const session = held.hasEnded() ? await reopen(paths, password) : held
  if (session === undefined) return
  try {
    if (await leaveServer(paths, session))
      onEvent({ kind: 'stopped', detail: 'nobody else uses it' })
  } catch {
    // A server that does not respond now is found by the next start.
  } finally {
    await endSession(session)
  }
}

/** Our session broke, but the server may still run without anyone to stop it. */
async function reopen(paths: Paths, password: string): Promise<Session | undefined> {
  const deadline = performance.now() + REOPEN_MS
  while (performance.now() < deadline) {
    const running = await findPostmaster(paths)
    if (running === undefined) return undefined
    try {
      return await openSession(urlAt(running.port, password, 'postgres'), 'pavilion closing')
    } catch {
      await sleep(50)
    }
  }
  return undefined
}

const REOPEN_MS = 2_000

function onlyOnce(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= close()
    return closed
  }
}

/** Ends early when it is aborted, and does not keep the process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}
