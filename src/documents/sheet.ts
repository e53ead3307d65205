import type { Paper } from './content.ts'
import { COLORS, createPen, type Pen, type TextStyle } from './pen.ts'

/** Points; 72 are an inch. */
const SIZES = { a4: [595.28, 841.89], letter: [612, 792] } as const
export const MARGIN = 48
const FOOTER_HEIGHT = 34

export const SMALL: TextStyle = { size: 8, color: COLORS.muted }
export const LABEL: TextStyle = { size: 6.8, face: 'bold', color: COLORS.muted, spacing: 0.6 }

/** The part of a page that content may fill. */
interface Frame {
  left: number
  width: number
  top: number
  bottom: number
}

/** The pages of a document: drawing continues on a new page when a block does not fit. */
export interface Sheet {
  pen: Pen
  frame: Frame
  /** Starts a page with the short header, and returns the y where content begins. */
  addPage(): number
  /** Returns y, or the top of a new page when less than this height is left. */
  fit(y: number, height: number): number
}

interface SheetOptions {
  paper: Paper
  title: string
  author: string
  /** `2026-01-31` */
  issued_on: string
  language?: 'en' | 'de'
}

/** Returns the sheet with its first page, which is empty. */
export function createSheet({ paper, title, author, issued_on, language }: SheetOptions): Sheet {
  const [width, height] = SIZES[paper]
  const pen = createPen({
    size: [width, height],
    title,
    author,
    createdOn: new Date(`${issued_on}T00:00:00Z`),
    ...(language && { language }),
  })
  const frame = {
    left: MARGIN,
    width: width - 2 * MARGIN,
    top: MARGIN,
    bottom: height - MARGIN - FOOTER_HEIGHT,
  }
  function addPage(): number {
    pen.pdf.addPage()
    return pen.line(title, frame.left, frame.top, frame.width, SMALL) + 10
  }
  pen.pdf.addPage()
  return {
    pen,
    frame,
    addPage,
    fit: (y, needed) => (y + needed <= frame.bottom ? y : addPage()),
  }
}
