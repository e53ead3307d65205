import type { FastifyReply } from 'fastify'
import { callerKey } from '../../lib/networks.ts'
import { Refusal } from '../../lib/refusal.ts'

const WINDOW_MS = 60_000
const FAILURES_MAX = 20
const ADDRESSES_MAX = 10_000

/**
 * Limits failed sign-ins by address. Codes and keys are far too long to be guessed; the limit only
 * keeps an attacker from causing a query with each attempt.
 */
interface SignInAttempts {
  refuseTooMany(reply: FastifyReply, address: string): void
  countFailure(address: string): void
  /** All nodes together have counted too many failures. */
  block(address: string, seconds: number): void
}

export function createSignInAttempts(): SignInAttempts {
  const failures = new Map<string, { count: number; endsAtMs: number }>()
  return {
    refuseTooMany(reply, address) {
      const window = failures.get(callerKey(address))
      const now = performance.now()
      if (!window || now >= window.endsAtMs || window.count < FAILURES_MAX) return
      const seconds = Math.ceil((window.endsAtMs - now) / 1000)
      reply.header('retry-after', seconds)
      const detail = `Too many wrong codes or keys; try again in ${seconds} s.`
      throw new Refusal('rate_limited', detail)
    },
    block(address, seconds) {
      const endsAtMs = performance.now() + seconds * 1000
      failures.set(callerKey(address), { count: FAILURES_MAX, endsAtMs })
    },
    countFailure(address) {
      const now = performance.now()
      const key = callerKey(address)
      const window = failures.get(key)
      if (window && now < window.endsAtMs) {
        window.count++
        return
      }
      if (failures.size >= ADDRESSES_MAX) failures.clear()
      failures.set(key, { count: 1, endsAtMs: now + WINDOW_MS })
    },
  }
}
