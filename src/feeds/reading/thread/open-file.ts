import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { openArchive } from '../archive/zip.ts'
import { decodeStart, decodeText } from '../decode-text.ts'
import { detectFormat } from '../detect-format.ts'
import { openXls } from '../excel/xls.ts'
import { openXlsx } from '../excel/xlsx.ts'
import { openJsonTable } from '../json-table.ts'
import { createHtmlParser } from '../markup/html.ts'
import { isOpenDocument, openOpenDocument } from '../markup/open-document.ts'
import { createSpreadsheetParser, isSpreadsheetXml } from '../markup/spreadsheet-xml.ts'
import { openTables } from '../markup/table-reader.ts'
import { openXml } from '../markup/xml-list.ts'
import { noSheets } from '../refusals.ts'
import type { StoneList, TableOptions } from '../stone-list.ts'

const START_BYTES = 8_192

/** Opens a workbook, a page, XML or a JSON table; it runs in a thread with a limited heap. */
export async function openFile(path: string, options: TableOptions): Promise<StoneList> {
  const start = await readStart(path)
  const kind = detectFormat(start)
  if (kind === 'zip') return openWorkbook(path, options)
  if (kind === 'compound') return openXls(path, options)
  const text = decodeStart(start)
  const texts = () => decodeText(createReadStream(path, { highWaterMark: 65_536 }))
  if (kind === 'json') return openJsonTable(texts(), options)
  if (isSpreadsheetXml(text) && /<\?xml|<(\w+:)?Workbook/.test(text) && !/<html/i.test(text)) {
    const container = 'an Excel workbook saved as XML'
    return openTables(texts, createSpreadsheetParser, { ...options, noun: 'sheet', container })
  }
  if (isPage(text)) {
    const container = 'an HTML page'
    return openTables(texts, createHtmlParser, { ...options, noun: 'table', container })
  }
  if (options.sheet !== undefined) throw noSheets(options.sheet)
  return openXml(texts, options)
}

async function openWorkbook(path: string, options: TableOptions): Promise<StoneList> {
  const archive = await openArchive(path)
  let isOds = false
  try {
    isOds = await isOpenDocument(archive)
  } finally {
    await archive.close()
  }
  return isOds ? openOpenDocument(path, options) : openXlsx(path, options)
}

/** Pages may begin at once with a table; in XML, an element further down may be called so. */
function isPage(start: string): boolean {
  if (/<!doctype html|<html[\s>]/i.test(start)) return true
  const first = /<([a-z][^\s/>]*)/i.exec(start.replaceAll(/<!--.*?-->/gs, ''))?.[1] ?? ''
  return /^(head|body|table|meta|style|div|font|center|p|b|h\d)$/i.test(first)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
