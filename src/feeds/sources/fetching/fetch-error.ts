/** Why a file could not be fetched, in a sentence for the operator. */
type FetchErrorCode =
  | 'address_not_allowed'
  | 'unknown_host'
  | 'connection_failed'
  | 'fetch_timeout'
  | 'untrusted_host'
  | 'sign_in_refused'
  | 'file_not_found'
  | 'file_too_large'
  | 'file_is_changing'
  | 'bad_response'

export class FetchError extends Error {
  readonly code: FetchErrorCode

  constructor(code: FetchErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'FetchError'
    this.code = code
  }
}

/** Turns what a socket or a library threw into a sentence that names the server. */
export function fetchErrorOf(error: unknown, server: string): FetchError {
  if (error instanceof FetchError) return error
  const { code, message } = error as { code?: unknown; message?: string }
  const known = typeof code === 'string' ? BY_CODE.get(code) : undefined
  if (known) return new FetchError(known[0], `${server} ${known[1]}.`, error)
  if (/tim(ed?[ -]?)out/i.test(message ?? '')) {
    return new FetchError('fetch_timeout', `${server} did not answer in time.`, error)
  }
  const detail = (message || String(code) || 'the connection failed').slice(0, 300)
  return new FetchError('connection_failed', `${server}: ${detail}`, error)
}

const BY_CODE = new Map<string, [FetchErrorCode, string]>([
  ['ENOTFOUND', ['unknown_host', 'does not exist: no address is known for the name']],
  ['EAI_AGAIN', ['unknown_host', 'could not be resolved; the name server does not answer']],
  ['ECONNREFUSED', ['connection_failed', 'refuses connections; check the port']],
  ['ECONNRESET', ['connection_failed', 'closed the connection before the file was complete']],
  ['EPIPE', ['connection_failed', 'closed the connection before the file was complete']],
  ['EHOSTUNREACH', ['connection_failed', 'cannot be reached']],
  ['ENETUNREACH', ['connection_failed', 'cannot be reached']],
  ['ETIMEDOUT', ['fetch_timeout', 'did not answer in time']],
])
