import type { Chance } from './random.ts'

/** Why a row must not be sold. */
export type NotSellable = 'sold' | 'hold' | 'memo' | 'on request' | 'shape' | 'color' | 'sides'

/** What an invented stone really is, in Pavilion's values. */
export interface TrueStone {
  stock: string
  isGrown: boolean
  method: 'CVD' | 'HPHT' | null
  shape: ShapeName
  weight: number
  length: number
  width: number
  depth: number
  depthPercent: number
  table: number
  crownAngle: number
  crownHeight: number
  pavilionAngle: number
  pavilionDepth: number
  /** D to Z; null for a fancy color. */
  grade: string | null
  hue: string | null
  intensity: string | null
  overtone: string | null
  clarity: string
  cut: string | null
  polish: string
  symmetry: string
  fluorescence: string
  girdleThin: string
  girdleThick: string
  culet: string
  lab: string | null
  cert: string | null
  perCarat: number
  listPerCarat: number
  /** What is taken off the list price, in percent; negative above the list. */
  below: number
  country: string
  eyeClean: 'yes' | 'no' | null
  hasMedia: boolean
  /** The other stone of a pair that is sold by itself. */
  partner: string | null
  /** More than one for a parcel of melee or a pair. */
  stones: number
  secondCert: string | null
  treatment: string | null
  not: NotSellable | null
}

export type ShapeName = keyof typeof SHAPES

/** Ratio, depth in percent and carats per cubic millimetre, by the trade's weight formulas. */
export const SHAPES = {
  round: { ratio: [1.0, 1.012], depth: [59, 63.4], density: 0.0061, share: 8 },
  oval: { ratio: [1.3, 1.5], depth: [58, 65], density: 0.0062, share: 2 },
  pear: { ratio: [1.4, 1.65], depth: [57, 65], density: 0.006, share: 2 },
  emerald: { ratio: [1.32, 1.5], depth: [62, 70], density: 0.0088, share: 2 },
  princess: { ratio: [1.0, 1.04], depth: [69, 76], density: 0.0083, share: 2 },
  cushion: { ratio: [1.0, 1.25], depth: [62, 70], density: 0.0082, share: 2 },
  marquise: { ratio: [1.8, 2.2], depth: [57, 64], density: 0.0058, share: 1 },
  heart: { ratio: [0.95, 1.08], depth: [55, 62], density: 0.0059, share: 1 },
  radiant: { ratio: [1.15, 1.4], depth: [62, 70], density: 0.0081, share: 2 },
  asscher: { ratio: [1.0, 1.03], depth: [62, 69], density: 0.008, share: 1 },
  baguette: { ratio: [1.6, 2.4], depth: [55, 66], density: 0.0092, share: 0.3 },
  triangle: { ratio: [1.0, 1.08], depth: [38, 46], density: 0.0057, share: 0.3 },
} as const

const SHAPE_NAMES = Object.keys(SHAPES) as ShapeName[]
const CLARITIES = ['FL', 'IF', 'VVS1', 'VVS2', 'VS1', 'VS1', 'VS2', 'VS2', 'SI1', 'SI1', 'SI2']
const GRADES = [...'DEEFFGGHHIJKLMN'.split(''), 'OP', 'QR', 'YZ']
const HUES = ['YL', 'YL', 'YL', 'PN', 'BL', 'GR', 'OR', 'BN', 'GY', 'BK', 'PL']
const INTENSITIES = ['FAN', 'INT', 'VIV', 'FLT', 'FDP', 'FDK', 'FNT', 'VLT', 'LIT']
const FLUORESCENCES = ['None', 'None', 'None', 'Faint', 'Medium', 'Strong', 'Very Strong']
const GIRDLES = ['ETN', 'VTN', 'TN', 'MD', 'MD', 'STK', 'STK', 'TK', 'VTK', 'XTK']
const COUNTRIES = ['IND', 'IND', 'USA', 'BEL', 'ISR', 'HKG']

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals))

function pickShape(chance: Chance): ShapeName {
  const sum = SHAPE_NAMES.reduce((total, name) => total + SHAPES[name].share, 0)
  let left = chance.next() * sum
  for (const name of SHAPE_NAMES) {
    left -= SHAPES[name].share
    if (left <= 0) return name
  }
  return 'round'
}

/** Sides that give the weight by the formula of the shape. */
function sidesOf(chance: Chance, shape: ShapeName, weight: number) {
  const { ratio, depth, density } = SHAPES[shape]
  const sides = chance.between(ratio[0], ratio[1], 3)
  const percent = chance.between(depth[0], depth[1], 1)
  const formula = shape === 'emerald' ? 0.008 + (sides - 1) * 0.0022 : density
  const k = formula * chance.between(1.0, 1.04, 3)
  const narrow = (weight / (k * sides * (percent / 100))) ** (1 / 3)
  const width = rounded(narrow, 2)
  const length = rounded(narrow * sides, 2)
  const base = shape === 'round' ? (width + length) / 2 : Math.min(width, length)
  const deep = rounded((base * percent) / 100, 2)
  return { width, length, depth: deep, depthPercent: rounded((deep / base) * 100, 1) }
}

