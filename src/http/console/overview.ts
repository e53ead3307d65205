import { isoOrNull } from '../../lib/timestamps.ts'
import { type App, operatorWith } from '../route.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  object,
  text,
  timestamp,
} from '../schemas/fields.ts'
import type { Services } from '../services.ts'
import { readOverview } from './overview-store.ts'

const stones = integer('Stones and parcels on offer', 420)

const OverviewSchema = object('Overview', {
  stock: inlineObject(
    {
      total: integer('On offer in all', 20_000),
      by_supplier: list(
        object('SupplierStock', {
          supplier: text('Its name', 'Surat Gems'),
          stones,
          synced_on: nullable(timestamp('When its last import finished')),
          fresh: flag('Whether that is within its freshness limit', true),
        }),
        'The fifty largest',
      ),
      by_shape: list(object('ShapeStock', { shape: text('Shape', 'round'), stones }), 'Most first'),
      by_state: list(
        object('StateStock', { state: text('State of life', 'available'), stones }),
        'Most first',
      ),
    },
    { description: 'What the market has' },
  ),
  orders: inlineObject(
    {
      today: integer('Placed in the last 24 hours', 12),
      open: integer('Not closed, cancelled or returned', 30),
      unpaid: integer('Open invoices that are not paid', 9),
      overdue_memos: integer('Memos that should be back', 1),
    },
    { description: 'What waits' },
  ),
  merchants: inlineObject(
    {
      total: integer('All merchants', 14),
      without_access: integer('Whose access is off', 1),
    },
    { description: 'Who trades' },
  ),
  searches_per_minute: list(integer('Searches', 120), 'The last 15 minutes, on all nodes', {
    examples: [[0, 3, 12]],
  }),
  health: inlineObject(
    {
      status: text('ready, not ready or closing', 'ready'),
      checks: list(
        object('HealthCheck', {
          name: text('What was looked at', 'database'),
          result: text('ok, or what is wrong', 'ok'),
        }),
        'One by one',
      ),
    },
    { description: 'As /readyz says it' },
  ),
})

/** The operator's first page in one call. */
export function registerOverview(app: App, { db, searches, readiness }: Services): void {
  app.get(
    '/api/operator/overview',
    {
      config: { access: operatorWith('settings:read') },
      schema: {
        tags: ['Overview'],
        summary: 'Stock, orders, searches and health at a glance',
        response: { 200: OverviewSchema },
      },
    },
    async () => {
      const [{ stock, orders, merchants }, searches_per_minute, health] = await Promise.all([
        readOverview(db),
        searches.perMinute(db),
        readiness.report(),
      ])
      const by_supplier = stock.by_supplier.map((each) => {
        return { ...each, synced_on: isoOrNull(each.synced_on) }
      })
      const checks = Object.entries(health.checks).map(([name, result]) => ({ name, result }))
      return {
        stock: { ...stock, by_supplier },
        orders,
        merchants,
        searches_per_minute,
        health: { status: health.status, checks },
      }
    },
  )
}
