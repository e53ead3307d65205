import { COLORS, HUES } from '../../../../src/reference/attributes.ts'
import { sessionCurrency } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { Checkbox } from '../../parts/fields.tsx'
import { OptionChips } from '../../parts/option-chips.tsx'
import { RangeSlider } from '../../parts/range-slider.tsx'
import { ShapePicker } from '../../parts/shape-picker.tsx'
import { useHistogram } from '../histograms.ts'
import { CHOICE_LABELS, choiceLabel, FLAG_LABELS, RANGE_LABELS } from '../labels.ts'
import {
  CHOICES,
  type ChoiceName,
  COMMON_SHAPES,
  FLAGS,
  type FlagName,
  isTriple,
  type RangeName,
  type SearchQuery,
  withTriple,
} from '../query.ts'
import type { Counts } from '../results.ts'
import { FilterGroup } from './filter-group.tsx'
import { GROUPS, PRICES, SCALES, WEIGHTS } from './filter-groups.ts'

const OTHER_SHAPES = CHOICES.shape.filter((shape) => !COMMON_SHAPES.includes(shape))
const COMMON_COLORS = COLORS.slice(0, 10)
/** Where the histograms are cut into parts that are requested one by one. */
const WEIGHT_CUTS = [0, 5]
const PRICE_CUTS = [0, 500, 2_000, 10_000, 100_000]

interface PanelProps {
  query: SearchQuery
  counts: Counts
  onChange: (query: SearchQuery) => void
}

/** All filters of the diamond search: the first ones in sight, the others in groups. */
export function FilterPanel({ query, counts, onChange }: PanelProps) {
  const prices = useHistogram(query, 'retail_price', PRICES, PRICE_CUTS)
  const weights = useHistogram(query, 'weight', WEIGHTS, WEIGHT_CUTS)
  const parts = { query, counts, onChange }
  return (
    <div id="filters" class="filters">
      <Chips name="type" {...parts} />
      <Shapes {...parts} />
      <Slider name="weight" bars={weights} {...parts} />
      <Slider name="retail_price" unit={sessionCurrency()} bars={prices} {...parts} />
      <Chips name="color" values={query.fancy ? HUES : COMMON_COLORS} {...parts} />
      <FancySwitch {...parts} />
      {query.fancy && <Chips name="fancy_color_intensity" {...parts} />}
      <Chips name="clarity" {...parts} />
      <TripleSwitch {...parts} />
      <Chips name="cut_grade" {...parts} />
      <Chips name="lab" {...parts} />
      {GROUPS.map((group) => (
        <FilterGroup key={group.name} group={group} query={query}>
          {group.choices.map((name) => (
            <Chips key={name} name={name} {...parts} />
          ))}
          {group.ranges.map((name) => (
            <Slider key={name} name={name} {...parts} />
          ))}
          {group.flags.length > 0 && <FlagChecks flags={group.flags} {...parts} />}
        </FilterGroup>
      ))}
    </div>
  )
}

function Chips(props: PanelProps & { name: ChoiceName; values?: readonly string[] }) {
  const { query, counts, onChange, name } = props
  const values = props.values ?? valuesOf(name, query, counts)
  if (values.length === 0) return null
  return (
    <OptionChips
      name={CHOICE_LABELS[name]}
      values={values}
      chosen={query.choices[name]}
      counts={counts[name]}
      labelOf={(value) => choiceLabel(name, value)}
      onChange={(chosen) => onChange({ ...query, choices: { ...query.choices, [name]: chosen } })}
    />
  )
}

/** The values of a filter; where suppliers choose the words, those that occur. */
function valuesOf(name: ChoiceName, query: SearchQuery, counts: Counts): readonly string[] {
  if (name === 'color') return query.fancy ? [] : COLORS.slice(COMMON_COLORS.length)
  const values = CHOICES[name]
  if (values !== 'open') return values
  const found = new Set([...(counts[name]?.keys() ?? []), ...query.choices[name]])
  const label = (value: string) => choiceLabel(name, value)
  return [...found].sort((a, b) => rankOf(a) - rankOf(b) || label(a).localeCompare(label(b)))
}

/** Degrees that suppliers write, from none to most; other words follow. */
const DEGREES = ['none', 'light', 'slight', 'medium', 'heavy', 'strong']

function rankOf(word: string): number {
  const at = DEGREES.indexOf(word.toLowerCase())
  return at < 0 ? DEGREES.length : at
}

function Slider(
  props: PanelProps & {
    name: RangeName
    unit?: string
    bars?: ReturnType<typeof useHistogram>
  },
) {
  const { query, onChange, name, unit, bars } = props
  return (
    <RangeSlider
      name={RANGE_LABELS[name]}
      {...(unit && { unit })}
      scale={SCALES[name]}
      range={query.ranges[name]}
      bars={bars}
      onChange={(range) => onChange({ ...query, ranges: { ...query.ranges, [name]: range } })}
    />
  )
}

function Shapes({ query, counts, onChange }: PanelProps) {
  const chosen = query.choices.shape
  const choose = (shape: string[]) => onChange({ ...query, choices: { ...query.choices, shape } })
  const picker = { chosen, onChange: choose, counts: counts.shape }
  return (
    <>
      <ShapePicker shapes={COMMON_SHAPES} {...picker} />
      <div class="filter">
        <details open={chosen.some((shape) => !COMMON_SHAPES.includes(shape))}>
          <summary>{t('More shapes')}</summary>
          <ShapePicker name={t('Other shapes')} shapes={OTHER_SHAPES} {...picker} />
        </details>
      </div>
    </>
  )
}

/** Fancy colors and color grades are two scales; a stone is on one of them. */
function FancySwitch({ query, onChange }: PanelProps) {
  return (
    <Checkbox
      checked={query.fancy}
      onChange={(fancy) => onChange({ ...query, fancy, choices: { ...query.choices, color: [] } })}
    >
      {t('Fancy colors')}
    </Checkbox>
  )
}

/** The trade asks for the best cut, polish and symmetry in one word. */
function TripleSwitch({ query, onChange }: PanelProps) {
  return (
    <Checkbox checked={isTriple(query)} onChange={(on) => onChange(withTriple(query, on))}>
      3EX <span class="muted small">{t('cut, polish and symmetry excellent')}</span>
    </Checkbox>
  )
}

function FlagChecks(props: PanelProps & { flags: readonly FlagName[] }) {
  const { query, onChange, flags } = props
  const toggle = (name: FlagName, on: boolean) =>
    onChange({
      ...query,
      flags: FLAGS.filter((each) => (each === name ? on : query.flags.includes(each))),
    })
  return (
    <div class="stack checks">
      {flags.map((name) => (
        <Checkbox
          key={name}
          checked={query.flags.includes(name)}
          onChange={(on) => toggle(name, on)}
        >
          {FLAG_LABELS[name]}
        </Checkbox>
      ))}
    </div>
  )
}
