import { createHmac, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { WebhookEndpointTable } from '../database/tables/events.ts'

/**
 * Webhooks in the Standard Webhooks form: the headers `webhook-id`, `webhook-timestamp` and
 * `webhook-signature`, the last an HMAC-SHA256 over `id.timestamp.body`.
 */
export type WebhookEndpoint = Selectable<WebhookEndpointTable>

/** After a rotation both secrets are valid for this long. */
export const ROTATION_HOURS = 24

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** A sealed secret can be opened for its own webhook only. */
export function secretRowOf(uuid: string): { table: string; uuid: string } {
  return { table: 'webhook_endpoint', uuid }
}

/** One signature for each valid secret, because a receiver may still know only the earlier one. */
export function signaturesOf(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
      const content = `${id}.${timestampSeconds}.${body}`
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
    })
    .join(' ')
}

interface WebhookEvent {
  /** Every attempt has the same id, so that a receiver recognises a repetition. */
  uuid: string
  type: string
  /** When it happened, in ISO 8601. */
  happenedOn: string
  data: unknown
}

/** What is sent of an event: the body and its headers, signed at this time. */
export function webhookMessage(
  { uuid, type, happenedOn, data }: WebhookEvent,
  secrets: readonly string[],
  nowMs: number,
): { headers: Record<string, string>; body: string } {
  const timestampSeconds = Math.floor(nowMs / 1000)
  const body = JSON.stringify({ type, timestamp: happenedOn, data })
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Pavilion-Webhooks',
      'webhook-id': uuid,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signaturesOf(secrets, uuid, timestampSeconds, body),
    },
  }
}

const WAIT_MS_MIN = 5_000
const WAIT_MS_MAX = 2 * 3_600_000
export const GIVE_UP_MS = 24 * 3_600_000

/**
 * Returns how long to wait after a failure that came `elapsedMs` after the first attempt: as long
 * as all earlier waits together, at most two hours, and undefined after a day. `chance` (0 to 1)
 * spreads the attempts at a receiver that was away.
 */
export function nextWaitMs(
  elapsedMs: number,
  chance: number,
  firstWaitMs = WAIT_MS_MIN,
): number | undefined {
  if (elapsedMs >= GIVE_UP_MS) return undefined
  const wait = Math.min(Math.max(elapsedMs, firstWaitMs), WAIT_MS_MAX)
  return Math.round(wait * (0.9 + 0.2 * chance))
}
