import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import {
  type RunOptions,
  runSource,
  type Source,
  type SourceRun,
} from '../../api/operator/sources.ts'
import { t } from '../../language/language.ts'
import { numberIn } from '../../lib/numbers.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote, Spinner } from '../../parts/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/fields.tsx'
import { RunResult } from './runs.tsx'

const PRICES = [
  ['', t('As before')],
  ['total', t('The whole stone')],
  ['per-carat', t('One carat')],
] as const

const NOTHING = {
  force: false,
  relearn: false,
  accept_prices: false,
  max_removed: '',
  max_jumps: '',
  currency: '',
  price: '' as (typeof PRICES)[number][0],
}
type Settled = typeof NOTHING

/** Fetches a source now. A run that was refused can be settled, for this once. */
export function RunDialog(props: {
  source: Source
  onClose: () => void
  onDone: (text: string) => void
}) {
  const { source, onClose, onDone } = props
  const [settled, setSettled] = useState(NOTHING)
  const [failed, setFailed] = useState<SourceRun>()
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      setFailed(undefined)
      const run = await runSource(source.uuid, optionsOf(settled))
      if (run.outcome === 'failed') setFailed(run)
      else onDone(run.outcome === 'done' ? t('The file is imported.') : t('Nothing has changed.'))
    })
  }
  // A run that failed is on the page, too.
  const close = failed ? () => onDone(t('The run failed.')) : onClose
  return (
    <Dialog title={t('Run now')} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <p class="mono">{source.url}</p>
        {failed && (
          <div class="note is-bad" role="alert">
            <RunResult run={failed} />
          </div>
        )}
        <details open={failed !== undefined}>
          <summary>{t('Settle a refused import, for this run')}</summary>
          <RunOptionFields settled={settled} onChange={setSettled} problem={action.problem} />
        </details>
        <ProblemNote problem={action.problem} />
        {action.busy && (
          <p class="row" role="status">
            <Spinner /> {t('The file is fetched and imported …')}
          </p>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={close}>
            {t('Close')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {t('Run')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function RunOptionFields(props: {
  settled: Settled
  onChange: (settled: Settled) => void
  problem: ReturnType<typeof useAction>['problem']
}) {
  const { settled, onChange, problem } = props
  const check = (name: 'force' | 'relearn' | 'accept_prices', label: string) => (
    <Checkbox checked={settled[name]} onChange={(on) => onChange({ ...settled, [name]: on })}>
      {label}
    </Checkbox>
  )
  const field = (name: 'max_removed' | 'max_jumps' | 'currency', label: string) => (
    <TextField
      label={label}
      name={name}
      problem={problem}
      value={settled[name]}
      onInput={(value) => onChange({ ...settled, [name]: value })}
    />
  )
  return (
    <div class="stack" style={{ marginTop: '10px' }}>
      {check('force', t('Import the file even if it is the last one'))}
      {check('relearn', t('Accept a file that reads differently from the last one'))}
      {check('accept_prices', t('Accept prices far from those of similar stones'))}
      {field('max_removed', t('May remove so many percent of the stock (40)'))}
      {field('max_jumps', t('May change so many percent of the prices by a fifth (5)'))}
      {field('currency', t('Currency of the prices'))}
      <SelectField
        label={t('Prices are for')}
        value={settled.price}
        options={PRICES}
        onChange={(price) => onChange({ ...settled, price })}
      />
    </div>
  )
}

function optionsOf(settled: Settled): RunOptions {
  const { force, relearn, accept_prices, max_removed, max_jumps, currency, price } = settled
  return {
    force,
    relearn,
    accept_prices,
    ...(max_removed.trim() && { max_removed: numberIn(max_removed) }),
    ...(max_jumps.trim() && { max_jumps: numberIn(max_jumps) }),
    ...(currency.trim() && { currency: currency.trim().toUpperCase() }),
    ...(price && { price }),
  }
}
