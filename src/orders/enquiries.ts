import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { Timestamp } from '../database/tables/columns.ts'
import { type CountedUse, countKey, countUse, deleteEndedCounts } from '../database/use-counts.ts'
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
 * Limits of enquiries. A merchant gets each as an event, a webhook and an e-mail: a program must
 * not send thousands.
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
export function countEnquiry(tx: Tx, { tokenUuid, address }: Sender): Promise<number> {
  const uses: CountedUse[] = [{ key: countKey(tokenUuid), limit: LIMITS.key }]
  if (address !== undefined) {
    uses.push({ key: countKey(`${tokenUuid} ${callerKey(address)}`), limit: LIMITS.address })
  }
  return countUse(tx, 'enquiry_count', uses)
}

/** Deletes counts whose time has ended. */
export function deleteEnquiryCounts(db: Db): Promise<void> {
  return deleteEndedCounts(db, 'enquiry_count')
}
