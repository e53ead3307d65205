import type { SupplierOrder } from '../api/supplier.ts'

const ANSWERS = {
  confirmed: ['is-good', 'confirmed'],
  declined: ['is-warn', 'declined'],
  partial: ['is-accent', 'partly answered'],
} as const

/** The type of an order, what the supplier answered, and what has shipped. */
export function SupplierOrderTags({ order }: { order: SupplierOrder }) {
  const { confirmation, fulfillment_status } = order
  const [tone, answer] = confirmation ? ANSWERS[confirmation] : ['is-bad', 'waits for your answer']
  const isCancelled = order.line_items.every(
    ({ quantity, cancelled_quantity }) => cancelled_quantity === quantity,
  )
  return (
    <span class="row">
      <span class="tag">{order.order_type === 'memo' ? 'Memo' : 'Invoice'}</span>
      {isCancelled && confirmation !== 'declined' ? (
        <span class="tag is-warn">cancelled</span>
      ) : (
        <span class={`tag ${tone}`}>{answer}</span>
      )}
      {fulfillment_status === 'fulfilled' && <span class="tag is-good">shipped</span>}
      {fulfillment_status === 'partial' && <span class="tag is-accent">partially shipped</span>}
    </span>
  )
}
