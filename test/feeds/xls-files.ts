/**
 * Writes workbooks as Excel 97 does, from its published format: a stream of records in a compound
 * file. It shares no code with the reader.
 */
export type XlsCell =
  | string
  | number
  | boolean
  | null
  | { date: number }
  /** A number in a format that shows euros. */
  | { euros: number }
  | { formula: number | string | boolean; link?: string }
  | { text: string; link: string }
  | { error: true }

export interface XlsSheet {
  name: string
  rows: XlsCell[][]
  isHidden?: boolean
}

interface XlsOptions {
  /** Bytes after which shared strings continue in the next record; Excel's limit is 8,224. */
  recordBytes?: number
  isEncrypted?: boolean
  /** Excel 95: no shared strings, one byte per character. */
  isBiff5?: boolean
  /** Below 4,096 bytes a stream is kept in small sectors; Excel fills it up to avoid that. */
  isSmall?: boolean
  streamName?: string
}

const u16 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4)
  return bytes
}
const double = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
const record = (type: number, ...data: Buffer[]) => {
  const bytes = Buffer.concat(data)
  return Buffer.concat([u16(type, bytes.length), bytes])
}

const isWideText = (text: string) => Buffer.from(text, 'latin1').toString('latin1') !== text
const charsOf = (text: string) => Buffer.from(text, isWideText(text) ? 'utf16le' : 'latin1')
const unicode = (text: string) =>
  Buffer.concat([u16(text.length), Buffer.from([isWideText(text) ? 1 : 0]), charsOf(text)])

/** Writes shared strings; one that does not fit is continued with a new flag, as Excel does. */
function sharedStrings(strings: string[], bytesMax: number): Buffer {
  const records: Buffer[] = []
  let data = u32(strings.length, strings.length)
  let type = 0xfc
  const flush = () => {
    records.push(record(type, data))
    data = Buffer.alloc(0)
    type = 0x3c
  }
  for (const text of strings) {
    if (data.length + 4 > bytesMax) flush()
    const isWide = isWideText(text)
    data = Buffer.concat([data, u16(text.length), Buffer.from([isWide ? 1 : 0])])
    let chars = charsOf(text)
    for (;;) {
      const space = Math.max(0, bytesMax - data.length) & ~1
      data = Buffer.concat([data, chars.subarray(0, space)])
      chars = chars.subarray(space)
      if (chars.length === 0) break
      flush()
      data = Buffer.from([isWide ? 1 : 0])
    }
  }
  flush()
  return Buffer.concat(records)
}

/** The short form of a number, when it has one. */
function shortNumber(value: number): number | undefined {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 29) return (value << 2) | 2
  const hundredths = Math.round(value * 100)
  if (hundredths / 100 === value && Math.abs(hundredths) < 2 ** 29) return (hundredths << 2) | 3
  return undefined
}

function hyperlink(row: number, column: number, link: string): Buffer {
  const url = Buffer.from(`${link}\0`, 'utf16le')
  const guid = (hex: string) => Buffer.from(hex, 'hex')
  return record(
    0x1b8,
    u16(row, row, column, column),
    guid('d0c9ea79f9bace118c8200aa004ba90b'),
    u32(2, 3),
    guid('e0c9ea79f9bace118c8200aa004ba90b'),
    u32(url.length),
    url,
  )
}

/** The tokens of `HYPERLINK("…","View")`. */
function hyperlinkTokens(link: string): Buffer {
  const text = (value: string) =>
    Buffer.concat([Buffer.from([0x17, value.length, 0]), charsOf(value)])
  return Buffer.concat([text(link), text('View'), Buffer.from([0x42, 2]), u16(359)])
}

