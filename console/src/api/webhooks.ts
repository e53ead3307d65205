import type { Static } from 'typebox'
import type {
  DeliverySchema,
  WebhookBody,
  WebhookSchema,
  WebhookWithSecretSchema,
} from '../../../src/http/schemas/events/webhook.ts'
import { call, newIdempotencyKey, type Page } from './client.ts'

export type Webhook = Static<typeof WebhookSchema>
export type Delivery = Static<typeof DeliverySchema>
type WebhookWithSecret = Static<typeof WebhookWithSecretSchema>

export function listWebhooks(
  signal?: AbortSignal,
): Promise<Page<'webhooks', typeof WebhookSchema>> {
  return call('GET', '/api/v3/webhooks', { signal })
}

export function addWebhook(webhook: Static<typeof WebhookBody>): Promise<WebhookWithSecret> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/v3/webhooks', { body: webhook, idempotencyKey })
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
): Promise<Page<'deliveries', typeof DeliverySchema>> {
  const query = { limit: 50 }
  return call('GET', '/api/v3/webhooks/{uuid}/deliveries', { path: { uuid }, query, signal })
}

export function replayDelivery(uuid: string, delivery_uuid: string): Promise<void> {
  const path = { uuid, delivery_uuid }
  return call('POST', '/api/v3/webhooks/{uuid}/deliveries/{delivery_uuid}/replay', { path })
}
