/**
 * Files for the fuzzer of the readers: valid files of every format, damaged at random, and files
 * that are made to use up memory or time. Everything follows from the random numbers.
 */
import { gzipSync } from 'node:zlib'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { compoundFile, type XlsCell, xlsOf } from './xls-files.ts'

export type Random = () => number

/** Mulberry32: 32 bits of state are plenty for choosing damages. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const below = (random: Random, limit: number) => Math.floor(random() * limit)
const pick = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)]

const HEADER = [
  ...['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat', 'Measurements'],
  ...['Jewelry Type', 'Jewelry Title', 'Total Price', 'Girdle', 'Lab', 'Report #', 'constructor'],
]

function rowsOf(random: Random): string[][] {
  return Array.from({ length: 1 + below(random, 8) }, (_, index) => [
    ...[`S-${index}`, 'Round', '1.01', 'G', 'VS1', '5200', '6.5 x 6.4 x 4'],
    ...[
      'Engagement Rings',
      'Halo, "ring"',
      '5252',
      'thin - thick',
      'GIA',
      '2141438171',
      'toString',
    ],
  ])
}

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

function csvOf(random: Random): Buffer {
  const delimiter = pick(random, [',', ';', '\t', '|'])
  const lines = [HEADER, ...rowsOf(random)].map((cells) => cells.map(quoted).join(delimiter))
  const text = lines.join(pick(random, ['\n', '\r\n', '\r']))
  return random() < 0.2 ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
}

function jsonOf(random: Random): Buffer {
  const objects = rowsOf(random).map((cells) =>
    Object.fromEntries(cells.map((cell, index) => [HEADER[index], cell])),
  )
  const style = below(random, 4)
  if (style === 0) return Buffer.from(objects.map((each) => JSON.stringify(each)).join('\n'))
  if (style === 1) return Buffer.from(JSON.stringify({ data: { stones: objects } }))
  if (style === 2) return Buffer.from(JSON.stringify([{ variants: objects, title: 'Ring' }]))
  return Buffer.from(JSON.stringify(objects))
}

function partsOf(random: Random): Record<string, string> {
  const rows = [HEADER, ...rowsOf(random)].map((cells, row) => {
    const inline = cells.map(
      (cell, column) =>
        `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>` +
        `${cell.replaceAll('&', '&amp;')}</t></is></c>`,
    )
    return `<row r="${row + 1}">${inline.join('')}</row>`
  })
  return workbookParts(rows.join(''), '<si><t>shared</t></si>')
}

function workbookParts(rows: string, shared: string): Record<string, string> {
  return {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/workbook.xml': '<workbook><sheets><sheet r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
  }
}

function zipped(parts: Record<string, string>, level: 0 | 6 = 6): Buffer {
  const files: Zippable = {}
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(text)
  return Buffer.from(zipSync(files, { level }))
}

function xlsFileOf(random: Random): Buffer {
  const rows = rowsOf(random).map((cells) =>
    cells.map((cell): XlsCell => {
      const kind = below(random, 6)
      if (/^[\d.]+$/.test(cell)) return kind === 0 ? { formula: Number(cell) } : Number(cell)
      if (kind === 0) return { text: cell, link: 'https://lab.example/' }
      return kind === 1 ? { formula: cell, link: 'https://lab.example/' } : cell
    }),
  )
  const recordBytes = pick(random, [20, 300, 8_224])
  return xlsOf([{ name: 'S', rows: [HEADER, ...rows] }], { recordBytes, isSmall: random() < 0.3 })
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const tagOf = (name: string) => name.replaceAll(/\W/g, '_')

function xmlOf(random: Random): Buffer {
  const isWithAttributes = random() < 0.5
  const stones = rowsOf(random).map((cells) => {
    const named = cells.map((cell, at) => [tagOf(HEADER[at]), escaped(cell)] as const)
    if (!isWithAttributes) {
      return `<n:stone>${named.map(([name, cell]) => `<${name}>${cell}</${name}>`).join('')}</n:stone>`
    }
    const attributes = named.map(([name, cell]) => `${name}="${cell.replaceAll('"', '')}"`)
    return `<stone ${attributes.join(' ')}/>`
  })
  return Buffer.from(`<?xml version="1.0"?><a><b><![CDATA[x]]></b>${stones.join('')}</a>`)
}

function pageOf(random: Random): Buffer {
  const cellOf = (cell: string) =>
    random() < 0.1
      ? `<td colspan="${below(random, 4)}" rowspan="${below(random, 4)}"><a href="https://x.example/">${cell}</a>`
      : `<td>${escaped(cell)}</td>`
  const rows = [HEADER, ...rowsOf(random)].map((cells) => `<tr>${cells.map(cellOf).join('')}`)
  return Buffer.from(`<html><body><table>${rows.join('</tr>')}</table></body></html>`)
}

function spreadsheetXmlOf(random: Random): Buffer {
  const rows = [HEADER, ...rowsOf(random)].map(
    (cells) =>
      `<Row>${cells.map((cell) => `<Cell ss:HRef="https://x.example"><Data>${escaped(cell)}</Data></Cell>`).join('')}</Row>`,
  )
  const names = 'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"'
  return Buffer.from(
    `<Workbook ${names}><Worksheet ss:Name="S"><Table>${rows.join('')}</Table></Worksheet></Workbook>`,
  )
}

/** An OpenDocument workbook with this content. */
function openDocumentOf(content: string): Buffer {
  const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'
  return zipped({ mimetype, 'content.xml': content })
}

