import { labelled, type Point, scaleOf } from './scale.ts'

/** Space for the numbers at the axes, in pixels. */
const LEFT = 54
const BOTTOM = 22
const TOP = 8
const LABEL_WIDTH = 64
const LINE_HEIGHT = 32
const BAR_MAX = 36

interface DrawingProps {
  points: Point[]
  width: number
  height: number
  /** Whether only whole numbers are on the axis. */
  isWhole: boolean
  tick: (value: number) => string
  chosen: number | undefined
  onChoose: (at: number) => void
}

/** The axes, the bars and the line of a chart. */
export function Drawing(props: DrawingProps) {
  const { points, width, height, isWhole, tick, chosen, onChoose } = props
  const bottom = height - BOTTOM
  const values = points.flatMap(({ value, before }) => [value, before ?? 0])
  const { low, high, ticks } = scaleOf(values, Math.floor((bottom - TOP) / LINE_HEIGHT), isWhole)
  const y = (value: number) => TOP + ((high - value) / (high - low)) * (bottom - TOP)
  const band = (width - LEFT) / Math.max(1, points.length)
  const middle = (at: number) => LEFT + (at + 0.5) * band
  const choose = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const at = Math.floor((event.clientX - box.left - LEFT) / band)
    onChoose(Math.min(points.length - 1, Math.max(0, at)))
  }
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      onPointerMove={choose}
      onPointerDown={choose}
    >
      {ticks.map((value) => (
        <g key={value}>
          <line
            class={value === 0 ? 'chart-zero' : 'chart-line'}
            x1={LEFT}
            x2={width}
            y1={y(value)}
            y2={y(value)}
          />
          <text class="chart-text" x={LEFT - 6} y={y(value) + 4} text-anchor="end">
            {tick(value)}
          </text>
        </g>
      ))}
      {chosen !== undefined && (
        <rect
          class="chart-chosen"
          x={middle(chosen) - band / 2}
          y={TOP}
          width={band}
          height={bottom - TOP}
        />
      )}
      <Bars points={points} band={band} middle={middle} y={y} />
      <BeforeLine points={points} middle={middle} y={y} />
      {labelled(points.length, width - LEFT, LABEL_WIDTH).map((at) => (
        <text
          key={at}
          class="chart-text"
          x={Math.min(middle(at), width - 2)}
          y={height - 6}
          text-anchor={middle(at) > width - LABEL_WIDTH / 2 ? 'end' : 'middle'}
        >
          {points[at].short}
        </text>
      ))}
    </svg>
  )
}

interface Places {
  points: Point[]
  middle: (at: number) => number
  y: (value: number) => number
}

function Bars({ points, band, middle, y }: Places & { band: number }) {
  const width = Math.max(1, Math.min(BAR_MAX, band * 0.7))
  const bar = (name: string, at: number, value: number) => (
    <rect
      class={name}
      x={middle(at) - width / 2}
      width={width}
      y={Math.min(y(0), y(value))}
      height={Math.abs(y(value) - y(0))}
    />
  )
  return (
    <>
      {points.map(({ long, value, part }, at) => (
        <g key={long}>
          {bar('chart-bar', at, value)}
          {part !== undefined && part > 0 && bar('chart-part', at, part)}
        </g>
      ))}
    </>
  )
}

function BeforeLine({ points, middle, y }: Places) {
  const places = points.flatMap(({ before }, at) =>
    before === undefined ? [] : [`${middle(at).toFixed(1)},${y(before).toFixed(1)}`],
  )
  return places.length > 1 ? <polyline class="chart-before" points={places.join(' ')} /> : null
}
