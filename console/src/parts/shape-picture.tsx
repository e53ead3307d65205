import { drawLines } from '../../../src/pictures/line-drawing.ts'
import { SHAPES, type Shape } from '../../../src/reference/attributes.ts'

const SIZE = 60
const drawn = new Map<string, { outline: string; facets: string }>()

/** The shape seen from above, in the color of the surrounding text. */
export function ShapePicture(props: { shape: string; ratio?: number | null; fine?: boolean }) {
  const { shape, ratio, fine } = props
  if (!isShape(shape)) return null
  const { outline, facets } = pathsOf(shape, ratio)
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" focusable="false">
      <g fill="none" stroke="currentColor" stroke-linejoin="round">
        <path d={facets} stroke-width={fine ? 0.3 : 0.7} opacity="0.75" />
        <path d={outline} stroke-width={fine ? 0.7 : 1.5} />
      </g>
    </svg>
  )
}

function isShape(shape: string): shape is Shape {
  return (SHAPES as readonly string[]).includes(shape)
}

function pathsOf(shape: Shape, ratio: number | null | undefined) {
  const wanted = ratio ? Math.round(ratio * 20) / 20 : undefined
  const key = `${shape} ${wanted}`
  let paths = drawn.get(key)
  if (!paths) {
    const lines = drawLines(shape, SIZE, wanted).polygons.map(({ points }) => {
      const d = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
      return `M${d}Z`
    })
    paths = { outline: lines.pop() ?? '', facets: lines.join('') }
    drawn.set(key, paths)
  }
  return paths
}
