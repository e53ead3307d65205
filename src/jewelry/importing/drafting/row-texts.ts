import type { ColumnMeaning, JewelryField } from '../columns.ts'
import type { FileRow } from '../reading/kept-rows.ts'

/** The texts of a row by what they mean. */
export type Texts = Partial<Record<JewelryField, string>>

/** Returns the column that a row has the field in: of several, the first that is not empty. */
export function columnWith(
  cells: FileRow['cells'],
  meanings: ReadonlyMap<string, ColumnMeaning>,
  field: JewelryField,
): string | undefined {
  for (const [column, meaning] of meanings) {
    if (meaning === field && cells.has(column)) return column
  }
  return undefined
}

/** Thrown while a row is drafted; `draftVariant` turns it into a rejection. */
export class Unsaleable extends Error {
  readonly field: JewelryField
  readonly value: string
  constructor(field: JewelryField, value: string, reason: string) {
    super(reason)
    this.field = field
    this.value = value
  }
}

/** The fields that every row must have, as messages call them. */
export const LABELS = {
  vendor_sku: 'stock number',
  jewelry_type: 'jewelry type',
  title: 'title',
  price: 'price',
} as const satisfies Partial<Record<JewelryField, string>>

export function required(texts: Texts, field: keyof typeof LABELS, lengthMax: number): string {
  const text = texts[field]
  if (text === undefined) throw new Unsaleable(field, '', `The ${LABELS[field]} is missing`)
  if (text.length > lengthMax) {
    const reason = `The ${LABELS[field]} has more than ${lengthMax} characters`
    throw new Unsaleable(field, text, reason)
  }
  return text
}
