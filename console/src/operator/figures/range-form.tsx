import { useEffect, useState } from 'preact/hooks'
import { t } from '../../language/language.ts'
import { go, withParams } from '../../lib/router.ts'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { DAYS_MAX, type DayRange, daysOf, RANGES, type RangeName } from './range.ts'

/** Which days are shown, and whether they are compared; both are in the address. */
export function RangeForm(props: { name: RangeName; range: DayRange; isCompared: boolean }) {
  const { name, range, isCompared } = props
  const choose = (chosen: RangeName) =>
    go(
      withParams({
        range: chosen === 'own' ? undefined : chosen,
        from: chosen === 'own' ? range.from : undefined,
        to: chosen === 'own' ? range.to : undefined,
      }),
    )
  return (
    <div class="stack">
      <div class="row">
        <fieldset class="chips">
          <legend class="visually-hidden">{t('Range of days')}</legend>
          {RANGES.map(([each, label]) => (
            <label key={each} class="chip">
              <input
                type="radio"
                name="range"
                checked={each === name}
                onChange={() => choose(each)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <Checkbox
          checked={isCompared}
          onChange={(on) => go(withParams({ compare: on ? undefined : 'no' }))}
        >
          {t('Compare with the period before')}
        </Checkbox>
      </div>
      {name === 'own' && <OwnDates range={range} />}
    </div>
  )
}

function OwnDates({ range }: { range: DayRange }) {
  const [draft, setDraft] = useState(range)
  useEffect(() => setDraft(range), [range.from, range.to])
  const days = daysOf(draft)
  const isPossible = days >= 1 && days <= DAYS_MAX
  const submit = (event: Event) => {
    event.preventDefault()
    if (isPossible) go(withParams({ ...draft, range: undefined }))
  }
  return (
    <form class="row" onSubmit={submit}>
      <TextField
        label={t('First day')}
        type="date"
        required
        value={draft.from}
        onInput={(from) => setDraft({ ...draft, from })}
      />
      <TextField
        label={t('Last day')}
        type="date"
        required
        value={draft.to}
        onInput={(to) => setDraft({ ...draft, to })}
      />
      <button type="submit" class="button" disabled={!isPossible}>
        {t('Show')}
      </button>
      {!isPossible && (
        <p class="small muted" role="status">
          {t('Choose between 1 and {n} days.', { n: DAYS_MAX })}
        </p>
      )}
    </form>
  )
}