const ODS_CELLS = 'table:number-columns-repeated'
const ODS_ROWS = 'table:number-rows-repeated'

function openDocumentFileOf(random: Random): Buffer {
  const rows = [HEADER, ...rowsOf(random)].map((cells) => {
    const written = cells.map((cell) => {
      const times = random() < 0.9 ? 1 : pick(random, ['0', '3', '1e9', '-1', 'x'])
      const text = `<text:p>${escaped(cell)}</text:p>`
      return `<table:table-cell ${ODS_CELLS}="${times}">${text}</table:table-cell>`
    })
    return `<table:table-row>${written.join('')}</table:table-row>`
  })
  const content = `<a><table:table table:name="S">${rows.join('')}</table:table></a>`
  const isDamaged = random() < 0.5
  return openDocumentOf(
    isDamaged ? damaged(random, Buffer.from(content)).toString('utf8') : content,
  )
}

const MAKERS = [csvOf, jsonOf, xlsFileOf, xmlOf, pageOf, spreadsheetXmlOf]

/** One to three files of any format in a ZIP. */
function archiveOf(random: Random): Buffer {
  const files: Zippable = {}
  for (let left = 1 + below(random, 3); left > 0; left--) {
    const content = pick(random, MAKERS)(random)
    files[`${left}.csv`] = random() < 0.3 ? damaged(random, content) : content
  }
  return Buffer.from(zipSync(files))
}

/** A workbook with this XML in its first sheet. */
export function workbookOf(rows: string, shared = ''): Buffer {
  return zipped(workbookParts(rows, shared))
}

/** Changes, inserts, repeats, removes or cuts off some bytes. */
function damaged(random: Random, bytes: Buffer): Buffer {
  let result = Buffer.from(bytes)
  for (let left = 1 + below(random, 6); left > 0; left--) {
    const at = below(random, result.length + 1)
    const [head, tail] = [result.subarray(0, at), result.subarray(at)]
    const kind = below(random, 6)
    if (kind === 0 && at < result.length) result[at] = below(random, 256)
    if (kind === 1) result = Buffer.concat([head, Buffer.from([below(random, 256)]), tail])
    if (kind === 2) result = Buffer.concat([head, tail.subarray(below(random, 50))])
    if (kind === 3) result = Buffer.from(head)
    if (kind === 4) result = Buffer.concat([head, tail.subarray(0, 40), tail])
    if (kind === 5) result = Buffer.concat([head, Buffer.from(pick(random, TOKENS)), tail])
  }
  return result
}

const TOKENS = [
  ...['"', '""', '\n', '\r', ',', '{', '[', ']', '}', '<row>', '</row>', '<c r="XFD1">', '&#0;'],
  ...['<a>', '<!--', '<![CDATA[', '&amp;', '__proto__', 'constructor', '\0', '\ud800', '1e308'],
  ...['-', '="', '\\', '\\u0000', 'null', '9'.repeat(400), ' '.repeat(400)],
]

const WHOLE_FILES = [...[xlsFileOf, xmlOf, pageOf, spreadsheetXmlOf, archiveOf, openDocumentFileOf]]

/** A valid file of a random format with random damages. */
export function damagedFile(random: Random): Buffer {
  const format = below(random, 9)
  if (format > 4) {
    const made = pick(random, WHOLE_FILES)(random)
    return random() < 0.1 ? made : damaged(random, made)
  }
  if (format === 0) return damaged(random, csvOf(random))
  if (format === 1) return damaged(random, jsonOf(random))
  if (format === 2) return damaged(random, zipped(partsOf(random), random() < 0.5 ? 0 : 6))
  if (format === 3) {
    const parts = partsOf(random)
    const name = pick(random, Object.keys(parts))
    parts[name] = damaged(random, Buffer.from(parts[name])).toString('utf8')
    return zipped(parts)
  }
  const packed = gzipSync(damaged(random, pick(random, [csvOf, jsonOf])(random)))
  return random() < 0.5 ? packed : damaged(random, packed)
}

