import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Database } from '../../database/open.ts'
import { type App, publicAccess } from '../route.ts'
import { createDurations, type DurationsOf } from './request-durations.ts'

export interface Metrics {
  registry: Registry
  connectionErrors: Counter
  durationsOf: DurationsOf
}

/** Request durations by route, the pool, the event loop and the process, for Prometheus. */
export function createMetrics(database: Database): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const connectionErrors = new Counter({
    name: 'pavilion_database_connection_errors_total',
    help: 'Connections to the database that broke while idle',
    registers: [registry],
  })
  registerPoolGauges(registry, database)
  return { registry, connectionErrors, durationsOf: createDurations(registry) }
}

export function registerMetrics(
  app: App,
  { registry }: Metrics,
  collect = () => registry.metrics(),
): void {
  app.get(
    '/metrics',
    { config: { access: publicAccess, undocumented: true } },
    async (_request, reply) => {
      reply.header('content-type', registry.contentType)
      return collect()
    },
  )
}

function registerPoolGauges(registry: Registry, { pool }: Database): void {
  const gauges: [string, string, () => number][] = [
    ['total', 'Connections in the pool', () => pool.totalCount],
    ['idle', 'Connections at rest', () => pool.idleCount],
    ['waiting', 'Requests waiting for a connection', () => pool.waitingCount],
  ]
  for (const [name, help, read] of gauges) {
    new Gauge({
      name: `pavilion_database_pool_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
}
