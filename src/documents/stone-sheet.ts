import type { Paper } from './content.ts'
import { COLORS, lineHeight, type TextStyle } from './pen.ts'
import { createSheet, MARGIN, type Sheet, SMALL } from './sheet.ts'

/**
 * Stones as a jeweler shows them to a customer: one large, or several side by side. Texts are ready
 * to print, in the language of the reader.
 */
export interface StoneSheet {
  paper: Paper
  language: 'en' | 'de'
  /** `2026-01-31` */
  issued_on: string
  shop: { name: string; url: string | null }
  title: string
  note: string | null
  stones: SheetStone[]
  /** At the foot of every page, such as the day of the prices. */
  foot: string
}

export interface SheetStone {
  name: string
  /** Null for a stone that is not on sale. */
  price: string | null
  /** Null while it is on sale. */
  state: string | null
  /** The same labels for all stones of a sheet. */
  facts: { label: string; value: string }[]
  /** The bytes of a PNG or JPEG file, or a drawing of the shape. */
  picture: Uint8Array | ShapeDrawing
}

/** Polygons in a square of this size, with their lines. */
interface ShapeDrawing {
  size: number
  polygons: { points: [x: number, y: number][]; width: number }[]
}

const GAP = 18
const SHOP: TextStyle = { size: 15, face: 'bold', color: COLORS.accent }
const TITLE: TextStyle = { size: 20 }
const NOTE: TextStyle = { size: 10 }

/** How a stone is drawn: alone on its page, or beside others. */
interface Look {
  picture: number
  name: TextStyle
  price: TextStyle
  fact: TextStyle
  padding: number
}
const ALONE: Look = {
  picture: 230,
  name: { size: 13, face: 'bold' },
  price: { size: 18, face: 'bold', color: COLORS.accent },
  fact: { size: 10 },
  padding: 5,
}
const BESIDE: Look = {
  picture: 132,
  name: { size: 9.5, face: 'bold' },
  price: { size: 12, face: 'bold', color: COLORS.accent },
  fact: { size: 7.5 },
  padding: 3,
}
const COLUMNS = 3

/** Draws the sheet; the caller ends the PDF. */
export function drawStoneSheet(content: StoneSheet): PDFKit.PDFDocument {
  const { paper, title, shop, issued_on, language, stones } = content
  const sheet = createSheet({ paper, title, author: shop.name, issued_on, language })
  const top = drawHead(sheet, content)
  if (stones.length === 1) drawAlone(sheet, stones[0], top)
  else drawBeside(sheet, stones, top)
  finishPages(sheet, content)
  return sheet.pen.pdf
}

function drawHead({ pen, frame }: Sheet, { shop, title, note }: StoneSheet): number {
  const { left, width } = frame
  let y = pen.text(shop.name, left, frame.top - 4, width, SHOP)
  if (shop.url !== null) y = pen.text(shop.url, left, y, width, SMALL)
  pen.rule(left, y + 8, width, COLORS.accent, 1.2)
  y = pen.text(title, left, y + GAP, width, TITLE)
  if (note !== null) y = pen.text(note, left, y + 4, width, NOTE)
  return y + GAP
}

/** Picture and price on the left, the facts on the right. */
function drawAlone(sheet: Sheet, stone: SheetStone, top: number): void {
  const { left, width } = sheet.frame
  const half = (width - GAP) / 2
  drawPicture(sheet, stone, left, top, ALONE.picture)
  drawTerms(sheet, stone, ALONE, { x: left, y: top + ALONE.picture + GAP, width: half })
  drawFacts(sheet, stone, ALONE, { x: left + half + GAP, y: top, width: half })
}

