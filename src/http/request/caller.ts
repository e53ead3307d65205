import type { FastifyRequest } from 'fastify'
import type { Merchant } from '../../merchants/merchant.ts'
import type { TokenSummary } from '../../merchants/token-store.ts'

/** Who calls: a merchant with one of its tokens, or the operator. */
export interface Caller {
  token: TokenSummary
  /** Undefined for the operator. */
  merchant: Merchant | undefined
}

/** The calling merchant, on a route that admits merchants only. */
export function merchantOf(request: FastifyRequest): Merchant {
  const { merchant } = request.caller
  if (!merchant) throw new Error(`${request.url} admits merchants only, and the caller is none`)
  return merchant
}
