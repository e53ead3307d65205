import { amountText, type DocumentContent, type Paragraph, type SumRow } from './content.ts'
import { COLORS, lineHeight, type TextStyle } from './pen.ts'
import { LABEL, type Sheet } from './sheet.ts'

const ROW: TextStyle = { size: 9 }
const TOTAL: TextStyle = { size: 11, face: 'bold', color: COLORS.accent }
const TEXT: TextStyle = { size: 8.5 }
const SUMS_WIDTH = 238
/** The rest is for the amount. */
const LABEL_WIDTH = 148
const LABEL_LINES_MAX = 2
const ROW_GAP = 3.6
const TOTAL_HEIGHT = 26
const PADDING = 6
const GAP = 18
const SIGNATURE_HEIGHT = 54

/** Draws what stands below the table: sums, bank lines, paragraphs and signatures. */
export function drawEnd(sheet: Sheet, content: DocumentContent, tableEnd: number): void {
  let y = drawSums(sheet, content, tableEnd)
  for (const paragraph of content.paragraphs) y = drawParagraph(sheet, paragraph, y)
  if (content.signatures.length > 0) drawSignatures(sheet, content.signatures, y)
}

/** The sums stay together on one page, with the bank lines beside them. */
function drawSums(sheet: Sheet, content: DocumentContent, tableEnd: number): number {
  const { sums, seller } = content
  if (!sums) return tableEnd + GAP
  const { pen, frame } = sheet
  const showsBank = content.kind === 'invoice' && seller.bank.length > 0
  const bankWidth = frame.width - SUMS_WIDTH - 24
  const bankLines = showsBank
    ? [...seller.bank, `Please quote ${content.number}.`].flatMap((line) =>
        pen.wrap(line, bankWidth, TEXT),
      )
    : []
  const bankHeight = (bankLines.length + 1) * lineHeight(TEXT) + 4
  const rows = [...sums.rows, ...sums.after].map(({ label }) => rowHeight(sheet, label))
  const rowsHeight = rows.reduce((sum, each) => sum + each, 0)
  const height = Math.max(rowsHeight + TOTAL_HEIGHT + 12, bankHeight)
  const top = sheet.fit(tableEnd + 10, height)
  if (showsBank) {
    let y = pen.line('PAYMENT', frame.left, top + 3, bankWidth, LABEL) + 2
    for (const line of bankLines) y = pen.line(line, frame.left, y, bankWidth, TEXT)
  }
  drawSumRows(sheet, content, top)
  return top + height + GAP
}

/** The label of a charge may need a second line; with more, twenty charges would not fit. */
function labelLines({ pen }: Sheet, label: string, style: TextStyle): string[] {
  return pen.wrap(label, LABEL_WIDTH, style).slice(0, LABEL_LINES_MAX)
}

function rowHeight(sheet: Sheet, label: string): number {
  return labelLines(sheet, label, ROW).length * lineHeight(ROW) + ROW_GAP
}

function drawSumRows(sheet: Sheet, content: DocumentContent, top: number): void {
  const { pen, frame } = sheet
  const { sums, currency_code } = content
  if (!sums) return
  const x = frame.left + frame.width - SUMS_WIDTH
  const row = ({ label, amount }: SumRow, y: number, style: TextStyle) => {
    labelLines(sheet, label, style).reduce(
      (below, text) => pen.line(text, x + PADDING, below, LABEL_WIDTH, style),
      y,
    )
    const width = SUMS_WIDTH - 2 * PADDING
    pen.line(amountText(amount), x + PADDING, y, width, { ...style, align: 'right' })
  }
  let y = top
  for (const each of sums.rows) {
    row(each, y + 3, ROW)
    y += rowHeight(sheet, each.label)
  }
  y += 4
  pen.box(x, y, SUMS_WIDTH, TOTAL_HEIGHT, COLORS.tint)
  pen.rule(x, y, SUMS_WIDTH, COLORS.accent, 1.2)
  const { label, amount } = sums.total
  row({ label: `${label} ${currency_code}`, amount }, y + 6, TOTAL)
  y += TOTAL_HEIGHT + 4
  for (const each of sums.after) {
    row(each, y + 2, each === sums.after.at(-1) ? { ...ROW, face: 'bold' } : ROW)
    y += rowHeight(sheet, each.label)
  }
}

/** A paragraph may be long, so it continues on the next page where the page ends. */
function drawParagraph(sheet: Sheet, { title, text }: Paragraph, top: number): number {
  const { pen, frame } = sheet
  let y = sheet.fit(top, 3 * lineHeight(TEXT))
  y = pen.line(title.toUpperCase(), frame.left, y, frame.width, LABEL) + 2
  for (const line of pen.wrap(text, frame.width, TEXT)) {
    y = sheet.fit(y, lineHeight(TEXT))
    y = pen.line(line, frame.left, y, frame.width, TEXT)
  }
  return y + GAP * 0.7
}

function drawSignatures(sheet: Sheet, labels: readonly string[], top: number): void {
  const { pen, frame } = sheet
  const y = sheet.fit(top, SIGNATURE_HEIGHT) + SIGNATURE_HEIGHT - 18
  const gap = 24
  const width = (frame.width - gap * (labels.length - 1)) / labels.length
  for (const [index, label] of labels.entries()) {
    const x = frame.left + index * (width + gap)
    pen.rule(x, y, width, COLORS.muted)
    pen.line(label, x, y + 4, width, { size: 7.5, color: COLORS.muted })
  }
}
