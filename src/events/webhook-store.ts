import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import type { EventType } from './events.ts'
import { ENDPOINTS_MAX, newSecret, ROTATION_HOURS, type WebhookEndpoint } from './webhook.ts'
import { whyNotAllowed } from './webhook-address.ts'

interface EndpointFields {
  url: string
  description?: string | undefined
  /** Null: all types. */
  event_types?: readonly EventType[] | null | undefined
}

interface EndpointChange extends Partial<EndpointFields> {
  disabled?: boolean | undefined
}

/** Registers an endpoint. Its secret is returned here and at a rotation, and never again. */
export async function addEndpoint(
  tx: Tx,
  merchantUuid: string,
  fields: EndpointFields,
  allowedHosts: readonly string[],
): Promise<WebhookEndpoint> {
  refuseBadUrl(fields.url, allowedHosts)
  // Locks the merchant, so that two additions at once cannot exceed the limit.
  await sql`select uuid from merchant where uuid = ${merchantUuid} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('webhook_endpoint')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirstOrThrow()
  if (count >= ENDPOINTS_MAX) {
    const detail = `A merchant has at most ${ENDPOINTS_MAX} webhooks; remove one first.`
    throw new Refusal('wrong_state', detail)
  }
  return tx
    .insertInto('webhook_endpoint')
    .values({
      uuid: newUuid(),
      merchant_uuid: merchantUuid,
      url: fields.url,
      description: fields.description ?? '',
      event_types: typesColumn(fields.event_types),
      secret: newSecret(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A type that is named twice counts once. */
function typesColumn(types: readonly string[] | null | undefined): string[] | null {
  return types ? [...new Set(types)] : null
}

export function listEndpoints(db: Db | Tx, merchantUuid?: string): Promise<WebhookEndpoint[]> {
  let all = db.selectFrom('webhook_endpoint').selectAll()
  if (merchantUuid) all = all.where('merchant_uuid', '=', merchantUuid)
  return all.orderBy('created_on').orderBy('uuid').execute()
}

/** Returns an endpoint of the merchant; of any merchant when none is given, for the operator. */
export async function getEndpoint(
  db: Db | Tx,
  uuid: string,
  merchantUuid?: string,
): Promise<WebhookEndpoint> {
  let one = db.selectFrom('webhook_endpoint').selectAll().where('uuid', '=', uuid)
  if (merchantUuid) one = one.where('merchant_uuid', '=', merchantUuid)
  const endpoint = await one.executeTakeFirst()
  if (!endpoint) throw new Refusal('not_found', `There is no webhook ${uuid}.`)
  return endpoint
}

export async function updateEndpoint(
  db: Db,
  endpoint: WebhookEndpoint,
  change: EndpointChange,
  allowedHosts: readonly string[],
): Promise<WebhookEndpoint> {
  if (change.url !== undefined) refuseBadUrl(change.url, allowedHosts)
  const { url, description, event_types, disabled } = change
  return db
    .updateTable('webhook_endpoint')
    .set({
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(event_types !== undefined && { event_types: typesColumn(event_types) }),
      ...(disabled !== undefined && {
        disabled_on: disabled ? sql<string>`coalesce(disabled_on, market_now())` : null,
      }),
      updated_on: sql<string>`market_now()`,
    })
    .where('uuid', '=', endpoint.uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Sets a new secret; the earlier one signs as well for a day, so that no delivery is lost. */
export async function rotateSecret(db: Db | Tx, uuid: string): Promise<WebhookEndpoint> {
  return db
    .updateTable('webhook_endpoint')
    .set({
      secret: newSecret(),
      earlier_secret: sql<string>`secret`,
      earlier_secret_until: sql<string>`market_now() + make_interval(hours => ${ROTATION_HOURS})`,
      updated_on: sql<string>`market_now()`,
    })
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes an endpoint with its deliveries; the events stay. */
export async function removeEndpoint(db: Db | Tx, uuid: string): Promise<void> {
  await db.deleteFrom('webhook_endpoint').where('uuid', '=', uuid).execute()
}

function refuseBadUrl(url: string, allowedHosts: readonly string[]): void {
  const message = whyNotAllowed(url, allowedHosts)
  if (message === undefined) return
  throw new Refusal('invalid_request', `url ${message}.`, { errors: [{ field: 'url', message }] })
}
