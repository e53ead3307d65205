import type { Paint, Polygon, Scene } from './scene.ts'

/** Writes a scene as a complete SVG document. */
export function svgOf(scene: Scene, title: string): string {
  return svgFrame(scene, title, groupOf(scene))
}

export function svgFrame(
  { width, height }: { width: number; height: number },
  title: string,
  content: string,
): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    `width="${width}" height="${height}" role="img"><title>${escapeXml(title)}</title>` +
    `${content}</svg>\n`
  )
}

export function groupOf({ polygons }: Scene): string {
  return `<g stroke-linejoin="round">${polygons.map(pathOf).join('')}</g>`
}

function pathOf({ points, fill, stroke }: Polygon): string {
  const d = points.map(([x, y]) => `${short(x)} ${short(y)}`).join('L')
  const line = stroke
    ? ` stroke="${hex(stroke)}" stroke-width="${short(stroke.width)}"${faded('stroke', stroke)}`
    : ''
  const area = fill ? ` fill="${hex(fill)}"${faded('fill', fill)}` : ' fill="none"'
  return `<path d="M${d}Z"${area}${line}/>`
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function hex({ color }: Paint): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function faded(name: string, { opacity }: Paint): string {
  return opacity === 1 ? '' : ` ${name}-opacity="${Math.round(opacity * 100) / 100}"`
}
