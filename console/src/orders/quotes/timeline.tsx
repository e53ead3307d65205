import type { Quote } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { dateTime } from '../../lib/format.ts'

/** What has happened to a quote, and what happens by itself. */
export function QuoteTimeline({ quote }: { quote: Quote }) {
  return (
    <ol class="timeline">
      {stepsOf(quote).map(([title, at]) => (
        <li key={title}>
          <strong>{title}</strong>
          <div class="muted small">{dateTime(at)}</div>
        </li>
      ))}
    </ol>
  )
}

function stepsOf(quote: Quote): [title: string, at: string][] {
  const { status, created_on, updated_on, expires_on } = quote
  const isOffer = quote.line_items.some(({ offer_price }) => offer_price !== null)
  const begun: [string, string] = [isOffer ? t('Offer made') : t('Prices frozen'), created_on]
  const ends: [string, string] = [t('Quote ends'), expires_on]
  if (status === 'requested') return [begun, ends]
  if (status === 'declined') return [begun, [t('Offer declined'), updated_on]]
  if (status === 'ordered') return [begun, [t('Ordered'), updated_on]]
  // It is the time of the answer, unless there was none.
  const isAnswered = isOffer && updated_on !== created_on
  const answered: [string, string][] = isAnswered ? [[t('Offer answered'), updated_on]] : []
  return [begun, ...answered, status === 'expired' ? [t('Quote ended'), expires_on] : ends]
}
