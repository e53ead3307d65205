import type { Socket } from 'node:net'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { createClientAddresses, decorateAddresses } from './request/client-address.ts'
import { writeHeaders } from './request/on-request.ts'
import { createRequestIds } from './request/request-id.ts'
import { parseQueryString } from './request/validation.ts'
import { refuseTunnel, sendClientError, sendUnknownExpectation } from './response/client-errors.ts'
import { sendNotFound } from './response/problems.ts'
import { logRequest } from './response/request-log.ts'
import type { App } from './route.ts'

const BODY_BYTES_MAX = 1024 * 1024

/**
 * Creates the bare Fastify server: its limits and time-outs, before any stage and any route. The
 * addresses of callers are read from the headers of the trusted proxies.
 */
export function createServer(
  log: FastifyBaseLogger,
  trustedProxies: readonly string[] = [],
  ids = createRequestIds(),
): App {
  const count = (status: number, code: string) => app.countRefusal?.(status, code)
  const app: App = fastify({
    // Given a logger, Fastify makes a child logger for each request and listens for the end of
    // each response, which costs a few percent of a small one (bench/http). All requests share
    // our logger instead, and a log line names its request itself.
    logger: false,
    childLoggerFactory: () => log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    http: {
      // How often Node looks for requests that are too slow.
      connectionsCheckingInterval: 5_000,
      // Node would refuse a missing Host without a body; on-request.ts does it in our shape.
      requireHostHeader: false,
    },
    connectionTimeout: 120_000,
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
    genReqId: ids.of,
    requestIdHeader: false,
    routerOptions: { querystringParser: parseQueryString },
    forceCloseConnections: 'idle',
    // What still arrives while the process stops is served (cli/serve/stop-serving.ts).
    return503OnClosing: false,
    // A path that no route can have, such as one with a broken escape.
    frameworkErrors: (_error, request, reply) => {
      writeHeaders(request, reply)
      sendNotFound(request, reply)
      logRequest(request, 'unknown', 404, 0)
    },
    clientErrorHandler: (error, socket) => sendClientError(error, socket, ids.next(), count),
  })
  app.log = log
  decorateAddresses(app, createClientAddresses(trustedProxies))
  app.server.on('checkExpectation', (request, response) => {
    sendUnknownExpectation(response, ids.of(request), count)
  })
  app.server.on('connect', (_request, socket) => refuseTunnel(socket, ids.next(), count))
  // How fast a client must send its headers; the body has a deadline of its own.
  app.server.headersTimeout = 10_000
  endUnusedWithIdle(app)
  return app
}

/**
 * To Node a connection that has never sent anything is not idle, and a closing server would wait
 * for it: clients connect ahead of what they send. Here it is closed with the idle ones.
 */
function endUnusedWithIdle({ server }: App): void {
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdle()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
}
