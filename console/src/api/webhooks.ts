import { call, newIdempotencyKey } from './client.ts'

/** As `Webhook` in /openapi/v3.json. */
export interface Webhook {
  uuid: string
  url: string
  description: string
  event_types: string[] | null
  disabled: boolean
  created_on: string
}

/** As `WebhookWithSecret` in /openapi/v3.json. */
export interface WebhookWithSecret extends Webhook {
  secret: string
}

/** As `WebhookDelivery` in /openapi/v3.json. */
export interface Delivery {
  uuid: string
  event_type: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: { number: number; status: number | null; error: string | null }[]
  created_on: string
  due_on: string | null
  delivered_on: string | null
}

export function listWebhooks(signal?: AbortSignal): Promise<{ webhooks: Webhook[] }> {
  return call('GET', '/api/v3/webhooks', { signal })
}

export function addWebhook(url: string, description: string): Promise<WebhookWithSecret> {
  return call('POST', '/api/v3/webhooks', {
    body: { url, description },
    idempotencyKey: newIdempotencyKey(),
  })
}

export function setWebhookDisabled(uuid: string, disabled: boolean): Promise<Webhook> {
  return call('PATCH', '/api/v3/webhooks/{uuid}', { path: { uuid }, body: { disabled } })
}

export function removeWebhook(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/webhooks/{uuid}', { path: { uuid } })
}

export function rotateSecret(uuid: string): Promise<WebhookWithSecret> {
  return call('POST', '/api/v3/webhooks/{uuid}/rotate', { path: { uuid } })
}

export function listDeliveries(
  uuid: string,
  signal?: AbortSignal,
): Promise<{ deliveries: Delivery[]; total: number }> {
  const query = { limit: 50 }
  return call('GET', '/api/v3/webhooks/{uuid}/deliveries', { path: { uuid }, query, signal })
}

export function replayDelivery(uuid: string, delivery_uuid: string): Promise<void> {
  const path = { uuid, delivery_uuid }
  return call('POST', '/api/v3/webhooks/{uuid}/deliveries/{delivery_uuid}/replay', { path })
}
