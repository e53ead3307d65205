/** What is wrong with which field of a request. */
export interface FieldError {
  field: string
  message: string
}

/**
 * A call that did not succeed. `code` is stable and names the reason, `message` is a sentence for a
 * person, `status` is that of the response and 0 when there was none.
 */
export class PavilionError extends Error {
  readonly code: string
  readonly status: number
  /** The fields at fault, with status 422. */
  readonly errors: readonly FieldError[]
  /** Names the request in the server's log. */
  readonly requestId: string | undefined
  /** The whole response: some codes carry more, such as `substitutes` of `sku_unavailable`. */
  readonly body: Record<string, unknown>

  constructor(status: number, code: string, message: string, body: Record<string, unknown> = {}) {
    super(message)
    this.name = nameOf(code)
    this.status = status
    this.code = code
    this.errors = Array.isArray(body.errors) ? (body.errors as FieldError[]) : []
    this.requestId = typeof body.request_id === 'string' ? body.request_id : undefined
    this.body = body
  }
}

/** `sku_unavailable` is `SkuUnavailableError`, also where a bundler has renamed the class. */
function nameOf(code: string): string {
  const words = code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Error`
}

/** No response: the server cannot be reached, or took too long. */
export class ConnectionError extends PavilionError {}
/** Status 401. */
export class AuthenticationError extends PavilionError {}
/** Status 403. */
export class PermissionError extends PavilionError {}
/** Status 404. */
export class NotFoundError extends PavilionError {}
/** Status 409: the request is right, but not in the present state. */
export class ConflictError extends PavilionError {}
/** Status 410. */
export class GoneError extends PavilionError {}
/** Status 412: what you change was changed since you read it. */
export class PreconditionError extends PavilionError {}
/** Status 422; `errors` names the fields. */
export class ValidationError extends PavilionError {}
/** Status 429. */
export class TooManyRequestsError extends PavilionError {}
/** Status 503. */
export class UnavailableError extends PavilionError {}
/** The signature of a webhook is wrong, missing or too old: do not believe the message. */
export class WebhookVerificationError extends PavilionError {}
