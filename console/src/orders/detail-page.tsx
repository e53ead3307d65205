import { useState } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import {
  findOrder,
  listReturns,
  type Order,
  type OrderReturn,
  readOrderWithMoney,
} from '../api/orders.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { ReturnDialog } from './returns/return-dialog.tsx'
import { ReturnPanel } from './returns/return-panel.tsx'
import { returnableLines } from './returns/returnable.ts'
import { cancellableUnits, goodsOf } from './units.ts'
import { OrderView } from './view.tsx'

/** All that the page of an order shows, or undefined when there is no such order. */
async function readAll(name: string, signal: AbortSignal) {
  const order = await findOrder(name, signal)
  if (!order) return undefined
  const [money, { returns }] = await Promise.all([
    readOrderWithMoney(order.uuid, signal),
    listReturns({ order_uuid: order.uuid, limit: 200, offset: 0 }, signal),
  ])
  return { order, money, returns }
}

/** One order of the merchant, by its order number. */
export function OrderPage({ order_id }: { order_id: string }) {
  const reading = useRead(order_id, async (signal) => ({ found: await readAll(order_id, signal) }))
  const [dialog, setDialog] = useState<'cancel' | 'return'>()
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={4} height={90} />
  const { found } = reading.value
  if (!found) return <NotFound number={order_id} />
  const { order, money, returns } = found
  const close = () => setDialog(undefined)
  const done = (text: string) => {
    close()
    showToast(text)
    reading.reload()
  }
  return (
    <>
      <OrderView
        order={order}
        documents={money.documents}
        payment={money}
        tools={<OrderTools order={order} returns={returns} onDialog={setDialog} />}
      >
        {returns.map((each) => (
          <ReturnPanel key={each.uuid} found={each} />
        ))}
      </OrderView>
      {dialog === 'cancel' && (
        <CancelDialog
          order={order}
          onClose={close}
          onDone={() => done(t('The items are cancelled.'))}
        />
      )}
      {dialog === 'return' && (
        <ReturnDialog
          order={order}
          returns={returns}
          onClose={close}
          onDone={() => done(t('The return is requested.'))}
        />
      )}
    </>
  )
}

/** What the merchant can do now; what it cannot says why. */
function OrderTools(props: {
  order: Order
  returns: OrderReturn[]
  onDialog: (dialog: 'cancel' | 'return') => void
}) {
  const { order, returns, onDialog } = props
  const canCancel = goodsOf(order).some((line) => cancellableUnits(order)(line) > 0)
  const hasShipped = order.line_items.some(({ fulfilled_quantity }) => fulfilled_quantity > 0)
  const mayReturn = order.order_type === 'invoice' && hasShipped
  const canReturn = returnableLines(order, returns).some(({ most }) => most > 0)
  if (!mayDo('orders:write')) return null
  return (
    <>
      {mayReturn && (
        <button
          type="button"
          class={canReturn ? 'button' : 'button is-quiet'}
          onClick={() => onDialog('return')}
        >
          {t('Request a return')}
        </button>
      )}
      {canCancel && (
        <button type="button" class="button is-danger" onClick={() => onDialog('cancel')}>
          {t('Cancel order')}
        </button>
      )}
    </>
  )
}

function NotFound({ number }: { number: string }) {
  return (
    <>
      <h1>{t('Order not found')}</h1>
      <Empty title={t('You have no order {number}', { number })}>
        <a class="button" href="/orders">
          {t('All orders')}
        </a>
      </Empty>
    </>
  )
}
