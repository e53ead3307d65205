import { profileOf } from '../../../src/pictures/profile.ts'
import type { Gem } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { decimal, humanize, millimeters, percent } from '../lib/format.ts'
import { ShapePicture } from '../parts/shape-picture.tsx'

const WIDTH = 480
const HEIGHT = 360
/** The side view: its center, the height of the girdle, and the width of the stone. */
const SIDE = { x: 342, y: 160, width: 190 }

/** The stone drawn from its measurements: from above, and from the side with its angles. */
export function StoneDrawing({ gem }: { gem: Gem }) {
  const profile = profileOf(gem)
  const at = ([x, y]: [number, number]): [number, number] => [
    SIDE.x + x * SIDE.width,
    SIDE.y - y * SIDE.width,
  ]
  const line = profile.outline.map((point) =>
    at(point)
      .map((value) => value.toFixed(1))
      .join(' '),
  )
  const top = at([0, profile.girdleHeight / 2 + profile.crownHeight])[1]
  const bottom = at([0, -profile.girdleHeight / 2 - profile.pavilionDepth])[1]
  const girdle = at([0, 0])[1]
  const right = SIDE.x + SIDE.width / 2
  const table = t('table {percent}', { percent: percent(gem.table_percentage) })
  const depth = t('depth {percent}', { percent: percent(gem.depth_percentage) })
  return (
    <svg
      class="stone-drawing"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${t('Drawing')}: ${[humanize(gem.shape), table, depth].join(', ')}`}
    >
      <svg x={8} y={98} width={150} height={150} overflow="visible" aria-hidden="true">
        <ShapePicture shape={gem.shape} ratio={gem.ratio} fine />
      </svg>
      <text x={83} y={278} text-anchor="middle">
        {millimeters(gem.length, gem.width)}
      </text>
      <text x={83} y={296} text-anchor="middle">
        {t('ratio {value}', { value: decimal(gem.ratio) })}
      </text>
      <g fill="none" stroke="currentColor" stroke-linejoin="round">
        <path d={`M${line.join('L')}Z`} stroke-width="1.8" />
        <path d={facetLines(profile, at)} stroke-width="0.8" opacity="0.7" />
        <g stroke="var(--line-strong)" stroke-width="0.8">
          <path
            d={bracket(
              SIDE.x - (profile.table * SIDE.width) / 2,
              SIDE.x + (profile.table * SIDE.width) / 2,
              top - 12,
            )}
          />
          <path d={`M${right + 12} ${top}V${bottom}m-4 0h8M${right + 8} ${top}h8`} />
        </g>
      </g>
      <text x={SIDE.x} y={top - 20} text-anchor="middle">
        {table}
      </text>
      <text x={right + 4} y={bottom + 18} text-anchor="end">
        {depth}
      </text>
      <text x={SIDE.x - SIDE.width / 2 - 6} y={girdle - 14} text-anchor="end">
        {t('crown {angle}°', { angle: decimal(profile.crownAngle, 1) })}
      </text>
      <text x={SIDE.x - SIDE.width / 2 - 6} y={girdle + 24} text-anchor="end">
        {t('pavilion {angle}°', { angle: decimal(profile.pavilionAngle, 1) })}
      </text>
      {gem.crown_angle === null && (
        <text x={SIDE.x} y={HEIGHT - 42} text-anchor="middle">
          {t('angles computed from table and depth')}
        </text>
      )}
    </svg>
  )
}

function bracket(from: number, to: number, y: number): string {
  return `M${from} ${y}H${to}M${from} ${y - 4}v8M${to} ${y - 4}v8`
}

/** A few facet edges, so that the side view looks like a cut stone. */
function facetLines(
  profile: ReturnType<typeof profileOf>,
  at: (point: [number, number]) => [number, number],
): string {
  const half = profile.girdleHeight / 2
  const top = half + profile.crownHeight
  const culet = -half - profile.pavilionDepth
  const segments: [number, number][][] = [
    [
      [-0.5, half],
      [0.5, half],
    ],
    [
      [-0.5, -half],
      [0.5, -half],
    ],
    [
      [-profile.table / 2, top],
      [-0.28, half],
      [-profile.table / 6, top],
    ],
    [
      [profile.table / 2, top],
      [0.28, half],
      [profile.table / 6, top],
    ],
    [
      [-profile.table / 6, top],
      [0, half],
      [profile.table / 6, top],
    ],
    [
      [-0.28, -half],
      [0, culet],
      [0.28, -half],
    ],
    [
      [-0.28, -half],
      [-0.1, culet * 0.72],
      [0, -half],
      [0.1, culet * 0.72],
      [0.28, -half],
    ],
  ]
  return segments
    .map(
      (points) =>
        `M${points
          .map((point) =>
            at(point)
              .map((v) => v.toFixed(1))
              .join(' '),
          )
          .join('L')}`,
    )
    .join('')
}
