import { flag, inlineObject, integer, list, nullable, object, text, timestamp } from './fields.ts'

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
      orders_to_ship: integer('Other orders with something left to ship', 5),
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
