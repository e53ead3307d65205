import type {
  Detail,
  DocumentContent,
  DocumentKind,
  DocumentLine,
  SumRow,
} from '../../documents/content.ts'
import { divideHalfUp, scaledFrom } from '../../lib/money.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { balanceOf, centsOf, chargesOf, dayOf } from '../ledger/ledger-entry.ts'
import {
  type Fulfillment,
  isCertificate,
  type LedgerEntry,
  type Order,
  type OrderLine,
  unitsReturnable,
} from '../order.ts'
import { billTo, shipTo } from './addresses.ts'
import { describeLine, type GemDisclosure } from './line-facts.ts'
import type { DocumentSettings } from './settings.ts'

/** What every document of an order is made from. */
export interface Source {
  order: Order
  settings: DocumentSettings
  /** By the id of the gem. */
  disclosures: ReadonlyMap<string, GemDisclosure>
}

export interface LineUnits {
  line: OrderLine
  quantity: number
}

interface Issued {
  number: string
  /** As PostgreSQL prints it. */
  created_on: string
}

/** The units that the order has, without what was cancelled or returned. */
export function keptUnits({ lines }: Order): LineUnits[] {
  return lines
    .filter((line) => !isCertificate(line))
    .map((line) => ({ line, quantity: unitsReturnable(line) }))
    .filter(({ quantity }) => quantity > 0)
}

/** The whole order as it is owed now: goods, charges, what was paid, what is left to pay. */
export function invoiceContent(source: Source, issued: Issued, dueOn: string): DocumentContent {
  const { order, settings } = source
  const lines = pricedLines(source, keptUnits(order))
  const paid = order.entries.filter(({ kind }) => kind === 'payment').reduce(addCents, 0n)
  const balance = balanceOf(order.entries)
  const charges = chargesOf(order.entries).map(({ entry, left }) => row(entry.label, left))
  const { invoice_note } = settings
  return {
    ...common(source, 'invoice', issued),
    due_on: dueOn,
    details: [
      ...dated('Date', dayOf(issued.created_on)),
      ...dated('Due', dueOn),
      { label: 'Terms', value: termsOf(order.payment_terms_days) },
      ...orderDetails(order),
    ],
    lines,
    sums: {
      rows: withRounding(lines, charges, balance - paid),
      total: row('Total', balance - paid),
      after: [
        ...(paid === 0n ? [] : [row('Paid', paid)]),
        row(balance < 0n ? 'Credit balance' : 'Balance due', balance),
      ],
    },
    paragraphs: [...noted('Notes', order.notes), ...noted('Note', invoice_note)],
  }
}

/** Goods that were cancelled or returned after the invoice, with the credits of the ledger. */
export function creditNoteContent(
  source: Source,
  issued: Issued,
  credited: { units: readonly LineUnits[]; credits: readonly LedgerEntry[] },
): DocumentContent {
  const { order } = source
  const lines = pricedLines(source, credited.units)
  const total = -credited.credits.reduce(addCents, 0n)
  const charges = credited.credits
    .filter(({ charge_number }) => charge_number !== null)
    .map((entry) => row(entry.label, -centsOf(entry)))
  const invoice = order.documents.find(({ kind }) => kind === 'invoice')
  return {
    ...common(source, 'credit_note', issued),
    details: [
      ...dated('Date', dayOf(issued.created_on)),
      { label: 'Credit for invoice', value: invoice?.number ?? '' },
      ...orderDetails(order),
    ],
    lines,
    sums: {
      rows: withRounding(lines, charges, total),
      total: row('Total credit', total),
      after: [],
    },
    paragraphs: noted('Reason', credited.credits[0]?.reason ?? ''),
  }
}

/** Goods on memo, with their value and the terms on which the merchant has them. */
export function memoContent(source: Source, issued: Issued): DocumentContent {
  const { order, settings } = source
  const due = order.memo_due_date === null ? null : dayOf(order.memo_due_date)
  const lines = pricedLines(source, keptUnits(order))
  const total = lines.reduce((sum, { amount }) => sum + scaledFrom(amount ?? '0', 2), 0n)
  const name = settings.seller.name || 'the seller'
  const terms = settings.memo_terms || memoTerms(name, due)
  return {
    ...common(source, 'memo', issued),
    due_on: due,
    details: [
      ...dated('Date', dayOf(issued.created_on)),
      ...(due === null ? [] : dated('Return by', due)),
      ...orderDetails(order).filter(({ label }) => label !== 'Memo'),
    ],
    lines,
    sums: { rows: [], total: row('Total value', total), after: [] },
    paragraphs: [...noted('Terms of this memo', terms), ...noted('Notes', order.notes)],
    signatures: ['Received by (name and signature)', 'Date'],
  }
}

