import {
  confirmOrder,
  declineOrder,
  fulfillOrder,
  type OperatorOrder,
} from '../../api/operator/orders.ts'
import { t } from '../../language/language.ts'
import { ShipDialog } from '../../orders/ship-dialog.tsx'
import { CancelOrReturnDialog } from './cancel-or-return-dialog.tsx'
import { ChargesDialog } from './charges-dialog.tsx'
import { ExtendDialog } from './extend-dialog.tsx'
import { LineChoiceDialog } from './line-choice.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { goodsOf, isDeclinable, isUnconfirmed } from './possible.ts'
import type { DialogName } from './tools.tsx'

const DONE: Record<DialogName, string> = {
  confirm: t('The lines are confirmed.'),
  decline: t('The lines are declined.'),
  ship: t('The shipment is recorded.'),
  charges: t('The charges are saved.'),
  pay: t('The payment is recorded.'),
  extend: t('The memo is extended.'),
  return: t('The return is recorded.'),
  cancel: t('The items are cancelled.'),
}

/** The dialog of the step that somebody has begun. */
export function OrderDialog(props: {
  name: DialogName
  order: OperatorOrder
  onClose: () => void
  onDone: (text: string) => void
}) {
  const { name, order, onClose } = props
  const { uuid } = order
  const ends = { onClose, onDone: () => props.onDone(DONE[name]) }
  const lines = goodsOf(order)
  switch (name) {
    case 'confirm':
      return (
        <LineChoiceDialog
          verb={name}
          lines={lines.filter(isUnconfirmed)}
          save={(line_item_uuids) => confirmOrder(uuid, { line_item_uuids })}
          {...ends}
        />
      )
    case 'decline':
      return (
        <LineChoiceDialog
          verb={name}
          lines={lines.filter(isDeclinable)}
          save={(line_item_uuids, reason) => declineOrder(uuid, { line_item_uuids, reason })}
          {...ends}
        />
      )
    case 'ship':
      return (
        <ShipDialog
          lines={lines}
          ship={(fulfillment, keyFor) => fulfillOrder(uuid, fulfillment, keyFor)}
          {...ends}
        />
      )
    case 'charges':
      return <ChargesDialog order={order} {...ends} />
    case 'pay':
      return <PaymentDialog order={order} {...ends} />
    case 'extend': {
      const { memo_id, memo_due_date } = order
      return <ExtendDialog uuid={uuid} memo_id={memo_id ?? ''} due_date={memo_due_date} {...ends} />
    }
    case 'cancel':
    case 'return':
      return <CancelOrReturnDialog order={order} verb={name} {...ends} />
  }
}
