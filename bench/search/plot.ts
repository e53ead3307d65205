/** A line of the plot: its points have positive coordinates. */
export interface Series {
  name: string
  points: [x: number, y: number][]
}

const WIDTH = 860
const HEIGHT = 460
const LEFT = 70
const RIGHT = 640
const TOP = 40
const BOTTOM = 400
const COLORS = [
  '#1f6feb',
  '#d1242f',
  '#1a7f37',
  '#8250df',
  '#bf8700',
  '#0a7ea4',
  '#cf4b9a',
  '#57606a',
  '#000000',
]

/** An SVG of lines with logarithmic axes, which any browser and editor shows. */
export function plotOf(title: string, xName: string, yName: string, lines: Series[]): string {
  const points = lines.flatMap((line) => line.points)
  const x = axisOf(
    points.map(([value]) => value),
    LEFT,
    RIGHT,
  )
  const y = axisOf(
    points.map(([, value]) => value),
    BOTTOM,
    TOP,
  )
  const parts = [
    text(4, 14, title),
    text((LEFT + RIGHT) / 2, BOTTOM + 40, xName, 'middle'),
    text(4, TOP - 8, yName),
    ...x.decades.flatMap((value) => [
      stroke(x.at(value), TOP, x.at(value), BOTTOM),
      text(x.at(value), BOTTOM + 18, value.toLocaleString('en'), 'middle'),
    ]),
    ...y.decades.flatMap((value) => [
      stroke(LEFT, y.at(value), RIGHT, y.at(value)),
      text(LEFT - 8, y.at(value) + 4, value.toLocaleString('en'), 'end'),
    ]),
    ...lines.flatMap((line, index) => {
      const color = COLORS[index % COLORS.length]
      const path = line.points.map(([a, b]) => `${rounded(x.at(a))},${rounded(y.at(b))}`)
      return [
        `<polyline points="${path.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
        text(RIGHT + 16, TOP + 20 + index * 22, line.name, 'start', color),
      ]
    }),
  ]
  // The title is what a screen reader says.
  const head =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ` +
    `font-family="sans-serif" font-size="13"><title>${escaped(title)}</title>` +
    '<rect width="100%" height="100%" fill="#fff"/>'
  return `${[head, ...parts, '</svg>'].join('\n')}\n`
}

/** From the power of ten below the smallest value to the one above the largest. */
function axisOf(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    decades: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  }
}

function text(x: number, y: number, content: string, anchor = 'start', color = '#1f2328'): string {
  const place = `x="${rounded(x)}" y="${rounded(y)}"`
  return `<text ${place} text-anchor="${anchor}" fill="${color}">${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function stroke(x1: number, y1: number, x2: number, y2: number): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map(rounded)
  return `<line x1="${a}" y1="${b}" x2="${c}" y2="${d}" stroke="#d0d7de"/>`
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
