import { listen } from '../database/listen.ts'
import type { Database } from '../database/open.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { EVENT_CHANNEL } from './events.ts'
import { createWakeable } from './poller.ts'
import { type Message, sendWebhook } from './send-webhook.ts'
import { nextWaitMs, signaturesOf } from './webhook.ts'
import {
  type AttemptResult,
  claimDeliveries,
  type DueDelivery,
  disableEndpoint,
  findNextDueMs,
  recordAttempt,
} from './webhook-delivery-store.ts'

export interface WebhookSettings {
  /** Hosts that may be called whatever their address is. */
  allowedHosts: readonly string[]
  /** The wait after a first failure, and how long a receiver may take; for tests. */
  firstWaitMs?: number
  answerMs?: number
  onError?: (error: unknown) => void
}

export interface WebhookDelivery {
  /** Lets attempts that are running finish, and starts no more. */
  stop(): Promise<void>
}

/** Attempts at a time, of all endpoints and of one: a receiver that hangs delays only its own. */
const RUNNING_MAX = 32
const RUNNING_PER_ENDPOINT_MAX = 4
/** Longer than any attempt; a crashed node's deliveries are due again after it. */
const LEASE_MS = 60_000
/** A notification can be lost with its connection: look this often in any case. */
const LOOK_MS = 30_000
const LOOK_MS_MIN = 20

/** Delivers what is due for as long as the process lives, woken by every new event. */
export function startWebhookDelivery(
  database: Database,
  settings: WebhookSettings,
): WebhookDelivery {
  const running = new Map<Promise<void>, string>()
  const onError = settings.onError ?? (() => {})
  let stopped = false
  const { wake, stop } = createWakeable(look, { afterErrorMs: LOOK_MS, onError })

  /** Starts what is due, and answers how long nothing else will be. */
  async function look(): Promise<number> {
    while (!stopped && running.size < RUNNING_MAX) {
      const due = await claimDeliveries(database.db, {
        limit: RUNNING_PER_ENDPOINT_MAX,
        leaseMs: LEASE_MS,
        except: busyEndpoints(),
      })
      if (due.length === 0) break
      for (const delivery of due) start(delivery)
    }
    const nextMs = await findNextDueMs(database.db)
    return Math.min(Math.max(nextMs ?? LOOK_MS, LOOK_MS_MIN), LOOK_MS)
  }

  function start(delivery: DueDelivery): void {
    const attempt = deliver(database, delivery, settings)
      .catch(onError)
      .then(() => {
        running.delete(attempt)
        // It made room, and may have let the next event of its order pass.
        wake()
      })
    running.set(attempt, delivery.endpoint_uuid)
  }

  function busyEndpoints(): string[] {
    const counts = new Map<string, number>()
    for (const endpoint of running.values()) {
      counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1)
    }
    return [...counts].flatMap(([endpoint, count]) =>
      count >= RUNNING_PER_ENDPOINT_MAX ? [endpoint] : [],
    )
  }

  const listener = listen(database.url, [EVENT_CHANNEL], {
    onConnected: wake,
    onLost: () => {},
    onNotification: wake,
  })
  return {
    async stop() {
      stopped = true
      await listener.close()
      await stop()
      await Promise.all(running.keys())
    },
  }
}

async function deliver(
  { db }: Database,
  delivery: DueDelivery,
  settings: WebhookSettings,
): Promise<void> {
  const result = await attempt(delivery, settings)
  const { status } = result
  if (status !== null && status >= 200 && status < 300) {
    return recordAttempt(db, delivery, result, { state: 'delivered' })
  }
  const elapsedMs = delivery.elapsed_ms + result.duration_ms
  const waitMs = nextWaitMs(elapsedMs, Math.random(), settings.firstWaitMs)
  const isGone = status === 410
  const outcome =
    isGone || waitMs === undefined
      ? ({ state: 'failed' } as const)
      : ({ state: 'pending', waitMs } as const)
  await recordAttempt(db, delivery, result, outcome)
  if (isGone) await disableEndpoint(db, delivery.endpoint_uuid)
}

async function attempt(
  delivery: DueDelivery,
  { allowedHosts, answerMs }: WebhookSettings,
): Promise<AttemptResult> {
  const startMs = performance.now()
  const duration = () => Math.round(performance.now() - startMs)
  try {
    const status = await sendWebhook(messageOf(delivery), allowedHosts, answerMs)
    return { status, error: null, duration_ms: duration() }
  } catch (error) {
    return { status: null, error: (error as Error).message, duration_ms: duration() }
  }
}

/** The same id at every attempt, so that a receiver can tell a repetition. */
function messageOf(delivery: DueDelivery): Message {
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    type: delivery.event_type,
    timestamp: isoWithOffset(delivery.event_on),
    data: delivery.event_data,
  })
  const id = delivery.event_uuid
  return {
    url: delivery.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Pavilion-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signaturesOf(delivery.secrets, id, timestampSeconds, body),
    },
  }
}
