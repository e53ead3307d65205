import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { requestIdOf } from './manners.ts'
import { problem, sendProblem } from './problems.ts'
import { parseQueryString } from './query-string.ts'
import type { App } from './route.ts'

const BODY_BYTES_MAX = 1024 * 1024

/** The bare Fastify: its limits and time-outs, before any route. */
export function createServer(log: FastifyBaseLogger): App {
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    // How often Node looks for requests that are too slow.
    http: { connectionsCheckingInterval: 5_000 },
    connectionTimeout: 120_000,
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { querystringParser: parseQueryString },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      sendProblem(request, reply, problem(404, 'not_found', error.message)),
  })
  // Only how fast a client must send its headers; the body has a deadline of its own.
  app.server.headersTimeout = 10_000
  return app
}

/** CORS for any origin, and compression for those who ask for it. */
export async function registerPlugins(app: App): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  })
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  })
}

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Request-Id',
]
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
]
