import { round } from './money.ts'
import { type PriceReading, readPrices } from './prices.ts'
import { readTable, type Table } from './table.ts'
import * as values from './values.ts'
import { type Columns, columnsOf } from './which-column.ts'

export type ReadStone = Record<string, string | number | boolean | null>

/** What the second reader understands of a file. */
export interface SecondReading {
  /** By stock number. */
  stones: Map<string, ReadStone>
  refused: Map<string, string>
  /** The file must be asked about, because its price may mean two things. */
  isUnsure: boolean
}

export function readByTheRules(
  bytes: Uint8Array,
  rates: Readonly<Record<string, number>>,
): SecondReading {
  const sheet = readTable(bytes)
  const columns = columnsOf(sheet)
  const decimal = decimalOf(sheet, columns)
  const prices = readPrices(sheet, columns, decimal, rates)
  const stones = new Map<string, ReadStone>()
  const refused = new Map<string, string>()
  for (const row of sheet.rows) {
    const cell = (field: string) => {
      const at = columns.get(field)
      return at === undefined ? '' : (row[at] ?? '').trim()
    }
    const stock = cell('stock')
    if (stock === '') continue
    const stone = readStone({ cell, row, sheet, decimal, prices })
    if (typeof stone === 'string') refused.set(stock, stone)
    else stones.set(stock, stone)
  }
  return { stones, refused, isUnsure: prices.isUnsure }
}

interface RowInput {
  cell: (field: string) => string
  row: string[]
  sheet: Table
  decimal: '.' | ','
  prices: PriceReading
}

function readStone(input: RowInput): ReadStone | string {
  const { cell, decimal, prices, row } = input
  const number = (field: string) => values.readNumber(cell(field), decimal)
  const weight = number('weight')
  if (weight === null || weight <= 0) return 'weight'
  if (!values.isOffered(cell('status'))) return 'not offered'
  const isGrown = growthOf(input)
  const color = colorOf(cell)
  if (typeof color === 'string') return color
  const clarity = values.readClarity(cell('clarity'))
  if (clarity === null) return 'clarity'
  const lot = lotOf(cell, number('stones'))
  const sides = sidesOf(cell, decimal)
  const single = lot.kind === 'one' ? weight : weight / lot.stones
  const density = sides === null ? null : single / (sides[0] * sides[1] * sides[2])
  if (density !== null && (density < 0.003 || density > 0.014)) return 'sides'
  const ratio = sides === null ? null : sides[0] / sides[1]
  const hasCut = values.readCut(cell('cut')) !== null
  const shape = values.readShape(cell('shape'), { ratio, density, hasCut })
  if (shape === null) return 'shape'
  const price = prices.of(row, weight)
  if (price === null) return 'price'
  const isParcel = lot.kind === 'parcel'
  return {
    vendor_sku: cell('stock'),
    product_type: isParcel ? 'melee' : 'diamond',
    type: isGrown ? 'lab grown' : 'mined',
    quantity: isParcel ? lot.stones : 1,
    shape,
    weight: isParcel ? round(single, 4) : weight,
    ...color,
    clarity,
    ...makeOf(cell, number, sides),
    ...certificateOf(cell, lot.kind === 'pair'),
    ...otherOf(cell),
    cost: isParcel ? price.perCarat : price.total,
  }
}

function growthOf({ cell, row, sheet }: RowInput): boolean {
  const kind = ['lg', 'lab_grown']
  const flag = sheet.headers.some(
    (header, at) => kind.includes(header) && /^(true|1|y|yes)$/i.test(row[at] ?? ''),
  )
  if (flag || /\bLG/i.test(cell('cert')) || /\bLG/.test(cell('lab'))) return true
  return sheet.headers.some((header, at) => {
    if (!/type|origin|growth|comment|remark/i.test(header)) return false
    return values.saysGrown(row[at] ?? '')
  })
}

function colorOf(cell: (field: string) => string) {
  const hue = values.readHue(cell('hue'))
  if (hue !== null)
    return {
      color: hue,
      is_fancy: true,
      fancy_color_intensity: values.readIntensity(cell('intensity')),
      overtone: cell('overtone') === '' ? null : cell('overtone'),
    }
  const read = values.readColor(cell('color'))
  if (read === null) return 'color'
  return {
    color: read.color,
    is_fancy: read.isFancy,
    fancy_color_intensity: read.intensity,
    overtone: read.overtone,
  }
}

