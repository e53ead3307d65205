import { useCallback, useMemo, useRef } from 'preact/hooks'
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
  // What is drawn once may be clicked much later: it changes the query of that time.
  const latest = useRef({ query, onChange })
  latest.current = { query, onChange }
  const update = useCallback(
    (step: Step) => latest.current.onChange(step(latest.current.query)),
    [],
  )
  const parts = { query, counts, update }
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

type Step = (query: SearchQuery) => SearchQuery

interface PartProps {
  query: SearchQuery
  counts: Counts
  update: (step: Step) => void
}

/** A click changes one filter; those that show the same as before are not drawn again. */
function Chips(props: PartProps & { name: ChoiceName; values?: readonly string[] }) {
  const { query, update, name } = props
  const counts = props.counts[name]
  const values = props.values ?? valuesOf(name, query, props.counts)
  const chosen = query.choices[name]
  return useMemo(
    () =>
      values.length === 0 ? null : (
        <OptionChips
          name={CHOICE_LABELS[name]}
          values={values}
          chosen={chosen}
          counts={counts}
          labelOf={(value) => choiceLabel(name, value)}
          onChange={(next) =>
            update((now) => ({ ...now, choices: { ...now.choices, [name]: next } }))
          }
        />
      ),
    [name, values.join(), chosen.join(), counts],
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
  props: PartProps & {
    name: RangeName
    unit?: string
    bars?: ReturnType<typeof useHistogram>
  },
) {
  const { query, update, name, unit, bars } = props
  const { min, max } = query.ranges[name]
  return useMemo(
    () => (
      <RangeSlider
        name={RANGE_LABELS[name]}
        {...(unit && { unit })}
        scale={SCALES[name]}
        range={query.ranges[name]}
        bars={bars}
        onChange={(range) =>
          update((now) => ({ ...now, ranges: { ...now.ranges, [name]: range } }))
        }
      />
    ),
    [name, unit, min, max, bars],
  )
}

function Shapes({ query, counts: { shape: counts }, update }: PartProps) {
  const chosen = query.choices.shape
  const onChange = (shape: string[]) =>
    update((now) => ({ ...now, choices: { ...now.choices, shape } }))
  const picker = { chosen, onChange, counts }
  return useMemo(
    () => (
      <>
        <ShapePicker shapes={COMMON_SHAPES} {...picker} />
        <div class="filter">
          <details open={chosen.some((shape) => !COMMON_SHAPES.includes(shape))}>
            <summary>{t('More shapes')}</summary>
            <ShapePicker name={t('Other shapes')} shapes={OTHER_SHAPES} {...picker} />
          </details>
        </div>
      </>
    ),
    [chosen.join(), counts],
  )
}

/** Fancy colors and color grades are two scales; a stone is on one of them. */
function FancySwitch({ query, update }: PartProps) {
  return (
    <Checkbox
      checked={query.fancy}
      onChange={(fancy) =>
        update((now) => ({ ...now, fancy, choices: { ...now.choices, color: [] } }))
      }
    >
      {t('Fancy colors')}
    </Checkbox>
  )
}

/** The trade asks for the best cut, polish and symmetry in one word. */
function TripleSwitch({ query, update }: PartProps) {
  return (
    <Checkbox checked={isTriple(query)} onChange={(on) => update((now) => withTriple(now, on))}>
      3EX <span class="muted small">{t('cut, polish and symmetry excellent')}</span>
    </Checkbox>
  )
}

function FlagChecks(props: PartProps & { flags: readonly FlagName[] }) {
  const { query, update, flags } = props
  const toggle = (name: FlagName, on: boolean) =>
    update((now) => ({
      ...now,
      flags: FLAGS.filter((each) => (each === name ? on : now.flags.includes(each))),
    }))
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
