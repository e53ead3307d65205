/** What an order costs beside its goods, and what was paid for it. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { dayFrom } from '../../lib/timestamps.ts'
import { findOrderUuid } from '../../orders/order-store.ts'
import { payOrder, recordPayment } from '../../orders/steps/pay-order.ts'
import { setCharges } from '../../orders/steps/set-charges.ts'
import { CHARGE_KINDS, type ChargeKind } from '../../reference/charges.ts'
import { readCents, readLine } from '../arguments.ts'
import { type CommonOptions, command } from '../command.ts'
import { change, EXAMPLE_UUID, ORDER } from './change.ts'

const MADE_BY = 'operator (command line)'

interface PayOptions extends CommonOptions {
  amount?: bigint
  method?: string
  reference?: string
  paidOn?: string
  allowOverpayment?: boolean
}

export function payCommand(): Command {
  const example = `pavilion order pay ${EXAMPLE_UUID} --amount 500 --method wire --reference TRX-1`
  const made = command(
    'pay',
    'Record a payment; of the whole balance unless an amount is given',
    example,
  )
  return made
    .argument(...ORDER)
    .option('--amount <dollars>', 'What was paid in US dollars', readCents)
    .option('--method <text>', 'How it was paid, such as wire or card', readLine)
    .option('--reference <text>', "The payment's number at the bank", readLine)
    .option('--paid-on <day>', 'The day on which it was paid, such as 2026-01-31 (default: today)')
    .option('--allow-overpayment', 'Accept more than the balance')
    .action((name: string, options: PayOptions) => {
      const { amount, method, reference, paidOn, allowOverpayment } = options
      const details = [method, reference, paidOn, allowOverpayment]
      if (amount === undefined && details.some((detail) => detail !== undefined)) {
        made.error('error: name the --amount that was paid')
      }
      return change(options, async (tx) => {
        const uuid = await findOrderUuid(tx, name)
        if (amount === undefined) return payOrder(tx, uuid, MADE_BY)
        const paid_on = dayFrom('--paid-on', paidOn)
        const payment = { cents: amount, method, reference, paid_on }
        const allow_overpayment = allowOverpayment
        return recordPayment(tx, uuid, { ...payment, allow_overpayment }, MADE_BY)
      })
    })
}

interface NewCharge {
  kind: ChargeKind
  label: string
  cents: bigint
}

interface ChargeOptions extends CommonOptions {
  charge?: NewCharge[]
  none?: boolean
}

export function chargeCommand(): Command {
  const example =
    `pavilion order charge ${EXAMPLE_UUID} --charge shipping:45 ` +
    '--charge "discount:100:Loyal buyer"'
  const description = 'Replace the charges of an order, until its invoice is made'
  const made = command('charge', description, example)
  return made
    .argument(...ORDER)
    .addOption(
      new Option(
        '--charge <kind:dollars[:label]>',
        `A charge (${CHARGE_KINDS.join(', ')}); repeatable`,
      ).argParser(readCharge),
    )
    .option('--none', 'Remove all charges')
    .action((name: string, options: ChargeOptions) => {
      const { charge = [], none = false } = options
      if (charge.length > 0 === none) {
        made.error('error: give each --charge, or --none')
      }
      return change(options, async (tx) =>
        setCharges(tx, await findOrderUuid(tx, name), charge, MADE_BY),
      )
    })
}

function readCharge(text: string, earlier: NewCharge[] | undefined): NewCharge[] {
  const [name, amount = '', ...words] = text.split(':')
  const kind = CHARGE_KINDS.find((each) => each === name)
  if (!kind) {
    throw new InvalidArgumentError(
      `Expected kind:dollars, with a kind of ${CHARGE_KINDS.join(', ')}.`,
    )
  }
  const label = words.join(':').trim() || kind[0].toUpperCase() + kind.slice(1)
  return [...(earlier ?? []), { kind, label, cents: readCents(amount) }]
}
