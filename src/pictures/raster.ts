import type { Paint, Polygon, Scene } from './scene.ts'

/** Vertical samples per pixel; horizontally, coverage is computed exactly. */
const SUBROWS = 4

/** Paints a scene into RGBA pixels; edges are smoothed by how much of a pixel they cover. */
export function rasterOf(scene: Scene): Uint8Array {
  const pixels = new Float32Array(scene.width * scene.height * 4)
  for (const polygon of scene.polygons) {
    if (polygon.fill) fillPolygon(pixels, scene, polygon.points, polygon.fill)
    if (polygon.stroke) strokePolygon(pixels, scene, polygon, polygon.stroke)
  }
  return bytesOf(pixels)
}

type Points = Polygon['points']

function strokePolygon(
  pixels: Float32Array,
  scene: Scene,
  { points }: Polygon,
  stroke: Paint & { width: number },
): void {
  for (const [index, a] of points.entries()) {
    const b = points[(index + 1) % points.length]
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    if (length === 0) continue
    const half = stroke.width / 2 / length
    const [nx, ny] = [-(b[1] - a[1]) * half, (b[0] - a[0]) * half]
    const quad: Points = [
      [a[0] + nx, a[1] + ny],
      [b[0] + nx, b[1] + ny],
      [b[0] - nx, b[1] - ny],
      [a[0] - nx, a[1] - ny],
    ]
    fillPolygon(pixels, scene, quad, stroke)
  }
}

/** Computes row by row how much of each pixel lies inside, and blends the colour accordingly. */
function fillPolygon(pixels: Float32Array, scene: Scene, points: Points, paint: Paint): void {
  const ys = points.map(([, y]) => y)
  const first = Math.max(0, Math.floor(Math.min(...ys)))
  const last = Math.min(scene.height - 1, Math.ceil(Math.max(...ys)))
  const covered = new Float32Array(scene.width)
  for (let row = first; row <= last; row++) {
    covered.fill(0)
    for (let sub = 0; sub < SUBROWS; sub++) {
      const crossings = crossingsOf(points, row + (sub + 0.5) / SUBROWS)
      for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
        coverSpan(covered, crossings[pair], crossings[pair + 1])
      }
    }
    for (let x = 0; x < scene.width; x++) {
      if (covered[x] > 0) blend(pixels, (row * scene.width + x) * 4, paint, covered[x])
    }
  }
}

function crossingsOf(points: Points, y: number): number[] {
  const crossings: number[] = []
  for (const [index, a] of points.entries()) {
    const b = points[(index + 1) % points.length]
    if (a[1] <= y === b[1] <= y) continue
    crossings.push(a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]))
  }
  return crossings.sort((a, b) => a - b)
}

function coverSpan(covered: Float32Array, from: number, to: number): void {
  const start = Math.max(0, Math.floor(from))
  const end = Math.min(covered.length - 1, Math.floor(to))
  for (let x = start; x <= end; x++) {
    const part = Math.min(to, x + 1) - Math.max(from, x)
    if (part > 0) covered[x] += part / SUBROWS
  }
}

/** Source over destination; colours are premultiplied while painting. */
function blend(pixels: Float32Array, at: number, { color, opacity }: Paint, part: number): void {
  const alpha = opacity * Math.min(1, part)
  for (let channel = 0; channel < 3; channel++) {
    pixels[at + channel] = color[channel] * alpha + pixels[at + channel] * (1 - alpha)
  }
  pixels[at + 3] = alpha + pixels[at + 3] * (1 - alpha)
}

function bytesOf(pixels: Float32Array): Uint8Array {
  const bytes = new Uint8Array(pixels.length)
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]
    if (alpha === 0) continue
    for (let channel = 0; channel < 3; channel++) {
      bytes[at + channel] = Math.min(255, Math.round(pixels[at + channel] / alpha))
    }
    bytes[at + 3] = Math.round(alpha * 255)
  }
  return bytes
}
