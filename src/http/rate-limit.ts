import type { FastifyReply } from 'fastify'
import { Refusal } from '../lib/refusal.ts'

const WINDOW_MS = 60_000
/** Windows of tokens that stopped calling are swept when this many have gathered. */
const WINDOWS_MAX = 50_000

interface Window {
  endsAtMs: number
  count: number
}

/**
 * Counts the calls of each token in windows of a minute and writes the RateLimit fields. A node
 * counts what it serves itself: the limit protects the node, so nodes need not agree on it.
 */
export interface RateLimiter {
  count(reply: FastifyReply, tokenUuid: string, ownLimit: number | null): void
}

export function createRateLimiter(limitPerMinute: number): RateLimiter {
  const windows = new Map<string, Window>()
  return {
    count(reply, tokenUuid, ownLimit) {
      const limit = ownLimit ?? limitPerMinute
      if (limit === 0) return
      const now = Date.now()
      let window = windows.get(tokenUuid)
      if (!window || now >= window.endsAtMs) {
        if (windows.size >= WINDOWS_MAX) sweep(windows, now)
        window = { endsAtMs: now + WINDOW_MS, count: 0 }
        windows.set(tokenUuid, window)
      }
      window.count++
      const seconds = Math.ceil((window.endsAtMs - now) / 1000)
      const left = Math.max(0, limit - window.count)
      reply.header('RateLimit-Policy', `"token";q=${limit};w=60`)
      reply.header('RateLimit', `"token";r=${left};t=${seconds}`)
      if (window.count > limit) {
        reply.header('Retry-After', seconds)
        const detail = `The token may call ${limit} times a minute; try again in ${seconds} s.`
        throw new Refusal('rate_limited', detail)
      }
    },
  }
}

function sweep(windows: Map<string, Window>, now: number): void {
  for (const [token, window] of windows) if (now >= window.endsAtMs) windows.delete(token)
}
