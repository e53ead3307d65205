import { Refusal, type RefusalCode } from '../../lib/refusal.ts'

/** The market, a key of the merchant, and what ends a call. */
export interface MarketAccess {
  url: string
  key: string
  signal: AbortSignal
}

export interface MerchantEvent {
  uuid: string
  sequence: number
  event_type: string
  event_data: Record<string, unknown>
  created_on: string
}

interface EventPage {
  events: MerchantEvent[]
  next: number
  last: number
}

/** The market cannot be reached or is not ready; it may be later. */
class MarketAwayError extends Error {
  readonly isTemporary = true
}

/** Longer than the longest wait of the server. */
const TIMEOUT_MS = 60_000

/** Reads the events after a number from the interface of the market, or waits for the next one. */
export async function readEvents(
  { url, key, signal }: MarketAccess,
  { after, wait }: { after: number; wait: number },
): Promise<EventPage> {
  const path = `${url}/api/v3/events?after=${after}&wait=${wait}&limit=100`
  let response: Response
  let body: unknown
  try {
    response = await fetch(path, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    body = await response.json()
  } catch (error) {
    throw new MarketAwayError(`Cannot reach the market at ${url}: ${reasonOf(error)}.`)
  }
  if (response.ok) return body as EventPage
  const { code, detail } = body as { code?: RefusalCode; detail?: string }
  const text = detail ?? `status ${response.status}`
  if ([429, 502, 503, 504].includes(response.status)) {
    throw new MarketAwayError(`The market at ${url} is not ready: ${text}`)
  }
  throw new Refusal(code ?? 'not_found', `The market at ${url} refuses the key: ${text}`)
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
