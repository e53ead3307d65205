import { setTimeout as sleep } from 'node:timers/promises'
import { type Attachment, type AttachOptions, attach, urlAt } from './attach.ts'
import type { Place } from './cluster.ts'
import { leave } from './leave.ts'
import { boundLog } from './log-file.ts'
import { findPostmaster } from './postmaster.ts'
import { endSession, isAnswering, openSession, type Session } from './session.ts'

interface Keeper {
  isUp(): boolean
  close(): Promise<void>
}

/** For a command: it holds its share until it is done, and looks after nothing. */
export function keepUsing(options: AttachOptions, { session }: Attachment): Keeper {
  return {
    isUp: () => !session.hasEnded(),
    close: onlyOnce(() => release(options, session)),
  }
}

/**
 * For the process that serves. When its session breaks although nobody closed it, PostgreSQL has
 * died or begun anew: it attaches again, on the same port, for as long as that takes.
 */
export function keepServing(options: AttachOptions, first: Attachment): Keeper {
  const closing = new AbortController()
  const { signal } = closing
  const wanted = { ...options, port: first.postmaster.port, signal }
  let { session } = first
  let answers = true

  async function watch(): Promise<void> {
    for (;;) {
      await session.ended
      if (signal.aborted) return
      options.onEvent({ kind: 'down', detail: 'the connection to PostgreSQL broke' })
      const again = await bringBack(wanted)
      if (again === undefined) return
      session = again.session
      if (signal.aborted) return
      options.onEvent({ kind: 'up', detail: `PostgreSQL is back on 127.0.0.1:${wanted.port}` })
    }
  }

  async function listen(): Promise<void> {
    while (!signal.aborted) {
      await pause(HEARTBEAT_MS, signal)
      answers = session.hasEnded() || (await isAnswering(session))
      await boundLog(options.place.logFile).catch(() => {})
    }
  }

  const watching = watch()
  void listen()
  const close = async () => {
    closing.abort()
    if (session.hasEnded()) await watching
    await release(options, session)
    await watching
  }
  return { isUp: () => answers && !session.hasEnded(), close: onlyOnce(close) }
}

const HEARTBEAT_MS = 2_000
const WAIT_MS_FIRST = 50
const WAIT_MS_MAX = 5_000

async function bringBack(wanted: AttachOptions & { signal: AbortSignal }) {
  const { signal, onEvent } = wanted
  for (let waitMs = WAIT_MS_FIRST; !signal.aborted; waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) {
    try {
      return await attach(wanted)
    } catch (error) {
      if (signal.aborted) break
      onEvent({ kind: 'restarting', detail: (error as Error).message })
      await pause(waitMs, signal)
    }
  }
  return undefined
}

async function release({ place, password, onEvent }: AttachOptions, held: Session): Promise<void> {
  const session = held.hasEnded() ? await reopen(place, password) : held
  if (session === undefined) return
  try {
    if (await leave(place, session)) onEvent({ kind: 'stopped', detail: 'nobody else uses it' })
  } catch {
    // A server that does not answer now is found, and taken over, by the next start.
  } finally {
    await endSession(session)
  }
}

/** The server broke our session but may live, without anybody who would stop it. */
async function reopen(place: Place, password: string): Promise<Session | undefined> {
  const deadline = Date.now() + REOPEN_MS
  while (Date.now() < deadline) {
    const running = await findPostmaster(place)
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

/** Ends early when aborted, and keeps no process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}
