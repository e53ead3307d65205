/**
 * A refusal is a "no" the caller can act on. The domain throws one and never mentions HTTP;
 * `http/response/problems.ts` decides the status. Any other error is a bug or an outage.
 */
export type RefusalCode =
  | 'unauthenticated'
  | 'api_not_enabled'
  | 'forbidden'
  | 'missing_scope'
  | 'address_not_allowed'
  | 'admin_only_filter'
  | 'budget_exceeded'
  | 'origin_not_allowed'
  | 'hidden_field'
  | 'not_found'
  | 'method_not_allowed'
  | 'sku_unavailable'
  | 'sku_on_hold'
  | 'not_memoable'
  | 'not_holdable'
  | 'hold_limit'
  | 'hold_exhausted'
  | 'memo_limit_exceeded'
  | 'credit_limit_exceeded'
  | 'unpaid'
  | 'address_limit'
  | 'template_limit'
  | 'webhook_limit'
  | 'saved_search_limit'
  | 'share_limit'
  | 'watch_limit'
  | 'key_limit'
  | 'user_limit'
  | 'last_owner'
  | 'duplicate_order_id'
  | 'duplicate_order_reference'
  | 'quote_expired'
  | 'quote_not_open'
  | 'quote_ordered'
  | 'quote_limit'
  | 'not_returnable'
  | 'return_window_over'
  | 'wrong_state'
  | 'too_late_to_cancel'
  | 'idempotency_key_in_use'
  | 'email_taken'
  | 'supplier_name_taken'
  | 'catalogue_name_taken'
  | 'rate_in_use'
  | 'market_not_empty'
  | 'import_running'
  | 'source_running'
  | 'too_many_removed'
  | 'too_many_jumps'
  | 'import_unsure'
  | 'reading_changed'
  | 'wrong_price_level'
  | 'nothing_to_undo'
  | 'changes_expired'
  | 'invalid_request'
  | 'unknown_currency'
  | 'invalid_json'
  | 'unsupported_content_coding'
  | 'tiers_overlap'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'too_many_snapshots'
  | 'too_many_waits'
  | 'too_many_uploads'
  | 'uploads_full'
  | 'upload_too_slow'
  | 'file_too_large'
  | 'precondition_failed'
  | 'not_ready'
  | 'overloaded'

export interface FieldError {
  field: string
  message: string
}

export class Refusal extends Error {
  readonly code: RefusalCode
  /** What is wrong with which fields of the request, if that is known. */
  readonly errors: FieldError[] | undefined
  /** More members of the response, for example the uuid of the order that has the id already. */
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
