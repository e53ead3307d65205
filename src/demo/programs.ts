import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { Secrets } from '../database/secrets/secrets.ts'
import { addEndpoint, updateEndpoint } from '../events/webhook-store.ts'
import { findMerchants } from '../merchants/merchant-store.ts'
import type { Realm } from '../merchants/token.ts'
import { openUserSession } from '../people/session.ts'
import { createShare } from '../saved-searches/selections/shares.ts'
import { watchStones } from '../saved-searches/selections/watched.ts'
import { asMerchant } from './actors.ts'

interface DemoProgramsOptions {
  realm: Realm
  /** Without them a market has no webhooks, whose secrets are stored encrypted. */
  secrets?: Secrets | undefined
}

/** What a merchant's programs and people have left: webhooks with deliveries, and sessions. */
export async function createDemoPrograms(
  tx: Tx,
  merchantUuid: string,
  { realm, secrets }: DemoProgramsOptions,
): Promise<void> {
  const merchant = await asMerchant(tx, merchantUuid)
  if (secrets) await createWebhooks(merchant, merchantUuid, secrets)
  await openSessions(merchant, merchantUuid, realm)
  await shareStones(merchant, merchantUuid)
}

/** Two pages for customers, whose links nobody has; and stones on the watch list. */
async function shareStones(tx: Tx, merchantUuid: string): Promise<void> {
  const stones = await tx
    .selectFrom('gem')
    .select('sku')
    .where('product_type', '=', 'diamond')
    .where('state', '=', 'available')
    .where('image_top_url', 'is not', null)
    .orderBy('id')
    .limit(SHARED_STONES)
    .execute()
  const skus = stones.map(({ sku }) => sku)
  // A demo market may have gemstones and jewelry only.
  if (skus.length === 0) return
  const [merchant] = await findMerchants(tx, [merchantUuid])
  const created_by = tx.actor?.name ?? ''
  for (const title of ['For your anniversary', 'Three stones for the ring']) {
    await createShare(tx, merchant, { skus, days: 14, title, note: null, created_by })
  }
  await watchStones(tx, merchant, skus, created_by)
}

const SHARED_STONES = 3

/** They are switched off: no server would receive what happens in the market from now on. */
const WEBHOOKS = [
  { url: 'https://hooks.facet-street.example/orders', description: 'order desk' },
  { url: 'https://hooks.facet-street.example/old', description: 'the shop before this one' },
] as const

async function createWebhooks(tx: Tx, merchantUuid: string, secrets: Secrets): Promise<void> {
  for (const fields of WEBHOOKS) {
    const { endpoint } = await addEndpoint(tx, secrets, merchantUuid, fields, [])
    await updateEndpoint(tx, endpoint, { disabled: true }, [])
    await recordDeliveries(tx, endpoint.uuid, merchantUuid)
  }
}

const DELIVERIES = 5

/** The last events have been delivered at the first attempt. */
async function recordDeliveries(tx: Tx, endpointUuid: string, merchantUuid: string): Promise<void> {
  await sql`
    with delivered as (
      insert into webhook_delivery (endpoint_uuid, event_uuid, order_uuid, sequence, state,
        attempts, due_on, started_on, created_on, delivered_on)
      select ${endpointUuid}::uuid, uuid, order_uuid, sequence, 'delivered', 1,
        created_on, created_on, created_on, created_on
      from event where merchant_uuid = ${merchantUuid} order by sequence desc limit ${DELIVERIES}
      returning uuid, created_on
    )
    insert into webhook_attempt (delivery_uuid, number, attempted_on, duration_ms, status)
    select uuid, 1, created_on, 48, 204 from delivered`.execute(tx)
}

/** Two people are signed in; nobody has their tokens. */
async function openSessions(tx: Tx, merchantUuid: string, realm: Realm): Promise<void> {
  const people = await tx
    .selectFrom('app_user')
    .select('uuid')
    .where('merchant_uuid', '=', merchantUuid)
    .where('role', '<>', 'viewer')
    .orderBy('role')
    .execute()
  for (const { uuid } of people) await openUserSession(tx, realm, uuid, 'link')
}
