import { dayFrom } from '../../../lib/timestamps.ts'
import { centsFromAmount } from '../../../orders/ledger/ledger-entry.ts'
import { recordPayment } from '../../../orders/steps/pay-order.ts'
import { setCharges } from '../../../orders/steps/set-charges.ts'
import { write } from '../../request/acting.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, operatorOf, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import { ChargesBody, PaymentBody } from '../../schemas/orders/money.ts'
import { OperatorOrderSchema } from '../../schemas/orders/order-operator.ts'
import type { Services } from '../../services.ts'
import { renderForOperator } from '../../shared/operator-order-rendering.ts'

const config = { access: operatorWith('orders:write') } as const
const tags = ['Orders']
const params = inlineObject({ uuid: uuid('UUID of the order') })
const response = { 200: OperatorOrderSchema }

/** What an order costs beside its goods, and what was paid. */
export function registerOrderMoney(app: App, { db, publicUrl }: Services): void {
  app.post(
    '/api/operator/orders/:uuid/payments',
    {
      config,
      schema: {
        tags,
        summary: 'Records a payment of a part of the balance, or of all of it',
        description:
          'A balance of 0 or less makes the order paid. More than the balance is refused with ' +
          '422 unless allow_overpayment is true. Each payment raises order.pay.',
        params,
        body: PaymentBody,
        response,
      },
    },
    (request, reply) => {
      const { amount, paid_on, ...payment } = request.body
      const day = dayFrom('paid_on', paid_on)
      return writeOnce(db, request, reply, 200, async (tx) => {
        const paid = { ...payment, cents: centsFromAmount(amount), paid_on: day }
        const order = await recordPayment(tx, request.params.uuid, paid, operatorOf(request))
        return renderForOperator(order, publicUrl)
      })
    },
  )

  app.put(
    '/api/operator/orders/:uuid/charges',
    {
      config,
      schema: {
        tags,
        summary: 'Replaces the charges of an order, until its invoice is made',
        params,
        body: ChargesBody,
        response,
      },
    },
    (request) => {
      const charges = request.body.map(({ amount, ...charge }) => {
        return { ...charge, cents: centsFromAmount(amount) }
      })
      return write(db, request, async (tx) =>
        renderForOperator(
          await setCharges(tx, request.params.uuid, charges, operatorOf(request)),
          publicUrl,
        ),
      )
    },
  )
}