function memoTerms(seller: string, due: string | null): string {
  const until = due === null ? 'on demand' : `on demand, and by ${longDate(due)} at the latest`
  return (
    `The goods listed above are delivered on memorandum, for inspection only, and remain the ` +
    `property of ${seller}. They are to be returned ${until}. Until they are returned or ` +
    `invoiced, the receiver bears the risk of their loss or damage from any cause, up to the ` +
    `values stated, and may not sell, pledge or alter them. A sale takes place only when ` +
    `${seller} issues an invoice for them.`
  )
}

/** One shipment, without prices. */
export function packingSlipContent(
  source: Source,
  issued: Issued,
  shipment: Pick<Fulfillment, 'tracking_company' | 'tracking_number'> & { units: LineUnits[] },
): DocumentContent {
  return {
    ...common(source, 'packing_slip', issued),
    details: [
      ...dated('Shipped', dayOf(issued.created_on)),
      { label: 'Carrier', value: shipment.tracking_company },
      { label: 'Tracking number', value: shipment.tracking_number },
      ...orderDetails(source.order),
    ],
    lines: shipment.units.map((units) => ({
      ...lineText(source, units),
      price: null,
      amount: null,
    })),
    sums: null,
    paragraphs: noted('Notes', source.order.notes),
    signatures: ['Packed by', 'Received by', 'Date'],
  }
}

function common({ order, settings }: Source, kind: DocumentKind, issued: Issued) {
  return {
    kind,
    number: issued.number,
    issued_on: dayOf(issued.created_on),
    due_on: null,
    paper: settings.paper,
    is_test: order.debug,
    currency_code: BASE_CURRENCY,
    seller: settings.seller,
    bill_to: billTo(order),
    ship_to: shipTo(order),
    signatures: [],
  }
}

function orderDetails({ order_id, order_reference, ordered_on, memo_id }: Order): Detail[] {
  return [
    { label: 'Order', value: order_id },
    ...(order_reference === '' ? [] : [{ label: 'Your reference', value: order_reference }]),
    ...dated('Ordered', dayOf(ordered_on)),
    ...(memo_id === null ? [] : [{ label: 'Memo', value: memo_id }]),
  ]
}

function dated(label: string, day: string): Detail[] {
  return [{ label, value: longDate(day) }]
}

/** `31 January 2026`, which reads the same on both sides of the Atlantic. */
function longDate(day: string): string {
  const [year, , date] = day.split('-')
  const month = new Date(`${day}T00:00Z`).toLocaleString('en', { month: 'long', timeZone: 'UTC' })
  return `${Number(date)} ${month} ${year}`
}

function termsOf(days: number): string {
  return days === 0 ? 'Payment in advance' : `${days} days net`
}

function noted(title: string, text: string) {
  return text === '' ? [] : [{ title, text }]
}

function pricedLines(source: Source, units: readonly LineUnits[]): DocumentLine[] {
  return units.map(({ line, quantity }) => {
    const price = scaledFrom(line.price, 4)
    const amount = divideHalfUp(price * BigInt(quantity), 100n)
    return {
      ...lineText(source, { line, quantity }),
      price: price % 100n === 0n ? digitsOf(price / 100n, 2) : digitsOf(price, 4),
      amount: digitsOf(amount, 2),
    }
  })
}

function lineText({ disclosures }: Source, { line, quantity }: LineUnits) {
  const text = describeLine(line, disclosures.get(line.stock_id ?? ''))
  return { sku: line.sku, ...text, quantity }
}

/**
 * The rows above a total. Goods are rounded once, as the ledger does, and each line by itself for
 * the reader: where many melee stones make these differ, a row says by how much.
 */
function withRounding(
  lines: readonly DocumentLine[],
  charges: readonly SumRow[],
  total: bigint,
): SumRow[] {
  const goods = lines.reduce((sum, { amount }) => sum + scaledFrom(amount ?? '0', 2), 0n)
  const rest = charges.reduce((sum, { amount }) => sum - scaledFrom(amount, 2), total - goods)
  return [row('Goods', goods), ...charges, ...(rest === 0n ? [] : [row('Rounding', rest)])]
}

function addCents(sum: bigint, entry: LedgerEntry): bigint {
  return sum + centsOf(entry)
}

function row(label: string, cents: bigint): SumRow {
  return { label, amount: digitsOf(cents, 2) }
}

function digitsOf(scaled: bigint, decimals: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, '0')
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
