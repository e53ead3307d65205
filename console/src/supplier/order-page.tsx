import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import {
  confirmLines,
  readSupplierOrder,
  type SupplierLine,
  type SupplierOrder,
  shipLines,
} from '../api/supplier.ts'
import { dateTime, money } from '../lib/format.ts'
import { ShipDialog } from '../orders/ship-dialog.tsx'
import { Address } from '../orders/view.tsx'
import { Loading, PageProblem, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'
import { DeclineDialog, waitsForAnswer } from './decline-dialog.tsx'
import { SupplierOrderTags } from './order-tags.tsx'

/** One order with the supplier's lines, and what the supplier can do to them. */
export function SupplierOrderPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readSupplierOrder(uuid, signal))
  const [dialog, setDialog] = useState<'decline' | 'ship'>()
  const action = useAction()
  const done = (text: string) => {
    setDialog(undefined)
    showToast(text)
    reading.reload()
  }
  const order = reading.value
  if (!order) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  const confirm = () =>
    void action.run(async () => {
      await confirmLines(uuid, {})
      done('The lines are confirmed.')
    })
  const close = () => setDialog(undefined)
  return (
    <>
      <div class="page-head">
        <h1>Order of {dateTime(order.ordered_on)}</h1>
        <SupplierOrderTags order={order} />
        <OrderTools order={order} busy={action.busy} onConfirm={confirm} onDialog={setDialog} />
        <p class="page-lead mono">{order.uuid}</p>
      </div>
      <ProblemNote problem={action.problem} />
      <LineTable lines={order.line_items} />
      <Shipping order={order} />
      {dialog === 'decline' && (
        <DeclineDialog
          order={order}
          onClose={close}
          onDone={() => done('The lines are declined.')}
        />
      )}
      {dialog === 'ship' && (
        <ShipDialog
          lines={order.line_items.map((line) => ({ ...line, name: line.description }))}
          ship={(fulfillment) => shipLines(uuid, fulfillment)}
          onClose={close}
          onDone={() => done('The shipment is recorded.')}
        />
      )}
    </>
  )
}

/** The buttons that make sense now. Who is told the address ships itself. */
function OrderTools(props: {
  order: SupplierOrder
  busy: boolean
  onConfirm: () => void
  onDialog: (dialog: 'decline' | 'ship') => void
}) {
  const { order, busy, onConfirm, onDialog } = props
  const isWaiting = order.line_items.some(waitsForAnswer)
  const canShip =
    order.shipping_address !== null && order.line_items.some((line) => line.open_quantity > 0)
  if (!isWaiting && !canShip) return null
  return (
    <div class="page-tools">
      {isWaiting && (
        <button type="button" class="button is-main" disabled={busy} onClick={onConfirm}>
          Confirm
        </button>
      )}
      {canShip && (
        <button type="button" class="button" disabled={busy} onClick={() => onDialog('ship')}>
          Ship
        </button>
      )}
      {isWaiting && (
        <button
          type="button"
          class="button is-danger"
          disabled={busy}
          onClick={() => onDialog('decline')}
        >
          Decline
        </button>
      )}
    </div>
  )
}

function LineTable({ lines }: { lines: SupplierLine[] }) {
  return (
    <ScrollArea label="Lines">
      <table>
        <thead>
          <tr>
            <th scope="col">Stock number</th>
            <th scope="col">Item</th>
            <th scope="col" class="number">
              Ordered
            </th>
            <th scope="col" class="number">
              Shipped
            </th>
            <th scope="col" class="number">
              Cancelled
            </th>
            <th scope="col" class="number">
              Returned
            </th>
            <th scope="col">Your answer</th>
            <th scope="col" class="number">
              Your price
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.uuid}>
              <td>
                {line.vendor_sku}
                <div class="muted small mono">{line.sku}</div>
              </td>
              <td>{line.description}</td>
              <td class="number">{line.quantity}</td>
              <td class="number">{line.fulfilled_quantity}</td>
              <td class="number">{line.cancelled_quantity}</td>
              <td class="number">{line.returned_quantity}</td>
              <td>{answerText(line)}</td>
              <td class="number">{line.price === null ? '' : money(line.price, 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function answerText({ confirmation, confirmed_on, declined_on, open_quantity }: SupplierLine) {
  if (confirmation === 'declined') return `Declined ${dateTime(declined_on)}`
  if (confirmation === 'confirmed') return `Confirmed ${dateTime(confirmed_on)}`
  return open_quantity > 0 ? 'Waits for your answer' : ''
}

function Shipping({ order: { shipping_address, fulfillments } }: { order: SupplierOrder }) {
  if (shipping_address === null) {
    return <p class="muted">The operator of the market ships this order.</p>
  }
  return (
    <section class="panel stack" aria-label="Shipping" style={{ marginTop: '16px' }}>
      <div>
        <h2>Ship to</h2>
        <Address address={shipping_address} />
      </div>
      {fulfillments.length > 0 && (
        <div>
          <h2>Shipments</h2>
          <ul>
            {fulfillments.map((shipment) => (
              <li key={shipment.uuid}>
                {dateTime(shipment.created_on)}: {shipment.tracking_company}{' '}
                {shipment.tracking_number}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
