import { ratioGroupOf } from '../../gems/gem.ts'
import type { Shape } from '../../reference/attributes.ts'
import { type Chance, rounded } from '../chance.ts'
import type { DiamondGrades } from './diamond-grades.ts'

export interface Measurements {
  length: number
  width: number
  depth: number
  ratio: number
  ratio_group: 'square' | 'rectangular' | null
  depth_percentage: number
  table_percentage: number
  crown_angle: number | null
  pavilion_angle: number | null
  pavilion_depth: number | null
}

interface Make {
  /** Carats per cubic millimetre of length x width x depth, from the trade's formulas. */
  density: number
  ratio: [middle: number, spread: number]
  depth: [middle: number, spread: number]
  table: [middle: number, spread: number]
}

const make = (density: number, ratio: Make['ratio'], depth: number, table: number): Make => ({
  density,
  ratio,
  depth: [depth, 3],
  table: [table, 3.5],
})

export const MAKES: Record<Shape, Make> = {
  round: make(0.0061, [1.005, 0.002], 61.8, 58),
  oval: make(0.0064, [1.41, 0.08], 62, 58),
  pear: make(0.006, [1.53, 0.08], 61, 58),
  marquise: make(0.0058, [1.95, 0.12], 61, 58),
  heart: make(0.0059, [1.02, 0.04], 60, 58),
  cushion: make(0.00815, [1.06, 0.06], 66, 60),
  radiant: make(0.0081, [1.28, 0.12], 67, 64),
  princess: make(0.0083, [1.02, 0.015], 72, 70),
  emerald: make(0.0088, [1.4, 0.08], 66, 63),
  asscher: make(0.008, [1.02, 0.012], 66, 62),
  baguette: make(0.00915, [1.9, 0.25], 62, 66),
  rectangle: make(0.0092, [1.5, 0.15], 63, 65),
  tapered_baguette: make(0.0082, [1.9, 0.25], 60, 65),
  trapezoid: make(0.008, [1.5, 0.15], 58, 64),
  triangle: make(0.0057, [1.04, 0.03], 48, 62),
  half_moon: make(0.0064, [1.8, 0.15], 56, 60),
  shield: make(0.0068, [1.1, 0.06], 56, 62),
  hexagon: make(0.007, [1.15, 0.1], 60, 62),
  octagon: make(0.0073, [1.03, 0.03], 62, 62),
  lozenge: make(0.0059, [1.6, 0.15], 56, 62),
  bullets: make(0.0075, [1.7, 0.15], 58, 64),
  calf: make(0.0072, [1.4, 0.12], 58, 62),
  briolette: make(0.0062, [1.7, 0.2], 85, 20),
}

/** Draws proportions for the shape, then the size that gives them the stone's weight. */
export function drawMeasurements(chance: Chance, grades: DiamondGrades): Measurements {
  const { density, ratio, depth, table } = MAKES[grades.shape]
  const angles = grades.shape === 'round' ? drawAngles(chance, grades) : null
  const wantedDepth = angles?.depth_percentage ?? chance.around(...depth)
  const wantedRatio = Math.max(1, chance.around(...ratio))
  // weight = density x length x width x depth, with length and depth as multiples of the width.
  // A thick or thin girdle makes the weight differ by about a percent.
  const volume = (grades.weight / density) * chance.around(1, 0.007)
  const exactWidth = Math.cbrt(volume / (wantedRatio * (wantedDepth / 100)))
  const width = rounded(exactWidth, 2)
  const length = rounded(Math.max(exactWidth * wantedRatio, width), 2)
  const depthMm = rounded((exactWidth * wantedDepth) / 100, 2)
  return {
    ...sizeOf(grades.shape, length, width, depthMm),
    table_percentage: angles?.table_percentage ?? rounded(chance.around(...table), 0),
    crown_angle: angles?.crown_angle ?? null,
    pavilion_angle: angles?.pavilion_angle ?? null,
    pavilion_depth: angles?.pavilion_depth ?? null,
  }
}

/** Returns length, width and depth in millimetres, and the ratios computed from them. */
export function sizeOf(shape: Shape, length: number, width: number, depth: number) {
  const ratio = rounded(length / width, 2)
  return {
    length,
    width,
    depth,
    ratio,
    ratio_group: ratioGroupOf(shape, ratio),
    depth_percentage: rounded((depth / width) * 100, 1),
  }
}

/** How far the proportions of a round deviate from the ideal, by its cut grade. */
const DEVIATION = { IDL: 0.6, EX: 1, VG: 1.8, G: 2.6, F: 3.6, P: 4.5 }

/** The depth of a round is computed from table, crown, girdle and pavilion. */
function drawAngles(chance: Chance, { cut_grade }: DiamondGrades) {
  const deviation = DEVIATION[cut_grade ?? 'VG']
  const table = rounded(chance.around(57.5, 0.9 * deviation), 0)
  const crownAngle = rounded(chance.around(34.6, 0.45 * deviation) * 2, 0) / 2
  const pavilionAngle = rounded(chance.around(40.9, 0.14 * deviation) * 5, 0) / 5
  const crownHeight = ((100 - table) / 2) * tangent(crownAngle)
  const pavilionDepth = 50 * tangent(pavilionAngle)
  const girdle = chance.around(3.6, 0.4)
  return {
    table_percentage: table,
    crown_angle: crownAngle,
    pavilion_angle: pavilionAngle,
    pavilion_depth: rounded(pavilionDepth * 2, 0) / 2,
    depth_percentage: crownHeight + girdle + pavilionDepth,
  }
}

function tangent(degrees: number): number {
  return Math.tan((degrees * Math.PI) / 180)
}
