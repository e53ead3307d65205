import type { Shape } from '../reference/attributes.ts'

/** A point in stone widths; (0, 0) is the middle of the stone, and y points up. */
export type Point = [x: number, y: number]

/**
 * How a shape is drawn: its outline, and the corners or directions of its main facets. `brilliant`
 * facets fan out from the table; `step` facets run along the edges.
 */
export interface Outline {
  cut: 'brilliant' | 'step' | 'drop'
  points: Point[]
  /** The line in which the facets end below: from one point to another, or one point twice. */
  keel: [Point, Point]
  /** Directions of the main facets in degrees; empty if the corners give them. */
  mains: number[]
}

const ARC_POINTS = 24

/** The ratio that a shape usually has, for icons. */
const USUAL_RATIO: Record<Shape, number> = {
  asscher: 1,
  baguette: 1.9,
  briolette: 1.7,
  bullets: 1.5,
  calf: 1.25,
  cushion: 1.05,
  emerald: 1.4,
  half_moon: 1.75,
  heart: 1,
  hexagon: 1.15,
  lozenge: 1.5,
  marquise: 1.95,
  octagon: 1,
  oval: 1.4,
  pear: 1.5,
  princess: 1,
  radiant: 1.25,
  rectangle: 1.4,
  round: 1,
  shield: 1.15,
  tapered_baguette: 1.8,
  trapezoid: 1.5,
  triangle: 1.04,
}

export function outlineOf(shape: Shape, ratio = USUAL_RATIO[shape]): Outline {
  return OUTLINES[shape](Math.min(4, Math.max(0.5, ratio)) / 2)
}

/** Each function takes half the length, in widths. */
const OUTLINES: Record<Shape, (half: number) => Outline> = {
  round: (half) => brilliant(ellipse(half), EIGHT),
  oval: (half) => brilliant(ellipse(half), EIGHT),
  cushion: (half) => brilliant(superellipse(half, 3), EIGHT),
  marquise: (half) => brilliant(marquise(half), EIGHT),
  pear: (half) => brilliant(pear(half), EIGHT, [0, Math.min(0, 0.5 - half) * 0.6]),
  heart: (half) => brilliant(heart(half), EIGHT, [0, half * 0.12]),
  triangle: (half) => brilliant(triangle(half), triangleMains(half), [0, -half / 3]),
  half_moon: (half) => brilliant(halfMoon(half), halfMoonMains(half), [0, -0.1]),
  radiant: (half) => cornered('brilliant', cutCorners(half, 0.16)),
  princess: (half) => cornered('brilliant', rectangle(half)),
  emerald: (half) => cornered('step', cutCorners(half, 0.15)),
  asscher: (half) => cornered('step', cutCorners(half, 0.23)),
  octagon: (half) => cornered('step', cutCorners(half, 0.293)),
  baguette: (half) => cornered('step', rectangle(half)),
  rectangle: (half) => cornered('step', rectangle(half)),
  tapered_baguette: (half) => cornered('step', trapezoid(0.5, 0.31, half)),
  trapezoid: (half) => cornered('step', trapezoid(half, half * 0.62, 0.5)),
  hexagon: (half) =>
    cornered(
      'step',
      mirrored([
        [0, half],
        [0.5, half / 2],
        [0.5, -half / 2],
        [0, -half],
      ]),
    ),
  lozenge: (half) =>
    cornered(
      'step',
      mirrored([
        [0, half],
        [0.5, 0],
        [0, -half],
      ]),
    ),
  bullets: (half) =>
    cornered(
      'step',
      mirrored([
        [0, half],
        [0.5, half * 0.3],
        [0.5, -half],
      ]),
    ),
  shield: (half) =>
    cornered(
      'step',
      mirrored([
        [0.4, half],
        [0.5, half * 0.3],
        [0, -half],
      ]),
    ),
  calf: (half) =>
    cornered(
      'step',
      mirrored([
        [0.28, half],
        [0.5, half * 0.4],
        [0.2, -half],
      ]),
    ),
  briolette: (half) => ({ ...brilliant(pear(half), []), cut: 'drop' }),
}

const EIGHT = [0, 45, 90, 135, 180, 225, 270, 315]

function brilliant(points: Point[], mains: number[], centre: Point = [0, 0]): Outline {
  return { cut: 'brilliant', points, keel: [centre, centre], mains }
}

/** An outline of straight edges, whose corners give the facets. */
function cornered(cut: 'brilliant' | 'step', points: Point[]): Outline {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const width = Math.max(...xs) - Math.min(...xs)
  const length = Math.max(...ys) - Math.min(...ys)
  const middle = mean(points)
  const halfKeel = (long: number, short: number) => (long > short * 1.12 ? (long - short) / 2 : 0)
  const [dx, dy] = [halfKeel(width, length), halfKeel(length, width)]
  const keel: [Point, Point] = [
    [middle[0] - dx, middle[1] - dy],
    [middle[0] + dx, middle[1] + dy],
  ]
  return { cut, points, keel, mains: [] }
}

function mean(points: Point[]): Point {
  const sum = points.reduce(([x, y], [px, py]) => [x + px, y + py], [0, 0])
  return [sum[0] / points.length, sum[1] / points.length]
}

