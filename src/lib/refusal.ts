/**
 * A refusal is a "no" the caller can act on. The domain throws one and never mentions HTTP;
 * `http/problems.ts` decides the status. Anything else that is thrown is a bug or an outage.
 */
export type RefusalCode =
  | 'unauthenticated'
  | 'api_not_enabled'
  | 'forbidden'
  | 'missing_scope'
  | 'admin_only_filter'
  | 'not_found'
  | 'invalid_request'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'email_taken'
  | 'tiers_overlap'
  | 'changes_expired'
  | 'supplier_name_taken'
  | 'unknown_currency'
  | 'market_not_empty'

export interface FieldError {
  field: string
  message: string
}

export class Refusal extends Error {
  readonly code: RefusalCode
  /** What is wrong with which field of the request, when that can be said. */
  readonly errors: FieldError[] | undefined
  /** Further members of the answer, for example the uuid of the order that took the id. */
  readonly extra: Record<string, unknown> | undefined

  constructor(
    code: RefusalCode,
    detail: string,
    more: { errors?: FieldError[]; extra?: Record<string, unknown> } = {},
  ) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.errors = more.errors
    this.extra = more.extra
  }
}
