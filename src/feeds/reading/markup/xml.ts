/**
 * Parses the XML of workbooks and of feeds. Every bound is checked while the text is read, before
 * anything of its size is kept: a few kilobytes of packed XML unpack to millions of tags.
 */
import { type SaxesAttributePlain, SaxesParser } from 'saxes'
import { Refusal } from '../../../lib/refusal.ts'
import type { Archive } from '../archive/zip.ts'
import { withoutInvisible } from '../decode-text.ts'

export type Attributes = Record<string, string> | Record<string, SaxesAttributePlain>

/** Called for tags and texts; `inside` is the name of the tag that the text is in. */
interface XmlListener {
  onOpen: (name: string, attributes: Attributes) => void
  onText?: (text: string, inside: string) => void
  onClose?: (name: string) => void
}

/** The parts of a workbook have at most ten levels, and answers of servers some more. */
const DEPTH_MAX = 64
/** Excel writes up to twenty attributes in the root of a sheet, and five in a cell. */
const ATTRIBUTES_MAX = 200
/** Longer text without a tag means a damaged file: a cell has at most 32,767 characters. */
const TEXT_CHARS_MAX = 1_048_576

/** Returns a function that parses the next piece of the text; `what` names it in refusals. */
export function createXmlParser(
  { onOpen, onText, onClose }: XmlListener,
  what = 'workbook',
): (text: string) => void {
  const refusal = (reason: string) => cannotRead(what, reason)
  const parser = new SaxesParser()
  const open: string[] = []
  let sinceTag = 0
  let attributes = 0
  parser.on('attribute', () => {
    if (++attributes > ATTRIBUTES_MAX) {
      throw refusal(`A tag has more than ${ATTRIBUTES_MAX} attributes`)
    }
  })
  parser.on('opentag', (tag) => {
    sinceTag = 0
    attributes = 0
    if (open.push(tag.name) > DEPTH_MAX) {
      throw refusal(`Its tags are nested more than ${DEPTH_MAX} levels deep`)
    }
    onOpen(tag.name, tag.attributes)
  })
  const passText = (text: string) => onText?.(text, open[open.length - 1] ?? '')
  parser.on('text', passText)
  parser.on('cdata', (text) => passText(text.replaceAll('&amp;', '&')))
  parser.on('doctype', (doctype) => {
    // Entities that expand to others are a way to fill the memory; no supplier needs any.
    if (/<!ENTITY/i.test(doctype)) throw refusal('It declares entities')
  })
  parser.on('closetag', (tag) => {
    sinceTag = 0
    open.pop()
    onClose?.(tag.name)
  })
  parser.on('error', () => {
    throw new Refusal('invalid_request', `The ${what} is damaged and cannot be read.`)
  })
  return (text) => {
    sinceTag += text.length
    if (sinceTag > TEXT_CHARS_MAX) {
      throw refusal(`A text or tag is longer than ${TEXT_CHARS_MAX} characters`)
    }
    parser.write(text)
  }
}

/** Makes the refusal of a workbook that no spreadsheet writes. */
export function refusal(reason: string): Refusal {
  return cannotRead('workbook', reason)
}

function cannotRead(what: string, reason: string): Refusal {
  const instead = what === 'workbook' ? 'save the sheet as CSV and send that' : 'send CSV or JSON'
  return new Refusal('invalid_request', `The ${what} cannot be read. ${reason}; ${instead}.`)
}

/** Parses a part of the workbook from its start to its end, if the workbook has it. */
export async function parsePart(archive: Archive, name: string, on: XmlListener): Promise<void> {
  if (!archive.names.includes(name)) return
  const parse = createXmlParser(on)
  for await (const text of textsOf(archive.open(name))) parse(text)
}

/** A sheet of 8 kB has a few hundred rows at most, so little is kept before they are passed on. */
const PIECE_CHARS = 8_192

export async function* textsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    yield* pieces(withoutInvisible(decoder.decode(chunk, { stream: true })))
  }
}

/** Cuts a text into pieces, because what is read of one piece is all in memory. */
export function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    yield text.slice(at, at + PIECE_CHARS)
  }
}

export function attributeOf(attributes: Attributes, name: string): string {
  const value = attributes[name]
  return typeof value === 'string' ? value : (value?.value ?? '')
}
