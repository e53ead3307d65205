import { useRead } from '../api/hooks.ts'
import { findOrder } from '../api/orders.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { OrderView } from './view.tsx'

/** One order of the merchant, by its own number. */
export function OrderPage({ uuid: orderId }: { uuid: string }) {
  const reading = useRead(orderId, async (signal) => ({ order: await findOrder(orderId, signal) }))
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={4} height={90} />
  const { order } = reading.value
  if (!order) {
    return (
      <>
        <h1>No such order</h1>
        <Empty title={`There is no order ${orderId}`}>
          <a class="button" href="/orders">
            All orders
          </a>
        </Empty>
      </>
    )
  }
  return <OrderView order={order} />
}