function priceOf(chance: Chance, weight: number, isGrown: boolean) {
  const level = isGrown ? 240 * weight ** 0.3 : 2_700 * weight ** 0.95
  const listPerCarat = Math.max(100, Math.round((level * chance.between(1.1, 2.2)) / 100) * 100)
  const below = chance.whole(2, 118) / 2 - (chance.happens(0.04) ? 60 : 0)
  return { listPerCarat, below, perCarat: rounded(listPerCarat * (1 - below / 100), 2) }
}

export interface StoneOptions {
  /** The share of lab grown stones. */
  grown: number
  /** The share of rows that cannot be sold. */
  unsellable: number
  fancy: number
  /** Of pairs and parcels. */
  lots: number
}

const REASONS: (NotSellable | 'treated')[] = [
  'sold',
  'hold',
  'memo',
  'on request',
  'treated',
  'shape',
  'color',
  'sides',
]

function colorOf(chance: Chance, isFancy: boolean) {
  if (!isFancy) return { grade: chance.pick(GRADES), hue: null, intensity: null, overtone: null }
  const hue = chance.pick(HUES)
  const overtone = chance.happens(0.3) ? chance.pick(['Brownish', 'Orangy', 'Greenish']) : null
  return { grade: null, hue, intensity: chance.pick(INTENSITIES), overtone }
}

function gradesOf(chance: Chance, shape: ShapeName) {
  const thin = chance.whole(0, GIRDLES.length - 1)
  const thick = Math.min(GIRDLES.length - 1, thin + chance.whole(0, 3))
  return {
    clarity: chance.pick(CLARITIES),
    cut: shape === 'round' ? chance.pick(['EX', 'EX', 'VG', 'G', 'IDL']) : null,
    polish: chance.pick(['EX', 'EX', 'VG', 'G', 'F']),
    symmetry: chance.pick(['EX', 'VG', 'VG', 'G', 'F']),
    fluorescence: chance.pick(FLUORESCENCES),
    girdleThin: GIRDLES[thin],
    girdleThick: GIRDLES[thick],
    culet: chance.pick(['N', 'N', 'N', 'VS', 'S', 'M']),
  }
}

export function inventStone(chance: Chance, index: number, options: StoneOptions): TrueStone {
  const shape = pickShape(chance)
  const weight = rounded(0.3 + chance.next() ** 2.5 * 4.5, 2)
  const isGrown = chance.happens(options.grown)
  const hasCert = chance.happens(0.95)
  const reason = chance.happens(options.unsellable) ? chance.pick(REASONS) : null
  const isTreated = reason === 'treated'
  const partner = chance.happens(0.03) ? `AB-${1000 + index + 1}` : null
  return {
    stock: `AB-${1000 + index}`,
    isGrown,
    method: isGrown ? chance.pick(['CVD', 'HPHT']) : null,
    shape,
    weight,
    ...sidesOf(chance, shape, weight),
    table: chance.between(53, 68, 1),
    crownAngle: chance.between(32, 36.5, 1),
    crownHeight: chance.between(12, 16, 1),
    pavilionAngle: chance.between(40, 41.8, 1),
    pavilionDepth: chance.between(42, 45, 1),
    ...colorOf(chance, reason === null && chance.happens(options.fancy)),
    ...gradesOf(chance, shape),
    lab: hasCert ? chance.pick(['GIA', 'GIA', 'IGI', 'IGI', 'GCAL', 'HRD']) : null,
    cert: hasCert ? String(chance.whole(1_100_000_000, 7_999_999_999)) : null,
    ...priceOf(chance, weight, isGrown),
    country: chance.pick(COUNTRIES),
    eyeClean: chance.pick(['yes', 'yes', 'no', null]),
    hasMedia: chance.happens(0.7),
    partner,
    stones: 1,
    secondCert: null,
    treatment: isTreated ? 'Clarity Enhanced' : null,
    not: isTreated ? null : reason,
  }
}

/** Makes a stone a pair with one price, or a parcel of melee. */
export function asLot(chance: Chance, stone: TrueStone, kind: 'pair' | 'parcel'): TrueStone {
  if (kind === 'pair') {
    const number = Number(stone.cert ?? chance.whole(1_100_000_000, 7_999_999_999))
    const secondCert = String(number + chance.whole(1, 9))
    const sides = sidesOf(chance, stone.shape, stone.weight / 2)
    const lab = stone.lab ?? 'GIA'
    return { ...stone, ...sides, cert: String(number), lab, secondCert, stones: 2, partner: null }
  }
  const stones = chance.whole(20, 400)
  const each = chance.whole(1, 8) / 100
  const { isGrown } = stone
  const weight = rounded(stones * each, 2)
  const perCarat = isGrown ? 180 : 550
  const sides = sidesOf(chance, 'round', each)
  const lot = { ...stone, ...sides, stones, weight, perCarat, listPerCarat: perCarat, below: 0 }
  return { ...lot, lab: null, cert: null, partner: null, shape: 'round', cut: null, not: null }
}

export function inventStones(chance: Chance, count: number, options: StoneOptions): TrueStone[] {
  return Array.from({ length: count }, (_, index) => {
    const stone = inventStone(chance, index, options)
    if (stone.not !== null || stone.treatment !== null || stone.hue !== null) return stone
    if (!chance.happens(options.lots)) return stone
    return asLot(chance, stone, chance.pick(['pair', 'parcel']))
  })
}
