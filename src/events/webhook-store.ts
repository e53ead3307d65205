import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import type { Secrets } from '../database/secrets/secrets.ts'
import type { Sealed } from '../database/tables/columns.ts'
import { withinTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { limitOf, limitRefusal } from '../reference/merchant-limits.ts'
import type { EventType } from './events.ts'
import { newSecret, ROTATION_HOURS, secretRowOf, type WebhookEndpoint } from './webhook.ts'
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

/** The secret is returned when it is made, and never again: only its sealed form is stored. */
export interface NewWebhookSecret {
  endpoint: WebhookEndpoint
  secret: string
}

/** Registers an endpoint. */
export async function addEndpoint(
  tx: Tx,
  secrets: Secrets,
  merchantUuid: string,
  fields: EndpointFields,
  allowedHosts: readonly string[],
): Promise<NewWebhookSecret> {
  refuseBadUrl(fields.url, allowedHosts)
  await claimPlace(tx, merchantUuid)
  const uuid = newUuid()
  const { secret, sealed } = await makeSecret(tx, secrets, uuid)
  const endpoint = await tx
    .insertInto('webhook_endpoint')
    .values({
      uuid,
      merchant_uuid: merchantUuid,
      url: fields.url,
      description: fields.description ?? '',
      event_types: typesColumn(fields.event_types),
      secret: sealed,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordWebhook(tx, 'webhook.create', null, endpoint)
  return { endpoint, secret }
}

async function recordWebhook(
  tx: Tx,
  action: string,
  before: WebhookEndpoint | null,
  after: WebhookEndpoint | null,
): Promise<void> {
  const { uuid = '', merchant_uuid } = after ?? before ?? {}
  await recordEntry(tx, {
    action,
    subject: { kind: 'webhook', id: uuid },
    merchant_uuid,
    before: before && auditedFields(before),
    after: after && auditedFields(after),
  })
}

function auditedFields({ url, description, event_types, disabled_on }: WebhookEndpoint) {
  return { url, description, event_types, disabled_on }
}

async function makeSecret(tx: Tx, secrets: Secrets, uuid: string) {
  const secret = newSecret()
  return { secret, sealed: await secrets.seal(tx, secret, secretRowOf(uuid)) }
}

/** Locks the merchant, so that two webhooks added at once cannot exceed the limit. */
async function claimPlace(tx: Tx, merchantUuid: string): Promise<void> {
  const merchant = await tx
    .selectFrom('merchant')
    .select('max_webhooks')
    .where('uuid', '=', merchantUuid)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const limit = limitOf(merchant, 'max_webhooks')
  const used = await countEndpoints(tx, merchantUuid)
  if (used < limit) return
  const advice = 'Remove one first'
  throw limitRefusal('webhook_limit', { name: 'max_webhooks', limit, used, advice })
}

export async function countEndpoints(db: Db | Tx, merchantUuid: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_endpoint')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirstOrThrow()
  return count
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
  if (!endpoint) throw notFound(uuid)
  return endpoint
}

/** Also when the webhook is deleted between reading and changing it. */
function notFound(uuid: string): Refusal {
  return new Refusal('not_found', `There is no webhook ${uuid}.`)
}

export async function updateEndpoint(
  db: Db | Tx,
  endpoint: WebhookEndpoint,
  change: EndpointChange,
  allowedHosts: readonly string[],
): Promise<WebhookEndpoint> {
  if (change.url !== undefined) refuseBadUrl(change.url, allowedHosts)
  return withinTransaction(db, async (tx) => {
    const earlier = await lockEndpoint(tx, endpoint.uuid)
    const changed = await changeColumns(tx, endpoint.uuid, change)
    await recordWebhook(tx, 'webhook.change', earlier, changed)
    return changed
  })
}

/** Until the transaction ends, nobody else changes the webhook. */
export function lockEndpoint(tx: Tx, uuid: string): Promise<WebhookEndpoint> {
  const one = tx.selectFrom('webhook_endpoint').selectAll().where('uuid', '=', uuid).forUpdate()
  return one.executeTakeFirstOrThrow(() => notFound(uuid))
}

function changeColumns(tx: Tx, uuid: string, change: EndpointChange): Promise<WebhookEndpoint> {
  const { url, description, event_types, disabled } = change
  return tx
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
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Sets a new secret; the earlier one signs as well for a day, so that no delivery is lost. */
export async function rotateSecret(
  tx: Tx,
  secrets: Secrets,
  uuid: string,
): Promise<NewWebhookSecret> {
  const { secret, sealed } = await makeSecret(tx, secrets, uuid)
  const endpoint = await tx
    .updateTable('webhook_endpoint')
    .set({
      secret: sealed,
      earlier_secret: sql<Sealed>`secret`,
      earlier_secret_until: sql<string>`market_now() + make_interval(hours => ${ROTATION_HOURS})`,
      updated_on: sql<string>`market_now()`,
    })
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound(uuid))
  await recordWebhook(tx, 'webhook.rotate', endpoint, endpoint)
  return { endpoint, secret }
}

/**
 * Gives up the secrets whose key is lost: each such webhook gets a new secret, which nobody knows,
 * and is disabled until its merchant rotates the secret and enables it. Returns those webhooks.
 */
export async function replaceLostSecrets(tx: Tx, secrets: Secrets): Promise<string[]> {
  const lost = []
  const endpoints = await tx
    .selectFrom('webhook_endpoint')
    .select(['uuid', 'secret', 'earlier_secret'])
    .orderBy('uuid')
    .forUpdate()
    .execute()
  for (const { uuid, secret, earlier_secret } of endpoints) {
    const isLost = !(await secrets.canOpen(secret))
    if (!isLost && (earlier_secret === null || (await secrets.canOpen(earlier_secret)))) continue
    const { sealed } = await makeSecret(tx, secrets, uuid)
    await tx
      .updateTable('webhook_endpoint')
      .set({
        earlier_secret: null,
        earlier_secret_until: null,
        ...(isLost && { secret: sealed, disabled_on: sql<string>`market_now()` }),
        updated_on: sql<string>`market_now()`,
      })
      .where('uuid', '=', uuid)
      .execute()
    if (isLost) lost.push(uuid)
  }
  return lost
}

/** Removes an endpoint with its deliveries; the events stay. */
export async function removeEndpoint(db: Db | Tx, uuid: string): Promise<void> {
  await withinTransaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom('webhook_endpoint')
      .where('uuid', '=', uuid)
      .returningAll()
      .executeTakeFirst()
    if (removed) await recordWebhook(tx, 'webhook.remove', removed, null)
  })
}

function refuseBadUrl(url: string, allowedHosts: readonly string[]): void {
  const message = whyNotAllowed(url, allowedHosts)
  if (message === undefined) return
  throw new Refusal('invalid_request', `url ${message}.`, { errors: [{ field: 'url', message }] })
}
