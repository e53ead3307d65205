import { useRead } from '../../api/hooks.ts'
import { type Account, readAccount } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { money } from '../../lib/format.ts'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { TradeHead } from '../head.tsx'
import { OpenInvoices } from './open-invoices.tsx'

/** What the merchant owes and has on memo, within its limits, and the invoices to pay. */
export function AccountPage() {
  const reading = useRead('account', (signal) => readAccount(signal))
  return (
    <>
      <TradeHead />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={2} height={90} />}
      {reading.value && <Figures account={reading.value} />}
      <OpenInvoices />
    </>
  )
}

function Figures({ account }: { account: Account }) {
  const { currency_code, unpaid, overdue, on_memo, credit_limit, memo_limit } = account
  const tiles: [string, number, string?][] = [
    [t('Unpaid'), unpaid],
    [t('Overdue'), overdue, overdue > 0 ? 'is-gone' : undefined],
    [t('On memo'), on_memo],
  ]
  return (
    <>
      <dl class="tiles">
        {tiles.map(([label, amount, kind]) => (
          <div key={label} class="tile">
            <dt>{label}</dt>
            <dd class={kind}>{money(amount, currency_code)}</dd>
          </div>
        ))}
      </dl>
      <div class="columns">
        <LimitBar
          title={t('Credit')}
          used={unpaid}
          limit={credit_limit}
          available={account.available_credit}
          currency={currency_code}
        />
        <LimitBar
          title={t('Memo')}
          used={on_memo}
          limit={memo_limit}
          available={memo_limit === null ? null : centsLeft(memo_limit, on_memo)}
          currency={currency_code}
        />
      </div>
    </>
  )
}

/** The difference of two amounts in dollars, counted in cents. */
function centsLeft(limit: number, used: number): number {
  return (Math.round(limit * 100) - Math.round(used * 100)) / 100
}

/** How much of a limit is used, as a bar and in words. */
function LimitBar(props: {
  title: string
  used: number
  limit: number | null
  available: number | null
  currency: string
}) {
  const { title, used, limit, available, currency } = props
  const amount = (value: number | null) => money(value, currency)
  return (
    <section class="panel">
      <h2>{title}</h2>
      {limit === null || available === null ? (
        <p>{t('{used} used; there is no limit.', { used: amount(used) })}</p>
      ) : (
        <>
          <progress
            class={available < 0 ? 'progress is-over' : 'progress'}
            aria-label={t('{title}: used part of the limit', { title })}
            max={limit || 1}
            value={limit === 0 ? 1 : Math.min(used, limit)}
          />
          <p>
            {t('{used} of {limit} used', { used: amount(used), limit: amount(limit) })}
            {' · '}
            <strong class={available < 0 ? 'is-gone' : undefined}>
              {available < 0
                ? t('{amount} over the limit', { amount: amount(-available) })
                : t('{amount} available', { amount: amount(available) })}
            </strong>
          </p>
        </>
      )}
    </section>
  )
}
