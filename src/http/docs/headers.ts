import type { Operation } from './operations.ts'

/** The header fields of responses, as named components of the OpenAPI documents. */
const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

export const HEADERS = {
  'X-Request-Id': text('Identifies the call in the log of the server', 'req-4f1c2a'),
  'RateLimit-Policy': text(
    'The limits of a minute: of the token, and of all tokens of the merchant',
    '"token";q=6000;w=60, "merchant";q=9000;w=60',
  ),
  RateLimit: text(
    'What is left of them, and the seconds until the next minute',
    '"token";r=5899;t=41, "merchant";r=8640;t=41',
  ),
  ETag: text(
    'Changes when the response does; send it as If-None-Match to get 304 instead of the same bytes',
    '"3vTq0c"',
  ),
  'Idempotent-Replayed': text(
    'true when the response is that of an earlier request with the same Idempotency-Key',
    'true',
  ),
  Warning: text(
    'Only while the database is away: what was known is answered, for an hour',
    '110 - "Response is Stale"',
  ),
  Age: {
    description: 'With Warning: for how many seconds this server has not heard of changes',
    schema: { type: 'integer', examples: [12] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try',
    schema: { type: 'integer', examples: [2] },
  },
  'WWW-Authenticate': text('How to authenticate', 'Bearer'),
  Deprecation: text('Since when the operation is deprecated, in seconds since 1970', '@1767225600'),
  Sunset: text('After when the operation may be gone', 'Thu, 31 Dec 2026 23:59:59 GMT'),
} as const
type HeaderName = keyof typeof HEADERS

/** The header fields that a response of an operation has, or may have. */
export function headersOfResponse(operation: Operation, status: number) {
  const isPublic = operation.access.who === 'public'
  const names: HeaderName[] = ['X-Request-Id']
  if (!isPublic) names.push('RateLimit-Policy', 'RateLimit')
  if (status < 400 && (operation.conditional || operation.hasEtag)) names.push('ETag')
  if (status < 300 && operation.idempotent) names.push('Idempotent-Replayed')
  if (status < 300 && operation.mayBeStale) names.push('Warning', 'Age')
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503) names.push('Retry-After')
  if (operation.deprecation) names.push('Deprecation', 'Sunset')
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  )
}
