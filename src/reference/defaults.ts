import type { Clarity, Color, CutGrade, FinishGrade, Girdle } from './attributes.ts'

/** What a merchant has until it makes its own: templates of curated search, and margin tiers. */

export const GRADE_NAMES = ['ideal', 'excellent', 'very good'] as const
export type GradeName = (typeof GRADE_NAMES)[number]

/** The predefined templates, which come first in every merchant's list. */
export const PREDEFINED_TEMPLATES = [
  predefined('IDEAL', 1, 'F', 'VS1', 'ideal'),
  predefined('PREMIUM', 2, 'H', 'VS2', 'excellent'),
  predefined('STANDARD', 3, 'I', 'SI1', 'very good'),
]

function predefined(
  label: string,
  position: number,
  color: Color,
  clarity: Clarity,
  grade_name: GradeName,
) {
  return {
    uuid: `DEFAULT_${label}`,
    merchant_uuid: null,
    group: 'DEFAULT',
    position,
    label,
    color,
    clarity,
    grade_name,
    order: null,
  }
}

/** The make that a curated search prefers for one shape and grade. */
export interface DefaultTemplate {
  clarity: Clarity
  color: Color
  culet_size: null
  cut_grade: CutGrade | null
  depth_percentage: number
  fluorescence: 'None'
  girdle_max: Girdle
  girdle_min: Girdle
  length: null
  polish_grade: FinishGrade
  symmetry_grade: FinishGrade
  table_percentage: number
  width: null
}

interface Grade {
  color: Color
  clarity: Clarity
  finish: FinishGrade
  /** The thick end of the girdle; the thin end is VTN for every grade. */
  girdle_max: Girdle
  round_cut: CutGrade
}

const GRADES: Record<GradeName, Grade> = {
  ideal: { color: 'F', clarity: 'VS1', finish: 'EX', girdle_max: 'STK', round_cut: 'EX' },
  excellent: { color: 'H', clarity: 'VS2', finish: 'VG', girdle_max: 'TK', round_cut: 'EX' },
  'very good': { color: 'I', clarity: 'SI1', finish: 'VG', girdle_max: 'VTK', round_cut: 'VG' },
}

/**
 * [depth %, table %] for ideal, excellent and very good: the centre of the range to which the trade
 * usually gives that grade for the shape.
 */
const PROPORTIONS = {
  asscher: [
    [63, 62.5],
    [64, 63.5],
    [65.5, 65],
  ],
  cushion: [
    [64, 60],
    [65, 61],
    [66.5, 62.5],
  ],
  emerald: [
    [64, 64],
    [65, 65],
    [66.5, 66.5],
  ],
  marquise: [
    [60.5, 57],
    [61.5, 58.5],
    [62.5, 60],
  ],
  oval: [
    [60.5, 57],
    [61.5, 58.5],
    [62.5, 60],
  ],
  pear: [
    [60.5, 57],
    [61.5, 58.5],
    [62.5, 60],
  ],
  princess: [
    [69.5, 70],
    [71, 71.5],
    [73, 73],
  ],
  radiant: [
    [65, 64],
    [66, 65],
    [67.5, 66.5],
  ],
  round: [
    [61.5, 56.5],
    [61.5, 57.5],
    [61.5, 59],
  ],
} as const

export type TemplateShape = keyof typeof PROPORTIONS

/** Default templates by shape, then by grade name: the response of the defaults endpoint. */
export const DEFAULT_TEMPLATES = Object.fromEntries(
  Object.keys(PROPORTIONS).map((shape) => [shape, gradesOf(shape as TemplateShape)]),
) as Record<TemplateShape, Record<GradeName, DefaultTemplate>>

function gradesOf(shape: TemplateShape): Record<GradeName, DefaultTemplate> {
  const grades = GRADE_NAMES.map((name, position) => [name, templateOf(shape, name, position)])
  return Object.fromEntries(grades)
}

function templateOf(shape: TemplateShape, name: GradeName, position: number): DefaultTemplate {
  const grade = GRADES[name]
  const [depth_percentage, table_percentage] = PROPORTIONS[shape][position]
  const round = shape === 'round'
  return {
    clarity: grade.clarity,
    color: grade.color,
    culet_size: null,
    cut_grade: round ? grade.round_cut : null,
    depth_percentage,
    fluorescence: 'None',
    girdle_max: round ? 'MD' : grade.girdle_max,
    girdle_min: round ? 'MD' : 'VTN',
    length: null,
    polish_grade: grade.finish,
    symmetry_grade: grade.finish,
    table_percentage,
    width: null,
  }
}

/** The margin tiers of a merchant without its own, all by weight in carats. */
export const DEFAULT_MARGINS = [
  { weight_min: 0, weight_max: 0.75, mined_percent: 35, lab_percent: 50 },
  { weight_min: 0.76, weight_max: 0.99, mined_percent: 30, lab_percent: 45 },
  { weight_min: 1, weight_max: 1.99, mined_percent: 30, lab_percent: 45 },
  { weight_min: 2, weight_max: 10, mined_percent: 25, lab_percent: 40 },
].map((tier) => ({ ...tier, weight_or_price: 'weight' as const }))
