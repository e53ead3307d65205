import { useRead } from '../../api/hooks.ts'
import { listOperatorReturns } from '../../api/operator/returns.ts'
import { t } from '../../language/language.ts'
import { date, humanize, money } from '../../lib/format.ts'
import { ProblemNote } from '../../parts/feedback.tsx'

/** The returns of an order's invoiced goods, if there are any. */
export function OrderReturns({ uuid }: { uuid: string }) {
  const query = { order_uuid: uuid, limit: 200, offset: 0 }
  const reading = useRead(uuid, (signal) => listOperatorReturns(query, signal))
  const returns = reading.value?.returns ?? []
  if (returns.length === 0) return <ProblemNote problem={reading.problem} />
  return (
    <section class="panel stack" aria-label={t('Returns')}>
      <h2>{t('Returns')}</h2>
      <ul class="stack">
        {returns.map((each) => (
          <li key={each.uuid} class="row">
            <a href={`/operator/returns?order=${uuid}`}>{date(each.created_on)}</a>
            <span class="tag">{humanize(each.status)}</span>
            <span class="number">{money(each.total, each.currency_code)}</span>
            <span class="muted small" lang="">
              {each.reason}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
