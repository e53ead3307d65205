import { type Selectable, sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import type { Sealed } from '../database/tables/columns.ts'
import type { WebhookAttemptTable, WebhookDeliveryTable } from '../database/tables/events.ts'
import { inTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { EVENT_CHANNEL } from './events.ts'
import type { WebhookEndpoint } from './webhook.ts'

// Deliveries are timed by PostgreSQL's clock and not by the market's, which can be moved in a
// sandbox: the time of a receiver cannot.

/** A delivery that this node has claimed, with everything that sending it needs. */
export interface DueDelivery {
  uuid: string
  endpoint_uuid: string
  url: string
  /** Sealed; the earlier one as well while it is valid. */
  secrets: Sealed[]
  event_uuid: string
  event_type: string
  event_data: Record<string, unknown>
  event_on: string
  attempts: number
  elapsed_ms: number
}

/**
 * Claims due deliveries. Other nodes skip the rows that are being claimed, and find them due again
 * only after `leaseMs`, which is longer than an attempt may last. A delivery is not due while an
 * earlier event of the same order is pending, so that they are delivered in order.
 */
export async function claimDeliveries(
  db: Db,
  { limit, leaseMs, except }: { limit: number; leaseMs: number; except: readonly string[] },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with due as (
      select delivery.uuid from webhook_delivery as delivery
      join webhook_endpoint as endpoint on endpoint.uuid = delivery.endpoint_uuid
      where delivery.state = 'pending' and delivery.due_on <= clock_timestamp()
        and endpoint.disabled_on is null
        and delivery.endpoint_uuid <> all(${[...except]}::uuid[])
        and not exists (
          select from webhook_delivery as earlier
          where earlier.endpoint_uuid = delivery.endpoint_uuid
            and earlier.order_uuid = delivery.order_uuid
            and earlier.sequence < delivery.sequence and earlier.state = 'pending')
      order by delivery.due_on limit ${limit} for update of delivery skip locked
    ), claimed as (
      update webhook_delivery as delivery
      set due_on = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
      from due where delivery.uuid = due.uuid
      returning delivery.*
    )
    select claimed.uuid, claimed.endpoint_uuid, endpoint.url, event.uuid as event_uuid,
      event.event_type, event.event_data, event.created_on as event_on, claimed.attempts,
      array_remove(array[endpoint.secret, case when endpoint.earlier_secret_until > market_now()
        then endpoint.earlier_secret end], null) as secrets,
      (extract(epoch from clock_timestamp() - claimed.started_on) * 1000)::float8 as elapsed_ms
    from claimed join webhook_endpoint as endpoint on endpoint.uuid = claimed.endpoint_uuid
    join event on event.uuid = claimed.event_uuid
    order by event.sequence`.execute(db)
  return rows
}

/** Returns in how many milliseconds the next delivery is due; undefined when none is pending. */
export async function findNextDueMs(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(due_on) - clock_timestamp()) * 1000)::float8 as wait
    from webhook_delivery as delivery
    join webhook_endpoint as endpoint on endpoint.uuid = delivery.endpoint_uuid
    where state = 'pending' and endpoint.disabled_on is null`.execute(db)
  return rows[0].wait ?? undefined
}

/** Pending deliveries of all merchants. */
export interface WaitingDeliveries {
  /** At most `WAITING_COUNTED_MAX`. */
  count: number
  /** How long the oldest of them is overdue; negative when none is due yet. */
  overdue_seconds: number
}

/** Bounds the count: whether a million or ten thousand wait makes no difference to an operator. */
const WAITING_COUNTED_MAX = 10_000

export async function countWaitingDeliveries(db: Db): Promise<WaitingDeliveries> {
  const { rows } = await sql<WaitingDeliveries>`
    select count(*)::int as count,
      coalesce(extract(epoch from now() - min(due_on)), 0)::float8 as overdue_seconds
    from (
      select due_on from webhook_delivery as delivery
      join webhook_endpoint as endpoint on endpoint.uuid = delivery.endpoint_uuid
      where state = 'pending' and endpoint.disabled_on is null
      order by due_on limit ${WAITING_COUNTED_MAX}
    ) as waiting`.execute(db)
  return rows[0]
}

export interface AttemptResult {
  status: number | null
  error: string | null
  duration_ms: number
}

/** Logs an attempt, and sets what happens to the delivery next. */
export async function recordAttempt(
  db: Db,
  delivery: DueDelivery,
  result: AttemptResult,
  outcome: { state: 'delivered' | 'failed' } | { state: 'pending'; waitMs: number },
): Promise<void> {
  const waitSeconds = outcome.state === 'pending' ? outcome.waitMs / 1000 : 0
  await sql`
    with counted as (
      update webhook_delivery set attempts = attempts + 1, state = ${outcome.state},
        due_on = clock_timestamp() + make_interval(secs => ${waitSeconds}),
        delivered_on = case when ${outcome.state} = 'delivered' then clock_timestamp() end
      where uuid = ${delivery.uuid} returning uuid, attempts
    )
    insert into webhook_attempt (delivery_uuid, number, duration_ms, status, error)
    select uuid, attempts, ${result.duration_ms}, ${result.status}::int, ${result.error}::text
    from counted`.execute(db)
}

/** Disables an endpoint whose receiver is gone; its pending deliveries have failed. */
export async function disableEndpoint(db: Db, uuid: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const endpoint = await lockEnabled(tx, uuid)
    if (endpoint) {
      await recordEntry(tx, {
        action: 'webhook.disable',
        subject: { kind: 'webhook', id: uuid },
        merchant_uuid: endpoint.merchant_uuid,
        before: { disabled: false },
        after: { disabled: true },
      })
    }
    await disable(tx, uuid)
  })
}

