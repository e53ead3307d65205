import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, problem } from '../response/problems.ts'

/** Calls operations of the market for the caller of `/mcp`. */
export interface MarketCalls {
  get<Result>(path: string, query?: object): Promise<Result>
  post<Result>(path: string, body: object, idempotencyKey?: string): Promise<Result>
  remove(path: string): Promise<void>
  /** The address of a page of the console. */
  page(path: string): string
  /** Whether an operation was called, which has counted the call. */
  hasCalled(): boolean
}

/** What an operation has refused. */
export class RefusedCall extends Error {
  readonly problem: Problem

  constructor(body: Problem) {
    super(body.detail)
    this.name = 'RefusedCall'
    this.problem = body
  }
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  body?: object
  idempotencyKey?: string | undefined
}

/** What the operation needs to know of the caller; everything else belongs to `/mcp` itself. */
const PASSED_HEADERS = ['authorization', 'host', 'idempotency-key', 'user-agent'] as const

/**
 * An operation is called as over HTTP, through every stage and without a connection: token, rate
 * limit, queue, validation, idempotency, audit and log are those of its route. The caller keeps its
 * address, and the request its id.
 */
export function callsOf(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): MarketCalls {
  let calls = 0

  async function call({ method, url, body, idempotencyKey }: Call): Promise<unknown> {
    calls++
    const response = await request.server.inject({
      method,
      url,
      headers: {
        ...headersOf(request),
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      remoteAddress: request.clientAddress,
      ...(body && { payload: JSON.stringify(body) }),
    })
    repeatRate(reply, response.headers)
    if (response.statusCode < 400) return response.payload === '' ? null : response.json()
    throw new RefusedCall(problemIn(response.payload, response.statusCode))
  }

  return {
    get: (path, query = {}) =>
      call({ method: 'GET', url: withQuery(path, query) }) as Promise<never>,
    post: (url, body, idempotencyKey) =>
      call({ method: 'POST', url, body, idempotencyKey }) as Promise<never>,
    remove: async (path) => {
      await call({ method: 'DELETE', url: path })
    },
    page: (path) => `${publicUrl}${path}`,
    hasCalled: () => calls > 0,
  }
}

/** The minute of the caller, as the operation has counted it. */
function repeatRate(reply: FastifyReply, headers: OutgoingHttpHeaders): void {
  const { ratelimit, 'ratelimit-policy': policy } = headers
  if (ratelimit === undefined || policy === undefined) return
  reply.header('ratelimit', ratelimit).header('ratelimit-policy', policy)
}

function headersOf({ headers, id }: FastifyRequest): Record<string, string> {
  const passed: Record<string, string> = { 'x-request-id': id }
  for (const name of PASSED_HEADERS) {
    const value = headers[name]
    if (value !== undefined) passed[name] = String(value)
  }
  return passed
}

function withQuery(path: string, query: object): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each !== undefined) params.append(name, String(each))
  }
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}

function problemIn(payload: string, status: number): Problem {
  try {
    return JSON.parse(payload) as Problem
  } catch {
    return problem(status, 'internal_error', 'The operation answered in an unknown form.')
  }
}
