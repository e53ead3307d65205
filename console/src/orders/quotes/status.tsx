import type { Quote } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { dateTime, fromNow, humanize } from '../../lib/format.ts'

export const QUOTE_STATUSES: readonly Quote['status'][] = [
  'open',
  'requested',
  'declined',
  'ordered',
  'expired',
]

const TAGS: Record<Quote['status'], string> = {
  open: 'tag is-good',
  requested: 'tag is-warn',
  declined: 'tag is-bad',
  ordered: 'tag is-accent',
  expired: 'tag',
}

export function QuoteTag({ status }: { status: Quote['status'] }) {
  return <span class={TAGS[status]}>{humanize(status)}</span>
}

/** Says when a quote ends or has ended; empty where that does not matter any more. */
export function expiryText(quote: Pick<Quote, 'status' | 'expires_on'>): string {
  const values = { when: fromNow(quote.expires_on), date: dateTime(quote.expires_on) }
  if (quote.status === 'expired') return t('Ended {when}', values)
  return isLive(quote) ? t('Ends {when}', values) : ''
}

/** Whether it can still be ordered or answered, so that its end counts. */
export function isLive({ status }: Pick<Quote, 'status'>): boolean {
  return status === 'open' || status === 'requested'
}

/** Whether the answer to an offer was another price. */
export function isCountered(quote: Quote): boolean {
  if (quote.status === 'requested' || quote.status === 'declined') return false
  return quote.line_items.some(
    ({ offer_price, wholesale_price }) => offer_price !== null && offer_price !== wholesale_price,
  )
}
