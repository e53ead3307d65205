import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { refusalProblem } from './problems.ts'
import { hashOf, open, type SealedAnswer, type StoredAnswer, seal } from './sealed-answer.ts'
import { isUpload, type Upload } from './upload.ts'

const KEY_LENGTH_MAX = 255

/**
 * Runs the work of a POST in one transaction, and answers with what it gives. With an
 * Idempotency-Key the answer's bytes are stored in that same transaction: a crash leaves both or
 * neither, and a caller that repeats the request gets the first answer, byte for byte. A refusal
 * by the work is an answer too; what never reached it (validation, access) is not stored. Work that
 * has transactions of its own, such as an import, leaves `tx` alone: a crash may then leave the work
 * without its answer, and a repeated import finds everything unchanged.
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
  const owner = request.caller.merchant?.uuid ?? request.caller.token.uuid
  const stored = await inTransaction(db, async (tx) => {
    await claimKey(tx, owner, key)
    const earlier = await findAnswer(tx, owner, key)
    if (earlier) {
      if (isUpload(request.body)) await readToEnd(request.body)
      return { replayed: true, ...checkedAnswer(earlier, fingerprintOf(request), key) }
    }
    const answer = await answerOf(tx, request, reply, status, work)
    const fingerprint = fingerprintOf(request)
    if (fingerprint) await storeAnswer(tx, { owner, key, fingerprint, answer })
    return { replayed: false, ...answer }
  })
  if (stored.replayed) reply.header('idempotent-replayed', 'true')
  const type = stored.status < 400 ? 'application/json' : 'application/problem+json'
  reply.code(stored.status).header('content-type', `${type}; charset=utf-8`)
  // Bytes that are rendered already: Fastify sends a string as it is.
  return stored.body as T
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
async function claimKey(tx: Tx, owner: string, key: string): Promise<void> {
  const lock = hashOf(`${owner} ${key}`).readBigInt64BE()
  const { rows } = await sql<{ claimed: boolean }>`
    select pg_try_advisory_xact_lock(${String(lock)}::bigint) as claimed
  `.execute(tx)
  if (!rows[0].claimed) {
    const detail = 'The first request with this Idempotency-Key is still running; try again soon.'
    throw new Refusal('idempotency_key_in_use', detail)
  }
}

function findAnswer(tx: Tx, owner: string, key: string) {
  return tx
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'status', 'body'])
    .where('owner', '=', owner)
    .where('key_hash', '=', hashOf(key))
    .where('created_on', '>', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst()
}

interface Answered {
  owner: string
  key: string
  fingerprint: Buffer
  answer: StoredAnswer
}

async function storeAnswer(tx: Tx, { owner, key, fingerprint, answer }: Answered): Promise<void> {
  const sealed = { fingerprint, ...seal(answer, key) }
  await tx
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
  tx: Tx,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  work: (tx: Tx) => Promise<T>,
): Promise<StoredAnswer> {
  await sql`savepoint work`.execute(tx)
  try {
    const body = await work(tx)
    return { status, body: reply.code(status).serialize(body) as string }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sql`rollback to savepoint work`.execute(tx)
    const problem = { ...refusalProblem(error), request_id: request.id }
    return { status: problem.status, body: JSON.stringify(problem) }
  }
}
