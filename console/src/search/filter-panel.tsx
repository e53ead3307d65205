import { COLORS, HUES } from '../../../src/reference/attributes.ts'
import { DoubleSlider, linearScale, priceScale, type Range } from '../parts/double-slider.tsx'
import { Check } from '../parts/fields.tsx'
import { GradeChips } from '../parts/grade-chips.tsx'
import { ShapeRow } from '../parts/shape-row.tsx'
import { useBars } from './histograms.ts'
import { FLAG_WORDS, GRADE_WORDS, VALUE_WORDS } from './labels.ts'
import {
  FLAGS,
  type FlagName,
  GRADES,
  type GradeName,
  type RangeName,
  type SearchWish,
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
const OTHER_SHAPES = GRADES.shape.filter((shape) => !USUAL_SHAPES.includes(shape))
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

/** Everything one can wish for in a stone. */
export function FilterPanel(props: {
  wish: SearchWish
  counts: Counts
  isOpen: boolean
  onChange: (wish: SearchWish) => void
}) {
  const { wish, counts, isOpen, onChange } = props
  const choose = (name: GradeName) => (values: string[]) =>
    onChange({ ...wish, chosen: { ...wish.chosen, [name]: values } })
  const bound = (name: RangeName) => (range: Range) =>
    onChange({ ...wish, ranges: { ...wish.ranges, [name]: range } })
  const chips = (name: GradeName, values: readonly string[] = GRADES[name]) => (
    <GradeChips
      name={GRADE_WORDS[name]}
      values={values}
      chosen={wish.chosen[name]}
      counts={counts[name]}
      labels={VALUE_WORDS}
      onChange={choose(name)}
    />
  )
  const prices = useBars(wish, 'retail_price', PRICES, PRICE_CUTS)
  const weights = useBars(wish, 'weight', WEIGHTS, WEIGHT_CUTS)
  return (
    <div id="filters" class={isOpen ? 'filters is-open' : 'filters'}>
      {chips('type')}
      <ShapeRow shapes={USUAL_SHAPES} chosen={wish.chosen.shape} onChange={choose('shape')} />
      <div class="filter">
        <details open={wish.chosen.shape.some((shape) => !USUAL_SHAPES.includes(shape))}>
          <summary>More shapes</summary>
          <ShapeRow
            name="Other shapes"
            shapes={OTHER_SHAPES}
            chosen={wish.chosen.shape}
            onChange={choose('shape')}
          />
        </details>
      </div>
      <DoubleSlider
        name="Carat"
        scale={WEIGHTS}
        range={wish.ranges.weight}
        bars={weights}
        onChange={bound('weight')}
      />
      <DoubleSlider
        name="Price"
        unit={currency()}
        scale={PRICES}
        range={wish.ranges.retail_price}
        bars={prices}
        onChange={bound('retail_price')}
      />
      {chips('color', wish.fancy ? HUES : USUAL_COLORS)}
      <FancySwitch wish={wish} onChange={onChange} />
      {wish.fancy && chips('fancy_color_intensity')}
      {chips('clarity')}
      {chips('cut_grade')}
      {chips('lab')}
      <div class="filter">
        <details>
          <summary>More filters</summary>
          <div class="stack">
            {!wish.fancy && chips('color', COLORS.slice(10))}
            {chips('polish_grade')}
            {chips('symmetry_grade')}
            {chips('fluorescence')}
            {Object.entries(SCALES).map(([name, [label, scale]]) => (
              <DoubleSlider
                key={name}
                name={label}
                scale={scale}
                range={wish.ranges[name as RangeName]}
                onChange={bound(name as RangeName)}
              />
            ))}
          </div>
        </details>
      </div>
      <FlagChecks wish={wish} onChange={onChange} />
    </div>
  )
}

interface PartProps {
  wish: SearchWish
  onChange: (wish: SearchWish) => void
}

/** Hues and grades are two scales; a stone has one of them. */
function FancySwitch({ wish, onChange }: PartProps) {
  return (
    <Check
      checked={wish.fancy}
      onChange={(fancy) => onChange({ ...wish, fancy, chosen: { ...wish.chosen, color: [] } })}
    >
      Fancy colours
    </Check>
  )
}

function FlagChecks({ wish, onChange }: PartProps) {
  const toggle = (name: FlagName, on: boolean) =>
    onChange({
      ...wish,
      flags: FLAGS.filter((each) => (each === name ? on : wish.flags.includes(each))),
    })
  return (
    <fieldset class="filter">
      <legend>Terms</legend>
      <div class="stack">
        {FLAGS.map((name) => (
          <Check key={name} checked={wish.flags.includes(name)} onChange={(on) => toggle(name, on)}>
            {FLAG_WORDS[name]}
          </Check>
        ))}
      </div>
    </fieldset>
  )
}
