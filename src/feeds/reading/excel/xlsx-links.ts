import type { Archive } from '../archive/zip.ts'
import { attributeOf, createXmlParser, parsePart, textsOf } from '../markup/xml.ts'
import { copyText } from '../raw-row.ts'
import { type CellArea, type CellLinks, createCellLinks } from './cell-links.ts'
import { columnOf, ROWS_MAX } from './xlsx-sheet.ts'

/** Excel allows 65,530 hyperlinks in a sheet, each with a relationship of its own. */
const TARGETS_MAX = 200_000
const TARGET_CHARS_MAX = 32 * 1_048_576

/**
 * Reads the hyperlinks of a sheet. They are written after its rows, so the rows are skipped first;
 * a sheet that refers to nothing outside has none, and is not read for them.
 */
export async function readSheetLinks(
  archive: Archive,
  part: string,
): Promise<CellLinks | undefined> {
  const targets = await readTargets(archive, part)
  if (targets.size === 0) return undefined
  const links = createCellLinks()
  const parse = createXmlParser({
    onOpen(name, attributes) {
      if (name !== 'hyperlink') return
      const target = targets.get(attributeOf(attributes, 'r:id'))
      const area = areaOf(attributeOf(attributes, 'ref'))
      if (target !== undefined && area) links.add(area, target)
    },
  })
  let tail = ''
  let isFound = false
  for await (const text of textsOf(archive.open(part))) {
    if (isFound) {
      if (!parseUntilEnd(parse, text)) break
      continue
    }
    const seen = tail + text
    const at = seen.search(/<(\w+:)?hyperlinks[\s>]/)
    tail = seen.slice(-40)
    if (at === -1) continue
    isFound = true
    if (!parseUntilEnd(parse, seen.slice(at))) break
  }
  return links
}

/** Parses a piece of the list of hyperlinks; returns false where the list ends. */
function parseUntilEnd(parse: (text: string) => void, text: string): boolean {
  const end = /<\/(\w+:)?hyperlinks\s*>/.exec(text)
  parse(end ? text.slice(0, end.index + end[0].length) : text)
  return end === null
}

async function readTargets(archive: Archive, part: string): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  let chars = 0
  const rels = part.replace(/(?<![^/])([^/]+)$/, '_rels/$1.rels')
  await parsePart(archive, rels, {
    onOpen(name, attributes) {
      if (name !== 'Relationship' || targets.size >= TARGETS_MAX || chars > TARGET_CHARS_MAX) return
      if (!/\/hyperlink$/i.test(attributeOf(attributes, 'Type'))) return
      const target = attributeOf(attributes, 'Target')
      chars += target.length
      targets.set(copyText(attributeOf(attributes, 'Id')), copyText(target))
    },
  })
  return targets
}

/** `K2` or `K2:K10`, in rows and columns from 0. */
export function areaOf(reference: string): CellArea | undefined {
  const match = /^([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?$/.exec(reference)
  if (!match) return undefined
  const [, firstName, first, lastName = firstName, last = first] = match
  const firstColumn = columnOf(firstName)
  const lastColumn = columnOf(lastName)
  const lastRow = Number(last) - 1
  if (firstColumn === undefined || lastColumn === undefined || lastRow >= ROWS_MAX) return undefined
  return { firstRow: Number(first) - 1, lastRow, firstColumn, lastColumn }
}
