import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import type { KnownToken } from '../../merchants/known-tokens.ts'
import type { TokenCache } from '../../merchants/token-cache.ts'
import type { Readiness } from '../response/health.ts'
import { addGauges, type Metrics } from '../response/metrics.ts'
import { onClosed } from '../response/on-closed.ts'
import { createOutageLog } from '../response/request-log.ts'
import type { App } from '../route.ts'
import { type CallQueue, createCallQueue } from './call-queue.ts'
import { createEarlyReader } from './early-reader.ts'
import { OVERLOAD_LIMITS, type OverloadLimits } from './limits.ts'
import { createLoopDelay } from './loop-delay.ts'
import { type FindPage, refusalText, refuseOverloaded } from './refuse.ts'
import type { RequestHead } from './request-head.ts'
import { createShortTurns } from './short-turns.ts'
import { OVERLOADED } from './waiting-calls.ts'

interface OverloadOptions {
  limits?: Partial<OverloadLimits> | undefined
  tokens: TokenCache
  readiness: Readiness
  metrics: Metrics
  idOf: (request: RequestHead) => string
  findPage: FindPage
}

/** Answered even under overload, because this is how an operator finds out about it. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/readyz/write', '/metrics'])

/**
 * Refuses calls that the server cannot answer soon, with 503 and at once, so that those it
 * accepts are answered as quickly as ever (docs/decisions/0013-overload.md). The bounds are
 * the time that calls wait for the event loop, and the number of calls that wait for the database.
 */
export function registerOverload(app: App, options: OverloadOptions): void {
  const { tokens, metrics, readiness, findPage } = options
  const limits = { ...OVERLOAD_LIMITS, ...options.limits }
  const ofSearches = { ...limits, least: limits.leastSearches }
  const queues = { searches: createCallQueue(ofSearches), others: createCallQueue(limits) }
  const queueOf = queueCalls(app, queues)
  const turns = createShortTurns(limits.loopDelayMs)
  const loopDelay = createLoopDelay(app.server, turns.waiting, limits)
  const recordRefusal = createRefusalRecord(app, metrics, queues)

  function refuses({ method, url = '', headers }: RequestHead, socket: Socket): boolean {
    if (ALWAYS_ANSWERED.has(url)) return false
    const callerOf = () => earlyCallerOf(headers.authorization, socket, tokens)
    if (loopDelay.refuses(callerOf)) return true
    // What is refused here would be refused before its handler, too, but at several times the cost.
    if (!queues.searches.isCrowded() && !queues.others.isCrowded()) return false
    return queueOf.get(`${method} ${pathOf(url)}`)?.refuses(callerOf()) === true
  }

  const early = createEarlyReader((head, socket) => {
    if (readiness.isClosing() || !refuses(head, socket)) return undefined
    recordRefusal()
    return refusalText(head, options.idOf(head), findPage)
  })

  const [handle] = app.server.listeners('request') as RequestListener[]
  app.server.removeListener('request', handle)
  app.server.on('request', (request, response) => {
    const isAdmitted = early.noteRequest(request, response)
    if (ALWAYS_ANSWERED.has(request.url ?? '')) return handle(request, response)
    if (isAdmitted || !refuses(request, request.socket)) {
      turns.begin(() => handle(request, response))
      return
    }
    recordRefusal()
    early.begin(request, response)
    const isClosing = readiness.isClosing()
    refuseOverloaded(request, response, options.idOf(request), { isClosing, findPage })
  })
}

interface Queues {
  searches: CallQueue
  others: CallQueue
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/**
 * What waits for its client or for a change would take a place for long without working, and an
 * upload needs its client's time, not the server's. Pages and pictures never wait.
 */
function isQueued({ config }: RouteOptions): boolean {
  return !(config?.waits || config?.uploadExample || config?.undocumented)
}

/**
 * Lets the handlers of routes wait for their turn. Searches have a queue of their own, because they
 * are answered from memory, also while the database is slow or away. Returns the queue of each
 * method and path.
 */
function queueCalls(app: App, queues: Queues): Map<string, CallQueue> {
  const queueOf = new Map<string, CallQueue>()
  app.addHook('onRoute', (route) => {
    if (!isQueued(route)) return
    const queue = route.config?.countsAsSearch ? queues.searches : queues.others
    queueOf.set(`${String(route.method)} ${route.url}`, queue)
    route.handler = queued(route.handler, queue)
  })
  return queueOf
}

function queued(handler: RouteHandlerMethod, queue: CallQueue): RouteHandlerMethod {
  return function (request, reply) {
    const caller = callerOf(request)
    const leave = () => queue.leave(caller)
    // Compressing the response takes longer than a search, and is done after the handler.
    const isCompressed = request.headers['accept-encoding'] !== undefined
    const end = isCompressed ? () => onClosed(request, reply, leave) : leave
    const run = () => {
      let result: unknown
      try {
        result = handler.call(this, request, reply)
      } catch (error) {
        leave()
        throw error
      }
      if (result instanceof Promise) result.then(end, end)
      else end()
      return result
    }
    const turn = queue.enter(caller)
    if (turn === undefined) return run()
    return turn.then(() => {
      // A handler that has sent the response itself returns nothing: Fastify, which now sees a
      // promise, would send an empty one while that is still being compressed.
      if (!reply.raw.destroyed) return run() ?? reply
      // The caller has given up while it waited, so nobody reads this.
      leave()
      throw new Refusal('overloaded', OVERLOADED)
    })
  }
}

/** The caller whose share a call takes: a merchant with all its keys, or an address without one. */
function callerOf(request: FastifyRequest): string {
  // The address is found when it is asked for, so it is asked for only when it is needed.
  return request.caller ? shareOf(request.caller) : request.clientAddress
}

function earlyCallerOf(authorization = '', { remoteAddress = '' }: Socket, tokens: TokenCache) {
  const known = tokens.peek(authorization)
  return known ? shareOf(known) : remoteAddress
}

function shareOf({ merchant, token }: Pick<KnownToken, 'merchant' | 'token'>): string {
  return merchant?.uuid ?? token.uuid
}

function createRefusalRecord(
  app: App,
  { registry, countRefusal }: Metrics,
  { searches, others }: Queues,
): () => void {
  addGauges(registry, 'pavilion_http', [
    ['calls_running', 'Calls at work', () => searches.running() + others.running()],
    ['calls_waiting', 'Calls that wait for others', () => searches.waiting() + others.waiting()],
  ])
  // There may be thousands of them a second: one line counts those of ten seconds.
  const log = createOutageLog(app.log, 'calls were refused because of overload')
  const error = new Error(OVERLOADED)
  return () => {
    countRefusal(503, 'overloaded')
    searches.noteRefusal()
    others.noteRefusal()
    log(error)
  }
}
