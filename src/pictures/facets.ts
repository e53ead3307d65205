import type { Shape } from '../reference/attributes.ts'
import { type Outline, outlineOf, type Point } from './outlines.ts'

/** A point of the cut stone in stone widths; z points up from the middle of the girdle. */
export type Point3 = [x: number, y: number, z: number]

export interface Facet {
  part: 'table' | 'crown' | 'girdle' | 'pavilion'
  points: Point3[]
}

/** Proportions of a cut, as fractions of the width. */
interface Proportions {
  ratio?: number
  table: number
  crown: number
  girdle: number
  pavilion: number
}

const USUAL_PROPORTIONS: Proportions = {
  table: 0.58,
  crown: 0.15,
  girdle: 0.03,
  pavilion: 0.43,
}

/** Returns all facets of a stone of this shape. */
export function cutStone(shape: Shape, own: Partial<Proportions> = {}): Facet[] {
  const proportions = { ...USUAL_PROPORTIONS, ...own }
  const outline = outlineOf(shape, own.ratio)
  if (outline.cut === 'drop') return cutDrop(outline)
  const crown = outline.cut === 'step' ? stepCrown : brilliantCrown
  const pavilion = outline.cut === 'step' ? stepPavilion : brilliantPavilion
  return [
    ...crown(outline, proportions),
    ...girdle(outline, proportions),
    ...pavilion(outline, proportions),
  ]
}

/** A point between the rim of the outline (part 1) and its keel (part 0). */
function towards([x, y]: Point, { keel }: Outline, part: number): Point {
  const [cx, cy] = nearestOnKeel([x, y], keel)
  return [cx + (x - cx) * part, cy + (y - cy) * part]
}

function nearestOnKeel([x, y]: Point, [[ax, ay], [bx, by]]: [Point, Point]): Point {
  const clamp = (value: number, a: number, b: number) =>
    Math.min(Math.max(value, Math.min(a, b)), Math.max(a, b))
  return [clamp(x, ax, bx), clamp(y, ay, by)]
}

/** A point on the rim in a main direction, or half way between two main directions. */
interface Station {
  rim: Point
  /** The rim from here to the next station, both ends included. */
  edge: Point[]
}

function stationsOf(outline: Outline): Station[] {
  const rims = outline.mains.length > 0 ? directionStations(outline) : cornerStations(outline)
  return rims.map((rim, index) => ({
    rim,
    edge: rimBetween(outline.points, rim, rims[(index + 1) % rims.length]),
  }))
}

function directionStations({ points, keel: [centre], mains }: Outline): Point[] {
  const ys = points.map(([, y]) => y)
  const xs = points.map(([x]) => x)
  // Directions are given for a square stone, and a long stone stretches them. Directions that were
  // computed from the corners of a shape fit it already.
  const isEven = mains.every((angle) => angle % 45 === 0)
  const stretch = isEven
    ? (Math.max(...ys) - Math.min(...ys)) / (Math.max(...xs) - Math.min(...xs))
    : 1
  return mains.flatMap((angle, index) => {
    const next = mains[(index + 1) % mains.length] + (index + 1 === mains.length ? 360 : 0)
    return [angle, (angle + next) / 2].map((degrees) => {
      const radians = (degrees * Math.PI) / 180
      return rimAt(points, centre, [Math.cos(radians), Math.sin(radians) * stretch])
    })
  })
}

function cornerStations({ points }: Outline): Point[] {
  return points.flatMap((corner, index) => {
    const next = points[(index + 1) % points.length]
    return [corner, [(corner[0] + next[0]) / 2, (corner[1] + next[1]) / 2] as Point]
  })
}

/** Where a ray from the centre crosses the rim. */
function rimAt(points: Point[], [cx, cy]: Point, [dx, dy]: Point): Point {
  let best: Point = points[0]
  let farthest = -1
  for (const [index, [ax, ay]] of points.entries()) {
    const [bx, by] = points[(index + 1) % points.length]
    const [ex, ey] = [bx - ax, by - ay]
    const cross = dx * ey - dy * ex
    if (Math.abs(cross) < 1e-12) continue
    const far = ((ax - cx) * ey - (ay - cy) * ex) / cross
    const along = ((ax - cx) * dy - (ay - cy) * dx) / cross
    if (far > farthest && along >= -1e-9 && along <= 1 + 1e-9) {
      farthest = far
      best = [cx + dx * far, cy + dy * far]
    }
  }
  return best
}

/** The points of the outline between two points on it, walking counter-clockwise. */
function rimBetween(points: Point[], from: Point, to: Point): Point[] {
  const [start, end] = [positionOf(points, from), positionOf(points, to)]
  const between: Point[] = []
  const count = points.length
  const steps = Math.floor(end) - Math.floor(start) + (end < start ? count : 0)
  for (let step = 1; step <= steps; step++) between.push(points[(Math.floor(start) + step) % count])
  const isNew = (point: Point) => distance(point, from) > 1e-4 && distance(point, to) > 1e-4
  return [from, ...between.filter(isNew), to]
}

/** The index of the edge on which a point lies, plus how far along that edge (0 to 1). */
function positionOf(points: Point[], point: Point): number {
  let best = 0
  let nearest = Number.POSITIVE_INFINITY
  for (const [index, a] of points.entries()) {
    const b = points[(index + 1) % points.length]
    const length = distance(a, b) ** 2 || 1
    const dot = (point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])
    const along = Math.min(1, Math.max(0, dot / length))
    const foot: Point = [a[0] + (b[0] - a[0]) * along, a[1] + (b[1] - a[1]) * along]
    const off = distance(foot, point)
    if (off < nearest - 1e-9) {
      nearest = off
      best = index + Math.min(along, 0.999999)
    }
  }
  return best
}

