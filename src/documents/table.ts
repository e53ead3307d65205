import { amountText, type DocumentContent, type DocumentLine } from './content.ts'
import { COLORS, lineHeight, type TextStyle } from './pen.ts'
import { LABEL, type Sheet } from './sheet.ts'

const CELL: TextStyle = { size: 9 }
const TITLE: TextStyle = { size: 9, face: 'bold' }
const FACT: TextStyle = { size: 8, color: COLORS.muted }
const PADDING = 6
const HEADER_HEIGHT = 20

interface Column {
  label: string
  /** From the left edge of the table. */
  x: number
  width: number
  align?: 'right'
}

interface Columns {
  position: Column
  sku: Column
  description: Column
  quantity: Column
  price?: Column
  amount?: Column
}

/** Draws the lines, with the header of the table on every page, and returns the y below them. */
export function drawLines(sheet: Sheet, content: DocumentContent, top: number): number {
  const columns = columnsOf(content, sheet.frame.width)
  let y = drawHeader(sheet, columns, top)
  for (const [index, line] of content.lines.entries()) {
    const row = measureRow(sheet, columns, line)
    if (y + row.height > sheet.frame.bottom) y = drawHeader(sheet, columns, sheet.addPage())
    drawRow(sheet, columns, { ...row, line, position: index + 1 }, y)
    y += row.height
    sheet.pen.rule(sheet.frame.left, y, sheet.frame.width)
  }
  return y
}

/** A packing slip has no prices, so its descriptions are wider. */
function columnsOf(content: DocumentContent, width: number): Columns {
  const isPriced = content.sums !== null
  const numbers = isPriced ? { quantity: 44, price: 78, amount: 84 } : { quantity: 60 }
  const position = { label: '#', x: 0, width: 22 }
  const sku = { label: 'SKU', x: 22, width: 96 }
  const right = Object.values(numbers).reduce((sum, each) => sum + each, 0)
  const description = { label: 'Description', x: 118, width: width - 118 - right }
  const quantity = numberColumn('Qty', width - right, numbers.quantity)
  if (!isPriced) return { position, sku, description, quantity }
  const unit = content.currency_code
  const amountWidth = numbers.amount ?? 0
  const priceWidth = numbers.price ?? 0
  return {
    position,
    sku,
    description,
    quantity,
    price: numberColumn(`Price ${unit}`, width - amountWidth - priceWidth, priceWidth),
    amount: numberColumn(`Amount ${unit}`, width - amountWidth, amountWidth),
  }
}

function numberColumn(label: string, x: number, width: number): Column {
  return { label, x, width, align: 'right' }
}

function drawHeader({ pen, frame }: Sheet, columns: Columns, top: number): number {
  pen.box(frame.left, top, frame.width, HEADER_HEIGHT, COLORS.tint)
  for (const { label, x, width, align = 'left' } of Object.values(columns) as Column[]) {
    const inset = x === 0 ? PADDING : 0
    const right = align === 'right' && x + width >= frame.width ? PADDING : 0
    pen.line(label.toUpperCase(), frame.left + x + inset, top + 6, width - inset - right, {
      ...LABEL,
      align,
    })
  }
  return top + HEADER_HEIGHT
}

interface Row {
  sku: string[]
  title: string[]
  facts: string[]
  height: number
}

function measureRow({ pen }: Sheet, columns: Columns, line: DocumentLine): Row {
  const { sku, description } = columns
  const width = description.width - PADDING
  const skuLines = pen.wrap(line.sku, sku.width - PADDING, CELL)
  const title = pen.wrap(line.title, width, TITLE)
  const facts = line.facts.flatMap((fact) => pen.wrap(fact, width, FACT))
  const text = title.length * lineHeight(TITLE) + facts.length * lineHeight(FACT)
  const height = Math.max(text, skuLines.length * lineHeight(CELL)) + 2 * PADDING
  return { sku: skuLines, title, facts, height }
}

interface DrawnRow extends Row {
  line: DocumentLine
  position: number
}

function drawRow({ pen, frame }: Sheet, columns: Columns, row: DrawnRow, top: number): void {
  const { line } = row
  const y = top + PADDING
  const at = ({ x }: Column) => frame.left + x
  const write = (lines: string[], column: Column, from: number, style: TextStyle) =>
    lines.reduce((below, text) => pen.line(text, at(column), below, column.width, style), from)
  pen.line(String(row.position), at(columns.position) + PADDING, y, columns.position.width, FACT)
  write(row.sku, columns.sku, y, CELL)
  const below = write(row.title, columns.description, y, TITLE)
  write(row.facts, columns.description, below, FACT)
  const cells: [Column | undefined, string][] = [
    [columns.quantity, line.quantity.toLocaleString('en-US')],
    [columns.price, amountText(line.price ?? '')],
    [columns.amount, amountText(line.amount ?? '')],
  ]
  for (const [column, text] of cells) {
    if (!column) continue
    const right = column.x + column.width >= frame.width ? PADDING : 0
    pen.line(text, at(column), y, column.width - right, { ...CELL, align: 'right' })
  }
}
