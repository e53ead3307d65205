import { listen } from '../database/listen.ts'
import type { Database } from '../database/open.ts'
import type { Secrets } from '../database/secrets/secrets.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { EVENT_CHANNEL } from './events.ts'
import { createPoller } from './poller.ts'
import { type Message, sendWebhook } from './send-webhook.ts'
import { nextWaitMs, secretRowOf, webhookMessage } from './webhook.ts'
import {
  type AttemptResult,
  claimDeliveries,
  type DueDelivery,
  disableEndpoint,
  findNextDueMs,
  recordAttempt,
} from './webhook-delivery-store.ts'

/** How webhooks are sent. */
export interface WebhookSettings {
  /** Hosts that may be called although they are in a private network. */
  allowedHosts: readonly string[]
  /** The wait after the first failure, and how long a receiver may take; shorter in tests. */
  firstWaitMs?: number
  timeoutMs?: number
  onError?: (error: unknown) => void
}

export type AttemptOutcome = 'delivered' | 'retried' | 'failed'

interface DeliverySettings extends WebhookSettings {
  /** Called after each attempt that was recorded. */
  onAttempt?: (outcome: AttemptOutcome) => void
  /** The real time in milliseconds since 1970, which the receiver compares with its own clock. */
  now: () => number
}

interface WebhookDelivery {
  /** Waits for attempts that are running, and starts no more. */
  stop(): Promise<void>
}

/** Attempts at a time, in all and per endpoint: a receiver that hangs delays only its own. */
const RUNNING_MAX = 32
const RUNNING_PER_ENDPOINT_MAX = 4
/** Longer than any attempt; a crashed node's deliveries are due again after it. */
const LEASE_MS = 60_000
/** A notification can be lost with its connection, so the database is polled this often. */
const POLL_MS = 30_000
const POLL_MS_MIN = 20

/** Delivers what is due until it is stopped; every new event wakes it. */
export function startWebhookDelivery(
  database: Database,
  secrets: Secrets,
  settings: DeliverySettings,
): WebhookDelivery {
  const running = new Map<Promise<void>, string>()
  const onError = settings.onError ?? (() => {})
  let stopped = false
  const { wake, stop } = createPoller(startDue, { afterErrorMs: POLL_MS, onError })

  /** Starts what is due, and returns how many milliseconds to wait for the next. */
  async function startDue(): Promise<number> {
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
    return Math.min(Math.max(nextMs ?? POLL_MS, POLL_MS_MIN), POLL_MS)
  }

  function start(delivery: DueDelivery): void {
    const attempt = deliver(database, secrets, delivery, settings)
      .catch(onError)
      .then(() => {
        running.delete(attempt)
        // Another attempt can start now, perhaps for the next event of the same order.
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

  const listener = listen(database.directUrl, [EVENT_CHANNEL], {
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
  secrets: Secrets,
  delivery: DueDelivery,
  settings: DeliverySettings,
): Promise<void> {
  // Without its key nothing is sent, and the delivery is due again for a node that has the key.
  const signingSecrets = await openSecretsOf(delivery, secrets)
  const result = await attempt(messageOf(delivery, signingSecrets, settings.now()), settings)
  const { status } = result
  if (status !== null && status >= 200 && status < 300) {
    await recordAttempt(db, delivery, result, { state: 'delivered' })
    settings.onAttempt?.('delivered')
    return
  }
  const elapsedMs = delivery.elapsed_ms + result.duration_ms
  const waitMs = nextWaitMs(elapsedMs, Math.random(), settings.firstWaitMs)
  const isGone = status === 410
  const outcome =
    isGone || waitMs === undefined
      ? ({ state: 'failed' } as const)
      : ({ state: 'pending', waitMs } as const)
  await recordAttempt(db, delivery, result, outcome)
  settings.onAttempt?.(outcome.state === 'failed' ? 'failed' : 'retried')
  if (isGone) await disableEndpoint(db, delivery.endpoint_uuid)
}

function openSecretsOf(delivery: DueDelivery, secrets: Secrets): Promise<string[]> {
  const row = secretRowOf(delivery.endpoint_uuid)
  return Promise.all(delivery.secrets.map((sealed) => secrets.open(sealed, row)))
}

async function attempt(
  message: Message,
  { allowedHosts, timeoutMs }: DeliverySettings,
): Promise<AttemptResult> {
  const startMs = performance.now()
  const duration = () => Math.round(performance.now() - startMs)
  try {
    const status = await sendWebhook(message, allowedHosts, timeoutMs)
    return { status, error: null, duration_ms: duration() }
  } catch (error) {
    return { status: null, error: (error as Error).message, duration_ms: duration() }
  }
}

function messageOf(delivery: DueDelivery, secrets: readonly string[], nowMs: number): Message {
  const event = {
    uuid: delivery.event_uuid,
    type: delivery.event_type,
    happenedOn: isoWithOffset(delivery.event_on),
    data: delivery.event_data,
  }
  return { url: delivery.url, ...webhookMessage(event, secrets, nowMs) }
}
