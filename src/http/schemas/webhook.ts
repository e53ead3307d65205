import { Type } from 'typebox'
import { EVENT_TYPES } from '../../events/events.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from './fields.ts'

const url = text('Where to send; https, on the public internet', 'https://shop.example/hooks', {
  maxLength: 2000,
})
const description = text('What it is for; one line', 'order desk', {
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
})
const eventTypes = nullable(
  list(oneOf(EVENT_TYPES, 'A type of event'), 'Only these; null: all of them', {
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
    disabled: Type.Optional(flag('Whether nothing is sent for now', false)),
  },
  { title: 'WebhookChange', minProperties: 1 },
)

const webhookFields = {
  uuid: uuid('The webhook'),
  url: text('Where to send', 'https://shop.example/hooks'),
  description: text('What it is for', 'order desk'),
  event_types: nullable(list(text('A type of event', 'order.create'), 'Null: all of them')),
  disabled: flag('Switched off, or the receiver answered 410', false),
  earlier_secret_until: nullable(timestamp('Until when the secret before this one signs, too')),
  created_on: timestamp('When it was registered'),
  updated_on: timestamp('When it was last changed'),
}

export const WebhookSchema = object('Webhook', webhookFields)
export const WebhookWithSecretSchema = object('WebhookWithSecret', {
  ...webhookFields,
  secret: text('The key of the signature, shown this once', 'whsec_…'),
})

export const DeliverySchema = object('WebhookDelivery', {
  uuid: uuid('The delivery'),
  event_uuid: uuid('The event; sent as webhook-id'),
  event_type: text('What happened', 'order.create'),
  order_uuid: nullable(uuid('The order, when it is about one')),
  state: oneOf(['pending', 'delivered', 'failed'], 'How it went'),
  attempts: list(
    object('WebhookAttempt', {
      number: integer('Which attempt, from 1', 1),
      attempted_on: timestamp('When it ended'),
      duration_ms: integer('How long it took, in milliseconds', 120),
      status: nullable(integer("The receiver's status", 200)),
      error: nullable(text('Why there was none', 'no answer within 10 seconds')),
    }),
    'Oldest first',
  ),
  created_on: timestamp('When the event happened'),
  due_on: nullable(timestamp('When the next attempt is due')),
  delivered_on: nullable(timestamp('When it arrived')),
})

export const EventsSchema = object('Events', {
  events: list(
    object('Event', {
      uuid: uuid('The event; the webhook-id of its deliveries'),
      sequence: integer('Its number among the events of the merchant', 42),
      event_type: text('What happened', 'order.create'),
      event_data: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'What it says depends on the type',
          examples: [{ order_uuid: '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90' }],
        },
      ),
      created_on: timestamp('When it happened'),
      updated_on: timestamp('When it happened'),
    }),
    'Oldest first',
  ),
  next: integer('What to send as `after` next time', 42),
  more: flag('Whether there are more already', false),
})
