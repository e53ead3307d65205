import { type TObject, Type } from 'typebox'
import { AGE_BUCKETS, type AgeBucket } from '../../../orders/ledger/terms.ts'
import { MEMO_SORTS } from '../../../orders/memos/memo-ledger.ts'
import { EXTENSION_DAYS_MAX } from '../../../orders/steps/memo.ts'
import {
  flag,
  inlineObject,
  integer,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { listLimit, offsetField, pageOf, sortFields } from '../page.ts'

const query = {
  overdue: Type.Optional(flag('Only lines that are past their due date, or only others', true)),
  ...sortFields(MEMO_SORTS, { col: 'due_date', order: 'asc' }),
  limit: listLimit,
  offset: offsetField,
}
export const MemoQuery = inlineObject(query)
export const OperatorMemoQuery = inlineObject({
  merchant_uuid: Type.Optional(uuid('Only memos of this merchant')),
  ...query,
})

const fields = {
  order_uuid: uuid('UUID of the order'),
  memo_id: text('Number of the memo', 'M-000123'),
  line_item_uuid: uuid('UUID of the line'),
  sku: text('SKU', 'K7Q2M4X9TB'),
  name: text('Name', 'Gem K7Q2M4X9TB'),
  description: text('Description', '1.52 ct round brilliant cut, mined, F VS1'),
  product_type: oneOf(['gem', 'jewelry', 'watch'], 'Kind of product'),
  product_id: nullable(text('Id of the product', '4711')),
  quantity: integer('Units that are neither returned nor cancelled', 1),
  value: number('Wholesale value of these units in US dollars', 1700),
  ordered_on: timestamp('When it was ordered'),
  due_date: nullable(timestamp('When it is due back; null when no date was agreed')),
  days_left: nullable(
    integer('Days until the due date, the present one included; negative when it is late', 9),
  ),
  bucket: oneOf(AGE_BUCKETS, 'How many days late it is; current when it is not'),
}

const MemoSchema = object('Memo', {
  ...fields,
  external_order_id: text("The caller's own order number", 'PO-2026-17'),
})

const OperatorMemoSchema = object('OperatorMemo', {
  ...fields,
  order_id: text("The merchant's own order number, or a generated one", 'PO-2026-17'),
  merchant_uuid: uuid('Merchant that has it'),
  merchant_legal_dba: text('Name that the merchant trades under', 'Facet Street Jewelers'),
})

function ledgerOf<Row extends TObject>(title: string, row: Row) {
  const totals = AGE_BUCKETS.map((bucket) => [
    bucket,
    number(`Value of all lines that are ${bucket} in US dollars`, 1700),
  ])
  const sums = Object.fromEntries(totals) as Record<AgeBucket, ReturnType<typeof number>>
  return object(title, {
    ...pageOf(title, 'memos', row).properties,
    totals: inlineObject(sums, { description: 'Values by how late they are, on all pages' }),
  })
}

export const MemoPageSchema = ledgerOf('MemoPage', MemoSchema)
export const OperatorMemoPageSchema = ledgerOf('OperatorMemoPage', OperatorMemoSchema)

export const ExtendBody = inlineObject(
  {
    days: integer('By how many days the due date moves', 14, {
      minimum: 1,
      maximum: EXTENSION_DAYS_MAX,
    }),
  },
  { title: 'MemoExtension' },
)
