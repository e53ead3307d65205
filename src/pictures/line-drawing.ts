import type { Shape } from '../reference/attributes.ts'
import { cutStone, type Facet } from './facets.ts'
import { outlineOf } from './outlines.ts'
import type { Paint, Polygon, Scene } from './scene.ts'

const INK: Paint['color'] = [58, 72, 98]
const MARGIN = 0.07

/** Draws the shape from above with a strong outline and fine lines for the crown's facets. */
export function drawLines(shape: Shape, size: number, ratio?: number): Scene {
  const facets = cutStone(shape, ratio === undefined ? {} : { ratio })
  const outline = outlineOf(shape, ratio).points
  const scale = (size * (1 - 2 * MARGIN)) / extentOf(outline)
  const [cx, cy] = middleOf(outline)
  const flat = ([x, y]: readonly [number, number, ...number[]]): [number, number] => [
    size / 2 + (x - cx) * scale,
    size / 2 - (y - cy) * scale,
  ]
  const polygons: Polygon[] = facets.filter(isVisible).map(({ part, points }) => ({
    points: points.map(flat),
    fill: { color: INK, opacity: part === 'table' ? 0.02 : 0.05 },
    stroke: { color: INK, opacity: 0.8, width: size / 110 },
  }))
  polygons.push({
    points: outline.map(flat),
    stroke: { color: INK, opacity: 1, width: size / 52 },
  })
  return { width: size, height: size, polygons }
}

/** Whether a facet is visible from above: the crown, or the upper side of a briolette. */
function isVisible({ part, points }: Facet): boolean {
  if (part === 'pavilion' || part === 'girdle') return false
  return points.reduce((sum, [, , z]) => sum + z, 0) > 0
}

function extentOf(points: [number, number][]): number {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys))
}

function middleOf(points: [number, number][]): [number, number] {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2]
}
