import { useRead } from '../api/hooks.ts'
import { findOrder } from '../api/orders.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { OrderView } from './view.tsx'

/** One order of the merchant, by its order number. */
export function OrderPage({ order_id }: { order_id: string }) {
  const reading = useRead(order_id, async (signal) => {
    return { order: await findOrder(order_id, signal) }
  })
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={4} height={90} />
  const { order } = reading.value
  if (!order) {
    return (
      <>
        <h1>Order not found</h1>
        <Empty title={`You have no order ${order_id}`}>
          <a class="button" href="/orders">
            All orders
          </a>
        </Empty>
      </>
    )
  }
  return <OrderView order={order} />
}
