import { COLORS, HUES } from '../../../src/reference/attributes.ts'
import { sessionCurrency } from '../api/session-store.ts'
import { Checkbox } from '../parts/fields.tsx'
import { OptionChips } from '../parts/option-chips.tsx'
import {
  linearScale,
  priceScale,
  type Range,
  RangeSlider,
  type Scale,
} from '../parts/range-slider.tsx'
import { ShapePicker } from '../parts/shape-picker.tsx'
import { VALUE_LABELS } from '../stones/labels.ts'
import { useHistogram } from './histograms.ts'
import { CHOICE_LABELS, FLAG_LABELS, RANGE_LABELS } from './labels.ts'
import {
  CHOICES,
  type ChoiceName,
  COMMON_SHAPES,
  FLAGS,
  type FlagName,
  type RangeName,
  type SearchQuery,
} from './query.ts'
import type { Counts } from './results.ts'

const OTHER_SHAPES = CHOICES.shape.filter((shape) => !COMMON_SHAPES.includes(shape))
const COMMON_COLORS = COLORS.slice(0, 10)

const WEIGHTS = linearScale(0.15, 5, 2)
const PRICES = priceScale(100, 100_000)
/** Where the histograms are cut into parts that are requested one by one. */
const WEIGHT_CUTS = [0, 5]
const PRICE_CUTS = [0, 500, 2_000, 10_000, 100_000]

const MORE_RANGES: [name: RangeName, scale: Scale][] = [
  ['ratio', linearScale(1, 2.75, 2)],
  ['table_percentage', linearScale(45, 80, 1)],
  ['depth_percentage', linearScale(45, 85, 1)],
  ['delivery_days', linearScale(0, 30, 0)],
]

/** All filters of the diamond search. */
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
  const prices = useHistogram(query, 'retail_price', PRICES, PRICE_CUTS)
  const weights = useHistogram(query, 'weight', WEIGHTS, WEIGHT_CUTS)
  return (
    <div id="filters" class={isOpen ? 'filters is-open' : 'filters'}>
      {chips('type')}
      <ShapePicker shapes={COMMON_SHAPES} chosen={query.choices.shape} onChange={choose('shape')} />
      <div class="filter">
        <details open={query.choices.shape.some((shape) => !COMMON_SHAPES.includes(shape))}>
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
        name={RANGE_LABELS.weight}
        scale={WEIGHTS}
        range={query.ranges.weight}
        bars={weights}
        onChange={bound('weight')}
      />
      <RangeSlider
        name={RANGE_LABELS.retail_price}
        unit={sessionCurrency()}
        scale={PRICES}
        range={query.ranges.retail_price}
        bars={prices}
        onChange={bound('retail_price')}
      />
      {chips('color', query.fancy ? HUES : COMMON_COLORS)}
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
            {MORE_RANGES.map(([name, scale]) => (
              <RangeSlider
                key={name}
                name={RANGE_LABELS[name]}
                scale={scale}
                range={query.ranges[name]}
                onChange={bound(name)}
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

/** Fancy colors and color grades are two scales; a stone is on one of them. */
function FancySwitch({ query, onChange }: PartProps) {
  return (
    <Checkbox
      checked={query.fancy}
      onChange={(fancy) => onChange({ ...query, fancy, choices: { ...query.choices, color: [] } })}
    >
      Fancy colors
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
      <legend>Terms and media</legend>
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
