/**
 * What a document says. It is written down when the document is issued and never changes, so that
 * the page can be drawn at any later time and is always the same. Texts are ready to print; amounts
 * are digits with two decimals, or with four where the price of a melee stone needs them.
 */
export interface DocumentContent {
  kind: DocumentKind
  number: string
  /** `2026-01-31`, as are the other dates. */
  issued_on: string
  /** When the invoice must be paid, or the memo returned. */
  due_on: string | null
  paper: Paper
  /** An order of the sandbox, or of a test merchant. */
  is_test: boolean
  currency_code: string
  seller: Seller
  bill_to: Party
  ship_to: Party
  /** Labels and values below the title: order number, terms, tracking number. */
  details: Detail[]
  lines: DocumentLine[]
  /** Null on a packing slip, which has no prices. */
  sums: DocumentSums | null
  /** Paragraphs below the table: memo terms, the reason of a credit note, notes. */
  paragraphs: Paragraph[]
  /** What the receiver signs, where there is something to sign. */
  signatures: string[]
}

export const DOCUMENT_KINDS = ['invoice', 'packing_slip', 'memo', 'credit_note'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

export const PAPERS = ['a4', 'letter'] as const
export type Paper = (typeof PAPERS)[number]

export interface Seller {
  name: string
  address: string[]
  tax_number: string
  bank: string[]
  /** The SHA-256 of the logo, which is stored once for all documents that show it. */
  logo: string | null
}

export interface Party {
  name: string
  lines: string[]
}

export interface Detail {
  label: string
  value: string
}

export interface DocumentLine {
  sku: string
  title: string
  /** Printed below the title, each on lines of its own. */
  facts: string[]
  quantity: number
  price: string | null
  amount: string | null
}

interface DocumentSums {
  /** The rows above the total: goods, charges, rounding. A discount is negative. */
  rows: SumRow[]
  total: SumRow
  /** The rows below the total: what was paid, and what is left to pay. */
  after: SumRow[]
}

export interface SumRow {
  label: string
  amount: string
}

export interface Paragraph {
  title: string
  text: string
}

/** The title of a document of each kind. */
export const TITLES: Record<DocumentKind, string> = {
  invoice: 'Invoice',
  packing_slip: 'Packing slip',
  memo: 'Memorandum',
  credit_note: 'Credit note',
}

/** `1234567.5` becomes `1,234,567.50`; four decimals stay, and a minus is a real minus sign. */
export function amountText(digits: string): string {
  if (digits === '') return ''
  const [whole, fraction = ''] = digits.replace('-', '').split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${digits.startsWith('-') ? '−' : ''}${grouped}.${fraction.padEnd(2, '0')}`
}