function cellRecords(
  cell: XlsCell,
  at: { row: number; column: number; share(text: string): number; isBiff5: boolean },
): Buffer[] {
  const head = (format: number) => u16(at.row, at.column, format)
  if (cell === null) return []
  if (typeof cell === 'boolean') {
    return [record(0x205, head(0), Buffer.from([cell ? 1 : 0, 0]))]
  }
  if (typeof cell === 'number') {
    const short = shortNumber(cell)
    if (short === undefined) return [record(0x203, head(0), double(cell))]
    return [record(0x27e, head(0), u32(short))]
  }
  if (typeof cell === 'string') {
    if (at.isBiff5) return [record(0x204, head(0), u16(cell.length), Buffer.from(cell, 'latin1'))]
    return [record(0xfd, head(0), u32(at.share(cell)))]
  }
  if ('error' in cell) return [record(0x205, head(0), Buffer.from([42, 1]))]
  if ('euros' in cell) return [record(0x203, head(2), double(cell.euros))]
  if ('date' in cell) return [record(0x203, head(1), double(cell.date))]
  if ('text' in cell) return cellRecords(cell.text, at)
  const tokens = cell.link ? hyperlinkTokens(cell.link) : Buffer.from([0x1e, 1, 0])
  const tail = [u16(0), u32(0), u16(tokens.length), tokens]
  const { formula } = cell
  if (typeof formula === 'number') return [record(0x06, head(0), double(formula), ...tail)]
  if (typeof formula === 'boolean') {
    const value = Buffer.from([1, 0, formula ? 1 : 0, 0, 0, 0, 0xff, 0xff])
    return [record(0x06, head(0), value, ...tail)]
  }
  const value = Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff])
  return [record(0x06, head(0), value, ...tail), record(0x207, unicode(formula))]
}

/** Three or more numbers beside each other are one record, as Excel writes them. */
function rowRecords(
  cells: XlsCell[],
  row: number,
  share: (text: string) => number,
  isBiff5: boolean,
): Buffer[] {
  const records: Buffer[] = []
  for (let column = 0; column < cells.length; column++) {
    const shorts: number[] = []
    for (let next = column; next < cells.length; next++) {
      const cell = cells[next]
      const short = typeof cell === 'number' ? shortNumber(cell) : undefined
      if (short === undefined) break
      shorts.push(short)
    }
    if (shorts.length < 3) {
      records.push(...cellRecords(cells[column], { row, column, share, isBiff5 }))
      continue
    }
    const last = column + shorts.length - 1
    const numbers = shorts.flatMap((short) => [u16(0), u32(short)])
    records.push(record(0xbd, u16(row, column), ...numbers, u16(last)))
    column = last
  }
  return records
}

function linkOf(cell: XlsCell): string | undefined {
  return cell !== null && typeof cell === 'object' && 'text' in cell ? cell.link : undefined
}

function workbookStream(sheets: XlsSheet[], options: XlsOptions): Buffer {
  const isBiff5 = options.isBiff5 ?? false
  const begin = (type: number) => record(0x809, u16(isBiff5 ? 0x500 : 0x600, type), u32(0, 0, 0))
  const end = record(0x0a)
  const shared: string[] = []
  const sharedAt = new Map<string, number>()
  const share = (text: string) => {
    const at = sharedAt.get(text) ?? shared.push(text) - 1
    sharedAt.set(text, at)
    return at
  }
  const bodies = sheets.map(({ rows }) =>
    Buffer.concat([
      begin(0x10),
      ...rows.flatMap((cells, row) => rowRecords(cells, row, share, isBiff5)),
      ...rows.flatMap((cells, row) =>
        cells.flatMap((cell, column) => {
          const link = linkOf(cell)
          return link === undefined ? [] : [hyperlink(row, column, link)]
        }),
      ),
      end,
    ]),
  )
  const globals = (offsets: number[]) =>
    Buffer.concat([
      begin(5),
      ...(options.isEncrypted ? [record(0x2f, u16(1, 1, 1), Buffer.alloc(48))] : []),
      record(0x42, u16(isBiff5 ? 1252 : 1200)),
      record(0x22, u16(0)),
      record(0xe0, u16(0, 0), Buffer.alloc(16)),
      record(0xe0, u16(0, 14), Buffer.alloc(16)),
      ...(isBiff5 ? [] : [record(0x41e, u16(164), unicode('#,##0.00\\ [$€-407]'))]),
      record(0xe0, u16(0, 164), Buffer.alloc(16)),
      ...sheets.map(({ name, isHidden }, index) =>
        record(
          0x85,
          u32(offsets[index]),
          Buffer.from([isHidden ? 1 : 0, 0, name.length]),
          ...(isBiff5
            ? [Buffer.from(name, 'latin1')]
            : [Buffer.from([isWideText(name) ? 1 : 0]), charsOf(name)]),
        ),
      ),
      ...(isBiff5 ? [] : [sharedStrings(shared, options.recordBytes ?? 8_224)]),
      end,
    ])
  let offset = globals(sheets.map(() => 0)).length
  const offsets = bodies.map((body) => {
    const at = offset
    offset += body.length
    return at
  })
  return Buffer.concat([globals(offsets), ...bodies])
}

