import { useRead } from '../api/hooks.ts'
import { findOrder, listDocuments } from '../api/orders.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { OrderView } from './view.tsx'

/** One order of the merchant, by its order number. */
export function OrderPage({ order_id }: { order_id: string }) {
  const reading = useRead(order_id, async (signal) => {
    const order = await findOrder(order_id, signal)
    return { order, documents: order ? await listDocuments(order.uuid, signal) : [] }
  })
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={4} height={90} />
  const { order, documents } = reading.value
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
  return <OrderView order={order} documents={documents} />
}
