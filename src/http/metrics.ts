import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { publicAccess } from './access.ts'
import type { App } from './route.ts'

export interface Metrics {
  registry: Registry
  connectionErrors: Counter
}

/** Request durations by route, the pool, the event loop and the process, for Prometheus. */
export function registerMetrics(
  app: App,
  database: Database,
  collect?: () => Promise<string>,
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'pavilion_http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const connectionErrors = new Counter({
    name: 'pavilion_database_connection_errors_total',
    help: 'Connections to the database that broke while idle',
    registers: [registry],
  })
  registerPoolGauges(registry, database)

  // Finding the labelled series costs more than observing it, so each is looked up once.
  const series = new Map<string, ReturnType<typeof durations.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const key = `${method} ${route} ${reply.statusCode}`
    let observed = series.get(key)
    if (!observed) {
      observed = durations.labels(method, route, String(reply.statusCode))
      series.set(key, observed)
    }
    observed.observe(reply.elapsedTime / 1000)
    done()
  })
  app.get(
    '/metrics',
    { config: { access: publicAccess, undocumented: true } },
    async (_request, reply) => {
      reply.header('Content-Type', registry.contentType)
      return collect ? collect() : registry.metrics()
    },
  )
  return { registry, connectionErrors }
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
