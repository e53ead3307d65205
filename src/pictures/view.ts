import type { Facet, Point3 } from './facets.ts'
import type { Paint, Polygon, Scene } from './scene.ts'

interface View {
  /** Pixels; the picture is square. */
  size: number
  /** Degrees by which the stone is rotated around its own axis. */
  turn: number
  /** Degrees, from straight above (0) to the side (90). */
  tilt: number
  tint: [number, number, number]
}

const LIGHT: Point3 = unit([-0.45, 0.6, 0.66])
const MARGIN = 0.1

/**
 * Paints a cut stone, which is transparent: the facets at the back are painted first, in strong
 * contrast, and the facets in front are laid over them like glass.
 */
export function viewStone(facets: Facet[], view: View): Scene {
  const turned = facets.map((facet) => {
    const points = facet.points.map((point) => turnPoint(point, view))
    return { facet, points, normal: outwardNormal(points) }
  })
  const scale = (view.size * (1 - 2 * MARGIN)) / Math.max(1, extentOf(facets, view))
  const flat = ([x, y]: Point3): [number, number] => [
    view.size / 2 + x * scale,
    view.size / 2 - y * scale,
  ]
  const paintAll = (wanted: (z: number) => boolean, paint: typeof paintBack): Polygon[] =>
    turned
      .filter(({ normal }) => wanted(normal[2]))
      .map(({ facet, points, normal }) => ({
        points: points.map(flat),
        fill: paint(facet, normal, view),
        stroke: { ...EDGE, width: view.size / 500 },
      }))
  const polygons = [...paintAll((z) => z <= 0, paintBack), ...paintAll((z) => z > 0.02, paintFront)]
  return { width: view.size, height: view.size, polygons }
}

const EDGE: Paint = { color: [255, 255, 255], opacity: 0.55 }

function paintBack({ part }: Facet, normal: Point3, { tint }: View): Paint {
  if (part === 'girdle') return { color: shade(tint, 0.7), opacity: 1 }
  // Facets at the back alternate between bright and dark with their direction, as in a real stone.
  const spark = Math.sin(normal[0] * 9.1 + normal[1] * 7.3 + normal[2] * 4.7)
  return { color: shade(tint, 0.78 + 0.34 * spark), opacity: 1 }
}

function paintFront({ part }: Facet, normal: Point3, { tint }: View): Paint {
  const lit = Math.max(0, dot(normal, LIGHT))
  const flash = lit ** 12
  if (part === 'table')
    return { color: shade(tint, 1.1 + flash * 0.3), opacity: 0.22 + 0.5 * flash }
  if (part === 'girdle') return { color: shade(tint, 0.85), opacity: 0.9 }
  return { color: shade(tint, 0.68 + 0.5 * lit + 0.4 * flash), opacity: 0.5 }
}

function shade(tint: [number, number, number], light: number): [number, number, number] {
  const channel = (value: number) => {
    const lit = light <= 1 ? value * light : value + (255 - value) * (light - 1)
    return Math.round(Math.min(255, Math.max(0, lit)))
  }
  return [channel(tint[0]), channel(tint[1]), channel(tint[2])]
}

function turnPoint([x, y, z]: Point3, { turn, tilt }: View): Point3 {
  const [a, b] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180]
  const [x1, y1] = [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)]
  // Tilting moves the far side up, so that the crown stays visible.
  return [x1, y1 * Math.cos(b) + z * Math.sin(b), z * Math.cos(b) - y1 * Math.sin(b)]
}

function outwardNormal(points: Point3[]): Point3 {
  const middle = Math.floor(points.length / 2)
  const normal = unit(cross(minus(points[1], points[0]), minus(points[middle], points[0])))
  const backup = unit(
    cross(minus(points[1], points[0]), minus(points[points.length - 1], points[0])),
  )
  const sure = Number.isFinite(normal[0]) ? normal : backup
  const centre = points.reduce<Point3>(
    ([x, y, z], point) => [x + point[0], y + point[1], z + point[2]],
    [0, 0, 0],
  )
  // The origin is inside the stone, so outward is away from it.
  return dot(sure, centre) < 0 ? [-sure[0], -sure[1], -sure[2]] : sure
}

/** A rotated stone must fit at every angle; one seen from above fills the picture. */
function extentOf(facets: Facet[], { turn, tilt }: View): number {
  const isStill = turn === 0 && tilt === 0
  const radii = facets.flatMap(({ points }) =>
    points.map(([x, y]) => (isStill ? Math.max(Math.abs(x), Math.abs(y)) : Math.hypot(x, y))),
  )
  return 2 * radii.reduce((most, value) => Math.max(most, value), 0)
}

function minus(a: Point3, b: Point3): Point3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function cross(a: Point3, b: Point3): Point3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: Point3, b: Point3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function unit(a: Point3): Point3 {
  const length = Math.hypot(...a)
  return [a[0] / length, a[1] / length, a[2] / length]
}
