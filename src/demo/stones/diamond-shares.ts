import type {
  Clarity,
  Color,
  Culet,
  CutCode,
  CutGrade,
  FancyIntensity,
  FinishGrade,
  Fluorescence,
  GemType,
  Girdle,
  Hue,
  Lab,
  Shape,
} from '../../reference/attributes.ts'
import { type Choices, choices, sharesOf } from '../chance.ts'

/** How common each value is among diamonds on offer, in percent of the listings. */

export const SHAPE_SHARES = sharesOf<Shape>({
  round: 48,
  oval: 11,
  emerald: 7,
  princess: 7,
  cushion: 7,
  pear: 7,
  radiant: 5,
  marquise: 4,
  asscher: 2,
  heart: 1.5,
  triangle: 0.1,
  baguette: 0.1,
  tapered_baguette: 0.05,
  half_moon: 0.05,
  trapezoid: 0.05,
  rectangle: 0.03,
  shield: 0.02,
  hexagon: 0.02,
  octagon: 0.02,
  bullets: 0.02,
  lozenge: 0.01,
  briolette: 0.01,
  calf: 0.01,
})

const BRILLIANT = sharesOf<CutCode>({ brilliant_cut: 85, modified_cut: 15 })
const STEP = sharesOf<CutCode>({ step_cut: 100 })
const CUT_CODE_SHARES: Partial<Record<Shape, Choices<CutCode>>> = {
  round: sharesOf<CutCode>({ brilliant_cut: 98.9, european_cut: 0.7, rose_cut: 0.4 }),
  cushion: sharesOf<CutCode>({ brilliant_cut: 58, modified_cut: 40, old_mine_cut: 2 }),
  radiant: sharesOf<CutCode>({ modified_cut: 92, mixed_cut: 8 }),
  princess: sharesOf<CutCode>({ brilliant_cut: 70, modified_cut: 30 }),
  briolette: sharesOf<CutCode>({ mixed_cut: 100 }),
  lozenge: sharesOf<CutCode>({ mirror_cut: 40, step_cut: 60 }),
}
const STEP_SHAPES: ReadonlySet<Shape> = new Set<Shape>([
  'asscher',
  'baguette',
  'bullets',
  'calf',
  'emerald',
  'hexagon',
  'octagon',
  'rectangle',
  'shield',
  'tapered_baguette',
  'trapezoid',
])

export function cutCodeShares(shape: Shape): Choices<CutCode> {
  return CUT_CODE_SHARES[shape] ?? (STEP_SHAPES.has(shape) ? STEP : BRILLIANT)
}

/** Prices jump at these weights in carats, so most stones are cut to just above one of them. */
export const MAGIC_WEIGHTS = [
  0.18, 0.23, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 1.7, 2, 2.5, 3, 4, 5, 7, 10, 14,
]
const weightShares = (shares: number[]) =>
  choices(shares.map((share, step) => [step, share] as const))
export const WEIGHT_SHARES: Record<GemType, Choices<number>> = {
  mined: weightShares([
    1, 3, 20, 11, 16, 3, 11, 4, 7, 11, 3.5, 4, 1.2, 2.3, 0.6, 0.8, 0.25, 0.2, 0.05, 0.02,
  ]),
  'lab grown': weightShares([
    0.2, 0.5, 2, 1, 6, 1, 5, 1.5, 2.5, 22, 6, 16, 3, 17, 5, 7, 2.5, 1.5, 0.3, 0.05,
  ]),
}

export const COLOR_SHARES: Record<GemType, Choices<Color>> = {
  // biome-ignore format: a scale reads best on few lines
  mined: sharesOf<Color>({
    D: 9, E: 11, F: 13, G: 14, H: 13, I: 11, J: 9, K: 7, L: 4.5, M: 3, N: 1.8, O: 0.5, OP: 0.5,
    P: 0.3, Q: 0.2, QR: 0.3, R: 0.1, S: 0.15, ST: 0.2, T: 0.1, U: 0.1, UV: 0.15, V: 0.1, W: 0.1,
    WX: 0.2, X: 0.1, Y: 0.1, YZ: 0.3, Z: 0.1,
  }),
  'lab grown': sharesOf<Color>({ D: 18, E: 25, F: 25, G: 16, H: 8.5, I: 4.5, J: 2.2, K: 0.8 }),
}

