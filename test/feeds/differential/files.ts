import {
  type FileStyle,
  INCLUSION,
  inventStyle,
  labOf,
  listInFile,
  MILKY,
  priceInFile,
  RATES,
  round,
  shadeOf,
  totalInFile,
  WRITERS,
} from './cells.ts'
import { DIALECTS, type FileDialect } from './dialects.ts'
import { mixedDialect } from './names.ts'
import type { Chance } from './random.ts'
import { inventStones, type TrueStone } from './stones.ts'

/** A generated file, what its stones really are, and how to write some of its rows only. */
export interface GeneratedFile {
  dialect: string
  style: FileStyle
  kinds: ReadonlySet<string>
  headers: string[]
  rows: string[][]
  stones: TrueStone[]
  layout: Layout
  format: 'text' | 'json'
}

export interface Layout {
  packing: 'none' | 'gzip' | 'zip' | 'xlsx' | 'xls' | 'xml'

  delimiter: ',' | '\t' | ';' | '|'
  lineEnd: '\n' | '\r\n' | '\r'
  title: string
  isQuoted: boolean
  hasMark: boolean
  hasBlankRows: boolean
  repeatsHeader: boolean
  hasTotals: boolean
}

export const DIALECT_NAMES = [...DIALECTS.map(({ name }) => name), 'Mixed names']

/** Columns that say that a stone is lab grown. */
const GROWTH_COLUMNS = ['type', 'origin', 'method', 'is_grown']

function styleFor(chance: Chance, dialect: FileDialect): FileStyle {
  const kinds = dialect.columns.map(([, kind]) => kind)
  const style = inventStyle(chance)
  const hasColumn = GROWTH_COLUMNS.some((kind) => kinds.includes(kind))
  const growth = hasColumn
    ? 'column'
    : chance.pick([
        'cert' as const,
        'lab' as const,
        ...(kinds.includes('growth_remark') ? (['remark'] as const) : []),
      ])
  if (dialect.name === 'Rupees') {
    const [group, sign] = chance.pick([
      ['lakh', ''],
      ['lakh', '₹ '],
      ['', 'Rs. '],
      [',', ''],
    ] as const)
    return { ...style, growth, group, sign, currency: 'INR' }
  }
  if (dialect.name === 'Decimal commas') {
    const currency = chance.pick(['EUR', 'GBP'] as const)
    const sign = currency === 'EUR' ? chance.pick(['', '€ '] as const) : ''
    return { ...style, growth, group: '.', decimal: ',', currency, sign }
  }
  return { ...style, growth }
}

/** Names of elements can be written in XML only if they are words. */
function packingFor(chance: Chance, { columns }: FileDialect): Layout['packing'] {
  const isXml = columns.every(([header]) => /^[A-Za-z_]\w*$/.test(header))
  const usual = ['none', 'none', 'none', 'none', 'gzip', 'zip', 'xlsx', 'xls'] as const
  return chance.pick(isXml ? [...usual, 'xml', 'xml'] : usual)
}

function layoutFor(chance: Chance, style: FileStyle, dialect: FileDialect): Layout {
  return {
    delimiter:
      style.decimal === ',' ? chance.pick([';', '\t']) : chance.pick([',', ',', '\t', ';', '|']),
    lineEnd: chance.pick(['\n', '\r\n', '\r']),
    title: chance.pick(['', '', 'Stock list of today']),
    packing: packingFor(chance, dialect),
    isQuoted: chance.happens(0.3),
    hasMark: chance.happens(0.2),
    hasBlankRows: chance.happens(0.2),
    repeatsHeader: chance.happens(0.2),
    hasTotals: chance.happens(0.2),
  }
}

/** Invents a file of one dialect. */
export function generateFile(chance: Chance, name: string, count: number): GeneratedFile {
  const dialect = DIALECTS.find((known) => known.name === name) ?? mixedDialect(chance)
  const style = styleFor(chance, dialect)
  const kinds = new Set(dialect.columns.map(([, kind]) => kind))
  const fullColor = kinds.has('color_full') || kinds.has('hue') || kinds.has('color_code')
  const grown = chance.pick([0, 0, 0.4, 1])
  const stones = inventStones(chance, count, {
    grown,
    unsellable: 0.06,
    fancy: fullColor ? 0.08 : 0,
    // A parcel has no discount, and no discount without a price means "on request".
    lots: kinds.has('stones') && (kinds.has('per_carat') || kinds.has('total')) ? 0.04 : 0,
  }).map((stone) => withoutUnwritten(stone, kinds, style))
  return {
    dialect: name,
    style,
    kinds,
    stones,
    format: dialect.format,
    layout: layoutFor(chance, style, dialect),
    headers: dialect.columns.map(([header]) => header.replace('{currency}', style.currency)),
    rows: stones.map((stone) => dialect.columns.map(([, kind]) => WRITERS[kind](stone, style))),
  }
}

/** What the file has no column for cannot be known from it. */
function withoutUnwritten(
  stone: TrueStone,
  kinds: ReadonlySet<string>,
  { growth }: FileStyle,
): TrueStone {
  const has = (...names: string[]) => names.some((name) => kinds.has(name))
  const isHidden =
    ((stone.not === 'sold' || stone.not === 'hold' || stone.not === 'memo') && !has('status')) ||
    (stone.not === 'sides' && !has('measurements', 'length'))
  const lot = stone.stones > 1 && !has('stones')
  // Without a certificate nothing would say that this stone is lab grown.
  const isSilent = stone.cert === null && (growth === 'cert' || growth === 'lab')
  return {
    ...stone,
    not: isHidden ? null : stone.not,
    treatment: has('treatment') ? stone.treatment : null,
    isGrown: stone.isGrown && !isSilent,
    stones: lot ? 1 : stone.stones,
    lab: has('lab', 'lab_cert') ? stone.lab : null,
    cert: has('cert', 'cert_plain', 'lab_cert') ? stone.cert : null,
  }
}

