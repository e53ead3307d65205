import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import type { DocumentContent } from '../../documents/content.ts'
import { balanceOf } from '../ledger/ledger-entry.ts'
import { dueOn } from '../ledger/terms.ts'
import {
  type Fulfillment,
  type LedgerEntry,
  type Order,
  type OrderDocument,
  unitsReturnable,
} from '../order.ts'
import {
  creditNoteContent,
  invoiceContent,
  keptUnits,
  type LineUnits,
  memoContent,
  packingSlipContent,
  type Source,
} from './document-content.ts'
import { insertDocument, nextPackingSlip, takeNumber } from './document-store.ts'
import type { GemDisclosure } from './line-facts.ts'
import { readDocumentSettings } from './settings.ts'

/**
 * Documents are issued in the transaction of the step that causes them: what they say is written
 * down then, and the page is drawn when it is first asked for. All of these come after the locks of
 * orders and products, because they lock the counter of their numbers.
 */

/** What ships with one packing slip. */
export interface Shipment extends Pick<Fulfillment, 'tracking_company' | 'tracking_number'> {
  units: LineUnits[]
}

interface Issuing {
  shipment?: Shipment
  /** The entries that the change has written to the ledger. */
  written: readonly LedgerEntry[]
  now: string
}

/**
 * Issues what a change of an order calls for: the invoice when the order is being invoiced, a
 * credit note when it loses goods afterwards, and a packing slip when something ships. Returns the
 * invoice, when one was issued: its terms begin then.
 */
export async function issueDocuments(
  tx: Tx,
  before: Order,
  after: Order,
  { shipment, written, now }: Issuing,
): Promise<OrderDocument | undefined> {
  const credits = written.filter(({ kind }) => kind === 'credit')
  const isInvoiced = before.documents.some(({ kind }) => kind === 'invoice')
  const needsInvoice = after.invoiced_on !== null && !isInvoiced
  // Goods that cost nothing, because of a discount, are returned without a credit.
  const needsCredit = isInvoiced && balanceOf(credits) < 0n
  if (!needsInvoice && !needsCredit && !shipment) return undefined
  const source = await readSource(tx, after)
  if (shipment) await issuePackingSlip(tx, source, shipment, now)
  if (needsCredit) await issueCreditNote(tx, source, before, credits)
  return needsInvoice ? issueInvoice(tx, source) : undefined
}

async function issueInvoice(tx: Tx, source: Source): Promise<OrderDocument> {
  const issued = await takeNumber(tx, 'invoice')
  const due = dueOn({ ...source.order, invoiced_on: issued.created_on }) ?? ''
  return save(tx, source, invoiceContent(source, issued, due), issued)
}

async function issueCreditNote(
  tx: Tx,
  source: Source,
  before: Order,
  credits: readonly LedgerEntry[],
): Promise<void> {
  const units = unitsLost(before, source.order)
  const issued = await takeNumber(tx, 'credit_note')
  await save(tx, source, creditNoteContent(source, issued, { units, credits }), issued)
}

/** The units that an order had before a change and has not any more. */
function unitsLost(before: Order, { lines }: Order): LineUnits[] {
  const kept = new Map(lines.map((line) => [line.uuid, unitsReturnable(line)]))
  return keptUnits(before)
    .map(({ line, quantity }) => ({ line, quantity: quantity - (kept.get(line.uuid) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
}

async function issuePackingSlip(
  tx: Tx,
  source: Source,
  shipment: Shipment,
  now: string,
): Promise<void> {
  const issued = { number: await nextPackingSlip(tx), created_on: now }
  await save(tx, source, packingSlipContent(source, issued, shipment), issued)
}

/** Issues the memorandum of a memo that was just placed. */
export async function issueMemo(tx: Tx, order: Order): Promise<OrderDocument> {
  const issued = { number: order.memo_id ?? '', created_on: order.ordered_on }
  const source = await readSource(tx, order)
  return save(tx, source, memoContent(source, issued), issued)
}

function save(
  tx: Tx,
  { order }: Source,
  content: DocumentContent,
  { created_on }: { created_on: string },
): Promise<OrderDocument> {
  return insertDocument(tx, order.uuid, content, created_on)
}

async function readSource(tx: Tx, order: Order): Promise<Source> {
  const settings = await readDocumentSettings(tx)
  return { order, settings, disclosures: await readDisclosures(tx, order) }
}

/** What a seller must say of a stone, and what an order's copy of it does not have. */
async function readDisclosures(tx: Tx, { lines }: Order): Promise<Map<string, GemDisclosure>> {
  const ids = lines.flatMap(({ stock_kind, stock_id }) => (stock_kind === 'gem' ? [stock_id] : []))
  if (ids.length === 0) return new Map()
  const { rows } = await sql<GemDisclosure & { id: string }>`
    select id::text, treatment, lab_name, origin from gem
    where id = any(${ids.map(Number)}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, ...disclosure }) => [id, disclosure]))
}