function lockEnabled(tx: Tx, uuid: string): Promise<{ merchant_uuid: string } | undefined> {
  return tx
    .selectFrom('webhook_endpoint')
    .select('merchant_uuid')
    .where('uuid', '=', uuid)
    .where('disabled_on', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

async function disable(tx: Tx, uuid: string): Promise<void> {
  await sql`
    with disabled as (
      update webhook_endpoint set disabled_on = coalesce(disabled_on, market_now()),
        updated_on = market_now()
      where uuid = ${uuid} returning uuid
    )
    update webhook_delivery set state = 'failed' from disabled
    where endpoint_uuid = disabled.uuid and state = 'pending'`.execute(tx)
}

export interface DeliveryLogEntry extends Omit<Selectable<WebhookDeliveryTable>, 'attempts'> {
  event_type: string
  attempts: Omit<Selectable<WebhookAttemptTable>, 'delivery_uuid'>[]
}

/** Returns the deliveries of an endpoint with their attempts, newest first. */
export async function listDeliveries(
  db: Db,
  endpointUuid: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ deliveries: DeliveryLogEntry[]; total: number }> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .innerJoin('event', 'event.uuid', 'event_uuid')
    .selectAll('webhook_delivery')
    .select('event.event_type')
    .where('endpoint_uuid', '=', endpointUuid)
    .orderBy('webhook_delivery.created_on', 'desc')
    .orderBy('webhook_delivery.uuid')
    .limit(limit)
    .offset(offset)
    .execute()
  const attempts = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_uuid', '=', sql<string>`any(${rows.map(({ uuid }) => uuid)}::uuid[])`)
    .orderBy('number')
    .execute()
  const { total } = await db
    .selectFrom('webhook_delivery')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('endpoint_uuid', '=', endpointUuid)
    .executeTakeFirstOrThrow()
  const deliveries = rows.map((row) => ({
    ...row,
    attempts: attempts.filter(({ delivery_uuid }) => delivery_uuid === row.uuid),
  }))
  return { deliveries, total }
}

/** Sends a delivery again, and retries it for another day. */
export async function replayDelivery(
  tx: Tx,
  { uuid: endpointUuid, merchant_uuid }: Pick<WebhookEndpoint, 'uuid' | 'merchant_uuid'>,
  uuid: string,
): Promise<void> {
  const { rows } = await sql`
    with again as (
      update webhook_delivery set state = 'pending', due_on = clock_timestamp(),
        started_on = clock_timestamp(), delivered_on = null
      where uuid = ${uuid} and endpoint_uuid = ${endpointUuid} returning uuid
    )
    select pg_notify(${EVENT_CHANNEL}, '') from again`.execute(tx)
  if (rows.length === 0) throw new Refusal('not_found', `There is no delivery ${uuid}.`)
  await recordEntry(tx, {
    action: 'webhook.replay',
    subject: { kind: 'webhook', id: endpointUuid },
    merchant_uuid,
    after: { delivery_uuid: uuid },
  })
}

const LOG_DAYS = 30

/** Removes old deliveries that are not pending; their events stay. */
export async function removeOldDeliveries(db: Db): Promise<void> {
  await sql`delete from webhook_delivery where state <> 'pending'
    and created_on < now() - make_interval(days => ${LOG_DAYS})`.execute(db)
}
