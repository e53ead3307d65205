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

/** Until when it stands, in words. */
export function expiryText({ status, expires_on }: Quote): string {
  const values = { when: fromNow(expires_on), date: dateTime(expires_on) }
  if (status === 'expired') return t('Ended {when}', values)
  if (status === 'open' || status === 'requested') return t('Ends {when}', values)
  return ''
}

/** Whether the answer to an offer was another price. */
export function isCountered(quote: Quote): boolean {
  if (quote.status === 'requested' || quote.status === 'declined') return false
  return quote.line_items.some(
    ({ offer_price, wholesale_price }) => offer_price !== null && offer_price !== wholesale_price,
  )
}
