import type { Archive } from '../archive/zip.ts'
import { attributeOf, createXmlParser, textsOf } from '../markup/xml.ts'
import type { CellArea } from './cell-links.ts'
import { createMergedCells, type MergedCells } from './merged-cells.ts'
import { areaOf } from './xlsx-links.ts'

/** A stock list has some hundred; more are left as they are written. */
const AREAS_MAX = 50_000

/** Reads which cells are merged; they are listed after the rows, which are skipped first. */
export async function readMergedCells(
  archive: Archive,
  part: string,
): Promise<MergedCells | undefined> {
  const areas: CellArea[] = []
  const parse = createXmlParser({
    onOpen(name, attributes) {
      const area = name === 'mergeCell' ? areaOf(attributeOf(attributes, 'ref')) : undefined
      if (area && area.lastRow > area.firstRow && areas.length < AREAS_MAX) areas.push(area)
    },
  })
  let tail = ''
  let isFound = false
  for await (const text of textsOf(archive.open(part))) {
    const seen: string = isFound ? text : tail + text
    const start = isFound ? 0 : seen.search(/<(\w{1,20}:)?mergeCells[\s>]/)
    tail = seen.slice(-40)
    if (start === -1) continue
    isFound = true
    const end = /<\/(\w{1,20}:)?mergeCells\s*>/.exec(seen)
    parse(seen.slice(start, end ? end.index + end[0].length : undefined))
    if (end) break
  }
  return areas.length === 0 ? undefined : createMergedCells(areas)
}
