import { type TProperties, Type } from 'typebox'
import { inlineObject, integer, list, number, object, text } from './fields.ts'
import { day } from './orders/money.ts'

const dollars = (description: string, example: number) =>
  number(`${description}, in US dollars with all decimals that prices have`, example)

const counted = {
  orders: integer('Orders that were placed, memos included', 12),
  sold: dollars(
    'Invoiced goods and converted memos at wholesale, without what was cancelled',
    8400,
  ),
  cost: dollars("The suppliers' prices of the goods sold, where they are recorded", 6900),
  margin: dollars('sold - sold_without_cost - cost', 1500),
  sold_without_cost: dollars('The part of sold whose cost is not recorded', 0),
  returned: dollars('Sold goods that came back', 1700),
  payments: dollars('Payments, by the day on which they were made', 5100),
  searches: integer('Searches that were answered; further pages do not count', 420),
  empty_searches: integer('Searches that found nothing', 31),
  imports: integer('Imports of stones that were started', 6),
  failed_imports: integer('Those of them that failed', 1),
  source_runs: integer('Times that a file of a supplier was fetched', 24),
  failed_source_runs: integer('Those of them that failed', 2),
} satisfies TProperties

/** The figures of the market over time, and what it is owed now. */
export const FiguresSchema = object('Figures', {
  from: day('First day of the range'),
  to: day('Last day of the range'),
  currency_code: text('Currency of the amounts', 'USD'),
  days: list(
    object('FiguresOfDay', { day: day('Day in UTC'), ...counted }),
    'Every day of the range, the first one first',
  ),
  totals: inlineObject(counted, { description: 'The exact sums of all days' }),
  exposure: inlineObject(
    {
      unpaid: dollars('Balances of all invoices that are not paid', 17_450),
      unpaid_orders: integer('Number of these invoices', 9),
      overdue: dollars('The part of unpaid whose due date has passed', 1745),
      overdue_orders: integer('Number of these invoices', 1),
      on_memo: dollars('Value of what is on memo', 34_000),
      memos: integer('Number of these memos', 4),
      memo_overdue: dollars('The part of on_memo whose due date has passed', 3400),
      overdue_memos: integer('Number of these memos', 1),
    },
    { description: 'What merchants owe and have on memo now, whatever the range is' },
  ),
})

export const FiguresQuery = inlineObject({
  from: Type.Optional(day('First day; 29 days before the last one unless given')),
  to: Type.Optional(day('Last day; today unless given. At most 400 days are returned')),
})
