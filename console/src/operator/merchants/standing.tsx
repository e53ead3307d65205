import { useRead } from '../../api/hooks.ts'
import { type MerchantAccount, readMerchantAccount } from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { money } from '../../lib/format.ts'
import { ProblemNote } from '../../parts/feedback.tsx'

/** What the merchant owes, and what it may still owe; in US dollars. */
export function MerchantStanding({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readMerchantAccount(uuid, signal))
  if (!reading.value) return <ProblemNote problem={reading.problem} onRetry={reading.reload} />
  return (
    <dl class="tiles">
      {figuresOf(reading.value).map(([label, amount, isBad]) => (
        <div key={label} class="tile">
          <dt>{label}</dt>
          <dd class={isBad ? 'is-gone' : undefined}>{amount}</dd>
        </div>
      ))}
    </dl>
  )
}

function figuresOf(account: MerchantAccount): [label: string, amount: string, isBad?: boolean][] {
  const { unpaid, overdue, on_memo, available_credit } = account
  const usd = (amount: number) => money(amount, 'USD')
  const available = available_credit === null ? t('No limit') : usd(available_credit)
  const late = account.ageing.filter(({ bucket, amount }) => bucket === 'over 90' && amount > 0)
  return [
    [t('Unpaid'), usd(unpaid)],
    [t('Overdue'), usd(overdue), overdue > 0],
    ...late.map(({ amount }): [string, string, boolean] => [
      t('Over 90 days late'),
      usd(amount),
      true,
    ]),
    [t('Available credit'), available, available_credit !== null && available_credit < 0],
    [t('On memo'), usd(on_memo)],
  ]
}