const SECTOR = 512
const END_OF_CHAIN = 0xfffffffe
const FREE = 0xffffffff
const padded = (bytes: Buffer, size: number) =>
  Buffer.concat([bytes, Buffer.alloc((size - (bytes.length % size)) % size)])

function directoryEntry(name: string, type: number, start: number, size: number): Buffer {
  const entry = Buffer.alloc(128)
  entry.write(name, 'utf16le')
  entry.writeUInt16LE(name === '' ? 0 : (name.length + 1) * 2, 64)
  entry[66] = type
  entry[67] = 1
  u32(FREE, FREE, type === 5 ? 1 : FREE).copy(entry, 68)
  u32(start, size, 0).copy(entry, 116)
  return entry
}

/** Puts one stream into a compound file. */
export function compoundFile(name: string, content: Buffer, isSmall = false): Buffer {
  const stream = isSmall ? padded(content, 64) : padded(content, 4_096)
  const body = padded(stream, SECTOR)
  const smallTable = padded(
    u32(
      ...Array.from({ length: stream.length / 64 }, (_, at) =>
        at + 1 < stream.length / 64 ? at + 1 : END_OF_CHAIN,
      ),
    ),
    SECTOR,
  )
  const parts = [
    body,
    isSmall ? smallTable : Buffer.alloc(0),
    padded(
      Buffer.concat([
        directoryEntry('Root Entry', 5, isSmall ? 0 : END_OF_CHAIN, isSmall ? stream.length : 0),
        directoryEntry(name, 2, 0, isSmall ? content.length : stream.length),
      ]),
      SECTOR,
    ),
  ]
  const chains = parts.map((part) => part.length / SECTOR)
  const used = chains.reduce((a, b) => a + b, 0)
  let tables = 1
  while (tables * 128 < used + tables) tables++
  const table: number[] = []
  for (const length of chains) {
    for (let at = 0; at < length; at++) {
      table.push(at + 1 < length ? table.length + 1 : END_OF_CHAIN)
    }
  }
  const firstTable = table.length
  for (let at = 0; at < tables; at++) table.push(0xfffffffd)
  while (table.length < tables * 128) table.push(FREE)
  const header = Buffer.alloc(SECTOR)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  u16(0x3e, 3, 0xfffe, 9, 6).copy(header, 24)
  u32(tables, chains[0] + chains[1], 0, 4_096).copy(header, 44)
  u32(isSmall ? chains[0] : END_OF_CHAIN, isSmall ? chains[1] : 0, END_OF_CHAIN, 0).copy(header, 60)
  for (let at = 0; at < 109; at++) {
    header.writeUInt32LE(at < tables ? firstTable + at : FREE, 76 + at * 4)
  }
  return Buffer.concat([header, ...parts, u32(...table)])
}

export function xlsOf(sheets: XlsSheet[], options: XlsOptions = {}): Buffer {
  const stream = workbookStream(sheets, options)
  return compoundFile(options.streamName ?? 'Workbook', stream, options.isSmall)
}
