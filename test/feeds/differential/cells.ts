import type { Chance } from './random.ts'
import {
  COUNTRY_SHORT,
  COUNTRY_WORDS,
  CULET_STYLES,
  FANCY_CODES,
  FLUORESCENCE_STYLES,
  GIRDLE_STYLES,
  GRADE_STYLES,
  HUE_WORDS,
  INTENSITY_WORDS,
  SHAPE_STYLES,
  STATUS_STYLES,
} from './spellings.ts'
import type { TrueStone } from './stones.ts'

/** How one supplier writes: the same for all rows of a file. */
export interface FileStyle {
  shapes: string
  grades: string
  fluorescence: string
  girdle: string
  culet: string
  status: string
  decimal: '.' | ','
  group: '' | ',' | '.' | 'lakh'
  currency: 'USD' | 'INR' | 'EUR' | 'GBP'
  /** A sign of the currency in the cells. */
  sign: '' | '$' | '₹ ' | '€ ' | '£' | 'Rs. '
  discount: 'negative' | 'positive' | 'share' | 'percent'
  separator: ' x ' | 'x' | '-x' | '*' | ' X '
  /** Where lab growth stands, among the columns that the file has. */
  growth: 'column' | 'cert' | 'remark' | 'lab'
  cents: 0 | 2
  range: ' - ' | ' to ' | '-' | ' / '
}

/** What one US dollar is worth. */
export const RATES = { USD: 1, INR: 83, EUR: 0.9, GBP: 0.8 }

export function inventStyle(chance: Chance): FileStyle {
  const key = <Value>(styles: Record<string, Value>) => chance.pick(Object.keys(styles))
  return {
    shapes: key(SHAPE_STYLES),
    grades: key(GRADE_STYLES),
    fluorescence: key(FLUORESCENCE_STYLES),
    girdle: key(GIRDLE_STYLES),
    culet: key(CULET_STYLES),
    status: key(STATUS_STYLES),
    decimal: '.',
    group: chance.pick(['', '', ',']),
    currency: 'USD',
    sign: chance.pick(['', '', '$']),
    discount: chance.pick(['negative', 'negative', 'positive', 'share', 'percent']),
    separator: chance.pick([' x ', 'x', '-x', '*', ' X ']),
    growth: 'column',
    cents: chance.pick([0, 2]),
    range: chance.pick([' - ', ' to ', '-', ' / ']),
  }
}

/** Half up in decimal digits: 1.005 is 1.01, although the nearest double lies below it. */
export const round = (value: number, decimals: number) =>
  Number(`${Math.round(Number(`${Number(value.toPrecision(13))}e${decimals}`))}e-${decimals}`)

export const priceInFile = (stone: TrueStone, style: FileStyle) =>
  round(stone.perCarat * RATES[style.currency], style.cents)
export const totalInFile = (stone: TrueStone, style: FileStyle) =>
  round(priceInFile(stone, style) * stone.weight, style.cents)
export const listInFile = (stone: TrueStone, style: FileStyle) =>
  round(stone.listPerCarat * RATES[style.currency], 0)

function grouped(digits: string, group: FileStyle['group']): string {
  if (group === '') return digits
  if (group !== 'lakh') return digits.replace(/\B(?=(\d{3})+$)/g, group)
  const head = digits.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ',')
  return head === '' ? digits : `${head},${digits.slice(-3)}`
}

function money(value: number, style: FileStyle): string {
  const [whole, rest] = value.toFixed(style.cents).split('.')
  const digits = grouped(whole, style.group)
  return `${style.sign}${digits}${rest === undefined ? '' : style.decimal + rest}`
}

const decimal = (value: number, style: FileStyle, decimals?: number) =>
  (decimals === undefined ? String(value) : value.toFixed(decimals)).replace('.', style.decimal)

function discountOf({ below }: TrueStone, style: FileStyle): string {
  if (style.discount === 'share') return decimal(round(-below / 100, 4), style)
  if (style.discount === 'percent') return `${decimal(-below, style, 2)}%`
  return decimal(style.discount === 'positive' ? below : -below, style)
}

function fancyWords(stone: TrueStone): string {
  const { hue, intensity, overtone } = stone
  if (hue === null || intensity === null) return stone.grade ?? ''
  return [INTENSITY_WORDS[intensity], overtone, HUE_WORDS[hue]].filter(Boolean).join(' ')
}

const GRADE_RANGES: Record<string, string> = { OP: 'O-P', QR: 'Q-R', YZ: 'Y-Z' }

