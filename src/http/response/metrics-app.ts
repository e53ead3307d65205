import type { FastifyBaseLogger } from 'fastify'
import { writeHeaders } from '../request/on-request.ts'
import type { App } from '../route.ts'
import { createServer } from '../server.ts'
import type { Services } from '../services.ts'
import { registerHealth } from './health.ts'
import { registerMetrics } from './metrics.ts'
import { registerProblems } from './problems.ts'

interface MeasuredMarket {
  services: Services
  /** Prints the metrics of all processes that serve this market; its own unless given. */
  collectMetrics?: () => Promise<string>
}

/**
 * The server on METRICS_PORT: metrics and health of both markets, with all details, for
 * everyone who reaches the port. Nothing of the markets is served here.
 */
export function buildMetricsApp(log: FastifyBaseLogger, markets: readonly MeasuredMarket[]): App {
  const app = createServer(log)
  app.addHook('onRequest', (request, reply, done) => {
    writeHeaders(request, reply)
    done()
  })
  registerProblems(app)
  for (const { services, collectMetrics } of markets) {
    const prefix = services.realm === 'live' ? '' : '/sandbox'
    registerHealth(app, services, { detailsFor: 'everyone', prefix })
    registerMetrics(app, services, { detailsFor: 'everyone', prefix, collectMetrics })
  }
  return app
}
