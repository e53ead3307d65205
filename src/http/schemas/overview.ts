import { type TProperties, Type } from 'typebox'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  number,
  object,
  text,
  timestamp,
} from './fields.ts'
import { day } from './orders/money.ts'

const stones = integer('Stones and parcels for sale', 420)

/** The operator's first page of the console. */
export const OverviewSchema = object('Overview', {
  stock: inlineObject(
    {
      total: integer('Stones and parcels for sale in total', 20_000),
      by_supplier: list(
        object('SupplierStock', {
          supplier: text('Name of the supplier', 'Surat Gems'),
          stones,
          synced_on: nullable(timestamp('When the last import finished')),
          fresh: flag("Whether that is within the supplier's freshness limit", true),
        }),
        'The fifty largest suppliers; a stone that several list counts for each of them',
      ),
      by_shape: list(
        object('ShapeStock', { shape: text('Shape', 'round'), stones }),
        'Most stones first',
      ),
      by_state: list(
        object('StateStock', { state: text('State of the stones', 'available'), stones }),
        'Most stones first',
      ),
    },
    { description: 'Stock of the market' },
  ),
  waiting: inlineObject(
    {
      orders_to_confirm: integer('Orders with lines that wait for the answer of a supplier', 2),
      orders_to_ship: integer('Orders with something left to ship, those to confirm included', 5),
      quotes_requested: integer('Quotes in which a merchant offers a price', 1),
      returns_requested: integer('Returns to approve or reject', 1),
      returns_to_receive: integer('Approved returns whose goods are not back', 0),
      quarantined_rows: integer('Rows in quarantine', 3),
      conflicts: integer('Certificates whose offers contradict each other', 2),
      failing_sources: integer('Sources whose last run failed', 1),
      overdue_memos: integer('Memos that are overdue', 1),
      overdue_invoices: integer('Unpaid invoices whose due date has passed', 1),
    },
    { description: 'What waits for the operator' },
  ),
  orders: inlineObject(
    {
      today: integer('Placed in the last 24 hours', 12),
      open: integer('Not closed, cancelled or returned', 30),
      unpaid: integer('Open invoices that are not paid', 9),
      overdue_memos: integer('Memos that are overdue', 1),
    },
    { description: 'Orders' },
  ),
  merchants: inlineObject(
    {
      total: integer('All merchants', 14),
      without_access: integer('Merchants whose access is switched off', 1),
    },
    { description: 'Merchants' },
  ),
  searches_per_minute: list(
    integer('Number of searches', 120),
    'The last 15 minutes, on all nodes',
    { examples: [[0, 3, 12]] },
  ),
  health: inlineObject(
    {
      status: text('ready, not ready or closing', 'ready'),
      checks: list(
        object('HealthCheck', {
          name: text('What was checked', 'database'),
          result: text('ok, or what is wrong', 'ok'),
        }),
        'One entry for each check',
      ),
    },
    { description: 'The same as /readyz' },
  ),
})

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