/** What must be sold of a stone, as far as the file says it; null if it must not be sold. */
export function expectedStone(file: GeneratedFile, stone: TrueStone) {
  if (stone.not !== null) return null
  const { kinds, style } = file
  const has = (...names: string[]) => names.some((name) => kinds.has(name))
  const sees = <Value>(value: Value, ...names: string[]) => (has(...names) ? value : null)
  const isLot = stone.stones > 1 && stone.secondCert === null
  const isPair = stone.secondCert !== null && stone.stones > 1
  const prefix = stone.isGrown && style.growth === 'cert' ? 'LG' : ''
  const [narrow, wide] = [stone.width, stone.length].sort((a, b) => a - b)
  const isKnownLab = stone.lab === 'GIA' || stone.lab === 'IGI' || stone.lab === 'GCAL'
  const cost = costOf(file, stone)
  return {
    vendor_sku: stone.stock,
    product_type: isLot ? 'melee' : 'diamond',
    type: stone.isGrown ? 'lab grown' : 'mined',
    quantity: isLot ? stone.stones : 1,
    shape: stone.shape,
    weight: isLot ? round(stone.weight / stone.stones, 4) : stone.weight,
    length: sees(wide, 'measurements', 'length'),
    width: sees(narrow, 'measurements', 'length'),
    depth: sees(stone.depth, 'measurements', 'depth'),
    // Without a column it is computed from the sides, as a laboratory does or nearly so.
    ...(has('depth_percent') ? { depth_percentage: stone.depthPercent } : {}),
    table_percentage: sees(stone.table, 'table'),
    crown_angle: sees(stone.crownAngle, 'crown_angle'),
    pavilion_angle: sees(stone.pavilionAngle, 'pavilion_angle'),
    pavilion_depth: sees(stone.pavilionDepth, 'pavilion_depth'),
    culet_size: sees(stone.culet, 'culet'),
    girdle_min: sees(stone.girdleThin, 'girdle', 'girdle_thin'),
    girdle_max: sees(stone.girdleThick, 'girdle', 'girdle_thick'),
    color: stone.hue ?? stone.grade,
    is_fancy: stone.hue !== null,
    fancy_color_intensity: stone.intensity,
    overtone: sees(stone.overtone, 'overtone', 'color_full', 'color_code'),
    clarity: stone.clarity,
    cut_grade: sees(stone.cut, 'cut'),
    polish_grade: sees(stone.polish, 'polish'),
    symmetry_grade: sees(stone.symmetry, 'symmetry'),
    fluorescence: sees(stone.fluorescence, 'fluorescence'),
    eye_clean: sees(stone.eyeClean, 'eye_clean'),
    treatment: stone.treatment,
    shade: sees(shadeOf(stone), 'shade'),
    milky: sees(MILKY, 'milky'),
    black_inclusion: sees(INCLUSION, 'inclusion'),
    lab: isKnownLab ? stone.lab : null,
    lab_name: stone.lab === null ? null : labOf(stone, style),
    cert_num:
      stone.cert === null
        ? null
        : isPair
          ? `${prefix}${stone.cert} / ${prefix}${stone.secondCert}`
          : prefix + stone.cert,
    country_code: sees(stone.country, 'country', 'country_short', 'country_code'),
    cost: isLot ? cost.perCarat : cost.total,
    list_price: listOf(file, stone, isLot),
    image_top_url: sees(mediaOf(stone, 'images', 'jpg'), 'image'),
    video_url: sees(mediaOf(stone, 'videos', 'mp4'), 'video'),
    cert_url: sees(mediaOf(stone, 'certificates', 'pdf'), 'cert_url'),
    pair_vendor_sku: sees(stone.partner, 'partner'),
  }
}

/** Rounded to dollars, because it may be computed from a rounded discount. */
function listOf({ kinds, style }: GeneratedFile, stone: TrueStone, isLot: boolean): number | null {
  const isListed = kinds.has('list')
  const isDiscounted = kinds.has('discount') || kinds.has('discount_share')
  if (!isListed && (!isDiscounted || stone.below === 0)) return null
  return (listInFile(stone, style) * (isLot ? 1 : stone.weight)) / RATES[style.currency]
}

const mediaOf = (stone: TrueStone, folder: string, end: string) =>
  stone.hasMedia ? `https://media.example/${folder}/${stone.stock}.${end}` : null

function costOf({ kinds, style }: GeneratedFile, stone: TrueStone) {
  const rate = RATES[style.currency]
  const usd = (amount: number) => round(amount / rate, 2).toFixed(2)
  const perCarat = kinds.has('per_carat')
    ? priceInFile(stone, style)
    : kinds.has('total')
      ? totalInFile(stone, style) / stone.weight
      : round(listInFile(stone, style) * (1 - stone.below / 100), 4)
  const total = kinds.has('total') ? totalInFile(stone, style) : perCarat * stone.weight
  return { perCarat: usd(perCarat), total: usd(total) }
}
