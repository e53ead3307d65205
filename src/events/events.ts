import { sql } from 'kysely'
import type { Fields } from '../audit/entry-fields.ts'
import { entryInsert, type NewEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import { newUuid } from '../lib/uuid.ts'

/** Every type of event. The `events` of an order leave out `order.create`. */
export const EVENT_TYPES = [
  'order.create',
  'order.fulfillments.create',
  'order.pay',
  'order.charge',
  'order.cancel',
  'order.confirm',
  'order.line.decline',
  'order.memo.return',
  'order.memo.convert',
  'order.memo.extend',
  'order.memo.due_soon',
  'order.memo.overdue',
  'order.return.request',
  'order.return.approve',
  'order.return.reject',
  'order.return.receive',
  'quote.request',
  'quote.accept',
  'quote.decline',
  'quote.counter',
  'order.invoice',
  'hold.create',
  'hold.ending',
  'hold.release',
  'hold.expire',
  'search.match',
  'enquiry.create',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface NewEvent {
  merchant_uuid: string
  /** Undefined when the event is not about an order. */
  order_uuid?: string
  event_type: EventType
  event_data: Record<string, unknown>
  /** What the audit says beside the data of the event; undefined: it did not exist before. */
  before?: Fields
  /** What the audit says of it afterwards: the data of the event unless given. */
  after?: Fields | null
}

/** A notification wakes the nodes, which then look for deliveries that are due. */
export const EVENT_CHANNEL = 'pavilion_event'

/**
 * Records an event in the transaction of what happened, with a delivery for every webhook that is
 * subscribed to it. It locks the merchant's event clock, so it comes after the locks of orders and
 * products and before the change log, which is last. The entry of the audit is a part of the same
 * statement: an event is never without one, and costs no other round trip.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { merchant_uuid, event_type } = event
  const uuid = newUuid()
  const orderUuid = event.order_uuid ?? null
  await sql`
    with entry as (${entryInsert(tx, { ...entryOf(event), uuid })}), clock as (
      insert into event_clock as clock (merchant_uuid, last) values (${merchant_uuid}, 1)
      on conflict (merchant_uuid) do update set last = clock.last + 1
      returning last
    ), written as (
      insert into event (uuid, merchant_uuid, sequence, order_uuid, event_type, event_data)
      select ${uuid}, ${merchant_uuid}, last, ${orderUuid}::uuid, ${event_type},
        ${JSON.stringify(event.event_data)}::jsonb
      from clock returning uuid, sequence
    ), outbox as (
      insert into webhook_delivery (endpoint_uuid, event_uuid, order_uuid, sequence)
      select endpoint.uuid, written.uuid, ${orderUuid}::uuid, written.sequence
      from written, webhook_endpoint as endpoint
      where endpoint.merchant_uuid = ${merchant_uuid} and endpoint.disabled_on is null
        and (endpoint.event_types is null or ${event_type} = any(endpoint.event_types))
      ${WHILE_IT_EXISTS}
      returning uuid
    )
    select pg_notify(${EVENT_CHANNEL}, '') from outbox limit 1`.execute(tx)
}

function entryOf({ merchant_uuid, event_type, event_data, before, after }: NewEvent): NewEntry {
  return {
    action: event_type,
    subject: subjectOf(event_data),
    merchant_uuid,
    before: before ?? null,
    after: after === undefined ? event_data : after,
  }
}

/** What the data of an event names, the most precise first: a return is also about an order. */
const SUBJECTS = ['return', 'hold', 'quote', 'enquiry', 'order'] as const

function subjectOf(data: Record<string, unknown>): NewEntry['subject'] {
  for (const kind of SUBJECTS) {
    const id = data[`${kind}_uuid`]
    if (typeof id === 'string') return { kind, id }
  }
  throw new Error('an event names what it is about')
}

/**
 * Records alerts of a merchant, in their order, by one statement. They tell of what others wrote:
 * the audit has an entry of that already.
 */
export async function recordAlerts(
  tx: Tx,
  { merchant_uuid, event_type }: Pick<NewEvent, 'merchant_uuid' | 'event_type'>,
  data: readonly Record<string, unknown>[],
): Promise<void> {
  const uuids = data.map(() => newUuid())
  const json = data.map((each) => JSON.stringify(each))
  await sql`
    with clock as (
      insert into event_clock as clock (merchant_uuid, last)
      values (${merchant_uuid}, ${data.length})
      on conflict (merchant_uuid) do update set last = clock.last + excluded.last
      returning last
    ), written as (
      insert into event (uuid, merchant_uuid, sequence, event_type, event_data)
      select entry.uuid, ${merchant_uuid}, last - ${data.length} + n, ${event_type}, entry.data
      from clock,
        unnest(${uuids}::uuid[], ${json}::jsonb[]) with ordinality as entry (uuid, data, n)
      returning uuid, sequence
    ), outbox as (
      insert into webhook_delivery (endpoint_uuid, event_uuid, sequence)
      select endpoint.uuid, written.uuid, written.sequence
      from written, webhook_endpoint as endpoint
      where endpoint.merchant_uuid = ${merchant_uuid} and endpoint.disabled_on is null
        and (endpoint.event_types is null or ${event_type} = any(endpoint.event_types))
      ${WHILE_IT_EXISTS}
      returning uuid
    )
    select pg_notify(${EVENT_CHANNEL}, '') from outbox limit 1`.execute(tx)
}

/** The statement may have waited for the clock: an endpoint removed meanwhile is left out. */
const WHILE_IT_EXISTS = sql`for key share of endpoint`

interface MerchantEvent {
  uuid: string
  sequence: number
  event_type: string
  event_data: Record<string, unknown>
  created_on: string
}

/** Returns a merchant's events after a number, oldest first. */
export function listEvents(
  db: Db,
  merchantUuid: string,
  after: number,
  limit: number,
): Promise<MerchantEvent[]> {
  return (
    db
      .selectFrom('event')
      .select(['uuid', 'event_type', 'event_data', 'created_on'])
      // A merchant's event always has one.
      .select((eb) => eb.ref('sequence').$notNull().as('sequence'))
      .where('merchant_uuid', '=', merchantUuid)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .execute()
  )
}
