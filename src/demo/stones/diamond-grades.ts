import {
  CLARITIES,
  type Clarity,
  type Color,
  type CutCode,
  type CutGrade,
  type FancyIntensity,
  type FinishGrade,
  type Fluorescence,
  type GemType,
  GIRDLES,
  type Girdle,
  type Hue,
  type Lab,
  type Shape,
} from '../../reference/attributes.ts'
import { type Chance, rounded } from '../chance.ts'
import * as shares from './diamond-shares.ts'

/** The grades of a diamond, by column. */
export interface DiamondGrades {
  type: GemType
  shape: Shape
  cut_code: CutCode
  weight: number
  color: Color | Hue
  clarity: Clarity
  is_fancy: boolean
  fancy_color_intensity: FancyIntensity | null
  overtone: string | null
  cut_grade: CutGrade | null
  polish_grade: FinishGrade
  symmetry_grade: FinishGrade
  fluorescence: Fluorescence | null
  culet_size: string | null
  girdle_min: Girdle | null
  girdle_max: Girdle | null
  eye_clean: string | null
  grow_method: string | null
  lab: Lab | null
  lab_name: string | null
}

const FANCY_SHARE = 0.02

export function drawGrades(chance: Chance, type: GemType): DiamondGrades {
  const shape = chance.pick(shares.SHAPE_SHARES)
  const clarity = chance.pick(shares.CLARITY_SHARES[type])
  const laboratory = chance.pick(shares.LAB_SHARES[type])
  const cutGrade = shape === 'round' ? drawCutGrade(chance, type, laboratory) : null
  const isFine = cutGrade === null ? chance.hits(0.65) : cutGrade === 'IDL' || cutGrade === 'EX'
  const finish = shares.FINISH_SHARES[isFine ? 'fine' : 'plain']
  return {
    type,
    shape,
    cut_code: chance.pick(shares.cutCodeShares(shape)),
    weight: drawWeight(chance, type),
    clarity,
    ...drawColor(chance, type),
    cut_grade: cutGrade,
    polish_grade: cutGrade === 'IDL' ? 'EX' : chance.pick(finish),
    symmetry_grade: cutGrade === 'IDL' ? 'EX' : chance.pick(finish),
    fluorescence: chance.pick(shares.FLUORESCENCE_SHARES[type]),
    culet_size: chance.hits(0.9) ? chance.pick(shares.CULET_SHARES) : null,
    ...drawGirdle(chance),
    eye_clean: drawEyeClean(chance, clarity),
    grow_method: type === 'mined' ? null : chance.hits(0.68) ? 'CVD' : 'HPHT',
    lab: laboratory === 'other' || laboratory === 'none' ? null : laboratory,
    lab_name: laboratory === 'other' ? 'HRD' : laboratory === 'none' ? null : laboratory,
  }
}

function drawCutGrade(chance: Chance, type: GemType, laboratory: string): CutGrade | null {
  if (laboratory === 'none' && chance.hits(0.5)) return null
  const grade = chance.pick(shares.CUT_GRADE_SHARES[type])
  const knowsIdeal = laboratory === 'IGI' || laboratory === 'GCAL'
  return grade === 'EX' && knowsIdeal && chance.hits(shares.IDEAL_SHARE) ? 'IDL' : grade
}

/** Most stones weigh just above a magic weight; the others anything up to the next one. */
function drawWeight(chance: Chance, type: GemType): number {
  const step = chance.pick(shares.WEIGHT_SHARES[type])
  const from = shares.MAGIC_WEIGHTS[step]
  const span = shares.MAGIC_WEIGHTS[step + 1] - from - 0.01
  const above = chance.hits(0.72) ? chance.decaying(0.015) : chance.next() * span
  return rounded(from + Math.min(above, span), 2)
}

type ColorFields = Pick<DiamondGrades, 'color' | 'is_fancy' | 'fancy_color_intensity' | 'overtone'>

function drawColor(chance: Chance, type: GemType): ColorFields {
  if (!chance.hits(FANCY_SHARE)) {
    const color = chance.pick(shares.COLOR_SHARES[type])
    return { color, is_fancy: false, fancy_color_intensity: null, overtone: null }
  }
  const hue = chance.pick(shares.HUE_SHARES)
  const overtone = chance.hits(0.45) ? chance.oneOf(shares.OVERTONES) : null
  return {
    color: hue,
    is_fancy: true,
    fancy_color_intensity: chance.pick(shares.INTENSITY_SHARES),
    overtone: overtone?.hue === hue ? null : (overtone?.name ?? null),
  }
}

function drawGirdle(chance: Chance): Pick<DiamondGrades, 'girdle_min' | 'girdle_max'> {
  if (chance.hits(0.08)) return { girdle_min: null, girdle_max: null }
  const thick = chance.pick(shares.GIRDLE_THICK_SHARES)
  const thin = Math.min(GIRDLES.indexOf(thick) + chance.whole(0, 2), GIRDLES.length - 2)
  return { girdle_min: GIRDLES[thin], girdle_max: thick }
}

function drawEyeClean(chance: Chance, clarity: Clarity): string | null {
  if (chance.hits(0.3)) return null
  const rank = CLARITIES.indexOf(clarity)
  if (rank <= CLARITIES.indexOf('VS2')) return 'yes'
  if (rank >= CLARITIES.indexOf('I1')) return 'no'
  const drawn = chance.next() + (clarity === 'SI2' ? 0.35 : 0)
  return drawn < 0.8 ? 'yes' : drawn < 1.1 ? 'borderline' : 'no'
}