/** Three in a row; a row that does not fit begins a page. */
function drawBeside(sheet: Sheet, stones: readonly SheetStone[], top: number): void {
  const { left, width } = sheet.frame
  const column = (width - (COLUMNS - 1) * GAP) / COLUMNS
  let y = top
  for (let first = 0; first < stones.length; first += COLUMNS) {
    const row = stones.slice(first, first + COLUMNS)
    const heights = row.map((stone) => heightOf(sheet, stone, column))
    y = sheet.fit(y, Math.max(...heights))
    // Names take one line or two: the facts of a row begin on the same line.
    const names = Math.max(
      ...row.map(({ name }) => sheet.pen.wrap(name, column, BESIDE.name).length),
    )
    for (const [index, stone] of row.entries()) {
      const x = left + index * (column + GAP)
      const space = { x, width: column }
      drawPicture(sheet, stone, x + (column - BESIDE.picture) / 2, y, BESIDE.picture)
      const below = y + BESIDE.picture + 8
      sheet.pen.text(stone.name, x, below, column, BESIDE.name)
      const named = below + names * lineHeight(BESIDE.name)
      drawTerms(sheet, stone, BESIDE, { ...space, y: named })
      drawFacts(sheet, stone, BESIDE, { ...space, y: named + termsHeight(BESIDE) })
    }
    y += Math.max(...heights) + GAP
  }
}

function termsHeight({ price }: Look): number {
  return lineHeight(price) + lineHeight(SMALL) + 6
}

function heightOf({ pen }: Sheet, stone: SheetStone, width: number): number {
  const name = pen.wrap(stone.name, width, BESIDE.name).length * lineHeight(BESIDE.name)
  const facts = stone.facts.length * factHeight(BESIDE)
  return BESIDE.picture + 8 + name + termsHeight(BESIDE) + facts
}

interface Space {
  x: number
  y: number
  width: number
}

function drawTerms({ pen }: Sheet, stone: SheetStone, look: Look, { x, y, width }: Space): void {
  const below = stone.price === null ? y : pen.line(stone.price, x, y, width, look.price)
  if (stone.state !== null) {
    pen.line(stone.state, x, below, width, { ...SMALL, color: COLORS.warning })
  }
}

function factHeight({ fact, padding }: Look): number {
  return lineHeight(fact) + 2 * padding
}

/** Label on the left, value on the right; a value that is too long is cut. */
function drawFacts({ pen }: Sheet, { facts }: SheetStone, look: Look, space: Space): void {
  const { x, width } = space
  let { y } = space
  for (const { label, value } of facts) {
    pen.rule(x, y, width)
    const text = y + look.padding
    pen.line(label, x, text, width, { ...look.fact, color: COLORS.muted })
    const left = width - pen.widthOf(label, look.fact) - 8
    const [shown = ''] = pen.wrap(value, left, look.fact)
    pen.line(shown, x, text, width, { ...look.fact, align: 'right' })
    y += factHeight(look)
  }
}

function drawPicture(
  { pen: { pdf } }: Sheet,
  { picture }: SheetStone,
  x: number,
  y: number,
  size: number,
): void {
  if (picture instanceof Uint8Array) {
    pdf.image(Buffer.from(picture), x, y, { fit: [size, size], align: 'center', valign: 'center' })
    return
  }
  const scale = size / picture.size
  for (const { points, width } of picture.polygons) {
    const scaled = points.map(([px, py]): [number, number] => [x + px * scale, y + py * scale])
    pdf
      .lineWidth(width * scale)
      .polygon(...scaled)
      .stroke(COLORS.accent)
  }
}

/** What is known only at the end: how many pages there are. */
function finishPages({ pen, frame }: Sheet, { foot }: StoneSheet): void {
  const { pdf } = pen
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    const top = pdf.page.height - MARGIN - lineHeight(SMALL)
    pen.rule(frame.left, top - 8, frame.width)
    const [shown = ''] = pen.wrap(foot, frame.width * 0.85, SMALL)
    pen.line(shown, frame.left, top, frame.width, SMALL)
    const pages = `${page + 1} / ${count}`
    pen.line(pages, frame.left, top, frame.width, { ...SMALL, align: 'right' })
  }
}
