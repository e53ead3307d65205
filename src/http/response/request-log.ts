/** What is logged about requests. No line has a token, a body or a query string. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/**
 * One line for each request. `route` is its pattern, or `unknown`; `address` tells where it comes
 * from, and `token` is the uuid of the token if the caller has sent a known one.
 */
export function logRequest(
  request: FastifyRequest,
  route: string,
  status: number,
  milliseconds: number,
): void {
  const { id: reqId, method, caller, clientAddress: address } = request
  const from = { address, ...(caller && { token: caller.token.uuid }) }
  const ms = Math.round(milliseconds * 1000) / 1000
  request.log.info({ reqId, method, route, status, ms, ...from }, 'request')
}

/** `reason` is what the caller is told, which never repeats the token. */
export function logRefusedSignIn(request: FastifyRequest, code: string, reason: string): void {
  request.log.info(
    { reqId: request.id, address: request.clientAddress, code, reason },
    'sign-in refused',
  )
}

/** Logs an error of an outage, of which there may be thousands a second. */
export type OutageLog = (error: unknown, reqId?: string) => void

const OUTAGE_PERIOD_MS = 10_000

/** The first error is logged at once; then one line in ten seconds counts the further ones. */
export function createOutageLog(log: FastifyBaseLogger, message: string): OutageLog {
  let count = 0
  let latest: { err: unknown; reqId?: string } | undefined
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    log.warn({ ...latest, count }, message)
    count = 0
    timer = setTimeout(() => {
      timer = undefined
      if (count > 0) write()
    }, OUTAGE_PERIOD_MS).unref()
  }

  return (err, reqId) => {
    count++
    latest = { err, ...(reqId !== undefined && { reqId }) }
    if (!timer) write()
  }
}