/** Two certificates and a mark are a pair; several stones without certificates are a parcel. */
function lotOf(cell: (field: string) => string, stones: number | null) {
  const certs = certsIn(cell('cert'))
  const isMarked = stones === 2 || /\bpair\b/i.test(cell('remark'))
  if (certs.length === 2 && isMarked) return { kind: 'pair' as const, stones: 2 }
  if (certs.length === 0 && stones !== null && stones > 1)
    return { kind: 'parcel' as const, stones }
  return { kind: 'one' as const, stones: 1 }
}

const certsIn = (text: string) =>
  text.split(/\s*\/\s*/).filter((part) => part.length > 2 && /\d/.test(part))

function certificateOf(cell: (field: string) => string, isPair: boolean) {
  const [, joined = '', rest = ''] =
    /^([A-Za-z]+)(?:\s+LG)?\s+((?:LG)?\d.*)$/.exec(cell('cert')) ?? []
  const lab = (joined === '' ? cell('lab') : joined).replace(/[\s-]*LG.*$/i, '').toUpperCase()
  const certs = certsIn(rest === '' ? cell('cert') : rest)
  return {
    lab: ['GIA', 'IGI', 'GCAL'].includes(lab) ? lab : null,
    lab_name: labNameOf(joined === '' ? cell('lab') : cell('cert')),
    cert_num: certs.length === 0 ? null : isPair ? certs.join(' / ') : certs[0],
  }
}

/** The longer side first. */
function sidesOf(
  cell: (field: string) => string,
  decimal: '.' | ',',
): [number, number, number] | null {
  const parts = ['length', 'width', 'depth'].map((field) => cell(field))
  const texts = parts.every((part) => part !== '')
    ? parts
    : cell('measurements').split(/\s*[xX*|-]+\s*/)
  const sides = texts.map((text) => values.readNumber(text, decimal))
  if (sides.length !== 3 || sides.some((side) => side === null)) return null
  const [first, second, third] = sides as number[]
  return [Math.max(first, second), Math.min(first, second), third]
}

function makeOf(
  cell: (field: string) => string,
  number: (field: string) => number | null,
  sides: [number, number, number] | null,
) {
  const [thin, thick] = values.readGirdleRange(cell('girdle'))
  const [length = null, width = null, depth = null] = sides ?? []
  const depthPercent =
    number('depthPercent') ?? (sides === null ? null : round((sides[2] / sides[1]) * 100, 1))
  return {
    length,
    width,
    depth,
    depth_percentage: depthPercent,
    table_percentage: number('table'),
    crown_angle: number('crownAngle'),
    pavilion_angle: number('pavilionAngle'),
    pavilion_depth: number('pavilionDepth'),
    culet_size: values.readCulet(cell('culet')),
    girdle_min: values.readGirdle(cell('girdleThin')) ?? thin,
    girdle_max: values.readGirdle(cell('girdleThick')) ?? thick,
    cut_grade: values.readCut(cell('cut')),
    polish_grade: values.readFinish(cell('polish')),
    symmetry_grade: values.readFinish(cell('symmetry')),
    fluorescence: values.readFluorescence(cell('fluorescence')),
    eye_clean:
      ({ yes: 'yes', no: 'no' } as Record<string, string>)[cell('eyeClean').toLowerCase()] ?? null,
  }
}

const orNull = (text: string) => (text === '' ? null : text)

/** The laboratory as it is written, without the number that some write behind it. */
function labNameOf(text: string): string | null {
  const name = text.replace(/\s*\b(LG)?\d{6,}\b/, '').trim()
  return /^(none)?$/i.test(name) ? null : name
}

function otherOf(cell: (field: string) => string) {
  return {
    country_code: values.readCountry(cell('country')) ?? values.readCountry(cell('place')),
    image_top_url: orNull(cell('image')),
    video_url: orNull(cell('video')),
    cert_url: orNull(cell('certUrl')),
    pair_vendor_sku: orNull(cell('partner')),
    treatment: /^(none|no|n)?$/i.test(cell('treatment')) ? null : cell('treatment'),
    shade: orNull(cell('shade')),
    milky: orNull(cell('milky')),
    black_inclusion: orNull(cell('inclusion')),
  }
}

/** Commas are decimal signs if weights are written with them. */
function decimalOf({ rows }: Table, columns: Columns): '.' | ',' {
  const at = columns.get('weight') ?? 0
  return rows.filter((row) => /^\d+,\d{1,3}$/.test(row[at] ?? '')).length * 2 > rows.length
    ? ','
    : '.'
}
