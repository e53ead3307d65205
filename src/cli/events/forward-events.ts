/**
 * Forwards the events of a merchant to a program on the developer's machine, signed as webhooks
 * are. It knows nothing of the database: it calls the interface with the merchant's own key.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { webhookMessage } from '../../events/webhook.ts'
import { isSandboxKey } from '../command.ts'
import { type MarketAccess, type MerchantEvent, readEvents } from './read-events.ts'

export interface ForwardOptions extends MarketAccess {
  /** Where events go, and what they are signed with. */
  forward: string
  secret: string
  /** Only these types of events; all unless given. */
  eventTypes?: readonly string[] | undefined
  /** Events after this number; those that happen from now on unless given. */
  after?: number | undefined
  /** The first wait before another try; shorter in tests. */
  firstWaitMs?: number
  report: Report
}

/** What happens, for a person or a program to read. */
export interface Report {
  started(after: number): void
  forwarded(event: ForwardedEvent): void
  /** The sandbox was reset, which numbers its events from 1 again: all of them follow. */
  numberedAgain(): void
  /** The market or the receiver cannot be reached, and is tried again. */
  waiting(reason: string, waitMs: number): void
}

export interface ForwardedEvent {
  event: MerchantEvent
  /** The status of the last response. */
  status: number
  attempts: number
  durationMs: number
}

const FIRST_WAIT_MS = 1_000
const WAIT_MS_MAX = 30_000
/** As long as a webhook waits for its response. */
const TIMEOUT_MS = 10_000
/** A receiver that answers with an error is asked again this often; one that is away, always. */
const ANSWERED_ATTEMPTS_MAX = 4

/**
 * Forwards until the signal ends it, and returns the number of the last event that is done with.
 * Events go one after the other, in their order: the next waits until the one before is delivered.
 */
export async function forwardEvents(options: ForwardOptions): Promise<number> {
  const { signal, report, eventTypes, key } = options
  const { last } = await readEvents(options, { after: options.after ?? 0, wait: 0 })
  let position = options.after ?? last
  report.started(position)
  for (let latest = last; !signal.aborted; ) {
    // In production a number may be ahead for a moment, while one server replaces another.
    if (latest < position && isSandboxKey(key)) {
      report.numberedAgain()
      position = 0
    }
    const page = await patiently(options, () => readEvents(options, { after: position, wait: 30 }))
    for (const event of page?.events ?? []) {
      if (!eventTypes || eventTypes.includes(event.event_type)) {
        const isDone = await deliver(event, options)
        if (!isDone) return position
      }
      position = event.sequence
    }
    latest = page?.last ?? latest
  }
  return position
}

/** Asks the market again until it answers; undefined when the signal ended it. */
async function patiently<T>(
  { signal, report, firstWaitMs = FIRST_WAIT_MS }: ForwardOptions,
  read: () => Promise<T>,
): Promise<T | undefined> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) {
    try {
      return await read()
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error as { isTemporary?: boolean }).isTemporary) throw error
      report.waiting((error as Error).message, waitMs)
      await pause(waitMs, signal)
      if (signal.aborted) return undefined
    }
  }
}

/** Returns whether the event is done with: accepted, or refused often enough. */
async function deliver(event: MerchantEvent, options: ForwardOptions): Promise<boolean> {
  const { signal, report, forward, firstWaitMs = FIRST_WAIT_MS } = options
  let answers = 0
  let waitMs = firstWaitMs
  for (let attempts = 1; ; attempts++) {
    const startMs = performance.now()
    const status = await send(event, options)
    if (typeof status === 'number') {
      const isAccepted = status >= 200 && status < 300
      if (isAccepted || ++answers === ANSWERED_ATTEMPTS_MAX) {
        const durationMs = Math.round(performance.now() - startMs)
        report.forwarded({ event, status, attempts, durationMs })
        return true
      }
    }
    const reason = typeof status === 'number' ? `answered ${status}` : `is away (${status})`
    report.waiting(`${forward} ${reason}; event ${event.sequence} waits.`, waitMs)
    await pause(waitMs, signal)
    if (signal.aborted) return false
    waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)
  }
}

/** The status of the response, or why there was none. An attempt is not cut off by the signal. */
async function send(
  event: MerchantEvent,
  { forward, secret }: ForwardOptions,
): Promise<number | string> {
  const { uuid, event_type: type, event_data: data, created_on: happenedOn } = event
  const message = webhookMessage({ uuid, type, happenedOn, data }, [secret], Date.now())
  try {
    const response = await fetch(forward, {
      method: 'POST',
      ...message,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return `no response in ${TIMEOUT_MS / 1000} s`
    const { cause } = error as { cause?: { code?: string; message?: string } }
    return cause?.code ?? cause?.message ?? (error as Error).message
  }
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await sleep(waitMs, undefined, { signal }).catch(() => undefined)
}
