import { sessionCurrency } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { capitalize, humanize, placeName } from '../../lib/format.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import { BoundField, Checkbox } from '../../parts/fields.tsx'
import { OptionChips } from '../../parts/option-chips.tsx'
import { ShapePicker } from '../../parts/shape-picker.tsx'
import { CHOICE_LABELS, choiceLabel, FLAG_LABELS } from '../labels.ts'
import type { GemstoneCounts } from './counts.ts'
import { GEMSTONE_FLAGS, type GemstoneChoice, valuesIn } from './filters.ts'

/** So many values of a filter are in sight; the others are folded. */
const SHOWN = 12

const LABELS: Record<GemstoneChoice, string> = {
  species: t('Species'),
  color: CHOICE_LABELS.color,
  origin: t('Country of origin'),
  treatment: CHOICE_LABELS.treatment,
  shape: CHOICE_LABELS.shape,
  lab: CHOICE_LABELS.lab,
  type: CHOICE_LABELS.type,
}

/** All filters of the gemstone search; each is a part of the address. */
export function GemstonePanel({ counts }: { counts: GemstoneCounts }) {
  const currency = sessionCurrency()
  return (
    <div id="filters" class="filters">
      <Choice name="species" counts={counts} />
      <fieldset class="filter">
        <legend>{t('Carat')}</legend>
        <div class="form">
          <BoundField name="weight_min" label={t('Carat from')} />
          <BoundField name="weight_max" label={t('Carat up to')} />
        </div>
      </fieldset>
      <fieldset class="filter">
        <legend>
          {t('Price')} <span class="muted small">{currency}</span>
        </legend>
        <div class="form">
          <BoundField name="retail_price_min" label={t('Price from')} />
          <BoundField name="retail_price_max" label={t('Price up to')} />
        </div>
      </fieldset>
      <Choice name="color" counts={counts} />
      <Choice name="origin" counts={counts} />
      <Choice name="treatment" counts={counts} />
      <Shapes counts={counts} />
      <Choice name="lab" counts={counts} />
      <Choice name="type" counts={counts} />
      <Flags />
    </div>
  )
}

const choose = (name: GemstoneChoice, values: readonly string[]) =>
  go(withParams({ [name]: values.join('|') || undefined, offset: undefined }))

/** The values that occur, those with the most stones first. */
function valuesOf(name: GemstoneChoice, counts: GemstoneCounts, chosen: readonly string[]) {
  const found = [...(counts[name] ?? [])].filter(([, stones]) => stones > 0)
  const values = found.sort(([, a], [, b]) => b - a).map(([value]) => value)
  return [...values, ...chosen.filter((value) => !values.includes(value))]
}

function Choice({ name, counts }: { name: GemstoneChoice; counts: GemstoneCounts }) {
  const chosen = valuesIn(useLocation().params, name)
  const values = valuesOf(name, counts, chosen)
  const [first, rest] = [values.slice(0, SHOWN), values.slice(SHOWN)]
  const chips = (label: string, shown: readonly string[]) => (
    <OptionChips
      name={label}
      values={shown}
      chosen={chosen}
      counts={counts[name]}
      labelOf={(value) => gemstoneLabel(name, value)}
      onChange={(next) => choose(name, changed(chosen, shown, next))}
    />
  )
  if (values.length === 0) return null
  return (
    <>
      {chips(LABELS[name], first)}
      {rest.length > 0 && (
        <div class="filter">
          <details open={rest.some((value) => chosen.includes(value))}>
            <summary>{t('More: {filter}', { filter: LABELS[name] })}</summary>
            {chips(t('More: {filter}', { filter: LABELS[name] }), rest)}
          </details>
        </div>
      )}
    </>
  )
}

/** The chosen values with those of a part of them as they are now. */
function changed(chosen: readonly string[], shown: readonly string[], next: readonly string[]) {
  return [...chosen.filter((value) => !shown.includes(value)), ...next]
}

/** A value in words. */
export function gemstoneLabel(name: string, value: string): string {
  if (name === 'origin') return placeName(value)
  if (name === 'species' || name === 'color') return capitalize(humanize(value))
  return choiceLabel(name, value)
}

function Shapes({ counts }: { counts: GemstoneCounts }) {
  const chosen = valuesIn(useLocation().params, 'shape')
  const shapes = valuesOf('shape', counts, chosen)
  if (shapes.length === 0) return null
  return (
    <ShapePicker
      shapes={shapes}
      chosen={chosen}
      counts={counts.shape}
      onChange={(next) => choose('shape', next)}
    />
  )
}

function Flags() {
  const { params } = useLocation()
  return (
    <div class="stack checks">
      {GEMSTONE_FLAGS.map(([name, filter]) => (
        <Checkbox
          key={name}
          checked={params.get(name) === 'yes'}
          onChange={(on) => go(withParams({ [name]: on ? 'yes' : undefined, offset: undefined }))}
        >
          {filter === 'on_hold' ? FLAG_LABELS.available : FLAG_LABELS[filter]}
        </Checkbox>
      ))}
    </div>
  )
}
