/** Every code of a problem document, for the page of errors and for the OpenAPI documents. */
import type { RefusalCode } from '../../lib/refusal.ts'
import { STATUS } from '../response/problems.ts'

/** What each refusal means to the caller. A code without a meaning does not compile. */
const MEANINGS: Record<RefusalCode, string> = {
  unauthenticated: 'The token is missing, unknown, expired or revoked',
  api_not_enabled: 'The merchant may not use the interface; the operator enables it',
  forbidden: 'The token is of another type than the operation is for',
  missing_scope: 'The token lacks the scope that `detail` names',
  address_not_allowed: 'The token is bound to other addresses',
  admin_only_filter: 'A filter or a sort column is for the operator only',
  budget_exceeded: 'The order is beyond the budget of the token; `left` says what is possible',
  origin_not_allowed: 'The key, or `/mcp`, is not for pages of this origin',
  hidden_field: 'A publishable key sees no such field, so it cannot filter, sort or select by it',
  not_found: 'It does not exist, or belongs to somebody else',
  method_not_allowed: 'The address is served with the method that `Allow` names',
  sku_unavailable: 'A product is sold, sold out or not on sale; `substitutes` has similar ones',
  sku_on_hold: 'Somebody else holds the stone',
  not_memoable: 'The stone is not given on memo',
  not_holdable: 'The product cannot be held',
  hold_limit: 'The merchant holds as many stones as it may',
  hold_exhausted: 'The merchant held the stone for as long as it may; see `hold_again_on`',
  memo_limit_exceeded: 'The memo would exceed what the merchant may have on memo',
  credit_limit_exceeded: 'The invoice would exceed what the merchant may owe',
  unpaid: 'The order is not paid',
  address_limit: 'The merchant has as many addresses as it may',
  template_limit: 'The merchant has as many templates as it may',
  webhook_limit: 'The merchant has as many webhooks as it may',
  share_limit: 'The merchant has as many share links as it may',
  watch_limit: 'The merchant watches as many stones as it may',
  saved_search_limit: 'The merchant has as many saved searches as it may',
  key_limit: 'There are as many keys as there may be',
  user_limit: 'There are as many users as there may be',
  last_owner: 'The last owner cannot be removed or get another role',
  duplicate_order_id: 'Another order has this number; `order_uuid` names it',
  duplicate_order_reference: 'Another order has this reference; `order_uuid` names it',
  quote_expired: 'The time of the quote is over',
  quote_not_open: 'The offer was not answered yet, or declined; see `quote_status`',
  quote_ordered: 'The quote was ordered already; see `order_uuid`',
  quote_limit: 'The merchant has as many open quotes as it may',
  not_returnable: 'The goods were sold without the right to return them, or have not shipped',
  return_window_over: 'The time to return the goods is over; see `window_ended_on`',
  wrong_state: 'The step is not possible in this state; `allowed` names those that are',
  too_late_to_cancel: 'Lines are confirmed or have shipped; ask the seller',
  idempotency_key_in_use: 'A request with the same Idempotency-Key is running',
  email_taken: 'Another user or merchant has this e-mail address',
  supplier_name_taken: 'Another supplier has this name',
  catalogue_name_taken: 'Another catalogue has this name',
  rate_in_use: 'The exchange rate is in use',
  market_not_empty: 'The market has stock already',
  import_running: 'Another import of the same supplier is running',
  source_running: 'The source is being fetched',
  too_many_removed: 'The file would remove more stones than the limit allows',
  too_many_jumps: 'More prices of the file jump than the limit allows',
  import_unsure: 'The file can be read in several ways; `detail` says what to decide',
  reading_changed: 'The file would be read in another way than the last one of the supplier',
  wrong_price_level: 'The prices of the file are far from those of the market',
  nothing_to_undo: 'There is no import that could be undone',
  upload_too_slow: 'The file arrived too slowly',
  changes_expired: 'The change log does not go back that far; see `oldest_sequence`',
  precondition_failed: 'If-Match does not fit: it was changed since it was read; see `etag`',
  file_too_large: 'The file is larger than the server accepts',
  invalid_request: 'A value, type or name in the request is not valid; see `errors`',
  invalid_json: 'The body is not valid JSON',
  unsupported_content_coding: 'The body is compressed in a way that the server does not know',
  unknown_currency: 'There is no exchange rate of the currency',
  tiers_overlap: 'Two tiers of margins overlap',
  idempotency_key_reused: 'The Idempotency-Key was used for another request',
  rate_limited: 'Too many requests; Retry-After says when to go on',
  too_many_snapshots: 'The merchant takes as many snapshots at once as it may',
  too_many_waits: 'The merchant has as many waiting requests as it may',
  too_many_uploads: 'There are as many uploads at once as there may be',
  uploads_full: 'The server has no space for another upload now',
  not_ready: 'The server cannot do this now; its log says why',
  overloaded: 'The server has more requests than it can answer now',
}

/** What the stages of a request refuse themselves, before or after the domain is asked. */
const OTHERS: readonly [code: string, status: number, meaning: string][] = [
  ['invalid_content_length', 400, 'The length of the body does not match Content-Length'],
  ['bad_request', 400, 'The request is not valid HTTP'],
  ['request_timeout', 408, 'The request arrived too slowly'],
  ['body_too_large', 413, 'The body is larger than 1 MiB'],
  ['unsupported_media_type', 415, 'The body must be JSON, with Content-Type: application/json'],
  ['expectation_failed', 417, 'Expect asks for something other than 100-continue'],
  ['headers_too_large', 431, 'The header of the request is too large'],
  ['internal_error', 500, 'An error in Pavilion; quote the `request_id`'],
  ['storage_full', 503, 'No space is left to write; reading works'],
  ['database_away', 503, 'The database does not respond'],
]

interface ProblemCode {
  code: string
  status: number
  meaning: string
}

/** Every code, by status and then by name. */
export function listProblemCodes(): ProblemCode[] {
  const refusals = (Object.keys(MEANINGS) as RefusalCode[]).map((code) => {
    return { code, status: STATUS[code], meaning: MEANINGS[code] }
  })
  const others = OTHERS.map(([code, status, meaning]) => ({ code, status, meaning }))
  return [...refusals, ...others].sort(
    (a, b) => a.status - b.status || a.code.localeCompare(b.code),
  )
}

/** The list as a table of Markdown. */
export function problemCodesTable(): string {
  const rows = listProblemCodes().map(
    ({ code, status, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`,
  )
  return ['| status | code | when |', '|---|---|---|', ...rows].join('\n')
}
