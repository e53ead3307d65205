import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { xlsOf } from '../xls-files.ts'
import { workbook } from '../xlsx-files.ts'
import type { GeneratedFile } from './files.ts'

/** Writes the rows at these positions, or all. */
export function fileBytes(file: GeneratedFile, positions?: readonly number[]): Buffer {
  const rows = positions === undefined ? file.rows : positions.map((at) => file.rows[at])
  const { packing } = file.layout
  if (packing === 'xlsx' || packing === 'xls') return asWorkbook(file, rows, packing)
  if (packing === 'xml') return asXml(file, rows)
  const plain = file.format === 'json' ? asJson(file, rows) : asText(file, rows)
  if (packing === 'gzip') return gzipSync(plain)
  return packing === 'zip'
    ? Buffer.from(zipSync({ [file.format === 'json' ? 'stock.json' : 'stock.csv']: plain }))
    : plain
}

function asJson({ headers }: GeneratedFile, rows: string[][]): Buffer {
  const diamonds = rows.map((row) =>
    Object.fromEntries(row.map((cell, at) => [headers[at], cell === '' ? null : cell])),
  )
  return Buffer.from(JSON.stringify({ response: { body: { total: rows.length, diamonds } } }))
}

function asText({ headers, layout }: GeneratedFile, rows: string[][]): Buffer {
  const { delimiter, lineEnd, isQuoted } = layout
  const quote = (text: string) =>
    (isQuoted && text !== '') || /[",;|\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const line = (cells: string[]) => cells.map(quote).join(delimiter) + lineEnd
  const middle = Math.floor(rows.length / 2)
  const lines = rows.map((row, at) => {
    const before =
      (layout.hasBlankRows && at === middle ? line(headers.map(() => '')) : '') +
      (layout.repeatsHeader && at === middle ? line(headers) : '')
    return before + line(row)
  })
  const totals = layout.hasTotals
    ? line(headers.map((_, at) => (at === headers.length - 1 ? `Total: ${rows.length}` : '')))
    : ''
  const title = layout.title === '' ? '' : line([layout.title])
  const text = `${layout.hasMark ? '\ufeff' : ''}${title}${line(headers)}${lines.join('')}${totals}`
  return Buffer.from(text)
}

/** Spreadsheets keep what looks like a number as one. */
const PLAIN_NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/

function asWorkbook(
  { headers, layout, style }: GeneratedFile,
  rows: string[][],
  packing: 'xlsx' | 'xls',
): Buffer {
  const isNumber = (text: string) => style.decimal === '.' && PLAIN_NUMBER.test(text)
  const cellOf = (text: string) => (text === '' ? null : isNumber(text) ? Number(text) : text)
  const title = layout.title === '' ? [] : [[layout.title]]
  const cells = [...title, headers, ...rows.map((row) => row.map(cellOf))]
  const sheets = [{ name: 'Stock', rows: cells }]
  return packing === 'xls' ? xlsOf(sheets) : Buffer.from(workbook(sheets))
}

function asXml({ headers }: GeneratedFile, rows: string[][]): Buffer {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const items = rows.map((row) => {
    const cells = row.map((cell, at) => `<${headers[at]}>${escaped(cell)}</${headers[at]}>`)
    return `<diamond>${cells.join('')}</diamond>`
  })
  return Buffer.from(`<?xml version="1.0"?>\n<diamonds>${items.join('\n')}</diamonds>\n`)
}

/** The same rows as text, for a reader that does not know the format. */
export function fileText(file: GeneratedFile, positions?: readonly number[]): Buffer {
  return fileBytes({ ...file, layout: { ...file.layout, packing: 'none' } }, positions)
}
