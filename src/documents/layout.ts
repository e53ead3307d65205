import { type DocumentContent, type Party, TITLES } from './content.ts'
import { COLORS, lineHeight, type Pen, type TextStyle } from './pen.ts'
import { createSheet, LABEL, MARGIN, type Sheet, SMALL } from './sheet.ts'
import { drawEnd } from './sums.ts'
import { drawLines } from './table.ts'

/** The gap between two blocks of the first page. */
const GAP = 22
const LOGO = { width: 170, height: 52 }

const TITLE: TextStyle = { size: 22, face: 'bold', color: COLORS.accent }
const NUMBER: TextStyle = { size: 11, face: 'bold' }
const NAME: TextStyle = { size: 13, face: 'bold' }
const BODY: TextStyle = { size: 9 }
const STRONG: TextStyle = { size: 9, face: 'bold' }
const WARNING: TextStyle = { size: 8, face: 'bold', color: COLORS.warning }

/** Draws the document; the caller ends the PDF. */
export function drawDocument(
  content: DocumentContent,
  logo: Uint8Array | undefined,
): PDFKit.PDFDocument {
  const { kind, number, paper, issued_on, seller } = content
  const title = `${TITLES[kind]} ${number}`
  const sheet = createSheet({ paper, title, author: seller.name, issued_on })
  const start = drawHead(sheet, content, logo)
  drawEnd(sheet, content, drawLines(sheet, content, start))
  finishPages(sheet, content)
  return sheet.pen.pdf
}

/** Seller and title, the details, and the addresses. */
function drawHead(sheet: Sheet, content: DocumentContent, logo: Uint8Array | undefined): number {
  const { frame } = sheet
  const seller = drawSeller(sheet, content, logo)
  const title = drawTitle(sheet, content)
  const below = Math.max(seller, title) + GAP * 0.7
  sheet.pen.rule(frame.left, below, frame.width, COLORS.accent, 1.2)
  const details = drawDetails(sheet, content, below + 11)
  return drawParties(sheet, content, details + GAP * 0.8) + GAP
}

function drawSeller(
  { pen, frame }: Sheet,
  { seller }: DocumentContent,
  logo: Uint8Array | undefined,
): number {
  const width = frame.width * 0.55
  let y = frame.top
  if (logo) {
    const { width: w, height: h } = LOGO
    pen.pdf.image(Buffer.from(logo), frame.left, y, { fit: [w, h], valign: 'center' })
    y += h + 8
  }
  y = pen.text(seller.name, frame.left, y, width, logo ? STRONG : NAME)
  const tax = seller.tax_number === '' ? [] : [`Tax number ${seller.tax_number}`]
  for (const line of [...seller.address, ...tax]) {
    y = pen.text(line, frame.left, y, width, SMALL)
  }
  return y
}

function drawTitle({ pen, frame }: Sheet, content: DocumentContent): number {
  const left = frame.left + frame.width * 0.58
  const width = frame.width * 0.42
  const right = { align: 'right' } as const
  let y = pen.line(TITLES[content.kind], left, frame.top - 5, width, { ...TITLE, ...right })
  y = pen.line(content.number, left, y + 2, width, { ...NUMBER, ...right })
  if (!content.is_test) return y
  return pen.line('TEST: not a valid document', left, y + 3, width, { ...WARNING, ...right })
}

const DETAIL_COLUMNS = 4

/** Label above value, four in a row. */
function drawDetails({ pen, frame }: Sheet, { details }: DocumentContent, top: number): number {
  const width = frame.width / DETAIL_COLUMNS
  let y = top
  for (let first = 0; first < details.length; first += DETAIL_COLUMNS) {
    const row = details.slice(first, first + DETAIL_COLUMNS)
    const ends = row.map(({ label, value }, column) => {
      const x = frame.left + column * width
      const below = pen.line(label.toUpperCase(), x, y, width, LABEL)
      return pen.text(value, x, below + 1, width - 10, BODY)
    })
    y = Math.max(...ends) + 7
  }
  return y
}

function drawParties({ pen, frame }: Sheet, content: DocumentContent, top: number): number {
  const width = frame.width / 2
  const parties: [string, Party][] = [
    [content.kind === 'memo' ? 'Consigned to' : 'Bill to', content.bill_to],
    ['Ship to', content.ship_to],
  ]
  const ends = parties.map(([label, party], column) => {
    const x = frame.left + column * width
    let y = pen.line(label.toUpperCase(), x, top, width, LABEL) + 2
    y = pen.text(party.name, x, y, width - 16, STRONG)
    for (const line of party.lines) y = pen.text(line, x, y, width - 16, BODY)
    return y
  })
  return Math.max(...ends)
}

/** What is known only at the end: the number of pages. */
function finishPages({ pen, frame }: Sheet, content: DocumentContent): void {
  const { pdf } = pen
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    if (content.is_test) drawTestMark(pen)
    const top = pdf.page.height - MARGIN - lineHeight(SMALL)
    pen.rule(frame.left, top - 8, frame.width)
    const half = frame.width / 2
    const { name, tax_number } = content.seller
    const from = [name, tax_number && `Tax number ${tax_number}`].filter(Boolean).join(' · ')
    const [shown = ''] = pen.wrap(from, frame.width * 0.75, SMALL)
    pen.line(shown, frame.left, top, frame.width, SMALL)
    const pages = `Page ${page + 1} of ${count}`
    pen.line(pages, frame.left + half, top, half, { ...SMALL, align: 'right' })
  }
}

/** Across the page, so light that everything below it can be read. */
function drawTestMark(pen: Pen): void {
  const { pdf } = pen
  const { width, height } = pdf.page
  const style: TextStyle = { size: 150, face: 'bold', color: COLORS.warning, align: 'center' }
  pdf.save()
  pdf.rotate(-45, { origin: [width / 2, height / 2] }).fillOpacity(0.06)
  pen.line('TEST', 0, height / 2 - 110, width, style)
  pdf.restore()
  pdf.fillOpacity(1)
}
