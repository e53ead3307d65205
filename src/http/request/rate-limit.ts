import type { FastifyReply } from 'fastify'
import type { MarketTime } from '../../database/clock.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { Caller } from '../route.ts'
import { exchangeCounts, MINUTE_MS } from './rate-count-store.ts'

/** What calls may cost in a minute, unless a token or merchant has its own limit; 0: no limit. */
interface RateLimits {
  token: number
  /** All tokens of a merchant together. */
  merchant: number
}

/**
 * Adds up what the calls of each token, and of all tokens of a merchant, cost in a minute, and
 * writes the RateLimit headers. A node decides from memory; once a second the nodes exchange their
 * counts through the database. Together they admit at most one second's calls too many.
 */
export interface RateLimiter {
  /**
   * Counts a call, or refuses it and counts nothing. `counted` is what was counted before its whole
   * cost was known. A call that costs more than a limit is counted as the limit, so that a small
   * limit allows it once a minute.
   */
  count(reply: FastifyReply, caller: Caller, cost: number, counted?: number): void
  /** Saves this node's counts, and reads those of the other nodes. */
  exchange(db: Db): Promise<void>
}

/** The nodes count by the market's clock, so that they agree about the minute. */
export function createRateLimiter(limits: RateLimits, clock: MarketTime): RateLimiter {
  const node = newUuid()
  let minute = 0
  let counts = new Map<string, Count>()

  function countOf(uuid: string, policy: Policy, limit: number): Count {
    let count = counts.get(uuid)
    if (!count) {
      count = { policy, limit, header: '', own: 0, others: 0 }
      counts.set(uuid, count)
    }
    if (count.limit !== limit || count.header === '') {
      count.limit = limit
      count.header = `"${policy}";q=${limit};w=60`
    }
    return count
  }

  /** The limits that hold for the caller: none, one or both. The token's comes first. */
  function countsOf({ token, merchant }: Caller): Count[] {
    const found: Count[] = []
    const tokenLimit = token.rate_limit_per_minute ?? limits.token
    if (tokenLimit > 0) found.push(countOf(token.uuid, 'token', tokenLimit))
    if (!merchant) return found
    const own = merchant.rate_limit_per_minute
    if (own !== null) {
      if (own > 0) found.push(countOf(merchant.uuid, 'merchant', own))
      return found
    }
    // A token that the operator gave no limit, or a high one, keeps it.
    if (limits.merchant === 0 || token.rate_limit_per_minute === 0) return found
    const known = counts.get(merchant.uuid)?.limit ?? 0
    const raised = Math.max(known, limits.merchant, shareOf(token.rate_limit_per_minute ?? 0))
    found.push(countOf(merchant.uuid, 'merchant', raised))
    return found
  }

  /** What a merchant may use one of whose tokens has this limit of its own. */
  function shareOf(tokenLimit: number): number {
    const factor = limits.token === 0 ? 1 : Math.max(1, limits.merchant / limits.token)
    return Math.ceil(tokenLimit * factor)
  }

  return {
    count(reply, caller, cost, counted = 0) {
      const now = clock.now()
      const current = Math.floor(now / MINUTE_MS)
      if (current !== minute) {
        minute = current
        counts = new Map()
      }
      const found = countsOf(caller)
      if (found.length === 0) return
      const refusing = found.find((count) => leftOf(count) < addedTo(count, cost, counted))
      if (!refusing) for (const count of found) count.own += addedTo(count, cost, counted)
      const seconds = Math.ceil(((minute + 1) * MINUTE_MS - now) / 1000)
      writeHeaders(reply, found, seconds)
      if (refusing) throw refusalOf(reply, refusing, cost, seconds)
    },
    async exchange(db) {
      const mine = counts
      if (mine.size === 0) return
      for (const { caller_uuid, count } of await exchangeCounts(db, node, minute, mine)) {
        const known = mine.get(caller_uuid)
        if (known) known.others = count
      }
    },
  }
}

type Policy = 'token' | 'merchant'

interface Count {
  policy: Policy
  limit: number
  /** The item of the RateLimit-Policy header, rendered once. */
  header: string
  own: number
  /** What the other nodes had counted at the last exchange. */
  others: number
}

function leftOf({ limit, own, others }: Count): number {
  return Math.max(0, limit - own - others)
}

function addedTo({ limit }: Count, cost: number, counted: number): number {
  return Math.min(cost, limit) - Math.min(counted, limit)
}

function writeHeaders(reply: FastifyReply, counts: readonly Count[], seconds: number): void {
  const itemOf = (count: Count) => `"${count.policy}";r=${leftOf(count)};t=${seconds}`
  const [first, second] = counts
  reply.header('ratelimit-policy', second ? `${first.header}, ${second.header}` : first.header)
  reply.header('ratelimit', second ? `${itemOf(first)}, ${itemOf(second)}` : itemOf(first))
}

const WHO = { token: 'The token', merchant: 'All tokens of the merchant together' } as const

function refusalOf(reply: FastifyReply, count: Count, cost: number, seconds: number): Refusal {
  reply.header('retry-after', seconds)
  const { policy, limit } = count
  const most = `${WHO[policy]} may make ${limit} requests a minute`
  const counts = cost > 1 ? `, and this one counts as ${Math.min(cost, limit)}` : ''
  return new Refusal('rate_limited', `${most}${counts}; try again in ${seconds} s.`)
}
