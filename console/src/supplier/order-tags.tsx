import type { SupplierOrder } from '../api/supplier.ts'
import { t } from '../language/language.ts'

const ANSWERS = {
  confirmed: ['is-good', t('confirmed')],
  declined: ['is-warn', t('declined')],
  partial: ['is-accent', t('partly answered')],
} as const

/** The type of an order, what the supplier answered, and what has shipped. */
export function SupplierOrderTags({ order }: { order: SupplierOrder }) {
  const { confirmation, fulfillment_status } = order
  const [tone, answer] = confirmation
    ? ANSWERS[confirmation]
    : ['is-bad', t('waits for your answer')]
  const isCancelled = order.line_items.every(
    ({ quantity, cancelled_quantity }) => cancelled_quantity === quantity,
  )
  return (
    <span class="row">
      <span class="tag">{order.order_type === 'memo' ? t('Memo') : t('Invoice')}</span>
      {isCancelled && confirmation !== 'declined' ? (
        <span class="tag is-warn">{t('cancelled')}</span>
      ) : (
        <span class={`tag ${tone}`}>{answer}</span>
      )}
      {fulfillment_status === 'fulfilled' && <span class="tag is-good">{t('shipped')}</span>}
      {fulfillment_status === 'partial' && (
        <span class="tag is-accent">{t('partially shipped')}</span>
      )}
    </span>
  )
}
