import { createPatience, type FollowOptions, WAIT_SECONDS } from './following.ts'
import type { Call } from './request.ts'

/** Something that happened to your orders, quotes, holds or saved searches. */
export interface MarketEvent {
  uuid: string
  /** Store it, to go on after it later. */
  sequence: number
  event_type: string
  event_data: Record<string, unknown>
  created_on: string
}

interface EventPage {
  events: MarketEvent[]
  next: number
  more: boolean
}

/** Every event after a number, oldest first; from the first one unless given. */
export async function* followEvents(
  call: Call,
  { after, follow = true, signal, onRetry }: FollowOptions = {},
): AsyncGenerator<MarketEvent> {
  const patiently = createPatience(signal, onRetry)
  const wait = follow ? WAIT_SECONDS : 0
  for (let position = after ?? 0; ; ) {
    const query = { after: position, wait, limit: 1000 }
    const page = await patiently(() => call<EventPage>('GET', '/api/v3/events', { query, signal }))
    if (page === 'aborted' || page === 'expired') return
    yield* page.events
    position = page.next
    if (!page.more && !follow) return
  }
}
