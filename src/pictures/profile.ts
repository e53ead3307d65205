/** A stone from the side, in fractions of its width; y points up from the girdle's middle. */
interface Profile {
  outline: [x: number, y: number][]
  table: number
  crownHeight: number
  girdleHeight: number
  pavilionDepth: number
  /** In degrees: as measured if the feed has it, otherwise as drawn. */
  crownAngle: number
  pavilionAngle: number
}

interface Measured {
  table_percentage: number | null
  depth_percentage: number | null
  crown_angle: number | null
  pavilion_angle: number | null
  pavilion_depth: number | null
}

const USUAL_TABLE = 0.58
const USUAL_DEPTH = 0.62
const USUAL_CROWN_ANGLE = 34.5
const GIRDLE = 0.035

/** The profile of a stone by its measurements; missing ones are those of a usual make. */
export function profileOf(stone: Measured): Profile {
  const table = fraction(stone.table_percentage) ?? USUAL_TABLE
  const depth = fraction(stone.depth_percentage) ?? USUAL_DEPTH
  const wantedCrown = ((1 - table) / 2) * tangent(stone.crown_angle ?? USUAL_CROWN_ANGLE)
  const measuredPavilion =
    fraction(stone.pavilion_depth) ??
    (stone.pavilion_angle === null ? undefined : tangent(stone.pavilion_angle) / 2)
  const crownHeight = Math.min(wantedCrown, depth * 0.45)
  const pavilionDepth = measuredPavilion ?? Math.max(0.1, depth - crownHeight - GIRDLE)
  const girdleHeight = Math.max(0.012, depth - crownHeight - pavilionDepth)
  const half = girdleHeight / 2
  return {
    outline: [
      [-table / 2, half + crownHeight],
      [table / 2, half + crownHeight],
      [0.5, half],
      [0.5, -half],
      [0, -half - pavilionDepth],
      [-0.5, -half],
      [-0.5, half],
    ],
    table,
    crownHeight,
    girdleHeight,
    pavilionDepth,
    crownAngle: stone.crown_angle ?? degrees(crownHeight / ((1 - table) / 2)),
    pavilionAngle: stone.pavilion_angle ?? degrees(pavilionDepth / 0.5),
  }
}

function fraction(percent: number | null): number | undefined {
  return percent === null || percent <= 0 ? undefined : percent / 100
}

function tangent(angle: number): number {
  return Math.tan((angle * Math.PI) / 180)
}

function degrees(slope: number): number {
  return Math.round(((Math.atan(slope) * 180) / Math.PI) * 10) / 10
}
