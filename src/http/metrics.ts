import { Readable } from 'node:stream'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { publicAccess } from './access.ts'
import { createDurations, type RecordDuration } from './request-durations.ts'
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
  const connectionErrors = new Counter({
    name: 'pavilion_database_connection_errors_total',
    help: 'Connections to the database that broke while idle',
    registers: [registry],
  })
  registerPoolGauges(registry, database)

  recordDurations(app, createDurations(registry))
  app.get(
    '/metrics',
    { config: { access: publicAccess, undocumented: true } },
    async (_request, reply) => {
      reply.header('content-type', registry.contentType)
      return collect ? collect() : registry.metrics()
    },
  )
  return { registry, connectionErrors }
}

/**
 * A whole answer is timed when it is handed to Node, a stream when it has ended: listening for the
 * end of every answer costs more than all the rest of the measuring (bench/http).
 */
function recordDurations(app: App, durationsOf: ReturnType<typeof createDurations>): void {
  app.addHook('onRoute', (route) => {
    const record = durationsOf(String(route.method), route.url)
    const onSend: onSendHookHandler = (_request, reply, payload, done) => {
      if (payload instanceof Readable) recordAtEnd(reply, record)
      else record(reply.statusCode, reply.elapsedTime)
      done(null, payload)
    }
    route.onSend = [route.onSend ?? [], onSend].flat()
  })
  const recordUnknown = durationsOf('any', 'unknown')
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) recordAtEnd(reply, recordUnknown)
    done()
  })
}

function recordAtEnd(reply: FastifyReply, record: RecordDuration): void {
  reply.raw.once('close', () => record(reply.statusCode, reply.elapsedTime))
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
