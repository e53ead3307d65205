/** What a webhook and its deliveries look like, over HTTP and on the command line. */
import type { WebhookEndpoint } from '../../events/webhook.ts'
import type { DeliveryLogEntry } from '../../events/webhook-delivery-store.ts'
import type { NewWebhookSecret } from '../../events/webhook-store.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'

export function renderEndpoint(endpoint: WebhookEndpoint) {
  const { uuid: id, url, description, event_types } = endpoint
  return {
    uuid: id,
    url,
    description,
    event_types,
    disabled: endpoint.disabled_on !== null,
    earlier_secret_until: isoOrNull(endpoint.earlier_secret_until),
    created_on: isoWithOffset(endpoint.created_on),
    updated_on: isoWithOffset(endpoint.updated_on),
  }
}

export function renderWithSecret({ endpoint, secret }: NewWebhookSecret) {
  return { ...renderEndpoint(endpoint), secret }
}

export function renderDelivery(delivery: DeliveryLogEntry) {
  const { uuid: id, event_uuid, event_type, order_uuid, state, attempts } = delivery
  return {
    uuid: id,
    event_uuid,
    event_type,
    order_uuid,
    state,
    attempts: attempts.map(({ number, attempted_on, duration_ms, status, error }) => {
      return { number, attempted_on: isoWithOffset(attempted_on), duration_ms, status, error }
    }),
    created_on: isoWithOffset(delivery.created_on),
    due_on: state === 'pending' ? isoWithOffset(delivery.due_on) : null,
    delivered_on: isoOrNull(delivery.delivered_on),
  }
}
