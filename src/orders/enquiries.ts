import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { Timestamp } from '../database/tables/columns.ts'
import { recordEvent } from '../events/events.ts'
import { callerKey } from '../lib/networks.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'

/**
 * What a visitor of a merchant's shop asks about a product. It is passed on as an event, and not
 * stored anywhere else: the answer is the merchant's.
 */
interface Enquiry {
  sku: string
  email: string
  name: string
  message: string
}

/** Passes an enquiry on to the merchant. A product that was sold meanwhile may be asked about. */
export async function sendEnquiry(tx: Tx, merchant_uuid: string, enquiry: Enquiry) {
  await refuseUnknownSku(tx, enquiry.sku)
  const uuid = newUuid()
  const { sku, email, name, message } = enquiry
  await recordEvent(tx, {
    merchant_uuid,
    event_type: 'enquiry.create',
    event_data: { enquiry_uuid: uuid, sku, email, name, message },
  })
  return receiptOf(tx, uuid, sku)
}

/** What is returned for an enquiry, whether or not it was passed on. */
export async function receiptOf(tx: Tx, uuid: string, sku: string) {
  const { rows } = await sql<{ created_on: Timestamp }>`select market_now() as created_on`.execute(
    tx,
  )
  return { uuid, sku, created_on: rows[0].created_on }
}

async function refuseUnknownSku(tx: Tx, sku: string): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from gem where sku = ${sku})
      or exists (select from variant where sku = ${sku}) as found`.execute(tx)
  if (rows[0].found) return
  const message = `${sku} is not known; send the sku of a stone, a parcel or a variant`
  throw new Refusal('invalid_request', `sku ${message}.`, { errors: [{ field: 'sku', message }] })
}

/**
 * Limits of enquiries, counted in the database, so that they hold for all nodes together. A
 * merchant gets each as an event, a webhook and an e-mail: a program must not send thousands.
 */
const LIMITS = {
  /** A visitor asks about some stones; a shop's own computers are behind one address. */
  address: { count: 10, seconds: 10 * 60 },
  /** Busier than the page of any shop. */
  key: { count: 300, seconds: 3_600 },
}

/** What an enquiry counts against: the key, and the address of the visitor if it is known. */
interface Sender {
  tokenUuid: string
  address?: string
}

/**
 * Counts an enquiry in its own transaction: one that is refused does not count. Returns after how
 * many seconds another may be sent, or 0 when this one may be sent now.
 */
export async function countEnquiry(tx: Tx, { tokenUuid, address }: Sender): Promise<number> {
  const counted = [
    { limit: LIMITS.key, key: hashOf(tokenUuid) },
    ...(address === undefined
      ? []
      : [{ limit: LIMITS.address, key: hashOf(`${tokenUuid} ${callerKey(address)}`) }]),
    // In the order of the keys, so that two enquiries lock the same rows in the same order.
  ].toSorted((a, b) => a.key.compare(b.key))
  const { rows } = await sql<{ key: Buffer; count: number; seconds: number }>`
    insert into enquiry_count as enquiry (key, count, ends_on)
    select key, 1, market_clock() + make_interval(secs => seconds)
    from unnest(
      ${counted.map(({ key }) => key)}::bytea[],
      ${counted.map(({ limit }) => limit.seconds)}::integer[]
    ) as counted (key, seconds)
    on conflict (key) do update set
      count = case when enquiry.ends_on <= market_clock() then 1 else enquiry.count + 1 end,
      ends_on = case when enquiry.ends_on <= market_clock() then excluded.ends_on
        else enquiry.ends_on end
    returning key, count, ceil(extract(epoch from ends_on - market_clock()))::integer as seconds
  `.execute(tx)
  const waits = counted.map(({ limit, key }) => {
    const row = rows.find((each) => each.key.equals(key))
    return row && row.count > limit.count ? Math.max(1, row.seconds) : 0
  })
  return Math.max(...waits)
}

/** Deletes counts whose time has ended. */
export async function deleteEnquiryCounts(db: Db): Promise<void> {
  await sql`delete from enquiry_count where ends_on < market_now()`.execute(db)
}

/** The table names neither keys nor addresses. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
