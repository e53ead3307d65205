import { type RawBuilder, sql } from 'kysely'
import { type Actor, SYSTEM } from '../database/actor.ts'
import type { Tx } from '../database/open.ts'
import { newUuid } from '../lib/uuid.ts'
import { differing, type Fields } from './entry-fields.ts'

/** What was done to what. Who did it comes from the transaction. */
export interface NewEntry {
  /** A noun and a verb, as the events have: `order.cancel`. */
  action: string
  subject: { kind: string; id: string }
  /** The merchant that it was done to; that of the actor unless given. */
  merchant_uuid?: string | null | undefined
  /** The thing before and after, as the interface shows it. Null, or absent: it did not exist. */
  before?: Fields | null
  after?: Fields | null
  /** The uuid of the event that was recorded with it, so that both can be found together. */
  uuid?: string
  /** Who did it, where the transaction does not know it yet: somebody who signs in. */
  actor?: Pick<Actor, 'kind' | 'uuid' | 'name' | 'side'>
}

/**
 * Records a write in its own transaction: a crash leaves both or neither. Every write of anybody
 * passes here, or puts the same statement beside its own (`entryInsert`).
 */
export async function recordEntry(tx: Tx, entry: NewEntry): Promise<void> {
  await entryInsert(tx, entry).execute(tx)
}

/** The insert of an entry, for a `with` clause of a statement that is executed anyway. */
export function entryInsert(tx: Tx, entry: NewEntry): RawBuilder<unknown> {
  const { action, subject } = entry
  const actor = { ...(tx.actor ?? SYSTEM), ...entry.actor }
  const merchantUuid = entry.merchant_uuid ?? actor.merchant_uuid
  const { before, after } = differing(entry.before ?? null, entry.after ?? null)
  return sql`
    insert into audit_entry (uuid, actor_kind, actor_uuid, actor_name, actor_side, merchant_uuid,
      action, subject_kind, subject_id, before, after, request_id, ip)
    values (${entry.uuid ?? newUuid()}, ${actor.kind}, ${actor.uuid}::uuid, ${actor.name},
      ${actor.side}, ${merchantUuid}::uuid, ${action}, ${subject.kind},
      ${subject.id.slice(0, SUBJECT_LENGTH_MAX)}, ${jsonOf(before)}::jsonb, ${jsonOf(after)}::jsonb,
      ${actor.request_id}, ${actor.ip})`
}

/** As long as the column is, and longer than the id of anything that an entry is about. */
export const SUBJECT_LENGTH_MAX = 200

function jsonOf(fields: Fields | null): string | null {
  return fields === null ? null : JSON.stringify(fields)
}
