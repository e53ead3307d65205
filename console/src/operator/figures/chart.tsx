import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../language/language.ts'
import { Drawing } from './drawing.tsx'
import { type Measure, tickText, valueText } from './measures.ts'
import type { Point } from './scale.ts'

const SIZES = { large: 210, small: 120 } as const

/**
 * Bars over time, with the period before as a dashed line. The pointer or the arrow keys choose a
 * bar, whose numbers are said above the chart and to screen readers.
 */
export function Chart(props: { measure: Measure; points: Point[]; size?: keyof typeof SIZES }) {
  const { measure, points, size = 'large' } = props
  const [chosen, setChosen] = useState<number>()
  const { frame, width } = useWidth()
  const last = points.length - 1
  const at = chosen === undefined ? undefined : Math.min(chosen, last)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, at ?? last + 1, last)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
  }
  const shown = points[at ?? last]
  return (
    <div class="chart">
      <p class="chart-value small" aria-hidden="true">
        {at === undefined ? ' ' : pointText(points[at], measure)}
      </p>
      <div
        ref={frame}
        class="chart-frame"
        role="slider"
        tabIndex={0}
        aria-label={t('{measure}: choose a day with the arrow keys', { measure: measure.label })}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={shown && pointText(shown, measure)}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(undefined)}
        onPointerLeave={() => setChosen(undefined)}
      >
        {width > 0 && (
          <Drawing
            points={points}
            width={width}
            height={SIZES[size]}
            isWhole={measure.unit === 'count'}
            tick={(value) => tickText(value, measure.unit)}
            chosen={at}
            onChoose={setChosen}
          />
        )}
      </div>
      <Legend measure={measure} hasBefore={points.some(({ before }) => before !== undefined)} />
    </div>
  )
}

function nextPoint(key: string, at: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, at - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, at + 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  return undefined
}

/** "Jan 3, 2026: $8,400.00, before $7,100.00". */
function pointText({ long, value, part, before }: Point, { unit, part: wrong }: Measure): string {
  const facts = [
    valueText(value, unit),
    wrong && part !== undefined ? `${wrong.label} ${valueText(part, unit)}` : [],
    before === undefined ? [] : t('before {value}', { value: valueText(before, unit) }),
  ]
  return `${long}: ${facts.flat().join(', ')}`
}

function Legend({ measure, hasBefore }: { measure: Measure; hasBefore: boolean }) {
  return (
    <ul class="chart-legend small muted">
      <li>
        <i class="is-value" />
        {measure.label}
        {measure.unit === 'USD' && ' (USD)'}
      </li>
      {measure.part && (
        <li>
          <i class="is-part" />
          {measure.part.label}
        </li>
      )}
      {hasBefore && (
        <li>
          <i class="is-before" />
          {t('Period before')}
        </li>
      )}
    </ul>
  )
}

/** The width of an element, also when what is beside it changes. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { frame, width }
}
