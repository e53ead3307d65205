import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import type { DocumentContent, DocumentKind } from '../../documents/content.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { OrderDocument } from '../order.ts'

/** A document that takes the next number of its year. */
interface Numbered {
  number: string
  created_on: string
}

const PREFIXES = { invoice: 'INV', credit_note: 'CN' } as const
const DIGITS = 6

/**
 * Takes the next number of the year. The row stays locked until the commit, so this comes after the
 * locks of orders and products. The time is read when the lock is
 * there: a higher number is never earlier than a lower one.
 */
export async function takeNumber(tx: Tx, kind: keyof typeof PREFIXES): Promise<Numbered> {
  const { rows } = await sql<{ year: number; last: number; created_on: string }>`
    insert into document_counter as counter (kind, year, last)
    values (${kind}, extract(year from market_clock() at time zone 'UTC'), 1)
    on conflict (kind, year) do update set last = counter.last + 1
    returning year, last, least(market_clock(),
      make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'UTC') - interval '1 microsecond') as created_on
  `.execute(tx)
  const [{ year, last, created_on }] = rows
  return { number: `${PREFIXES[kind]}-${year}-${padded(last)}`, created_on }
}

/** `PS-000123`; a number may be missing when a shipment failed. */
export async function nextPackingSlip(tx: Tx): Promise<string> {
  const { rows } = await sql<{ number: number }>`
    select nextval('packing_slip_number') as number`.execute(tx)
  return `PS-${padded(rows[0].number)}`
}

function padded(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

export async function insertDocument(
  tx: Tx,
  order_uuid: string,
  content: DocumentContent,
  created_on: string,
): Promise<OrderDocument> {
  const { kind, number } = content
  const row = { uuid: newUuid(), order_uuid, kind, number, created_on }
  await tx
    .insertInto('document')
    .values({ ...row, content: JSON.stringify(content) })
    .execute()
  return { order_uuid, kind, number, created_on }
}

/** The documents of each order, oldest first. */
export function loadDocuments(db: Db | Tx, orders: readonly string[]): Promise<OrderDocument[]> {
  return db
    .selectFrom('document')
    .select(['order_uuid', 'kind', 'number', 'created_on'])
    .where('order_uuid', '=', sql<string>`any(${[...orders]}::uuid[])`)
    .orderBy('order_uuid')
    .orderBy('created_on')
    .orderBy('uuid')
    .execute()
}

interface DocumentKey {
  orderUuid: string
  kind: DocumentKind
  /** Undefined: the latest of its kind. */
  number: string | undefined
  /** Undefined: the order of any merchant. */
  merchantUuid: string | undefined
}

export function findDocument(db: Db, { orderUuid, kind, number, merchantUuid }: DocumentKey) {
  return db
    .selectFrom('document')
    .innerJoin('orders', 'orders.uuid', 'order_uuid')
    .select(['document.uuid', 'document.kind', 'document.number'])
    .where('order_uuid', '=', orderUuid)
    .where('document.kind', '=', kind)
    .$if(number !== undefined, (query) => query.where('document.number', '=', String(number)))
    .$if(merchantUuid !== undefined, (query) =>
      query.where('orders.merchant_uuid', '=', String(merchantUuid)),
    )
    .orderBy('document.created_on', 'desc')
    .orderBy('document.uuid', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function findPdf(db: Db, uuid: string): Promise<Buffer | undefined> {
  const found = await db
    .selectFrom('document')
    .select('pdf')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return found.pdf ?? undefined
}

/** What is needed to draw the page. */
export async function readContent(db: Db, uuid: string) {
  const { content, picture } = await db
    .selectFrom('document')
    .leftJoin('logo', (join) =>
      join.on('logo.sha256', '=', sql<string>`content #>> '{seller,logo}'`),
    )
    .select(['content', 'picture'])
    .where('document.uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return { content: content as DocumentContent, logo: picture ?? undefined }
}

/** Stores the page unless another node was faster, and returns the one that is stored. */
export async function storePdf(db: Db, uuid: string, pdf: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(pdf)
  const { numUpdatedRows } = await db
    .updateTable('document')
    .set({ pdf: bytes })
    .where('uuid', '=', uuid)
    .where('pdf', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return bytes
  const stored = await findPdf(db, uuid)
  if (!stored) throw new Error(`the PDF of document ${uuid} was not stored`)
  return stored
}
