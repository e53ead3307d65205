import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import { COSTS } from '../request/call-costs.ts'
import { type App, anyMerchant } from '../route.ts'
import type { Services } from '../services.ts'
import { callsOf } from './market-calls.ts'
import { createProtocol, isToolCall } from './protocol.ts'
import { runTool } from './run-tool.ts'

/**
 * The Model Context Protocol, by which agents search and buy. Each tool calls operations of v3 as
 * the caller, so that `/mcp` itself has no rule of the market (docs/decisions/0018-agents.md).
 */
export function registerMcp(app: App, { publicUrl }: Services): void {
  const answer = createProtocol()
  const onRequest = checkOrigin(publicUrl)
  // The calls of a tool wait for their turn. If the message did, too, it would wait for itself.
  const config = { access: anyMerchant, undocumented: true, waits: true } as const

  app.post(
    '/mcp',
    { config: { ...config, cost: COSTS.message }, onRequest },
    async (request, reply) => {
      const { body } = request
      // A tool is counted by the operations that it calls.
      if (!isToolCall(body)) await request.charge(reply, 1)
      refuseBatch(body)
      const market = callsOf(request, reply, publicUrl)
      const charge = () => request.charge(reply, 1)
      const { status, contentType, text } = await answer({
        body,
        headers: protocolHeaders(request),
        callTool: (name, args) => runTool(name, args, market, charge),
        charge,
      })
      reply.code(status)
      if (contentType !== null) reply.header('content-type', contentType)
      return reply.send(text)
    },
  )

  // A client may ask for a stream of its own, which the protocol lets a server decline by 405.
  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      config,
      onRequest,
      handler: (_request, reply) => {
        reply.header('allow', 'POST')
        const detail = 'Send messages by POST: there are no sessions and no streams here.'
        throw new Refusal('method_not_allowed', detail)
      },
    })
  }
}

/** One message, one call: the present protocol has no batches. */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return
  throw new Refusal('invalid_request', 'Send one JSON-RPC message at a time, not a list of them.')
}

/** The version is checked by the SDK. The answer is JSON whatever else a client accepts. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const version = headers['mcp-protocol-version']
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(version !== undefined && { 'mcp-protocol-version': String(version) }),
  }
}

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Refuses pages of other sites. A name of such a site may be made to lead to this machine, so the
 * Host header proves nothing; programs send no Origin.
 */
function checkOrigin(publicUrl: string): onRequestHookHandler {
  const own = new URL(publicUrl).origin
  return ({ headers: { origin } }, _reply, done) => {
    if (origin === undefined || origin === own || LOOPBACK.test(origin)) return done()
    const detail =
      `Pages of ${origin.slice(0, 200)} may not call /mcp, only those of ${own} and of the ` +
      "caller's own machine."
    done(new Refusal('origin_not_allowed', detail))
  }
}
