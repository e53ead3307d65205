import type { Lab } from './lab.ts'

/** A response, or undefined when there was none. */
interface Answer {
  status: number
  /** Null when the header is missing. */
  retryAfter: string | null
  body: Record<string, unknown>
}

/** A client is more patient than the limits in docs/operating.md, so that a missed one shows. */
const PATIENCE_MS = 25_000

export interface Call {
  address: string
  path: string
  key?: string
  body: unknown
}

export async function post(lab: Lab, { address, path, key, body }: Call): Promise<Answer> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${lab.market.key}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const { status, headers } = response
  const text = await response.text()
  try {
    return { status, retryAfter: headers.get('retry-after'), body: JSON.parse(text) }
  } catch {
    throw new Error(`${status} without JSON: ${text.slice(0, 100)}`)
  }
}

export function describeError(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } }
  return [name, message, cause?.code ?? cause?.message].filter(Boolean).join(' ')
}
