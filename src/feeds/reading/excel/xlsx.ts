import { type Archive, openArchive } from '../archive/zip.ts'
import { joinLists, type ListSource } from '../join-lists.ts'
import { attributeOf, parsePart, refusal } from '../markup/xml.ts'
import { copyText } from '../raw-row.ts'
import type { StoneList, TableOptions } from '../stone-list.ts'
import { openTable } from '../table.ts'
import { type CellFormats, createCellFormats, FORMATS_MAX } from './xls-formats.ts'
import { readSheetLinks } from './xlsx-links.ts'
import { readMergedCells } from './xlsx-merges.ts'
import { readSheet } from './xlsx-sheet.ts'

/** Shared strings are kept in memory; a workbook with more text must be sent as CSV. */
const SHARED_CHARS_MAX = 96 * 1_048_576
/** An empty shared string takes memory too, and counts as so many characters. */
const SHARED_STRING_CHARS = 16
const SHEETS_MAX = 1_000

/** Opens all sheets of a workbook that have stones; rows are numbered as in their sheet. */
export async function openXlsx(path: string, options: TableOptions): Promise<StoneList> {
  const archive = await openArchive(path)
  try {
    const strings = await readSharedStrings(archive)
    const formats = await readFormats(archive)
    const { sheets, is1904 } = await sheetsInOrder(archive)
    const sources = sheets.map(({ name, part, isHidden }): ListSource => {
      return {
        name,
        isHidden,
        async open(isProbe) {
          const links = isProbe ? undefined : await readSheetLinks(archive, part)
          const merged = isProbe ? undefined : await readMergedCells(archive, part)
          const table = await openTable(
            readSheet(archive, part, { strings, formats, is1904, links, merged }),
            options,
          )
          if (links?.isCut && 'notes' in table) {
            table.notes.push(`Of sheet ${JSON.stringify(name)}, not all hyperlinks were read.`)
          }
          return table
        },
      }
    })
    return await joinLists(sources, {
      ...options,
      noun: 'sheet',
      container: 'an Excel workbook (XLSX)',
      whenDifferent: 'leave out',
      close: () => archive.close(),
    })
  } catch (error) {
    await archive.close()
    throw error
  }
}

interface Sheet {
  name: string
  /** Its path in the archive. */
  part: string
  isHidden: boolean
}

/** Returns the sheets in the order of the tabs, which file names in the archive do not follow. */
async function sheetsInOrder(archive: Archive): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const found = archive.names.filter((name) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name))
  const targets = new Map<string, string>()
  const sheets: Sheet[] = []
  let is1904 = false
  const checkCount = (count: number) => {
    if (count > SHEETS_MAX) throw refusal(`It names more than ${SHEETS_MAX} sheets`)
  }
  await parsePart(archive, 'xl/_rels/workbook.xml.rels', {
    onOpen(name, attributes) {
      if (name !== 'Relationship') return
      const target = attributeOf(attributes, 'Target').replace(/^\/?(xl\/)?/, 'xl/')
      checkCount(targets.set(attributeOf(attributes, 'Id'), target).size)
    },
  })
  await parsePart(archive, 'xl/workbook.xml', {
    onOpen(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attributeOf(attributes, 'date1904'))
      if (tag !== 'sheet') return
      const part = targets.get(attributeOf(attributes, 'r:id')) ?? ''
      const isHidden = /hidden/i.test(attributeOf(attributes, 'state'))
      const name = attributeOf(attributes, 'name').slice(0, 100)
      checkCount(sheets.push({ name, part, isHidden }))
    },
  })
  checkCount(found.length)
  const named = sheets.filter(({ part }) => found.includes(part))
  const others = found.filter((part) => !named.some((sheet) => sheet.part === part))
  const unnamed = others.map((part) => ({ name: baseName(part), part, isHidden: false }))
  return { sheets: [...named, ...unnamed], is1904 }
}

function baseName(part: string): string {
  return part.slice(part.lastIndexOf('/') + 1).replace(/\.xml$/i, '')
}

/** A built-in format shows the currency of the reader's country, which is not known. */
async function readFormats(archive: Archive): Promise<CellFormats> {
  const formats = createCellFormats()
  let isInCells = false
  let count = 0
  await parsePart(archive, 'xl/styles.xml', {
    onOpen(name, attributes) {
      if (name === 'cellXfs') isInCells = true
      const format = Number(attributeOf(attributes, 'numFmtId'))
      if (name === 'xf' && isInCells) formats.addCellFormat(format)
      if (name !== 'numFmt' || ++count > FORMATS_MAX) return
      formats.addNumberFormat(format, attributeOf(attributes, 'formatCode'))
    },
    onClose(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return formats
}

async function readSharedStrings(archive: Archive): Promise<string[]> {
  const strings: string[] = []
  let current: string | undefined
  let chars = 0
  let isPhonetic = false
  const count = (length: number) => {
    chars += length
    if (chars > SHARED_CHARS_MAX) throw refusal('It has more text than fits into memory')
  }
  await parsePart(archive, 'xl/sharedStrings.xml', {
    onOpen(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
    },
    onText(text, inside) {
      if (current === undefined || inside !== 't' || isPhonetic) return
      count(text.length)
      current += text
    },
    onClose(name) {
      if (name === 'rPh') isPhonetic = false
      if (name !== 'si') return
      count(SHARED_STRING_CHARS)
      strings.push(copyText(current ?? ''))
      current = undefined
    },
  })
  return strings
}
