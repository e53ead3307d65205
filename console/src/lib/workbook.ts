export type Cell = string | number | boolean | null | undefined

const SHEETS = 'application/vnd.openxmlformats-officedocument.spreadsheetml.'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** A workbook of one sheet (XLSX), whose first row has the labels and stays in sight. */
export function workbookOf(head: readonly string[], rows: readonly (readonly Cell[])[]): Blob {
  const files: [name: string, text: string][] = [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ' +
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${SHEETS}sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEETS}worksheet+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${SHEETS}styles+xml"/></Types>`,
    ],
    ['_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
        '<sheet name="Pavilion" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', STYLES],
    ['xl/worksheets/sheet1.xml', sheetOf(head, rows)],
  ]
  return zipOf(files)
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(([type, target], at) => {
    return `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  })
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`
}

/** The second style is bold, for the labels. */
const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font/><font><b/></font></fonts>` +
  '<fills count="1"><fill/></fills><borders count="1"><border/></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>'

function sheetOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((cells, row) => {
    const drawn = cells.map((cell, column) => cellOf(cell, letters(column) + (row + 1), row === 0))
    return `<row r="${row + 1}">${drawn.join('')}</row>`
  })
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><sheetData>${lines.join('')}</sheetData></worksheet>`
  )
}

/** A text is a text, also where it looks like a formula or a number. */
function cellOf(value: Cell, at: string, isHead: boolean): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`
  const style = isHead ? ' s="1"' : ''
  const text = `<t xml:space="preserve">${escaped(value)}</t>`
  return `<c r="${at}" t="inlineStr"${style}><is>${text}</is></c>`
}

/** XML cannot contain control characters, apart from those of lines and tabs. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')
}

/** 0 is A, 26 is AA. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

/** The files as they are in a ZIP archive, not compressed. */
function zipOf(files: readonly (readonly [name: string, text: string])[]): Blob {
  const encoder = new TextEncoder()
  const parts: BlobPart[] = []
  const directory: BlobPart[] = []
  let offset = 0
  let directoryBytes = 0
  for (const [name, text] of files) {
    const [path, bytes] = [encoder.encode(name), encoder.encode(text)]
    const about = [20, 0, 0, 0, DAY, checksum(bytes), bytes.length, bytes.length, path.length, 0]
    const local = record([LOCAL, ...about], LOCAL_SIZES)
    const entry = record([ENTRY, 20, ...about, 0, 0, 0, 0, offset], ENTRY_SIZES)
    parts.push(local, path, bytes)
    directory.push(entry, path)
    offset += local.length + path.length + bytes.length
    directoryBytes += entry.length + path.length
  }
  const { length } = files
  const end = record([END, 0, 0, length, length, directoryBytes, offset, 0], END_SIZES)
  return new Blob([...parts, ...directory, end], { type: `${SHEETS}sheet` })
}

/** The signatures of the records of an archive, and how many bytes each of their fields has. */
const LOCAL = 0x04034b50
const LOCAL_SIZES = [4, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2]
const ENTRY = 0x02014b50
const ENTRY_SIZES = [4, 2, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2, 2, 2, 2, 4, 4]
const END = 0x06054b50
const END_SIZES = [4, 2, 2, 2, 2, 4, 4, 2]
/** The first of January 1980, before which archives have no dates. */
const DAY = 0x21

function record(values: readonly number[], sizes: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [index, size] of sizes.entries()) {
    if (size === 4) view.setUint32(at, values[index], true)
    else view.setUint16(at, values[index], true)
    at += size
  }
  return bytes
}

/** What a byte contributes to a checksum. */
const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  return sum
})

/** CRC-32, as archives need it. */
function checksum(bytes: Uint8Array): number {
  let sum = ~0
  for (const byte of bytes) sum = (sum >>> 8) ^ CHECKSUMS[(sum ^ byte) & 0xff]
  return ~sum >>> 0
}
