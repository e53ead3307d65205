import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import PDFDocument from 'pdfkit'

/**
 * Both faces have Latin, Greek and Cyrillic letters; pdfkit embeds the glyphs that are used. It
 * accepts parsed fonts: parsing their tables takes longer than drawing a page.
 */
const FONTS = { regular: openFont('IBMPlexSans-Regular'), bold: openFont('IBMPlexSans-SemiBold') }

function openFont(name: string): Buffer {
  const font = fontkit.create(readFileSync(new URL(`./fonts/${name}.ttf`, import.meta.url)))
  // The types of pdfkit do not list parsed fonts.
  return font as unknown as Buffer
}

type Face = keyof typeof FONTS

export const COLORS = {
  text: '#1b2430',
  muted: '#66717f',
  accent: '#23415a',
  line: '#d5dbe1',
  tint: '#f1f4f7',
  warning: '#a63a2b',
} as const

export interface TextStyle {
  size: number
  face?: Face
  color?: string
  align?: 'left' | 'right' | 'center'
  /** Between the letters, for labels in capitals. */
  spacing?: number
}

/** The distance of two base lines, in sizes of the font. */
const LEADING = 1.38

/** Draws text and lines on the pages of one PDF. Coordinates are points from the top left. */
export interface Pen {
  pdf: PDFKit.PDFDocument
  /** Breaks text into the lines that fit into the width; a word that is too long is cut. */
  wrap(text: string, width: number, style: TextStyle): string[]
  /** Draws one line of text in a box of this width, and returns the y below it. */
  line(text: string, x: number, y: number, width: number, style: TextStyle): number
  /** Draws text, broken into lines, and returns the y below it. */
  text(text: string, x: number, y: number, width: number, style: TextStyle): number
  widthOf(text: string, style: TextStyle): number
  rule(x: number, y: number, width: number, color?: string, thickness?: number): void
  box(x: number, y: number, width: number, height: number, color: string): void
}

interface PdfOptions {
  size: [number, number]
  title: string
  author: string
  /** Written into the file; with it the same content always gives the same bytes. */
  createdOn: Date
  language?: 'en' | 'de'
}

export function lineHeight({ size }: TextStyle): number {
  return size * LEADING
}

function createPdf({ size, title, author, createdOn, language = 'en' }: PdfOptions) {
  const pdf = new PDFDocument({
    size,
    margin: 0,
    bufferPages: true,
    autoFirstPage: false,
    // Without it pdfkit loads a standard font that no page uses.
    font: '',
    lang: language,
    displayTitle: true,
    info: {
      Title: title,
      Author: author,
      Creator: 'Pavilion',
      Producer: 'Pavilion',
      CreationDate: createdOn,
      ModDate: createdOn,
    },
  })
  for (const [face, font] of Object.entries(FONTS)) pdf.registerFont(face, font)
  return pdf
}

export function createPen(options: PdfOptions): Pen {
  const pdf = createPdf(options)

  function use({ size, face = 'regular' }: TextStyle): void {
    pdf.font(face).fontSize(size)
  }

  function measure(text: string, { spacing = 0 }: TextStyle): number {
    return pdf.widthOfString(text) + spacing * text.length
  }

  function wrap(text: string, width: number, style: TextStyle): string[] {
    use(style)
    const fits = (part: string) => measure(part, style) <= width
    return printable(text)
      .split('\n')
      .flatMap((paragraph) => wrapWords(paragraph.split(/\s+/), fits))
  }

  function line(text: string, x: number, y: number, width: number, style: TextStyle): number {
    use(style)
    const { align = 'left', spacing = 0 } = style
    const free = align === 'left' ? 0 : width - measure(text, style)
    const left = x + (align === 'center' ? free / 2 : free)
    const options = { lineBreak: false, ...(spacing > 0 && { characterSpacing: spacing }) }
    pdf.fillColor(style.color ?? COLORS.text).text(text, left, y, options)
    return y + lineHeight(style)
  }

  return {
    pdf,
    wrap,
    line,
    text: (text, x, y, width, style) =>
      wrap(text, width, style).reduce((below, part) => line(part, x, below, width, style), y),
    widthOf(text, style) {
      use(style)
      return measure(text, style)
    },
    rule(x, y, width, color = COLORS.line, thickness = 0.5) {
      pdf
        .lineWidth(thickness)
        .strokeColor(color)
        .moveTo(x, y)
        .lineTo(x + width, y)
        .stroke()
    },
    box(x, y, width, height, color) {
      pdf.rect(x, y, width, height).fill(color)
    },
  }
}

/** Letters with separate accents become one character; what cannot be printed is left out. */
function printable(text: string): string {
  return text.normalize('NFC').replaceAll(/[^\P{C}\n\t]/gu, '')
}

/** As many words on a line as fit. */
function wrapWords(words: readonly string[], fits: (text: string) => boolean): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of words.flatMap((each) => cutToFit(each, fits))) {
    const longer = current === '' ? word : `${current} ${word}`
    if (fits(longer)) {
      current = longer
    } else {
      lines.push(current)
      current = word
    }
  }
  return [...lines, current]
}

/** A word that is wider than a line is cut into pieces that are not. */
function cutToFit(word: string, fits: (text: string) => boolean): string[] {
  if (fits(word)) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const letter of word) {
    if (piece !== '' && !fits(piece + letter)) {
      pieces.push(piece)
      piece = ''
    }
    piece += letter
  }
  return [...pieces, piece]
}
