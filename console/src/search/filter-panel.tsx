import { COLORS, HUES } from '../../../src/reference/attributes.ts'
import { Checkbox } from '../parts/fields.tsx'
import { OptionChips } from '../parts/option-chips.tsx'
import { linearScale, priceScale, type Range, RangeSlider } from '../parts/range-slider.tsx'
import { ShapePicker } from '../parts/shape-picker.tsx'
import { useBars } from './histograms.ts'
import { CHOICE_LABELS, FLAG_LABELS, VALUE_LABELS } from './labels.ts'
import {
  CHOICES,
  type ChoiceName,
  FLAGS,
  type FlagName,
  type RangeName,
  type SearchQuery,
} from './query.ts'
import type { Counts } from './results.ts'
import { currency } from './terms.ts'

const USUAL_SHAPES = [
  'round',
  'oval',
  'cushion',
  'princess',
  'emerald',
  'pear',
  'radiant',
  'marquise',
  'asscher',
  'heart',
]
const OTHER_SHAPES = CHOICES.shape.filter((shape) => !USUAL_SHAPES.includes(shape))
const USUAL_COLORS = COLORS.slice(0, 10)

const WEIGHTS = linearScale(0.15, 5, 2)
const PRICES = priceScale(100, 100_000)
const WEIGHT_CUTS = [0, 5]
const PRICE_CUTS = [0, 500, 2_000, 10_000, 100_000]
const SCALES: Record<
  Exclude<RangeName, 'weight' | 'retail_price'>,
  [string, ReturnType<typeof linearScale>]
> = {
  ratio: ['Length to width', linearScale(1, 2.75, 2)],
  table_percentage: ['Table %', linearScale(45, 80, 1)],
  depth_percentage: ['Depth %', linearScale(45, 85, 1)],
  delivery_days: ['Delivery in days', linearScale(0, 30, 0)],
}

/** Everything one can query for in a stone. */
export function FilterPanel(props: {
  query: SearchQuery
  counts: Counts
  isOpen: boolean
  onChange: (query: SearchQuery) => void
}) {
  const { query, counts, isOpen, onChange } = props
  const choose = (name: ChoiceName) => (values: string[]) =>
    onChange({ ...query, choices: { ...query.choices, [name]: values } })
  const bound = (name: RangeName) => (range: Range) =>
    onChange({ ...query, ranges: { ...query.ranges, [name]: range } })
  const chips = (name: ChoiceName, values: readonly string[] = CHOICES[name]) => (
    <OptionChips
      name={CHOICE_LABELS[name]}
      values={values}
      chosen={query.choices[name]}
      counts={counts[name]}
      labels={VALUE_LABELS}
      onChange={choose(name)}
    />
  )
  const prices = useBars(query, 'retail_price', PRICES, PRICE_CUTS)
  const weights = useBars(query, 'weight', WEIGHTS, WEIGHT_CUTS)
  return (
    <div id="filters" class={isOpen ? 'filters is-open' : 'filters'}>
      {chips('type')}
      <ShapePicker shapes={USUAL_SHAPES} chosen={query.choices.shape} onChange={choose('shape')} />
      <div class="filter">
        <details open={query.choices.shape.some((shape) => !USUAL_SHAPES.includes(shape))}>
          <summary>More shapes</summary>
          <ShapePicker
            name="Other shapes"
            shapes={OTHER_SHAPES}
            chosen={query.choices.shape}
            onChange={choose('shape')}
          />
        </details>
      </div>
      <RangeSlider
        name="Carat"
        scale={WEIGHTS}
        range={query.ranges.weight}
        bars={weights}
        onChange={bound('weight')}
      />
      <RangeSlider
        name="Price"
        unit={currency()}
        scale={PRICES}
        range={query.ranges.retail_price}
        bars={prices}
        onChange={bound('retail_price')}
      />
      {chips('color', query.fancy ? HUES : USUAL_COLORS)}
      <FancySwitch query={query} onChange={onChange} />
      {query.fancy && chips('fancy_color_intensity')}
      {chips('clarity')}
      {chips('cut_grade')}
      {chips('lab')}
      <div class="filter">
        <details>
          <summary>More filters</summary>
          <div class="stack">
            {!query.fancy && chips('color', COLORS.slice(10))}
            {chips('polish_grade')}
            {chips('symmetry_grade')}
            {chips('fluorescence')}
            {Object.entries(SCALES).map(([name, [label, scale]]) => (
              <RangeSlider
                key={name}
                name={label}
                scale={scale}
                range={query.ranges[name as RangeName]}
                onChange={bound(name as RangeName)}
              />
            ))}
          </div>
        </details>
      </div>
      <FlagChecks query={query} onChange={onChange} />
    </div>
  )
}

interface PartProps {
  query: SearchQuery
  onChange: (query: SearchQuery) => void
}

/** Hues and grades are two scales; a stone has one of them. */
function FancySwitch({ query, onChange }: PartProps) {
  return (
    <Checkbox
      checked={query.fancy}
      onChange={(fancy) => onChange({ ...query, fancy, choices: { ...query.choices, color: [] } })}
    >
      Fancy colours
    </Checkbox>
  )
}

function FlagChecks({ query, onChange }: PartProps) {
  const toggle = (name: FlagName, on: boolean) =>
    onChange({
      ...query,
      flags: FLAGS.filter((each) => (each === name ? on : query.flags.includes(each))),
    })
  return (
    <fieldset class="filter">
      <legend>Terms</legend>
      <div class="stack">
        {FLAGS.map((name) => (
          <Checkbox
            key={name}
            checked={query.flags.includes(name)}
            onChange={(on) => toggle(name, on)}
          >
            {FLAG_LABELS[name]}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
