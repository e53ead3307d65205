import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { type OperatorOrder, readOperatorOrder } from '../../api/operator/orders.ts'
import { merchantName } from '../../api/orders.ts'
import { t, withElements } from '../../language/language.ts'
import { dateTime } from '../../lib/format.ts'
import { OrderDocuments } from '../../orders/documents.tsx'
import { OrderTags } from '../../orders/table.tsx'
import { OrderTimeline } from '../../orders/timeline.tsx'
import { MemoDueNote } from '../../orders/view.tsx'
import { AddressLines } from '../../parts/addresses.tsx'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { OrderAccount } from './account.tsx'
import { OrderDialog } from './dialogs.tsx'
import { OrderLines } from './lines.tsx'
import { possibleSteps } from './possible.ts'
import { OrderReturns } from './returns.tsx'
import { type DialogName, OrderTools } from './tools.tsx'

/** One order, with everything an operator can do to it. */
export function OperatorOrderPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readOperatorOrder(uuid, signal))
  const [dialog, setDialog] = useState<DialogName>()
  const action = useAction()
  const done = (text: string) => {
    setDialog(undefined)
    showToast(text)
    reading.reload()
  }
  const run = (work: () => Promise<OperatorOrder>, text: string) =>
    void action.run(async () => {
      await work()
      done(text)
    })
  const order = reading.value
  if (!order) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  return (
    <>
      <div class="page-head">
        <h1>{t('Order {number}', { number: order.order_id })}</h1>
        <OrderTags order={order} />
        <div class="page-tools">
          <OrderTools order={order} busy={action.busy} onDialog={setDialog} run={run} />
        </div>
        <Lead order={order} />
      </div>
      <div class="stack">
        <ProblemNote problem={action.problem} />
        <Notes order={order} />
        <OrderLines order={order} />
      </div>
      <Panels order={order} />
      {dialog && (
        <OrderDialog
          name={dialog}
          order={order}
          onClose={() => setDialog(undefined)}
          onDone={done}
        />
      )}
    </>
  )
}

function Lead({ order }: { order: OperatorOrder }) {
  const { merchant_uuid, order_reference, debug } = order
  return (
    <p class="page-lead">
      {withElements('Placed {date} by {merchant}', {
        date: dateTime(order.ordered_on),
        merchant: (
          <a key="merchant" href={`/operator/merchants/${merchant_uuid}`}>
            {merchantName(order)}
          </a>
        ),
      })}
      {order_reference && ` · ${t('reference {reference}', { reference: order_reference })}`}
      {debug && ` · ${t('test order')}`}
    </p>
  )
}

/** What the operator has to know before the next step. */
function Notes({ order }: { order: OperatorOrder }) {
  const can = possibleSteps(order)
  return (
    <>
      <MemoDueNote order={order} />
      {can.ship && can.isUnpaid && (
        <p class="note is-warn">{t('The order is prepaid: it can ship once it is paid.')}</p>
      )}
    </>
  )
}

function Panels({ order }: { order: OperatorOrder }) {
  return (
    <div class="columns" style={{ marginTop: '16px' }}>
      <div class="stack">
        <OrderAccount order={order} />
        <section class="panel">
          <div class="panel-head">
            <h2>{t('History')}</h2>
          </div>
          <OrderTimeline order={order} />
        </section>
      </div>
      <div class="stack">
        <section class="panel stack">
          <div>
            <h2>{t('Documents')}</h2>
            <OrderDocuments documents={order.documents} />
          </div>
          <div>
            <h2>{t('Shipping address')}</h2>
            <AddressLines address={order.shipping_address} />
          </div>
          <div>
            <h2>{t('Billing address')}</h2>
            <AddressLines address={order.billing_address} />
          </div>
          {order.notes && (
            <div>
              <h2>{t('Notes')}</h2>
              <p lang="">{order.notes}</p>
            </div>
          )}
        </section>
        <OrderReturns uuid={order.uuid} />
      </div>
    </div>
  )
}