function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(ax - bx, ay - by)
}

function lift([x, y]: Point, z: number): Point3 {
  return [x, y, z]
}

function brilliantCrown(outline: Outline, { table, crown, girdle }: Proportions): Facet[] {
  const stations = stationsOf(outline)
  const [low, high] = [girdle / 2, girdle / 2 + crown]
  const starPart = table + (1 - table) * 0.48
  const at = (index: number, part: number) =>
    towards(stations[(index + stations.length) % stations.length].rim, outline, part)
  const facets: Facet[] = []
  const top: Point3[] = []
  for (let index = 0; index < stations.length; index += 2) {
    const tip = lift(at(index, table), high)
    const left = lift(at(index + 1, starPart), low + crown * 0.56)
    const right = lift(at(index - 1, starPart), low + crown * 0.56)
    const nextTip = lift(at(index + 2, table), high)
    top.push(tip)
    facets.push({ part: 'crown', points: [tip, right, lift(at(index, 1), low), left] })
    facets.push({ part: 'crown', points: [tip, left, nextTip] })
    for (const side of [index, index + 1]) {
      const edge = stations[side].edge.map((point) => lift(point, low))
      facets.push({ part: 'crown', points: [left, ...edge] })
    }
  }
  return [{ part: 'table', points: top }, ...facets]
}

function brilliantPavilion(outline: Outline, { girdle, pavilion }: Proportions): Facet[] {
  const stations = stationsOf(outline)
  const low = -girdle / 2
  const at = (index: number, part: number) =>
    towards(stations[(index + stations.length) % stations.length].rim, outline, part)
  const facets: Facet[] = []
  for (let index = 0; index < stations.length; index += 2) {
    const culet = lift(at(index, 0), low - pavilion)
    const left = lift(at(index + 1, 0.24), low - pavilion * 0.78)
    const right = lift(at(index - 1, 0.24), low - pavilion * 0.78)
    facets.push({ part: 'pavilion', points: [culet, left, lift(at(index, 1), low), right] })
    for (const side of [index, index + 1]) {
      const edge = stations[side].edge.map((point) => lift(point, low)).toReversed()
      facets.push({ part: 'pavilion', points: [left, ...edge] })
    }
  }
  return facets
}

/** Rows of facets along the edges, flatter towards the table as in a real step cut. */
function stepCrown(outline: Outline, { table, crown, girdle }: Proportions): Facet[] {
  const low = girdle / 2
  const rings = [1, 1 - (1 - table) * 0.36, 1 - (1 - table) * 0.7, table].map((part, row) =>
    outline.points.map((point) =>
      lift(towards(point, outline, part), low + crown * CROWN_ROWS[row]),
    ),
  )
  return [{ part: 'table', points: rings[3] }, ...rows(rings, 'crown')]
}

const CROWN_ROWS = [0, 0.48, 0.8, 1]
const PAVILION_ROWS = [0, 0.42, 0.76, 1]

function stepPavilion(outline: Outline, { girdle, pavilion }: Proportions): Facet[] {
  const rings = [1, 0.7, 0.36, 0].map((part, row) =>
    outline.points.map((point) =>
      lift(towards(point, outline, part), -girdle / 2 - pavilion * PAVILION_ROWS[row]),
    ),
  )
  return rows(rings, 'pavilion').map(({ part, points }) => ({ part, points: points.toReversed() }))
}

function rows(rings: Point3[][], part: Facet['part']): Facet[] {
  return rings.slice(1).flatMap((inner, row) =>
    inner.map((point, index) => {
      const next = (index + 1) % inner.length
      return { part, points: [point, rings[row][index], rings[row][next], inner[next]] }
    }),
  )
}

function girdle({ points }: Outline, { girdle: height }: Proportions): Facet[] {
  return points.map((point, index) => {
    const next = points[(index + 1) % points.length]
    const [low, high] = [-height / 2, height / 2]
    return {
      part: 'girdle',
      points: [lift(point, high), lift(point, low), lift(next, low), lift(next, high)],
    }
  })
}

const DROP_SIDES = 12
const DROP_ROWS = 9

/** A briolette has no table: it is a drop along the y axis, covered with triangles. */
function cutDrop({ points }: Outline): Facet[] {
  const ys = points.map(([, y]) => y)
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)]
  const rings = Array.from({ length: DROP_ROWS + 1 }, (_, row) => {
    const y = bottom + ((top - bottom) * (1 - Math.cos((row / DROP_ROWS) * Math.PI))) / 2
    const inside = points.filter((point) => Math.abs(point[1] - y) < 0.04).map(([x]) => x)
    const radius = row === 0 || row === DROP_ROWS ? 0 : Math.max(0.03, ...inside)
    return Array.from({ length: DROP_SIDES }, (_, side): Point3 => {
      const angle = ((side + (row % 2) / 2) / DROP_SIDES) * 2 * Math.PI
      return [Math.cos(angle) * radius, y, Math.sin(angle) * radius]
    })
  })
  // Odd rings are rotated by half a side, so that every row is a band of triangles.
  return rings.slice(1).flatMap((upper, row) => {
    const lower = rings[row]
    const isOdd = row % 2 === 1
    return upper.flatMap((point, side): Facet[] => {
      const next = (side + 1) % DROP_SIDES
      return [
        { part: 'crown', points: [lower[side], lower[next], isOdd ? upper[next] : point] },
        { part: 'crown', points: [point, upper[next], isOdd ? lower[side] : lower[next]] },
      ]
    })
  })
}
