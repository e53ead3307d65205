import type { Kysely, Transaction } from 'kysely'

/** Who writes. A connection carries it, so that every entry of the audit can name the writer. */
export interface Actor {
  kind: 'user' | 'token' | 'command_line' | 'system'
  /** The user or the token; null for the command line and the system. */
  uuid: string | null
  name: string
  /** For whom the actor acts. */
  side: 'merchant' | 'supplier' | 'operator' | 'system'
  /** The merchant that a user or a token belongs to. */
  merchant_uuid: string | null
  request_id: string | null
  ip: string | null
}

/** What a database and a transaction say about who writes; the system when they say nothing. */
export interface Acting {
  readonly actor?: Actor
}

const NOBODY_ELSE = { uuid: null, merchant_uuid: null, request_id: null, ip: null }

export const SYSTEM: Actor = { kind: 'system', name: 'system', side: 'system', ...NOBODY_ELSE }

export const COMMAND_LINE: Actor = {
  kind: 'command_line',
  name: 'command line',
  side: 'operator',
  ...NOBODY_ELSE,
}

/** The database for one writer, over the same connections as for all others. */
export function actingAs<Tables>(db: Kysely<Tables>, actor: Actor): Kysely<Tables> & Acting {
  return Object.assign(db.withoutPlugins(), { actor })
}

/** A transaction writes for whom its database was opened. */
export function actingFor<Tables>(
  tx: Transaction<Tables>,
  { actor }: Acting,
): Transaction<Tables> & Acting {
  return actor === undefined ? tx : Object.assign(tx, { actor })
}