function certOf(stone: TrueStone, style: FileStyle): string {
  const { cert, secondCert, isGrown } = stone
  if (cert === null) return ''
  const prefix = isGrown && style.growth === 'cert' ? 'LG' : ''
  return secondCert === null ? prefix + cert : `${prefix}${cert} / ${prefix}${secondCert}`
}

/** Remarks are kept in the words of the file. */
export const shadeOf = ({ weight }: TrueStone) => (weight > 2 ? 'Brown' : 'None')
export const MILKY = 'None'
export const INCLUSION = 'BT0'

export function labOf(stone: TrueStone, style: FileStyle): string {
  if (stone.lab === null) return style.shapes === 'words' ? 'NONE' : ''
  return stone.isGrown && style.growth === 'lab' ? `${stone.lab} LG` : stone.lab
}

const media = (stone: TrueStone, folder: string, end: string) =>
  stone.hasMedia ? `https://media.example/${folder}/${stone.stock}.${end}` : ''

type Writer = (stone: TrueStone, style: FileStyle) => string

/** One spelling of a value in a style; the stock number decides which of several. */
function spelled(
  styles: Record<string, Partial<Record<string, string>>>,
  style: string,
  value: string,
  { stock }: TrueStone,
): string {
  const spellings = (styles[style][value] ?? '').split('|')
  return spellings[(Number(stock.slice(3)) * 7) % spellings.length]
}

function girdleOf(stone: TrueStone, style: FileStyle): string {
  const thin = spelled(GIRDLE_STYLES, style.girdle, stone.girdleThin, stone)
  const thick = spelled(GIRDLE_STYLES, style.girdle, stone.girdleThick, stone)
  return thin === thick ? `${thin}` : `${thin}${style.range}${thick}`
}

