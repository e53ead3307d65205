import { WebhookVerificationError } from './errors.ts'

/** What a webhook says. */
export interface WebhookEvent {
  /** The same in every attempt: process each once. */
  id: string
  /** What happened, such as `order.create`. */
  type: string
  /** When it happened. */
  timestamp: string
  data: Record<string, unknown>
}

export interface VerifyOptions {
  /** How old or how far ahead a message may be; 300 seconds unless given. */
  toleranceSeconds?: number
  /** The time in milliseconds since 1970; now unless given. */
  now?: number
}

/** As the request has them: a `Headers` object, or names with values. */
type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>
/** The bytes of the body, or its text. Not what a framework has parsed from it. */
type WebhookBody = string | Uint8Array | ArrayBuffer

const SECRET_PREFIX = 'whsec_'
const TOLERANCE_SECONDS = 300

/**
 * Returns what a webhook says, or throws a `WebhookVerificationError` when it was not signed with
 * the secret within the last minutes. Takes `(secret, headers, body)` or `(body, headers, secret)`:
 * the secret is the one that begins with `whsec_`, which the JSON of a message cannot.
 */
export async function verifyWebhook(
  first: WebhookBody,
  headers: WebhookHeaders,
  last: WebhookBody,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [secret, body] = sortOut(first, last)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  checkTime(timestamp, options)
  const content = joined(`${id}.${timestamp}.`, bytesOf(body))
  const key = await keyOf(secret)
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',')
    // `verify` compares in constant time.
    const isOurs =
      version === 'v1' && (await crypto.subtle.verify('HMAC', key, fromBase64(text), content))
    if (isOurs) return { id, ...(JSON.parse(textOf(body)) as Omit<WebhookEvent, 'id'>) }
  }
  throw refused('invalid_signature', 'The webhook was not signed with this secret.')
}

/** Anybody may send a body that looks like a secret, so two of them are not guessed about. */
function sortOut(first: WebhookBody, last: WebhookBody): [secret: string, body: WebhookBody] {
  if (isSecret(first) && !isSecret(last)) return [first, last]
  if (isSecret(last) && !isSecret(first)) return [last, first]
  if (isSecret(first)) throw refused('invalid_body', 'The body of the webhook is not JSON.')
  throw new TypeError('verifyWebhook needs the secret of the webhook, which begins with whsec_')
}

function isSecret(value: WebhookBody): value is string {
  return typeof value === 'string' && value.startsWith(SECRET_PREFIX)
}

function keyOf(secret: string) {
  const bytes = fromBase64(secret.slice(SECRET_PREFIX.length))
  if (bytes.length === 0) throw new TypeError('the secret of the webhook is not complete')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : plainHeader(headers, name)
  if (typeof value === 'string' && value !== '') return value
  throw refused('missing_header', `The webhook has no header ${name}.`)
}

function plainHeader(headers: WebhookHeaders, name: string): unknown {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)
  return [found?.[1]].flat()[0]
}

function checkTime(timestamp: string, options: VerifyOptions): void {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options
  const offSeconds = Math.abs(now / 1000 - Number(timestamp))
  if (/^\d+$/.test(timestamp) && offSeconds <= toleranceSeconds) return
  throw refused(
    'invalid_timestamp',
    `The webhook's timestamp is more than ${toleranceSeconds} seconds off: it is old, or a clock ` +
      'is wrong.',
  )
}

function refused(code: string, message: string): WebhookVerificationError {
  return new WebhookVerificationError(0, code, message)
}

function bytesOf(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('verifyWebhook needs the raw body as text or bytes, not what was parsed')
}

function textOf(body: WebhookBody): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function joined(start: string, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(start)
  const all = new Uint8Array(head.length + rest.length)
  all.set(head)
  all.set(rest, head.length)
  return all
}

/** What is not base64 is no signature of ours, and no key. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