export const CLARITY_SHARES: Record<GemType, Choices<Clarity>> = {
  // biome-ignore format: a scale reads best on few lines
  mined: sharesOf<Clarity>({
    FL: 0.3, IF: 3, VVS1: 6, VVS2: 9, VS1: 15, VS2: 18, SI1: 20, SI2: 17, I1: 9, I2: 2.2, I3: 0.5,
  }),
  // biome-ignore format: a scale reads best on few lines
  'lab grown': sharesOf<Clarity>({
    FL: 0.1, IF: 2, VVS1: 9, VVS2: 22, VS1: 32, VS2: 22, SI1: 9, SI2: 3, I1: 0.9,
  }),
}

export const FLUORESCENCE_SHARES: Record<GemType, Choices<Fluorescence | null>> = {
  // biome-ignore format: a scale reads best on few lines
  mined: choices<Fluorescence | null>([
    ['None', 61], ['Faint', 18], ['Medium', 10], ['Strong', 7], ['Very Strong', 1],
    ['Slight', 0.8], ['Very Slight', 0.7], [null, 1.5],
  ]),
  // biome-ignore format: a scale reads best on few lines
  'lab grown': choices<Fluorescence | null>([
    ['None', 95], ['Very Slight', 1.5], ['Faint', 1.5], ['Medium', 0.5], [null, 1.5],
  ]),
}

/** `other` is a laboratory outside the reference list, `none` a stone without a certificate. */
export const LAB_SHARES: Record<GemType, Choices<Lab | 'other' | 'none'>> = {
  mined: sharesOf({ GIA: 80, IGI: 9, GCAL: 1.5, other: 2.5, none: 7 }),
  'lab grown': sharesOf({ IGI: 81, GIA: 6, GCAL: 5, other: 1, none: 7 }),
}

/** Only rounds get a cut grade, and not every laboratory uses the grade Ideal. */
export const CUT_GRADE_SHARES: Record<GemType, Choices<CutGrade>> = {
  mined: sharesOf({ EX: 62, VG: 22, G: 12, F: 3.4, P: 0.6 }),
  'lab grown': sharesOf({ EX: 60, VG: 30, G: 9, F: 1 }),
}
export const IDEAL_SHARE = 0.45

/** Polish and symmetry depend on how well the stone is made. */
export const FINISH_SHARES: Record<'fine' | 'plain', Choices<FinishGrade>> = {
  fine: sharesOf({ EX: 88, VG: 12 }),
  plain: sharesOf({ EX: 40, VG: 42, G: 16, F: 1.7, P: 0.3 }),
}

export const HUE_SHARES = sharesOf<Hue>({
  YL: 54,
  BN: 12,
  PN: 9,
  OR: 5,
  BL: 4,
  GR: 4,
  BK: 4,
  GY: 2.5,
  CH: 2,
  CG: 1,
  PL: 0.8,
  WH: 0.6,
  VL: 0.4,
  CM: 0.3,
  RD: 0.2,
  OT: 0.2,
})
export const INTENSITY_SHARES = sharesOf<FancyIntensity>({
  FAN: 25,
  INT: 22,
  FLT: 18,
  VIV: 11,
  FDP: 8,
  FDK: 5,
  LIT: 4,
  VLT: 4,
  FNT: 3,
})
/** The words, each with the hue that it cannot be an overtone of. */
export const OVERTONES: { name: string; hue: Hue }[] = [
  { name: 'Orangy', hue: 'OR' },
  { name: 'Brownish', hue: 'BN' },
  { name: 'Greenish', hue: 'GR' },
  { name: 'Pinkish', hue: 'PN' },
  { name: 'Greyish', hue: 'GY' },
  { name: 'Yellowish', hue: 'YL' },
]

export const GIRDLE_THICK_SHARES = sharesOf<Girdle>({ STK: 45, MD: 30, TK: 17, VTK: 6, XTK: 2 })
export const CULET_SHARES = sharesOf<Culet>({ N: 94, VS: 3, S: 1.5, M: 0.7, SL: 0.5, L: 0.3 })