const STONES = '[{"stock":"a","weight":1,"shape":"round","price":1},'
const CSV = 'Stock #,Shape,Weight,Jewelry Type,Jewelry Title,Price\n'
const RING = '"stock number":"a","type":"ring","title":"t","price":1'

/**
 * Files that ended the process, took hundreds of megabytes or hours, or could have: each grows to
 * a random size, up to some megabytes unpacked.
 */
const HOSTILE: ((random: Random, size: number) => Buffer)[] = [
  (random) =>
    workbookOf(`<row r="1"><c r="${'Z'.repeat(2 + below(random, 30))}2"><v>1</v></c></row>`),
  (_, size) => workbookOf('<a>'.repeat(size)),
  (_, size) => workbookOf('<row><c r="XFD1"/></row>'.repeat(size)),
  (_, size) => workbookOf('<row><c r="XFD1"><v>1</v></c></row>'.repeat(size)),
  (_, size) => workbookOf(`<row>${'<c/>'.repeat(size)}</row>`),
  (_, size) => workbookOf(`<row>${'<c><v>1</v></c>'.repeat(size)}</row>`),
  (_, size) => workbookOf('<row/>'.repeat(size)),
  (_, size) => workbookOf(`<row><c><v>${'<v>1</v>'.repeat(size)}</v></c></row>`),
  (_, size) => workbookOf(`<row ${Array.from({ length: size }, (_, i) => `a${i}=""`).join(' ')}/>`),
  (_, size) => workbookOf(`<row><!--${'x'.repeat(size)}--></row>`),
  (_, size) => workbookOf('<row/>', '<si/>'.repeat(size)),
  (_, size) =>
    workbookOf(
      `<row>${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`.repeat(100),
      `<si><t>${'x'.repeat(size)}</t></si>`,
    ),
  (random) => workbookOf(`<row r="${pick(random, ['1e308', '-1', '0', '1.5', '99999999'])}"/>`),
  (_, size) => gzipSync(Buffer.alloc(size * 20, 'x,')),
  (_, size) => gzipSync(gzipSync(Buffer.alloc(size * 20, '\n'))),
  (_, size) => Buffer.from(`${CSV}${'\n'.repeat(size)}`),
  (_, size) => Buffer.from(`${CSV}${','.repeat(size)}`),
  (_, size) => Buffer.from(`${CSV}${'"'.repeat(size)}`),
  (_, size) => Buffer.from(`${CSV}a,round,${' '.repeat(size)}x,ring,t,1`),
  (_, size) => Buffer.from(`${CSV}a,round,${'1 '.repeat(size)},ring,t,${'1'.repeat(size)}`),
  (_, size) => Buffer.from(`${'.a'.repeat(size)},${CSV}1,2,3`),
  (_, size) => Buffer.from('['.repeat(size)),
  (_, size) => Buffer.from('{"a":'.repeat(size)),
  (_, size) => Buffer.from(`[${'{},'.repeat(size)}{}]`),
  (_, size) => Buffer.from(`${STONES}{"a":}${' '.repeat(size)}`),
  (_, size) =>
    Buffer.from(`${STONES}{"${'k'.repeat(size)}":{${'"a":1,'.repeat(size / 10)}"b":1}}]`),
  (_, size) => Buffer.from(`${STONES}{"${'a.'.repeat(size)}":1,"weight":1}]`),
  (_, size) => Buffer.from(`[{${RING},"${'k'.repeat(size)}":{${manyKeys(size / 10)}}}]`),
  (_, size) =>
    Buffer.from(`[{${RING},${manyKeys(900)},"variants":[${'{},'.repeat(size / 100)}{}]}]`),
  (_, size) =>
    Buffer.from(`[{${RING},"image":[${'"x",'.repeat(size / 10)}"x"],"variants":[{},{},{}]}]`),
  (_, size) => Buffer.from(`{"${'\n'.repeat(size)}`),
  (_, size) => Buffer.from(`<a>${'<b>'.repeat(size)}`),
  (_, size) => Buffer.from(`<a>${STONE_XML}<stone${attributes(size)}/></a>`),
  (_, size) => Buffer.from(`<a>${STONE_XML}<stone>${elements(size)}</stone></a>`),
  (_, size) => Buffer.from(`<a>${STONE_XML}<stone><b>${'x'.repeat(size * 10)}</b></stone></a>`),
  (_, size) => Buffer.from(`<a>${STONE_XML.repeat(size / 10)}</a>`),
  (_, size) => Buffer.from(`<a>${'&'.repeat(size)}${STONE_XML}</a>`),
  (_, size) => Buffer.from(`<!DOCTYPE a [${'<!ELEMENT b ANY>'.repeat(size)}]><a>${STONE_XML}</a>`),
  (_, size) => Buffer.from(`<html>${'<table>'.repeat(size)}`),
  (_, size) => Buffer.from(`<html>${'<table></table>'.repeat(size)}`),
  (_, size) => Buffer.from(`<html><table>${'<tr><td>a<td>b<td>c'.repeat(size)}`),
  (_, size) => Buffer.from(`<table>${'<tr><td rowspan=65534 colspan=2000>x'.repeat(size / 10)}`),
  (_, size) => Buffer.from(`<table>${PAGE_HEADER}${spanning(size)}${'<tr><td>1'.repeat(size)}`),
  (_, size) => Buffer.from(`<table>${PAGE_HEADER}${'<'.repeat(size)}`),
  (_, size) => Buffer.from(`<table>${PAGE_HEADER}${'<td a="'.repeat(size)}`),
  (_, size) => Buffer.from(`<html><!--${'<!--'.repeat(size)}`),
  (_, size) => Buffer.from(`<html><script>${'</scrip'.repeat(size)}`),
  (_, size) => compoundFile('Workbook', recordsOf(size)),
  (random, size) => brokenChains(random, compoundFile('Workbook', Buffer.alloc(size * 4))),
  (_, size) => compoundFile('Workbook', sharedStringsOf(size)),
  (_, size) =>
    openDocumentOf(
      `<table:table><table:table-row ${ODS_ROWS}="${size * 10}"><table:table-cell ${ODS_CELLS}="1900">` +
        '<text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    ),
  (_, size) => openDocumentOf(`<table:table>${'<table:table-row><table:table-cell>'.repeat(size)}`),
  (_, size) => zipped({ 'a.csv': CSV + 'x,'.repeat(size * 20) }),
  (_, size) => zipped(Object.fromEntries(manyFiles(Math.min(size, 300)))),
]

const STONE_XML = '<stone stock="a" shape="round" weight="1" price="1"/>'
const PAGE_HEADER = '<tr><td>Stock #<td>Shape<td>Weight<td>Price'
const attributes = (size: number) =>
  Array.from({ length: size }, (_, index) => ` a${index}="${index}"`).join('')
const elements = (size: number) =>
  Array.from({ length: size }, (_, index) => `<a${index}>1</a${index}>`).join('')
const spanning = (size: number) =>
  `<tr>${`<td rowspan=65534>${'x'.repeat(Math.min(size, 5_000))}`.repeat(Math.min(size, 1_500))}`
const manyFiles = (count: number) =>
  Array.from({ length: count }, (_, index) => [`${index}.csv`, `${CSV}a,round,1,ring,t,1`])

const BEGIN = Buffer.from('0908100000060500000000000000000000000000', 'hex')

/** Records of all types and lengths after a valid beginning, one sheet of which is the stream. */
function recordsOf(size: number): Buffer {
  const sheet = Buffer.from('850009000000000000000100530a000000', 'hex')
  const cells = Buffer.alloc(Math.floor(size / 4) * 4)
  const types = [0x3c, 0xbd, 0xfd, 0x06, 0x207, 0x1b8, 0x204, 0x27e]
  for (let at = 0; at + 4 <= cells.length; at += 4) {
    cells.writeUInt16LE(types[(at / 4) % types.length], at)
  }
  return Buffer.concat([BEGIN, sheet, cells])
}

/** Shared strings that claim to be many and long, and continue in many empty records. */
function sharedStringsOf(size: number): Buffer {
  const strings = Buffer.from('fc000b00ffffffffffffffffffff01', 'hex')
  return Buffer.concat([BEGIN, strings, Buffer.from('3c000000'.repeat(size), 'hex')])
}

/** Changes the numbers of sectors, so that chains go in circles or out of the file. */
function brokenChains(random: Random, file: Buffer): Buffer {
  for (let left = 50; left > 0; left--) {
    const at = pick(random, [44 + 4 * below(random, 100), 4 * below(random, file.length / 4 - 1)])
    file.writeUInt32LE(pick(random, [0, 1, 2, file.length, 0xfffffffe, 0xfffffffd]), at)
  }
  return file
}

function manyKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":null`).join(',')
}

/** Some are tiny and some have megabytes; most are small, so that thousands run in a minute. */
export function hostileFile(random: Random): Buffer {
  const size = Math.floor(10 ** (1 + random() * (random() < 0.02 ? 5 : 2.5)))
  return pick(random, HOSTILE)(random, size)
}

/** Every kind of hostile file once, at its full size. */
export function largeHostileFiles(random: Random): Buffer[] {
  return HOSTILE.map((make) => make(random, 100_000))
}
