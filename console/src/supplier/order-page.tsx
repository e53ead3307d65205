import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { confirmLines, readSupplierOrder, type SupplierOrder, shipLines } from '../api/supplier.ts'
import { t } from '../language/language.ts'
import { dateTime } from '../lib/format.ts'
import { ShipDialog } from '../orders/ship-dialog.tsx'
import { AddressLines } from '../parts/addresses.tsx'
import { Loading, PageProblem, ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { DeclineDialog, waitsForAnswer } from './decline-dialog.tsx'
import { OrderLines } from './order-lines.tsx'
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
  const confirm = (line_item_uuids?: string[]) =>
    void action.run(async () => {
      await confirmLines(uuid, line_item_uuids ? { line_item_uuids } : {})
      done(line_item_uuids ? t('The line is confirmed.') : t('The lines are confirmed.'))
    })
  const close = () => setDialog(undefined)
  return (
    <>
      <div class="page-head">
        <h1>{t('Order of {date}', { date: dateTime(order.ordered_on) })}</h1>
        <SupplierOrderTags order={order} />
        <OrderTools order={order} busy={action.busy} onConfirm={confirm} onDialog={setDialog} />
        <p class="page-lead mono">{order.uuid}</p>
      </div>
      <ProblemNote problem={action.problem} />
      <OrderLines
        lines={order.line_items}
        busy={action.busy}
        onConfirm={(line) => confirm([line.uuid])}
      />
      <Shipping order={order} />
      {dialog === 'decline' && (
        <DeclineDialog
          order={order}
          onClose={close}
          onDone={() => done(t('The lines are declined.'))}
        />
      )}
      {dialog === 'ship' && (
        <ShipDialog
          lines={order.line_items}
          ship={(fulfillment, keyFor) => shipLines(uuid, fulfillment, keyFor)}
          onClose={close}
          onDone={() => done(t('The shipment is recorded.'))}
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
  if ((!isWaiting && !canShip) || !mayDo('orders:write')) return null
  return (
    <div class="page-tools">
      {isWaiting && (
        <button type="button" class="button is-main" disabled={busy} onClick={() => onConfirm()}>
          {t('Confirm')}
        </button>
      )}
      {canShip && (
        <button type="button" class="button" disabled={busy} onClick={() => onDialog('ship')}>
          {t('Ship')}
        </button>
      )}
      {isWaiting && (
        <button
          type="button"
          class="button is-danger"
          disabled={busy}
          onClick={() => onDialog('decline')}
        >
          {t('Decline')}
        </button>
      )}
    </div>
  )
}

function Shipping({ order: { shipping_address, fulfillments } }: { order: SupplierOrder }) {
  if (shipping_address === null) {
    return <p class="muted">{t('The operator of the market ships this order.')}</p>
  }
  return (
    <section class="panel stack" aria-label={t('Shipping')} style={{ marginTop: '16px' }}>
      <div>
        <h2>{t('Ship to')}</h2>
        <AddressLines address={shipping_address} />
      </div>
      {fulfillments.length > 0 && (
        <div>
          <h2>{t('Shipments')}</h2>
          <ul>
            {fulfillments.map((shipment) => (
              <li key={shipment.uuid}>
                {dateTime(shipment.created_on)}: <Tracking shipment={shipment} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function Tracking({ shipment }: { shipment: SupplierOrder['fulfillments'][number] }) {
  const { tracking_company, tracking_number, tracking_url } = shipment
  const text = `${tracking_company} ${tracking_number}`
  if (!/^https?:/.test(tracking_url)) return <>{text}</>
  return (
    <a href={tracking_url} rel="noreferrer" target="_blank">
      {text}
    </a>
  )
}
