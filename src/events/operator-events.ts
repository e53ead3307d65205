/** The operator's view of all events: those of every merchant, and the operator's own. */
import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { newUuid } from '../lib/uuid.ts'
import { EVENT_TYPES } from './events.ts'
import { numberEvents } from './number-changes.ts'

/** Events that belong to no merchant, and that no webhook of a merchant receives. */
const OPERATOR_EVENT_TYPES = ['source.fail', 'source.recover'] as const
type OperatorEventType = (typeof OPERATOR_EVENT_TYPES)[number]

export const MARKET_EVENT_TYPES = [...OPERATOR_EVENT_TYPES, ...EVENT_TYPES] as const

/** Records an event of the operator in the transaction of what happened. */
export async function recordOperatorEvent(
  tx: Tx,
  eventType: OperatorEventType,
  eventData: Record<string, unknown>,
): Promise<void> {
  await tx
    .insertInto('event')
    .values({ uuid: newUuid(), event_type: eventType, event_data: JSON.stringify(eventData) })
    .execute()
}

interface MarketEvent {
  uuid: string
  sequence: number
  merchant_uuid: string | null
  event_type: string
  event_data: Record<string, unknown>
  created_on: string
}

interface MarketEventQuery {
  /** Only events after this number, oldest first. Without it the newest come first. */
  after?: number | undefined
  event_type?: string | undefined
  limit: number
  offset: number
}

interface MarketEvents {
  events: MarketEvent[]
  /** How many there are in all, of the type that is asked for. */
  total: number
  /** The number of the newest event of any type; 0 before the first. */
  last: number
}

export async function listMarketEvents(db: Db, query: MarketEventQuery): Promise<MarketEvents> {
  await numberEvents(db)
  const { after, event_type, limit, offset } = query
  const { last } = await db
    .selectFrom('market_event_clock')
    .select('last')
    .executeTakeFirstOrThrow()
  // What is numbered after this moment belongs to the next request.
  const { rows: events } = await sql<MarketEvent>`
    select uuid, market_sequence as sequence, merchant_uuid, event_type, event_data, created_on
    from event
    where market_sequence > ${after ?? 0} and market_sequence <= ${last}
      ${event_type === undefined ? sql`` : sql`and event_type = ${event_type}`}
    order by market_sequence ${after === undefined ? sql`desc` : sql`asc`}
    limit ${limit} offset ${offset}`.execute(db)
  return { events, total: await countEvents(db, event_type, last), last }
}

/** Numbers have no gaps and events are never deleted, so the last number counts them all. */
async function countEvents(db: Db, eventType: string | undefined, last: number): Promise<number> {
  if (eventType === undefined) return last
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from event
    where event_type = ${eventType} and market_sequence <= ${last}`.execute(db)
  return rows[0].count
}
