import type { FastifyReply } from 'fastify'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type Attempt, countAttempt, forgetAttempt } from '../../people/sign-in-attempts.ts'

/** Makes an attempt to sign in within the limits. One that succeeds does not use them up. */
export async function withinLimits<T>(
  db: Db,
  reply: FastifyReply,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  const waitSeconds = await countAttempt(db, attempt)
  if (waitSeconds > 0) throw tooManyAttempts(reply, waitSeconds)
  try {
    const result = await work()
    await forgetAttempt(db, attempt)
    return result
  } catch (error) {
    // An overload or an outage says nothing about the password.
    const isFailure = error instanceof Refusal && error.code !== 'not_ready'
    if (!isFailure) await forgetAttempt(db, attempt)
    throw error
  }
}

export function tooManyAttempts(reply: FastifyReply, seconds: number): Refusal {
  reply.header('retry-after', seconds)
  return new Refusal('rate_limited', `Too many attempts to sign in; try again in ${seconds} s.`)
}
