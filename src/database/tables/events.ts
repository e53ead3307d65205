import type { Generated } from 'kysely'
import type { Json, Sealed, Timestamp } from './columns.ts'

/** Events of merchants, the webhooks that deliver them, and the key of the webhooks' secrets. */
export interface EventTables {
  event_clock: { merchant_uuid: string; last: number }
  event: EventTable
  market_event_clock: { only_row: Generated<boolean>; last: number }
  webhook_endpoint: WebhookEndpointTable
  webhook_delivery: WebhookDeliveryTable
  webhook_attempt: WebhookAttemptTable
  secret_key: { only_row: Generated<boolean>; key_id: string | null; used_since: Timestamp }
}

export interface EventTable {
  uuid: string
  /** Null, as the sequence, for an event of the operator. */
  merchant_uuid: string | null
  /** Null until it is numbered, as the next one; see src/events/number-changes.ts. */
  sequence: Generated<number | null>
  market_sequence: Generated<number | null>
  /** The order in which events were recorded; null before migration 0053. */
  queued: Generated<number | null>
  order_uuid: string | null
  event_type: string
  event_data: Json<Record<string, unknown>>
  created_on: Generated<Timestamp>
}

export interface WebhookEndpointTable {
  uuid: string
  merchant_uuid: string
  url: string
  description: Generated<string>
  event_types: string[] | null
  secret: Sealed
  earlier_secret: Sealed | null
  earlier_secret_until: Timestamp | null
  disabled_on: Timestamp | null
  created_on: Generated<Timestamp>
  updated_on: Generated<Timestamp>
}

export interface WebhookDeliveryTable {
  uuid: Generated<string>
  endpoint_uuid: string
  event_uuid: string
  order_uuid: string | null
  sequence: number
  state: Generated<'pending' | 'delivered' | 'failed'>
  attempts: Generated<number>
  due_on: Generated<Timestamp>
  started_on: Generated<Timestamp>
  created_on: Generated<Timestamp>
  delivered_on: Timestamp | null
}

export interface WebhookAttemptTable {
  delivery_uuid: string
  number: number
  attempted_on: Generated<Timestamp>
  duration_ms: number
  status: number | null
  error: string | null
}
