/** The records of an Excel stream (BIFF), one after the other: a type, a length and bytes. */

export const RECORD = {
  formula: 0x06,
  end: 0x0a,
  dateMode: 0x22,
  password: 0x2f,
  continued: 0x3c,
  codePage: 0x42,
  sheet: 0x85,
  multipleNumbers: 0xbd,
  richLabel: 0xd6,
  cellFormat: 0xe0,
  sharedStrings: 0xfc,
  sharedLabel: 0xfd,
  hyperlink: 0x1b8,
  number: 0x203,
  label: 0x204,
  boolean: 0x205,
  formulaText: 0x207,
  shortNumber: 0x27e,
  numberFormat: 0x41e,
  begin: 0x809,
} as const

export interface XlsRecord {
  type: number
  data: Buffer
  /** The record and those that continue it. */
  segments: Buffer[]
}

/** Reads records from a position up to the end of the stream; a cut one ends the reading. */
export function* readRecords(stream: Buffer, from: number): Generator<XlsRecord> {
  let at = from
  while (at + 4 <= stream.length) {
    const type = stream.readUInt16LE(at)
    const data = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2))
    at += 4 + data.length
    const segments = [data]
    while (at + 4 <= stream.length && stream.readUInt16LE(at) === RECORD.continued) {
      const more = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2))
      segments.push(more)
      at += 4 + more.length
    }
    yield { type, data, segments }
  }
}

/** A number of 30 bits: the upper part of a double or an integer, perhaps in hundredths. */
export function shortNumber(data: Buffer, at: number): number {
  const bits = data.readInt32LE(at)
  let value = bits >> 2
  if ((bits & 2) === 0) {
    const double = Buffer.alloc(8)
    double.writeInt32LE(bits & ~3, 4)
    value = double.readDoubleLE(0)
  }
  return bits & 1 ? value / 100 : value
}
