import { Type } from 'typebox'
import { EVENT_TYPES } from '../../../events/events.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  ONE_LINE,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'

/** Webhooks, their deliveries, and the events that both report and pollers read. */
const url = text(
  'Where to send events: an https address on the public internet, on port 443 or 80',
  'https://shop.example/hooks',
  { maxLength: 2000, pattern: ONE_LINE },
)
const description = text('What the webhook is for; one line', 'order desk', {
  maxLength: 200,
  pattern: ONE_LINE,
})
const eventTypes = nullable(
  list(oneOf(EVENT_TYPES, 'A type of event'), 'Only these types; null means all', {
    minItems: 1,
    maxItems: 50,
  }),
)

export const WebhookBody = inlineObject(
  {
    url,
    description: Type.Optional(description),
    event_types: Type.Optional(eventTypes),
  },
  { title: 'NewWebhook' },
)

export const WebhookPatch = inlineObject(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    event_types: Type.Optional(eventTypes),
    disabled: Type.Optional(flag('Whether sending is paused', false)),
  },
  { title: 'WebhookChange', minProperties: 1 },
)

const webhookFields = {
  uuid: uuid('UUID of the webhook'),
  url: text('Where events are sent', 'https://shop.example/hooks'),
  description: text('What the webhook is for', 'order desk'),
  event_types: nullable(
    list(text('A type of event', 'order.create'), 'Only these types; null means all'),
  ),
  disabled: flag(
    'Whether sending is paused: by the merchant, or because the receiver returned 410',
    false,
  ),
  earlier_secret_until: nullable(
    timestamp('Until when messages are also signed with the previous secret'),
  ),
  created_on: timestamp('When it was registered'),
  updated_on: timestamp('When it was last changed'),
}

export const WebhookSchema = object('Webhook', webhookFields)
export const WebhookWithSecretSchema = object('WebhookWithSecret', {
  ...webhookFields,
  secret: text('The secret that signs messages, shown only this once', 'whsec_…'),
})

export const DeliverySchema = object('WebhookDelivery', {
  uuid: uuid('UUID of the delivery'),
  event_uuid: uuid('UUID of the event; sent as webhook-id'),
  event_type: text('Type of the event', 'order.create'),
  order_uuid: nullable(uuid('The order that the event is about, if any')),
  state: oneOf(['pending', 'delivered', 'failed'], 'State of the delivery'),
  attempts: list(
    object('WebhookAttempt', {
      number: integer('Number of the attempt, from 1', 1),
      attempted_on: timestamp('When the attempt ended'),
      duration_ms: integer('Duration in milliseconds', 120),
      status: nullable(integer("HTTP status of the receiver's response", 200)),
      error: nullable(text('Why there was no response', 'no response within 10 seconds')),
    }),
    'Oldest first',
  ),
  created_on: timestamp('When the event happened'),
  due_on: nullable(timestamp('When the next attempt is due')),
  delivered_on: nullable(timestamp('When the receiver accepted it')),
})

export const EventsSchema = object('Events', {
  events: list(
    object('Event', {
      uuid: uuid('UUID of the event; the webhook-id of its deliveries'),
      sequence: integer("Number of the event among the merchant's events", 42),
      event_type: text('Type of the event', 'order.create'),
      event_data: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Depends on the type of event',
          examples: [{ order_uuid: '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90' }],
        },
      ),
      created_on: timestamp('When the event happened'),
      updated_on: timestamp('The same as created_on'),
    }),
    'Oldest first',
  ),
  next: integer('What to send as `after` in the next request', 42),
  more: flag('Whether there are more events already', false),
  last: integer("Number of the merchant's newest event; 0 before the first", 42),
})
