import { COLORS, type FancyIntensity, type Hue, type Shape } from '../../reference/attributes.ts'
import type { DiamondGrades } from './diamond-grades.ts'

/**
 * The cost of a diamond: a price per carat for its weight, times a factor for each of its grades.
 * The figures are made up in the proportions of the trade; they are not a price list in use.
 */
export function pricePerCarat(grades: DiamondGrades): number {
  return (
    referencePerCarat(grades) *
    (SHAPE_FACTORS[grades.shape] ?? 0.62) *
    makeFactor(grades) *
    (grades.type === 'mined' ? FLUORESCENCE_FACTORS[grades.fluorescence ?? 'None'] : 1) *
    laboratoryFactor(grades)
  )
}

/** The price by weight, color and clarity only, as in a reference list. */
export function referencePerCarat(grades: ListedGrades): number {
  const colorFactor = grades.is_fancy ? fancyFactor(grades) : (COLOR_FACTORS[grades.color] ?? 0.2)
  const origin = grades.type === 'mined' ? 1 : 0.1 * grades.weight ** -0.12
  return weightBase(grades.weight) * colorFactor * CLARITY_FACTORS[grades.clarity] * origin
}

/** The grades that reference lists go by; a hue also by its intensity. */
type ListedGrades = Pick<DiamondGrades, 'type' | 'is_fancy' | 'color' | 'clarity' | 'weight'> &
  Partial<Pick<DiamondGrades, 'fancy_color_intensity'>>

/** US dollars per carat of a round G VS2 from each weight upwards. */
const STEPS = [
  [0, 820],
  [0.18, 900],
  [0.3, 1350],
  [0.4, 1550],
  [0.5, 1950],
  [0.7, 2750],
  [0.9, 3700],
  [1, 4900],
  [1.5, 6800],
  [2, 9200],
  [3, 13_500],
  [4, 16_500],
  [5, 21_000],
  [10, 33_000],
  [20, 40_000],
] as const

/** Prices jump at the magic weights and rise by a fifth of the jump in between. */
function weightBase(weight: number): number {
  let step = STEPS.length - 2
  while (STEPS[step][0] > weight) step--
  const [from, price] = STEPS[step]
  const [to, next] = STEPS[step + 1]
  const share = Math.min(1, (weight - from) / (to - from))
  return price + 0.2 * share * (next - price)
}

const LEADING_COLOR_FACTORS = [1.36, 1.22, 1.12, 1, 0.88, 0.75, 0.63, 0.51, 0.42, 0.36, 0.31]
/** From D downwards; below N each grade is a little cheaper. */
const COLOR_FACTORS: Record<string, number> = Object.fromEntries(
  COLORS.map((color, rank) => [color, LEADING_COLOR_FACTORS[rank] ?? 0.31 - (rank - 10) * 0.007]),
)

const CLARITY_FACTORS = {
  FL: 1.85,
  IF: 1.55,
  VVS1: 1.34,
  VVS2: 1.22,
  VS1: 1.1,
  VS2: 1,
  SI1: 0.82,
  SI2: 0.66,
  I1: 0.45,
  I2: 0.3,
  I3: 0.2,
}

const SHAPE_FACTORS: Partial<Record<Shape, number>> = {
  round: 1,
  oval: 0.82,
  pear: 0.78,
  marquise: 0.77,
  heart: 0.74,
  emerald: 0.73,
  radiant: 0.72,
  princess: 0.7,
  cushion: 0.68,
  asscher: 0.68,
}

const CUT_FACTORS = { IDL: 1.04, EX: 1, VG: 0.92, G: 0.84, F: 0.74, P: 0.62 }
const FINISH_FACTORS = { EX: 1, VG: 0.985, G: 0.955, F: 0.91, P: 0.86 }

function makeFactor({ cut_grade, polish_grade, symmetry_grade }: DiamondGrades): number {
  const cut = cut_grade === null ? 0.97 : CUT_FACTORS[cut_grade]
  return cut * FINISH_FACTORS[polish_grade] * FINISH_FACTORS[symmetry_grade]
}

const FLUORESCENCE_FACTORS = {
  None: 1,
  'Very Slight': 0.99,
  Slight: 0.985,
  Faint: 0.97,
  Medium: 0.93,
  Strong: 0.85,
  'Very Strong': 0.8,
}

function laboratoryFactor({ lab, lab_name, type }: DiamondGrades): number {
  if (lab_name === null) return 0.8
  if (lab === null) return 0.88
  return lab === 'GIA' ? 1 : type === 'mined' ? 0.94 : 0.98
}

const HUE_FACTORS: Record<Hue, number> = {
  RD: 40,
  BL: 16,
  PN: 11,
  PL: 8,
  VL: 7,
  GR: 4,
  CM: 2.5,
  OR: 1.7,
  YL: 1.1,
  WH: 0.8,
  GY: 0.7,
  OT: 0.7,
  CH: 0.6,
  CG: 0.55,
  BN: 0.5,
  BK: 0.3,
}

const INTENSITY_FACTORS: Record<FancyIntensity, number> = {
  VIV: 2.6,
  FDP: 1.7,
  INT: 1.6,
  FAN: 1.1,
  FLT: 0.75,
  FDK: 0.7,
  LIT: 0.55,
  FNT: 0.5,
  VLT: 0.45,
}

/** A mined hue is priced by its rarity; a laboratory can grow any of them almost as easily. */
function fancyFactor({ color, fancy_color_intensity, type }: ListedGrades): number {
  const hue = HUE_FACTORS[color as Hue]
  const intensity = INTENSITY_FACTORS[fancy_color_intensity ?? 'FAN']
  return type === 'mined' ? hue * intensity : hue ** 0.25 * intensity ** 0.5
}
