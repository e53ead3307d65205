import {
  CUT_GRADES,
  FINISH_GRADES,
  FLUORESCENCES,
  type GemType,
  GIRDLES,
  type Girdle,
  type Shape,
} from '../../reference/attributes.ts'
import {
  DEFAULT_TEMPLATES,
  type DefaultTemplate,
  type GradeName,
  type TemplateShape,
} from '../../reference/defaults.ts'

/**
 * How well a stone is made, compared with what a grade asks of its shape: every deviation costs
 * points, and a perfect make costs none. Better than asked costs nothing. All points are whole
 * numbers, so that two stones of about the same make are equal, and their price can decide.
 */
export type Make = Omit<DefaultTemplate, 'depth_percentage' | 'table_percentage'> & {
  depth_percentage: number | null
  table_percentage: number | null
}

/** The parts of a stone's make that are judged. */
interface MadeStone {
  cut_grade: string | null
  polish_grade: string | null
  symmetry_grade: string | null
  fluorescence: string | null
  girdle_max: string | null
  girdle_min: string | null
  depth_percentage: number | null
  table_percentage: number | null
}

/** A stone as the rule of curated search sees it. */
export interface Candidate extends MadeStone {
  id: number
  type: GemType
  /** In 1/10,000 ct. */
  weight: number
  /** Positions in the lists of grades; the best is 0. */
  color: number
  clarity: number
  /** In 1/1,000 mm. */
  length: number | null
  width: number | null
  /** The caller's wholesale price, in US cents. */
  price: number
}

export type MakeWord = Exclude<keyof MadeStone, MakePercent>
export type MakePercent = 'depth_percentage' | 'table_percentage'

/** The proportions of a shape without default templates are not judged. */
export function makeOf(shape: Shape, grade: GradeName): Make {
  if (shape in DEFAULT_TEMPLATES) return DEFAULT_TEMPLATES[shape as TemplateShape][grade]
  return { ...DEFAULT_TEMPLATES.oval[grade], depth_percentage: null, table_percentage: null }
}

export function pointsOf(make: Make, stone: MadeStone): number {
  let points = 0
  for (const part of MAKE_WORDS) points += wordPoints(make, part, stone[part])
  for (const part of MAKE_PERCENTS) points += percentPoints(make, part, stone[part])
  return points
}

export const MAKE_WORDS: readonly MakeWord[] = [
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'fluorescence',
  'girdle_max',
  'girdle_min',
]
export const MAKE_PERCENTS: readonly MakePercent[] = ['depth_percentage', 'table_percentage']

const CUT_POINTS = 6
const FINISH_POINTS = 3
const GIRDLE_POINTS = 1

export function wordPoints(make: Make, part: MakeWord, value: string | null): number {
  switch (part) {
    case 'cut_grade':
      return CUT_POINTS * gradesBelow(CUT_GRADES, make.cut_grade, value)
    case 'polish_grade':
    case 'symmetry_grade':
      return FINISH_POINTS * gradesBelow(FINISH_GRADES, make[part], value)
    case 'fluorescence':
      return fluorescencePoints(value)
    case 'girdle_max':
      return GIRDLE_POINTS * (value === null ? 1 : stepsBeyond(make.girdle_max, value as Girdle))
    case 'girdle_min':
      return GIRDLE_POINTS * (value === null ? 1 : stepsBeyond(value as Girdle, make.girdle_min))
  }
}

/** An unknown grade counts as one grade below what is asked. */
function gradesBelow(scale: readonly string[], asked: string | null, value: string | null): number {
  if (asked === null) return 0
  if (value === null) return 1
  return Math.max(0, scale.indexOf(value) - scale.indexOf(asked))
}

/** How many steps the second girdle is thicker than the first. */
function stepsBeyond(thickest: Girdle, value: Girdle): number {
  return Math.max(0, GIRDLES.indexOf(thickest) - GIRDLES.indexOf(value))
}

const FLUORESCENCE_POINTS: Record<(typeof FLUORESCENCES)[number], number> = {
  None: 0,
  'Very Slight': 1,
  Slight: 1,
  Faint: 1,
  Medium: 4,
  Strong: 8,
  'Very Strong': 12,
}

function fluorescencePoints(value: string | null): number {
  const known = FLUORESCENCES.find((word) => word === value)
  return known ? FLUORESCENCE_POINTS[known] : 1
}

/** Each such difference from the percentage that is asked for costs a point; less costs nothing. */
const PERCENT_PER_POINT: Record<MakePercent, number> = {
  depth_percentage: 0.5,
  table_percentage: 1,
}
const PERCENT_POINTS_MAX = 40
const PERCENT_POINTS_UNKNOWN = 4

export function percentPoints(make: Make, part: MakePercent, value: number | null): number {
  const asked = make[part]
  if (asked === null) return 0
  if (value === null) return PERCENT_POINTS_UNKNOWN
  // Hundredths are whole numbers, which divide without a rounding error.
  const hundredths = Math.abs(Math.round(value * 100) - Math.round(asked * 100))
  return Math.min(PERCENT_POINTS_MAX, Math.floor(hundredths / (PERCENT_PER_POINT[part] * 100)))
}
