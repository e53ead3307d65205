import { type RawBuilder, sql } from 'kysely'
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
  'watch.change',
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
 * Records an event in the transaction of what happened. Its number, and the deliveries to webhooks,
 * are made after the commit (number-changes.ts), so nobody waits for another's commit.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await sql`with ${eventInserts(tx, event)} select`.execute(tx)
}

/**
 * The inserts of an event, for the `with` clause of a statement that is executed anyway. The entry
 * of the audit is one of them: an event is never without one, and costs no other round trip. The
 * event may depend on a condition without which the transaction is not committed.
 */
export function eventInserts(tx: Tx, event: NewEvent, condition = sql`true`): RawBuilder<unknown> {
  const { merchant_uuid, event_type } = event
  const uuid = newUuid()
  return sql`
    audited as (${entryInsert(tx, { ...entryOf(event), uuid })}),
    recorded as (
      insert into event (uuid, merchant_uuid, order_uuid, event_type, event_data)
      select ${uuid}::uuid, ${merchant_uuid}::uuid, ${event.order_uuid ?? null}::uuid,
        ${event_type}::text, ${JSON.stringify(event.event_data)}::jsonb
      where ${condition}
    )`
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
    insert into event (uuid, merchant_uuid, event_type, event_data)
    select entry.uuid, ${merchant_uuid}, ${event_type}, entry.data
    from unnest(${uuids}::uuid[], ${json}::jsonb[]) with ordinality as entry (uuid, data, n)
    order by n`.execute(tx)
}

interface MerchantEvent {
  uuid: string
  sequence: number
  event_type: string
  event_data: Record<string, unknown>
  created_on: string
}

/** Returns a merchant's events after a number, oldest first. Those without one come later. */
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
