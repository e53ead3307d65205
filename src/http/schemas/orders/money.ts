import { Type } from 'typebox'
import { CHARGE_KINDS } from '../../../reference/charges.ts'
import {
  flag,
  inlineObject,
  integer,
  line,
  list,
  nullable,
  number,
  ONE_LINE,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'

/** A day without a time, in UTC. */
export const day = (description: string) => text(description, '2026-01-31')

const chargeFields = {
  kind: oneOf(CHARGE_KINDS, 'What is charged; a discount is subtracted'),
  label: text('What the invoice says', 'Insured shipping'),
  amount: number('In US dollars; positive also for a discount', 45),
}
const ChargeSchema = object('OrderCharge', chargeFields)

/** The money of an order, as its merchant sees it. */
export const moneyFields = {
  charges: list(ChargeSchema, 'What is charged beside the goods; empty while it is a memo'),
  balance: number(
    'Total + charges - payments - credits in US dollars; negative when too much was paid, and 0 ' +
      'while it is a memo',
    1745,
  ),
  due_on: nullable(day('When it must be paid: the day of the invoice and the payment terms')),
}

/** Far more than any order or merchant is worth, and still exact in cents. */
const DOLLARS_MAX = 10_000_000_000

/** An amount that a caller sends. */
export function dollars(description: string, example: number, more: object = {}) {
  return number(`${description}, in US dollars with at most two decimals`, example, {
    minimum: 0,
    maximum: DOLLARS_MAX,
    multipleOf: 0.01,
    ...more,
  })
}

/** More charges than an invoice has room for. */
const CHARGES_MAX = 20
export const positive = { minimum: 0.01 }
export const label = line('What the invoice says; one line', 'Insured shipping', {
  minLength: 1,
  pattern: ONE_LINE,
})
export const chargeKind = chargeFields.kind

export const ChargesBody = list(
  inlineObject({
    kind: chargeKind,
    label,
    amount: dollars('What is charged, or subtracted by a discount', 45, positive),
  }),
  'The charges of the order; they replace those that it has',
  { maxItems: CHARGES_MAX },
)

const oneLine = { pattern: ONE_LINE }

export const PaymentBody = inlineObject(
  {
    amount: dollars('What was paid', 1745, positive),
    method: Type.Optional(line('How it was paid; one line', 'wire', oneLine)),
    reference: Type.Optional(line('Its number at the bank; one line', 'TRX-4711', oneLine)),
    paid_on: Type.Optional(
      text('The day on which it was paid, today unless given', '2026-01-31', { maxLength: 40 }),
    ),
    allow_overpayment: Type.Optional(
      flag('Whether it may be more than the balance; refused otherwise', false),
    ),
  },
  { title: 'NewPayment' },
)

const PaymentSchema = object('OrderPayment', {
  uuid: uuid('UUID of the payment'),
  amount: number('In US dollars', 1745),
  method: text('How it was paid; may be empty', 'wire'),
  reference: text('Its number at the bank; may be empty', 'TRX-4711'),
  paid_on: day('The day on which it was paid'),
  made_by: text('Who recorded it', 'operator'),
  created_on: timestamp('When it was recorded'),
})

const CreditSchema = object('OrderCredit', {
  amount: number('In US dollars', 1700),
  label: text('What it is for', 'Cancelled goods'),
  reason: text('Reason; may be empty', 'ordered twice'),
  made_by: text('Who caused it', 'operator'),
  created_on: timestamp('When it was written'),
})

/** The money of an order, as the operator sees it. */
export const operatorMoneyFields = {
  ...moneyFields,
  payment_terms_days: integer('Days to pay after the invoice; 0 when it is paid in advance', 30),
  invoiced_on: nullable(timestamp('When the invoice was made; the charges are final then')),
  payments: list(PaymentSchema, 'Oldest first'),
  credits: list(
    CreditSchema,
    'For goods and charges that were cancelled or returned; oldest first',
  ),
}
