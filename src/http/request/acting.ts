import type { FastifyRequest } from 'fastify'
import { type Actor, actingAs, SYSTEM } from '../../database/actor.ts'
import type { Database, Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { actorOf } from '../../merchants/token-audit.ts'

/**
 * Runs the work of a PUT, PATCH or DELETE in one transaction, for the caller. A POST does it by
 * `writeOnce`.
 */
export function write<T>(
  db: Db,
  request: FastifyRequest,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(callerDb(db, request), work)
}

/** The database for work that has transactions of its own: they write for the caller. */
export function forCaller(database: Database, request: FastifyRequest): Database {
  return { ...database, db: callerDb(database.db, request) }
}

export function callerDb(db: Db, request: FastifyRequest): Db {
  return actingAs(db, callerOf(request))
}

function callerOf(request: FastifyRequest): Actor {
  const origin = { request_id: String(request.id), ip: request.clientAddress }
  // A public route does not know its caller; what it writes says who signs in.
  const token = (request.caller as FastifyRequest['caller'] | null)?.token
  if (!token) return { ...SYSTEM, ...origin }
  return { ...actorOf(token), merchant_uuid: token.merchant_uuid, ...origin }
}
