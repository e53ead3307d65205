import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import { listRateHistory, listRates, type Rate, setRate } from '../api/operator.ts'
import { mayDo } from '../api/session-store.ts'
import { refuseUnreadNumbers } from '../api/unread-numbers.ts'
import { t, tIn } from '../language/language.ts'
import { dateTime, decimal, percent } from '../lib/format.ts'
import { numberIn } from '../lib/numbers.ts'
import type { Cell } from '../lib/workbook.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { TextField } from '../parts/fields.tsx'
import { type ListHead, ListTable } from '../parts/table/list-table.tsx'
import { ListNotes, ListTools, useWholeList, type WholeList } from '../parts/table/whole-list.tsx'
import { showToast } from '../parts/toast.tsx'

/** The exchange rates of the US dollar, with their history. */
export function RatesPage() {
  const reading = useRead('rates', (signal) => listRates(signal))
  const [chosen, setChosen] = useState<string>()
  const list = useWholeList(reading.value, LIST)
  return (
    <>
      <div class="page-head">
        <h1>{t('Exchange rates')}</h1>
        <div class="page-tools">
          <ListTools list={list} name={t('rates.csv')} />
        </div>
        <p class="page-lead">
          {t('Units of each currency for one US dollar. A new rate takes effect at once.')}
        </p>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      <ListNotes list={list} />
      <div class="columns">
        {list.rows.length > 0 && <RateTable list={list} onHistory={setChosen} />}
        <div class="stack">
          {mayDo('settings:write') && (
            <NewRate rates={reading.value ?? []} onDone={reading.reload} />
          )}
          {chosen && <RateHistory key={chosen} currency={chosen} />}
        </div>
      </div>
    </>
  )
}

const VALUES = {
  currency: ({ currency_code }: Rate) => currency_code,
  rate: ({ rate }: Rate) => rate,
  since: ({ set_on }: Rate) => set_on,
}
const COLUMNS: readonly (readonly [string, (rate: Rate) => Cell])[] = [
  [t('Currency'), ({ currency_code }) => currency_code],
  [t('Rate'), ({ rate }) => rate],
  [t('Since'), ({ set_on }) => set_on],
]
const LIST = {
  idOf: ({ currency_code }: Rate) => currency_code,
  columns: COLUMNS,
  values: VALUES,
}

const HEADS: readonly ListHead[] = [
  ['currency', t('Currency')],
  ['rate', t('Rate'), { class: 'number' }],
  ['since', t('Since'), { first: 'desc' }],
]

function RateTable(props: { list: WholeList<Rate>; onHistory: (currency: string) => void }) {
  const { rows, selection } = props.list
  return (
    <ListTable
      label={t('Current rates')}
      heads={HEADS}
      rows={rows}
      selection={selection}
      nameOf={({ currency_code }) => currency_code}
      hasButtons
    >
      {(rate) => (
        <>
          <td>{rate.currency_code}</td>
          <td class="number">{decimal(rate.rate, 6)}</td>
          <td>{dateTime(rate.set_on)}</td>
          <td>
            <button
              type="button"
              class="button is-small is-quiet"
              onClick={() => props.onHistory(rate.currency_code)}
            >
              {t('History')}
              <span class="visually-hidden"> {rate.currency_code}</span>
            </button>
          </td>
        </>
      )}
    </ListTable>
  )
}

/** A rate that moves by more than this is more often a slip of the keyboard than the market. */
const MOVE_MAX = 0.1

function NewRate({ rates, onDone }: { rates: Rate[]; onDone: () => void }) {
  const [currency, setCurrency] = useState('')
  const [rate, setText] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const next = { currency_code: currency.trim().toUpperCase(), rate: numberIn(rate) }
      refuseUnreadNumbers(next)
      if (!(await isMeant(next, rates))) return
      const set = await setRate(next)
      showToast(
        t('{currency} is now {rate}.', {
          currency: set.currency_code,
          rate: decimal(set.rate, 6),
        }),
      )
      setText('')
      onDone()
    })
  }
  return (
    <section class="panel stack">
      <h2>{t('Set rate')}</h2>
      <form class="form" onSubmit={submit}>
        <TextField
          label={t('Currency')}
          required
          placeholder="EUR"
          name="currency_code"
          problem={action.problem}
          value={currency}
          onInput={setCurrency}
        />
        <TextField
          label={t('Rate')}
          required
          inputMode="decimal"
          placeholder={decimal(0.92)}
          name="rate"
          problem={action.problem}
          value={rate}
          onInput={setText}
        />
        <button type="submit" class="button is-main" disabled={action.busy}>
          {tIn('rate', 'Set')}
        </button>
      </form>
      <ProblemNote problem={action.problem} />
    </section>
  )
}

async function isMeant(next: Pick<Rate, 'currency_code' | 'rate'>, rates: Rate[]) {
  const now = rates.find(({ currency_code }) => currency_code === next.currency_code)?.rate
  const move = now === undefined ? 0 : next.rate / now - 1
  if (Math.abs(move) <= MOVE_MAX) return true
  return confirmed({
    title: t('Set {currency} to {rate}?', {
      currency: next.currency_code,
      rate: decimal(next.rate, 6),
    }),
    text: t('It was {before}: this moves it by {percent}, and every price in {currency} at once.', {
      before: decimal(now, 6),
      percent: percent(move * 100),
      currency: next.currency_code,
    }),
    action: t('Set rate'),
    isDanger: true,
  })
}

function RateHistory({ currency }: { currency: string }) {
  const reading = useRead(currency, (signal) => listRateHistory(currency, signal))
  return (
    <section class="panel" aria-label={t('History of {currency}', { currency })}>
      <div class="panel-head">
        <h2>{t('History of {currency}', { currency })}</h2>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      <ul class="bars">
        {reading.value?.exchange_rates.map((rate) => (
          <li key={rate.set_on} class="row">
            <span class="number">{decimal(rate.rate, 6)}</span>
            <span class="muted small">{dateTime(rate.set_on)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
