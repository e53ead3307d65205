import { Type } from 'typebox'
import { AGE_BUCKETS, TERMS_DAYS_MAX } from '../../../orders/ledger/terms.ts'
import {
  inlineObject,
  integer,
  line,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { listLimit, offsetField } from '../page.ts'
import { chargeKind, day, dollars, label, positive } from './money.ts'

/** What the operator agreed on with a merchant about paying. */
const TERMS_DAYS = 'Days to pay after the invoice; 0: it pays before goods ship'
const CREDIT_LIMIT = 'What the merchant may owe at most; null: no limit'
const MEMO_LIMIT = 'What its memos may be worth at most; null: no limit'

export const termsFields = {
  payment_terms_days: integer(TERMS_DAYS, 30),
  credit_limit: nullable(number(`${CREDIT_LIMIT}; in US dollars`, 50_000)),
  memo_limit: nullable(number(`${MEMO_LIMIT}; in US dollars`, 20_000)),
}

export const termsChange = {
  payment_terms_days: integer(TERMS_DAYS, 30, { minimum: 0, maximum: TERMS_DAYS_MAX }),
  credit_limit: nullable(dollars(CREDIT_LIMIT, 50_000)),
  memo_limit: nullable(dollars(MEMO_LIMIT, 20_000)),
}

const accountFields = {
  currency_code: text('Currency of the amounts', 'USD'),
  credit_limit: termsFields.credit_limit,
  memo_limit: termsFields.memo_limit,
  unpaid: number('Balances of all orders that are not paid, from placement, with charges', 1745),
  on_memo: number('Value of what is on memo', 3400),
  available_credit: nullable(
    number('credit_limit - unpaid; negative beyond the limit, null without a limit', 48_255),
  ),
  overdue: number('The part of unpaid whose due date has passed', 0),
}

export const AccountSchema = object('Account', accountFields)

/** What a merchant owes, as the operator sees it. */
export const OperatorAccountSchema = object('OperatorAccount', {
  merchant_uuid: uuid('UUID of the merchant'),
  legal_dba: text('Name that the merchant trades under', 'Facet Street Jewelers'),
  payment_terms_days: termsFields.payment_terms_days,
  ...accountFields,
  ageing: list(
    object('AccountAge', {
      bucket: oneOf(AGE_BUCKETS, 'Days late; current: not due yet, or not invoiced yet'),
      orders: integer('Number of orders', 1),
      amount: number('Their balances in US dollars', 1745),
    }),
    'What is unpaid, by how long it is late',
  ),
})

const ENTRY_KINDS = ['order', 'charge', 'payment', 'credit'] as const

export const LedgerEntrySchema = object('LedgerEntry', {
  uuid: uuid('UUID of the entry'),
  order_uuid: uuid('UUID of the order'),
  order_id: text("The order's number", 'PO-2026-17'),
  kind: oneOf(ENTRY_KINDS, 'What the entry is about'),
  amount: number('By how much it changes what the merchant owes; payments are negative', 1700),
  currency_code: text('Currency of the amount', 'USD'),
  label: text('What a charge or credit is for; may be empty', 'Insured shipping'),
  method: text('How a payment was made; may be empty', 'wire'),
  reference: text('The number of a payment at the bank; may be empty', 'TRX-4711'),
  dated_on: day('The day that the entry counts for'),
  made_by: text('Who made it: the merchant, the supplier or the operator', 'operator'),
  reason: text('Reason; may be empty', 'ordered twice'),
  created_on: timestamp('When it was written'),
})

export const LedgerQuery = inlineObject({
  limit: listLimit,
  offset: offsetField,
  order_uuid: Type.Optional(uuid('Only entries of this order')),
  kind: Type.Optional(
    list(oneOf(ENTRY_KINDS, 'A kind'), 'Only entries of these kinds', {
      minItems: 1,
      maxItems: ENTRY_KINDS.length,
    }),
  ),
})

/** A rule that adds a charge to orders. */
const ruleFields = {
  country_code: nullable(
    line('Where the order ships to; null: countries without a rule of this kind', 'US', {
      pattern: '^[A-Za-z]{2,3}$',
    }),
  ),
  kind: chargeKind,
}
/** All of an order's goods, and three decimals as sales taxes have. */
const PERCENT = { exclusiveMinimum: 0, maximum: 100, multipleOf: 0.001 }

export const ChargeRuleSchema = object('ChargeRule', {
  uuid: uuid('UUID of the rule'),
  ...ruleFields,
  label: text('What the invoice says', 'Insured shipping'),
  amount: nullable(number('Charge in US dollars', 45)),
  percent: nullable(number('Charge in percent of the goods, added to the amount', 8.875)),
  created_on: timestamp('When the rule was made'),
})

export const ChargeRuleBody = inlineObject(
  {
    country_code: Type.Optional(ruleFields.country_code),
    kind: ruleFields.kind,
    label: Type.Optional(label),
    amount: Type.Optional(nullable(dollars('Charge', 45, positive))),
    percent: Type.Optional(
      nullable(number('Charge in percent of the goods, added to the amount', 8.875, PERCENT)),
    ),
  },
  { title: 'NewChargeRule' },
)
