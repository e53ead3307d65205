import type { Order } from '../api/orders.ts'

/** The state of an order in a few words. */
export function OrderTags({ order }: { order: Order }) {
  return (
    <span class="row">
      <span class="tag">
        {order.order_type === 'memo' ? `Memo ${order.memo_id ?? ''}` : 'Invoice'}
      </span>
      {order.order_status && (
        <span class={order.order_status === 'closed' ? 'tag is-good' : 'tag is-warn'}>
          {order.order_status}
        </span>
      )}
      {order.fulfillment_status === 'fulfilled' && <span class="tag is-good">shipped</span>}
      {order.fulfillment_status === 'partial' && <span class="tag is-accent">shipped in part</span>}
      {order.payment_status === 'paid' && <span class="tag is-good">paid</span>}
    </span>
  )
}