/** Points at `count` angles, counter-clockwise from the right. */
function around(count: number, at: (angle: number) => Point): Point[] {
  return Array.from({ length: count }, (_, index) => at((index / count) * 2 * Math.PI))
}

function ellipse(half: number): Point[] {
  return around(ARC_POINTS * 4, (angle) => [Math.cos(angle) / 2, Math.sin(angle) * half])
}

function superellipse(half: number, power: number): Point[] {
  const bend = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / power)
  return around(ARC_POINTS * 4, (angle) => [
    bend(Math.cos(angle)) / 2,
    bend(Math.sin(angle)) * half,
  ])
}

/** Two arcs of equal circles, which meet in the tips. */
function marquise(half: number): Point[] {
  const radius = half * half + 0.25
  const right = Array.from({ length: ARC_POINTS * 2 + 1 }, (_, index): Point => {
    const y = half * (1 - index / ARC_POINTS)
    return [Math.max(0, Math.sqrt(radius * radius - y * y) - (radius - 0.5)), y]
  })
  return mirrored(right)
}

/** A half circle below, continued by two arcs that meet in the tip. */
function pear(half: number): Point[] {
  const middle = -half + 0.5
  const height = Math.max(0.51, half - middle)
  const away = height * height - 0.25
  const upper = Array.from({ length: ARC_POINTS + 1 }, (_, index): Point => {
    const y = height * (1 - index / ARC_POINTS)
    return [Math.max(0, Math.sqrt((0.5 + away) ** 2 - y * y) - away), middle + y]
  })
  const lower = Array.from({ length: ARC_POINTS }, (_, index): Point => {
    const angle = ((index + 1) / ARC_POINTS) * (Math.PI / 2)
    return [Math.cos(angle) / 2, middle - Math.sin(angle) / 2]
  })
  return mirrored([...upper, ...lower])
}

/** Two lobes, a shallow cleft, and sides that run to the tip. */
function heart(half: number): Point[] {
  const top = half - 0.27
  const lobe = Array.from({ length: ARC_POINTS + 1 }, (_, index): Point => {
    const from = Math.PI - Math.acos(0.23 / 0.27)
    const angle = from * (1 - index / ARC_POINTS)
    return [0.23 + 0.27 * Math.cos(angle), top + 0.27 * Math.sin(angle)]
  })
  const side = bezier([0.5, top], [0.5, top - (top + half) * 0.4], [0.2, -half * 0.66], [0, -half])
  return mirrored([...lobe, ...side])
}

function bezier(a: Point, b: Point, c: Point, d: Point): Point[] {
  return Array.from({ length: ARC_POINTS }, (_, index): Point => {
    const t = (index + 1) / ARC_POINTS
    const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
    const along = (axis: 0 | 1) =>
      [a, b, c, d].reduce((sum, point, index) => sum + point[axis] * weights[index], 0)
    return [along(0), along(1)]
  })
}

/** Three corners, and sides that bulge a little. */
function triangle(half: number): Point[] {
  const corners: Point[] = [
    [0, half],
    [-0.5, -half],
    [0.5, -half],
  ]
  return corners.flatMap((from, index) => {
    const to = corners[(index + 1) % 3]
    const out: Point = [(to[1] - from[1]) * 0.09, -(to[0] - from[0]) * 0.09]
    return Array.from({ length: ARC_POINTS }, (_, step): Point => {
      const t = step / ARC_POINTS
      const bulge = 4 * t * (1 - t) * 0.8
      const along = (axis: 0 | 1) => from[axis] + (to[axis] - from[axis]) * t + out[axis] * bulge
      return [along(0) * 0.94, along(1) * 0.94]
    })
  })
}

function triangleMains(half: number): number[] {
  const low = (Math.atan2(-half + half / 3, 0.5) * 180) / Math.PI
  return [90, 150, 180 - low, 270, 360 + low, 30].sort((a, b) => (a % 360) - (b % 360))
}

/** Lies on its straight side, which the trade calls its length. */
function halfMoon(half: number): Point[] {
  return Array.from({ length: ARC_POINTS * 2 + 1 }, (_, index): Point => {
    const angle = (index / (ARC_POINTS * 2)) * Math.PI
    return [Math.cos(angle) * half, Math.sin(angle) - 0.5]
  })
}

function halfMoonMains(half: number): number[] {
  const low = (Math.atan2(-0.4, half) * 180) / Math.PI
  return [30, 90, 150, 180 - low, 270, 360 + low]
}

function rectangle(half: number): Point[] {
  return [
    [0.5, half],
    [-0.5, half],
    [-0.5, -half],
    [0.5, -half],
  ]
}

function trapezoid(bottom: number, top: number, half: number): Point[] {
  return [
    [top, half],
    [-top, half],
    [-bottom, -half],
    [bottom, -half],
  ]
}

function cutCorners(half: number, cut: number): Point[] {
  return mirrored([
    [0.5 - cut, half],
    [0.5, half - cut],
    [0.5, -half + cut],
    [0.5 - cut, -half],
  ])
}

/** Adds the mirror image to a right side given from top to bottom; counter-clockwise. */
function mirrored(right: Point[]): Point[] {
  const left = right.filter(([x]) => x > 1e-9).map(([x, y]): Point => [-x, y])
  return [...left, ...right.toReversed()]
}
