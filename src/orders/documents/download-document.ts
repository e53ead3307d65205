import type { Db } from '../../database/open.ts'
import { type DocumentKind, TITLES } from '../../documents/content.ts'
import type { Renderer } from '../../documents/renderer.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getVisibleOrder } from '../order-store.ts'
import { findDocument, findPdf, readContent, storePdf } from './document-store.ts'

interface DocumentRequest {
  order_uuid: string
  kind: DocumentKind
  /** Undefined: the latest of its kind. */
  number?: string | undefined
  /** Undefined for the operator, who sees every order. */
  merchant_uuid: string | undefined
}

/** A document that the caller may see. Its bytes never change, so its uuid identifies them. */
interface FoundDocument {
  uuid: string
  kind: DocumentKind
  number: string
}

export async function getDocument(db: Db, request: DocumentRequest): Promise<FoundDocument> {
  const { order_uuid: orderUuid, kind, number, merchant_uuid: merchantUuid } = request
  const found = await findDocument(db, { orderUuid, kind, number, merchantUuid })
  if (found) return found
  const order = await getVisibleOrder(db, orderUuid, merchantUuid)
  const numbers = order.documents.filter((each) => each.kind === kind).map((each) => each.number)
  const title = TITLES[kind].toLowerCase()
  throw new Refusal(
    'not_found',
    numbers.length > 0
      ? `The order has no ${title} ${number}; it has ${numbers.join(', ')}.`
      : `The order has no ${title} yet: ${WHEN_ISSUED[kind]}.`,
  )
}

const WHEN_ISSUED: Record<DocumentKind, string> = {
  invoice: 'it is issued when something ships, or earlier by the operator',
  packing_slip: 'each shipment has one',
  memo: 'only an order on memo has one',
  credit_note: 'it is issued when goods are cancelled or returned after the invoice',
}

/**
 * Returns the PDF, which is drawn when it is first asked for and stored. Two nodes that draw it at
 * the same time return the bytes of the one that stored them first.
 */
export async function readPdf(db: Db, renderer: Renderer, uuid: string): Promise<Buffer> {
  const stored = await findPdf(db, uuid)
  if (stored) return stored
  return storePdf(db, uuid, await renderer.render(await readContent(db, uuid)))
}
