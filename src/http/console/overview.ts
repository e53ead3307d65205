import { isoOrNull } from '../../lib/timestamps.ts'
import { type App, operatorWith } from '../route.ts'
import { OverviewSchema } from '../schemas/overview.ts'
import type { Services } from '../services.ts'
import { readOverview } from './overview-store.ts'

/** The operator's first page in one request. */
export function registerOverview(app: App, { db, searches, readiness }: Services): void {
  app.get(
    '/api/operator/overview',
    {
      config: { access: operatorWith('settings:read') },
      schema: {
        tags: ['Overview'],
        summary: 'Summarises what waits for the operator, stock, orders, searches and health',
        response: { 200: OverviewSchema },
      },
    },
    async () => {
      const [{ stock, orders, merchants, waiting }, searches_per_minute, health] =
        await Promise.all([readOverview(db), searches.perMinute(db), readiness.report()])
      const by_supplier = stock.by_supplier.map((each) => {
        return { ...each, synced_on: isoOrNull(each.synced_on) }
      })
      const checks = Object.entries(health.checks).map(([name, result]) => ({ name, result }))
      return {
        stock: { ...stock, by_supplier },
        waiting,
        orders,
        merchants,
        searches_per_minute,
        health: { status: health.status, checks },
      }
    },
  )
}
