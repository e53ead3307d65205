import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { Refusal } from '../../lib/refusal.ts'
import { refusalProblem } from '../response/problems.ts'
import { hashOf, open, type SealedAnswer, type StoredAnswer, seal } from './stored-answer.ts'
import { isUpload, type Upload } from './upload.ts'

const KEY_LENGTH_MAX = 255

/**
 * Runs the work of a POST in one transaction, and answers with what it gives. With an
 * Idempotency-Key the answer's bytes are stored in that same transaction: a crash leaves both or
 * neither, and a caller that repeats the request gets the first answer, byte for byte. A refusal
 * by the work is an answer too; what never reached it (validation, access) is not stored.
 */
export async function writeOnce<T>(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = keyOf(request)
  if (key === undefined) {
    const answer = await inTransaction(db, work)
    reply.code(status)
    return answer
  }
  const owner = ownerOf(request)
  const stored = await inTransaction(db, async (tx) => {
    await claimKey(tx, owner, key)
    const earlier = await findAnswer(tx, owner, key)
    if (earlier) return { replayed: true, ...checkedAnswer(earlier, fingerprintOf(request), key) }
    await sql`savepoint work`.execute(tx)
    const undo = () => sql`rollback to savepoint work`.execute(tx)
    const answer = await answerOf(request, reply, status, () => work(tx), undo)
    await storeAnswer(tx, request, owner, key, answer)
    return { replayed: false, ...answer }
  })
  return sendStored(reply, stored) as T
}

/**
 * The same for work that has transactions of its own, such as an import. The key is locked on a
 * connection that is kept, in no transaction. A crash may leave the work without its answer: a
 * repeated import then finds everything unchanged.
 */
export async function runOnce<T>(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  const key = keyOf(request)
  if (key === undefined) return work()
  const owner = ownerOf(request)
  if (keptConnections >= KEPT_MAX) {
    throw new Refusal('not_ready', 'Too many such requests are running; try again in a minute.')
  }
  keptConnections++
  try {
    const stored = await db.connection().execute(async (connection) => {
      await claimKey(connection, owner, key, sql`pg_try_advisory_lock`)
      try {
        const earlier = await findAnswer(connection, owner, key)
        if (earlier) {
          if (isUpload(request.body)) await readToEnd(request.body)
          return { replayed: true, ...checkedAnswer(earlier, fingerprintOf(request), key) }
        }
        const answer = await answerOf(request, reply, 200, work)
        await storeAnswer(connection, request, owner, key, answer)
        return { replayed: false, ...answer }
      } finally {
        await sql`select pg_advisory_unlock(${lockOf(owner, key)}::bigint)`.execute(connection)
      }
    })
    return sendStored(reply, stored) as T
  } finally {
    keptConnections--
  }
}

/** Of the pool's ten: the work itself needs connections too. */
const KEPT_MAX = 3
let keptConnections = 0

function sendStored(reply: FastifyReply, stored: StoredAnswer & { replayed: boolean }): unknown {
  if (stored.replayed) reply.header('idempotent-replayed', 'true')
  const type = stored.status < 400 ? 'application/json' : 'application/problem+json'
  reply.code(stored.status).header('content-type', `${type}; charset=utf-8`)
  // Bytes that are rendered already: Fastify sends a string as it is.
  return stored.body
}

function ownerOf({ caller }: FastifyRequest): string {
  return caller.merchant?.uuid ?? caller.token.uuid
}

/** Answers older than this are forgotten, and their keys may be used anew. */
export async function forgetOldAnswers(db: Db): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('created_on', '<', sql<string>`now() - interval '24 hours'`)
    .execute()
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length > 0 && key.length <= KEY_LENGTH_MAX) return key
  const message = `must have 1 to ${KEY_LENGTH_MAX} characters`
  throw new Refusal('invalid_request', `Idempotency-Key ${message}.`, {
    errors: [{ field: 'Idempotency-Key', message }],
  })
}

/** What tells this request from others; undefined for a file that was refused before its end. */
function fingerprintOf({ method, url, body }: FastifyRequest): Buffer | undefined {
  const content = isUpload(body) ? body.digest() : JSON.stringify(body)
  if (content === undefined && isUpload(body)) return undefined
  return hashOf(`${method} ${url}\n${content}`)
}

async function readToEnd({ bytes }: Upload): Promise<void> {
  for await (const _chunk of bytes);
}

/** The lock lasts as long as the transaction, so a crashed request frees its key by itself. */
async function claimKey(
  db: Db | Tx,
  owner: string,
  key: string,
  lock = sql`pg_try_advisory_xact_lock`,
): Promise<void> {
  const { rows } = await sql<{ claimed: boolean }>`
    select ${lock}(${lockOf(owner, key)}::bigint) as claimed`.execute(db)
  if (!rows[0].claimed) {
    const detail = 'The first request with this Idempotency-Key is still running; try again soon.'
    throw new Refusal('idempotency_key_in_use', detail)
  }
}

function lockOf(owner: string, key: string): string {
  return String(hashOf(`${owner} ${key}`).readBigInt64BE())
}

function findAnswer(db: Db | Tx, owner: string, key: string) {
  return db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'status', 'body'])
    .where('owner', '=', owner)
    .where('key_hash', '=', hashOf(key))
    .where('created_on', '>', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst()
}

/** Nothing is stored of a file that was refused before its end: it cannot be told from others. */
async function storeAnswer(
  db: Db | Tx,
  request: FastifyRequest,
  owner: string,
  key: string,
  answer: StoredAnswer,
): Promise<void> {
  const fingerprint = fingerprintOf(request)
  if (!fingerprint) return
  const sealed = { fingerprint, ...seal(answer, key) }
  await db
    .insertInto('idempotency_key')
    .values({ owner, key_hash: hashOf(key), ...sealed })
    // The key may still have an answer of more than a day ago, which nobody removed yet.
    .onConflict((conflict) =>
      conflict.columns(['owner', 'key_hash']).doUpdateSet({ ...sealed, created_on: sql`now()` }),
    )
    .execute()
}

function checkedAnswer(
  earlier: SealedAnswer & { fingerprint: Buffer },
  fingerprint: Buffer | undefined,
  key: string,
): StoredAnswer {
  if (!fingerprint || !earlier.fingerprint.equals(fingerprint)) {
    const detail = 'This Idempotency-Key was used with another request; use a new key.'
    const errors = [{ field: 'Idempotency-Key', message: 'was used with another request' }]
    throw new Refusal('idempotency_key_reused', detail, { errors })
  }
  return open(earlier, key)
}

/** Does the work. A refusal undoes what the work wrote, and is the answer. */
async function answerOf<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  work: () => Promise<T>,
  undo?: () => Promise<unknown>,
): Promise<StoredAnswer> {
  try {
    const body = await work()
    return { status, body: reply.code(status).serialize(body) as string }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await undo?.()
    const problem = { ...refusalProblem(error), request_id: request.id }
    return { status: problem.status, body: JSON.stringify(problem) }
  }
}
