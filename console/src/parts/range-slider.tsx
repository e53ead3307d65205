import { useEffect, useState } from 'preact/hooks'
import { t } from '../language/language.ts'
import { decimal } from '../lib/format.ts'
import { numberIn, numberText } from '../lib/numbers.ts'
import type { Range } from '../search/query.ts'

/** Converts between positions on a slider, from 0 to 1, and values. */
export interface Scale {
  min: number
  max: number
  toValue(position: number): number
  toPosition(value: number): number
}

export function linearScale(min: number, max: number, digits: number): Scale {
  const step = 10 ** digits
  return {
    min,
    max,
    toValue: (position) => Math.round((min + (max - min) * position) * step) / step,
    toPosition: (value) => clamp((value - min) / (max - min)),
  }
}

/** A logarithmic scale for prices, with round values. */
export function priceScale(min: number, max: number): Scale {
  const span = Math.log(max / min)
  return {
    min,
    max,
    toValue: (position) => roundFigure(min * Math.exp(span * position)),
    toPosition: (value) => clamp(Math.log(Math.max(value, min) / min) / span),
  }
}

function roundFigure(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.round(value / step) * step
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

const STOPS = 200

/** A slider with two handles over a histogram, and two fields to type the bounds into. */
export function RangeSlider(props: {
  name: string
  unit?: string
  scale: Scale
  range: Range
  /** The histogram: each bar from one position to another, and its count. */
  bars?: readonly { from: number; to: number; count: number }[] | undefined
  onChange: (range: Range) => void
}) {
  const { name, unit, scale, range, bars, onChange } = props
  const low = range.min === undefined ? 0 : scale.toPosition(range.min)
  const high = range.max === undefined ? 1 : scale.toPosition(range.max)
  const set = (end: 'min' | 'max', position: number) => {
    const isOpen = end === 'min' ? position <= 0 : position >= 1
    const value = isOpen ? undefined : scale.toValue(position)
    const other = end === 'min' ? range.max : range.min
    const crosses = value !== undefined && other !== undefined && (end === 'min') === value > other
    onChange({ ...range, [end]: crosses ? other : value })
  }
  return (
    <fieldset class="filter">
      <legend>
        {name}
        {unit && <span class="muted small"> {unit}</span>}
      </legend>
      <div class="slider">
        {bars && <SliderBars bars={bars} low={low} high={high} />}
        <div class="slider-track">
          {(['min', 'max'] as const).map((end) => (
            <input
              key={end}
              type="range"
              aria-label={end === 'min' ? t('{name}, from', { name }) : t('{name}, to', { name })}
              aria-valuetext={range[end] === undefined ? t('any') : decimal(range[end])}
              min={0}
              max={STOPS}
              value={Math.round((end === 'min' ? low : high) * STOPS)}
              onInput={(event) => set(end, Number(event.currentTarget.value) / STOPS)}
            />
          ))}
        </div>
        <div class="slider-ends">
          <EndField
            label={t('{name} from', { name })}
            value={range.min}
            scale={scale}
            end="min"
            onChange={(min) => onChange({ ...range, min })}
          />
          <span class="muted">{t('to')}</span>
          <EndField
            label={t('{name} to', { name })}
            value={range.max}
            scale={scale}
            end="max"
            onChange={(max) => onChange({ ...range, max })}
          />
        </div>
      </div>
    </fieldset>
  )
}

function EndField(props: {
  label: string
  value: number | undefined
  scale: Scale
  end: 'min' | 'max'
  onChange: (value: number | undefined) => void
}) {
  const { label, value, scale, end, onChange } = props
  const [text, setText] = useState(numberText(value))
  useEffect(() => setText(numberText(value)), [value])
  const typed = text.trim() === '' ? undefined : numberIn(text)
  const isWrong = typed !== undefined && !(typed >= 0)
  const commit = () => {
    if (!isWrong && typed !== value) onChange(typed)
  }
  return (
    <input
      class="input"
      inputMode="decimal"
      aria-label={label}
      placeholder={end === 'min' ? decimal(scale.min) : `${decimal(scale.max)}+`}
      aria-invalid={isWrong ? 'true' : undefined}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  )
}

function SliderBars(props: {
  bars: readonly { from: number; to: number; count: number }[]
  low: number
  high: number
}) {
  const most = props.bars.reduce((top, { count }) => Math.max(top, count), 1)
  return (
    <svg class="slider-bars" viewBox="0 0 200 40" preserveAspectRatio="none" aria-hidden="true">
      {props.bars.map(({ from, to, count }) => {
        const height = count === 0 ? 0 : 2 + 38 * Math.sqrt(count / most)
        const isIn = to > props.low && from < props.high
        return (
          <rect
            key={from}
            class={isIn ? 'is-in' : ''}
            x={from * 200}
            width={Math.max(0.4, (to - from) * 200 - 0.6)}
            y={40 - height}
            height={height}
          />
        )
      })}
    </svg>
  )
}