/** What stands in each kind of column. */
export const WRITERS: Record<string, Writer> = {
  stock: ({ stock }) => stock,
  status: (stone, style) => {
    const { not } = stone
    const isTaken = not === 'sold' || not === 'memo' || not === 'hold'
    return spelled(STATUS_STYLES, style.status, isTaken ? not : 'free', stone)
  },
  shape: (stone, style) =>
    stone.not === 'shape' ? 'Kite' : spelled(SHAPE_STYLES, style.shapes, stone.shape, stone),
  weight: ({ weight }, style) => decimal(weight, style, style.cents === 2 ? 2 : undefined),
  color: ({ grade, not }) =>
    not === 'color' ? 'Foo' : grade === null ? '' : (GRADE_RANGES[grade] ?? grade),
  color_star: ({ grade, not }) =>
    not === 'color' ? 'Foo' : grade === null ? '*' : (GRADE_RANGES[grade] ?? grade),
  color_full: (stone) =>
    stone.not === 'color'
      ? 'Foo'
      : stone.grade === null
        ? fancyWords(stone)
        : (GRADE_RANGES[stone.grade] ?? stone.grade),
  color_code: (stone) =>
    stone.hue !== null && stone.overtone === null
      ? (FANCY_CODES[`${stone.intensity} ${stone.hue}`] ?? fancyWords(stone))
      : WRITERS.color_full(stone, {} as FileStyle),
  hue: ({ hue }) => (hue === null ? '' : (HUE_WORDS[hue] ?? '')),
  intensity: ({ intensity }) => (intensity === null ? '' : (INTENSITY_WORDS[intensity] ?? '')),
  overtone: ({ overtone }) => overtone ?? '',
  is_fancy: ({ hue }) => String(hue !== null),
  clarity: ({ clarity }) => clarity,
  cut: (stone, style) =>
    stone.cut === null ? '' : spelled(GRADE_STYLES, style.grades, stone.cut, stone),
  polish: (stone, style) => spelled(GRADE_STYLES, style.grades, stone.polish, stone),
  symmetry: (stone, style) => spelled(GRADE_STYLES, style.grades, stone.symmetry, stone),
  fluorescence: (stone, style) =>
    spelled(FLUORESCENCE_STYLES, style.fluorescence, stone.fluorescence, stone),
  fluorescence_color: ({ fluorescence }) => (fluorescence === 'None' ? '' : 'Blue'),
  measurements: (stone, style) => {
    const [first, second] =
      style.separator === '-x' ? ['-', ' x '] : [style.separator, style.separator]
    const [length, width, depth] = sidesInFile(stone).map((side) => decimal(side, style, 2))
    return `${length}${first}${width}${second}${depth}`
  },
  length: (stone, style) => decimal(sidesInFile(stone)[0], style, 2),
  width: (stone, style) => decimal(sidesInFile(stone)[1], style, 2),
  depth: (stone, style) => decimal(sidesInFile(stone)[2], style, 2),
  ratio: (stone, style) => decimal(round(stone.length / stone.width, 2), style),
  depth_percent: ({ depthPercent }, style) => decimal(depthPercent, style),
  table: ({ table }, style) => decimal(table, style),
  girdle_thin: (stone, style) => spelled(GIRDLE_STYLES, style.girdle, stone.girdleThin, stone),
  girdle_thick: (stone, style) => spelled(GIRDLE_STYLES, style.girdle, stone.girdleThick, stone),
  girdle: girdleOf,
  girdle_percent: ({ weight }) => String(round(3 + (weight % 1), 1)),
  girdle_condition: ({ weight }) => (weight > 1 ? 'Faceted' : 'Polished'),
  culet: (stone, style) => spelled(CULET_STYLES, style.culet, stone.culet, stone),
  crown_height: ({ crownHeight }, style) => decimal(crownHeight, style),
  crown_angle: ({ crownAngle }, style) => decimal(crownAngle, style),
  pavilion_depth: ({ pavilionDepth }, style) => decimal(pavilionDepth, style),
  pavilion_angle: ({ pavilionAngle }, style) => decimal(pavilionAngle, style),
  star: () => '50',
  lab: labOf,
  cert: certOf,
  cert_plain: certOf,
  lab_cert: (stone, style) => `${labOf(stone, style)} ${certOf(stone, style)}`.trim(),
  per_carat: (stone, style) =>
    stone.not === 'on request' ? '0' : money(priceInFile(stone, style), style),
  total: (stone, style) =>
    stone.not === 'on request' ? '0' : money(totalInFile(stone, style), style),
  markup: (stone, style) => money(round(totalInFile(stone, style) * 1.15, style.cents), style),
  list: (stone, style) =>
    stone.not === 'on request' ? '0' : money(listInFile(stone, style), { ...style, cents: 0 }),
  discount: (stone, style) => (stone.not === 'on request' ? '0' : discountOf(stone, style)),
  discount_share: (stone, style) =>
    stone.not === 'on request' ? '0' : discountOf(stone, { ...style, discount: 'share' }),
  currency_usd: () => 'USD',
  treatment: ({ treatment }) => treatment ?? '',
  type: ({ isGrown }) => (isGrown ? 'Lab Grown' : 'Natural'),
  origin: ({ isGrown }) => (isGrown ? 'LAB-CREATED' : 'Natural'),
  method: ({ method }) => method ?? '',
  is_grown: ({ isGrown }) => String(isGrown),
  growth_remark: (stone, style) =>
    [
      stone.secondCert === null ? '' : 'matched pair',
      stone.isGrown && style.growth === 'remark' ? `Laboratory-grown, ${stone.method}` : '',
    ]
      .filter(Boolean)
      .join('; '),
  comment: ({ weight }) => (weight > 1 ? 'Clouds are not shown' : ''),
  country: ({ country }) => COUNTRY_WORDS[country] ?? '',
  country_short: ({ country }) => COUNTRY_SHORT[country] ?? '',
  country_code: ({ country }) => country,
  city: ({ country }) => ({ IND: 'Mumbai', USA: 'New York', BEL: 'Antwerp' })[country] ?? '',
  partner: ({ partner }) => partner ?? '',
  separable: ({ partner }) => (partner === null ? '' : 'TRUE'),
  matched: ({ partner }) => (partner === null ? 'FALSE' : 'TRUE'),
  stones: ({ stones }) => (stones === 1 ? '' : String(stones)),
  eye_clean: ({ eyeClean }) => (eyeClean === null ? '' : eyeClean === 'yes' ? 'Yes' : 'No'),
  cert_url: (stone) => media(stone, 'certificates', 'pdf'),
  image: (stone) => media(stone, 'images', 'jpg'),
  video: (stone) => media(stone, 'videos', 'mp4'),
  symbols: () => 'Crystal, Feather',
  inscription: ({ cert, lab }) => (cert === null ? '' : `${lab} ${cert}`),
  shade: shadeOf,
  milky: () => MILKY,
  inclusion: () => INCLUSION,
  seller: () => 'Gems Ltd',
  account: () => '81234',
  date: () => '2026-03-02',
  days: () => '5',
  number: ({ stock }) => `9${stock.slice(3)}551`,
  serial: ({ stock }) => String(Number(stock.slice(3)) - 999),
  uuid: ({ stock }) => `018f0000-0000-7000-8000-00000000${stock.slice(3)}`,
  flag: () => 'TRUE',
  no: () => 'FALSE',
  empty: () => '',
}

/** Sides as they are written: those of another weight when they must contradict it. */
function sidesInFile(stone: TrueStone): [number, number, number] {
  const times = stone.not === 'sides' ? 1.6 : 1
  return [stone.length * times, stone.width * times, stone.depth * times]
}
