import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../database/open.ts'
import { executeTogether, executeWithNext } from '../../database/transaction.ts'
import { Refusal } from '../../lib/refusal.ts'
import { ownerOf } from '../../merchants/token-owner.ts'
import { write } from './acting.ts'
import { hashOf, open, type SealedResponse, type StoredResponse, seal } from './stored-response.ts'
import { isUpload } from './upload.ts'

const KEY_LENGTH_MAX = 255

/**
 * Runs the work of a POST in one transaction and returns its result. With an Idempotency-Key the
 * bytes of the response are stored in that same transaction: a crash leaves both or neither, and a
 * caller that repeats the request gets the first response again, byte for byte. A refusal writes
 * nothing, so it is not stored either: the same key may try again. What the work records in
 * the audit is recorded for the caller; a repeated response records nothing.
 */
export async function writeOnce<T>(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  work: (tx: Tx) => Promise<T>,
  owner = keyOwnerOf(request),
): Promise<T> {
  const key = keyOf(request)
  if (key === undefined) {
    const result = await write(db, request, work)
    reply.code(status)
    // Fastify would send the word null.
    return result === null ? ('' as T) : result
  }
  const stored = await write(db, request, async (tx) => {
    const [[{ claimed }], [earlier]] = await executeTogether(tx, [
      keyLock(owner, key),
      responseOf(owner, key),
    ])
    if (!claimed) throw inUse()
    if (earlier) return { replayed: true, ...openEarlier(earlier, fingerprintOf(request), key) }
    const response = renderResponse(reply, status, await work(tx))
    await executeWithNext(tx, responseInsert(request, owner, key, response))
    return { replayed: false, ...response }
  })
  return sendStored(reply, stored) as T
}

/** Runs work that has transactions of its own, such as an import, once per Idempotency-Key. */
export type RunOnce = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
) => Promise<T>

/**
 * The key is locked on a connection that stays open, outside any transaction. A crash may leave
 * the work without its stored response: a repeated import then finds everything unchanged.
 */
export function createRunOnce({ db, load }: Pick<Database, 'db' | 'load'>): RunOnce {
  // Half of the connections of the imports: the work itself needs the others.
  const keysHeldMax = Math.floor(load().max / 2)
  let keysHeld = 0
  return async <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>) => {
    const key = keyOf(request)
    if (key === undefined) return work()
    if (keysHeld >= keysHeldMax) {
      const detail = 'Too many requests of this kind are running; try again in a minute.'
      throw new Refusal('not_ready', detail)
    }
    keysHeld++
    try {
      const stored = await db
        .connection()
        .execute((connection) => runWithKey(connection, key, request, reply, work))
      return sendStored(reply, stored) as T
    } finally {
      keysHeld--
    }
  }
}

async function runWithKey(
  connection: Db,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<unknown>,
) {
  const owner = keyOwnerOf(request)
  const lock = await keyLock(owner, key, sql`pg_try_advisory_lock`).execute(connection)
  if (!lock.rows[0].claimed) throw inUse()
  try {
    const [earlier] = (await responseOf(owner, key).execute(connection)).rows
    if (earlier) return { replayed: true, ...openEarlier(earlier, fingerprintOf(request), key) }
    const response = renderResponse(reply, 200, await work())
    await responseInsert(request, owner, key, response).execute(connection)
    return { replayed: false, ...response }
  } finally {
    await sql`select pg_advisory_unlock(${lockOf(owner, key)}::bigint)`.execute(connection)
  }
}

function sendStored(reply: FastifyReply, stored: StoredResponse & { replayed: boolean }): unknown {
  if (stored.replayed) reply.header('idempotent-replayed', 'true')
  reply.code(stored.status)
  if (stored.body !== '') reply.header('content-type', 'application/json; charset=utf-8')
  // The body is rendered already: Fastify sends a string as it is.
  return stored.body
}

function renderResponse(reply: FastifyReply, status: number, body: unknown): StoredResponse {
  reply.code(status)
  return { status, body: body === null ? '' : (reply.serialize(body) as string) }
}

function keyOwnerOf({ caller }: FastifyRequest): string {
  return ownerOf(caller.token) ?? caller.token.uuid
}

/** Deletes responses after a day; from then on their keys may be used again. */
export async function deleteOldResponses(db: Db): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('created_on', '<', sql<string>`market_now() - interval '24 hours'`)
    .execute()
}

/** Returns why the key of a POST is refused, whether or not the request writes anything. */
export function checkIdempotencyKey({ method, headers }: FastifyRequest): Refusal | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || method !== 'POST') return undefined
  if (key.length > 0 && key.length <= KEY_LENGTH_MAX) return undefined
  const message = `must have 1 to ${KEY_LENGTH_MAX} characters`
  return new Refusal('invalid_request', `Idempotency-Key ${message}.`, {
    errors: [{ field: 'Idempotency-Key', message }],
  })
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : String(key)
}

/**
 * Identifies the request. Keys belong to the merchant, but a secret to the caller that it was
 * made for: from another token or session of the merchant it is another request.
 */
function fingerprintOf({ method, url, body, caller, routeOptions }: FastifyRequest): Buffer {
  const content = isUpload(body) ? body.digest : JSON.stringify(body)
  const from = routeOptions.config.answersSecret ? ` ${caller.token.uuid}` : ''
  return hashOf(`${method} ${url}${from}\n${content}`)
}

/** The lock ends with its transaction or connection, so a crashed request frees its key. */
function keyLock(owner: string, key: string, lock = sql`pg_try_advisory_xact_lock`) {
  return sql<{ claimed: boolean }>`
    select ${lock}(${lockOf(owner, key)}::bigint) as claimed`
}

function inUse(): Refusal {
  const detail = 'The first request with this Idempotency-Key is still running; try again soon.'
  return new Refusal('idempotency_key_in_use', detail)
}

function lockOf(owner: string, key: string): string {
  return String(hashOf(`${owner} ${key}`).readBigInt64BE())
}

/** What was answered to the key, to be read after its lock. */
function responseOf(owner: string, key: string) {
  return sql<SealedResponse & { fingerprint: Buffer }>`
    select fingerprint, status, body from idempotency_key
    where owner = ${owner} and key_hash = ${hashOf(key)}
      and created_on > market_now() - interval '24 hours'`
}

/** Stores the response. The key may still have one that is older than a day and not deleted yet. */
function responseInsert(
  request: FastifyRequest,
  owner: string,
  key: string,
  response: StoredResponse,
) {
  const { status, body } = seal(response, key)
  return sql`
    insert into idempotency_key (owner, key_hash, fingerprint, status, body)
    values (${owner}, ${hashOf(key)}, ${fingerprintOf(request)}, ${status}, ${body})
    on conflict (owner, key_hash) do update set fingerprint = excluded.fingerprint,
      status = excluded.status, body = excluded.body, created_on = market_now()`
}

function openEarlier(
  earlier: SealedResponse & { fingerprint: Buffer },
  fingerprint: Buffer,
  key: string,
): StoredResponse {
  if (!earlier.fingerprint.equals(fingerprint)) {
    const detail = 'This Idempotency-Key was used with another request; use a new key.'
    const errors = [{ field: 'Idempotency-Key', message: 'was used with another request' }]
    throw new Refusal('idempotency_key_reused', detail, { errors })
  }
  return open(earlier, key)
}
