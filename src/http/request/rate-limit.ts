import type { FastifyReply } from 'fastify'
import type { MarketTime } from '../../database/clock.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Caller } from '../route.ts'
import { MINUTE_MS } from './rate-count-store.ts'
import { type Count, createRateShares, newCount } from './rate-shares.ts'

/** What calls may cost in a minute, unless a token or merchant has its own limit; 0: no limit. */
interface RateLimits {
  token: number
  /** All tokens of a merchant together. */
  merchant: number
}

/**
 * Adds up what the calls of each token, and of all tokens of a merchant, cost in a minute, and
 * writes the RateLimit headers. A node decides from memory. With several nodes, each takes parts of
 * the limits in the database before it uses them (rate-shares.ts).
 */
export interface RateLimiter {
  /**
   * Counts a call, or refuses it and counts nothing. `counted` is what was counted before its whole
   * cost was known. A call that costs more than a limit is counted as the limit, so that a small
   * limit allows it once a minute. Returns undefined when that is done at once, as for most calls.
   */
  count(
    reply: FastifyReply,
    caller: Caller,
    cost: number,
    counted?: number,
  ): Promise<void> | undefined
  /** Tells the other nodes what this one has used, and reads what they have. */
  exchange(): Promise<void>
}

export function createRateLimiter(
  limits: RateLimits,
  clock: MarketTime,
  db: Db,
  answerMs?: number,
): RateLimiter {
  const counts = createMinuteCounts(limits, clock)
  const shares = createRateShares(db, counts.current, answerMs)
  const isTooLittle = (count: Count, call: Call) => shares.needsMore(count, addedTo(count, call))

  function countNow(reply: FastifyReply, found: readonly PolicyCount[], call: Call): void {
    if (found.length === 0) return
    const refusing = found.find((count) => shares.leftOf(count) < addedTo(count, call))
    if (!refusing) for (const count of found) count.own += addedTo(count, call)
    const seconds = counts.secondsLeft()
    writeHeaders(reply, found, { seconds, leftOf: shares.leftOf })
    if (refusing) throw refusalOf(reply, refusing, call.cost, seconds)
  }

  /** Another call may use what was taken for this one, so it may have to take several times. */
  async function takeAndCount(reply: FastifyReply, caller: Caller, call: Call): Promise<void> {
    for (;;) {
      const found = counts.of(caller)
      const short = found.filter((count) => isTooLittle(count, call))
      if (short.length === 0) return countNow(reply, found, call)
      await Promise.all(short.map((count) => shares.takeMore(count, addedTo(count, call))))
    }
  }

  return {
    count(reply, caller, cost, counted = 0) {
      const call = { cost, counted }
      const found = counts.of(caller)
      if (found.some((count) => isTooLittle(count, call))) return takeAndCount(reply, caller, call)
      countNow(reply, found, call)
      return undefined
    },
    exchange: shares.exchange,
  }
}

/**
 * The counts of the minute. Nodes go by the market's clock, so that they agree about the minute.
 */
function createMinuteCounts(limits: RateLimits, clock: MarketTime) {
  let minute = 0
  let counts = new Map<string, PolicyCount>()

  function startMinute(): void {
    const current = Math.floor(clock.now() / MINUTE_MS)
    if (current === minute) return
    minute = current
    counts = new Map()
  }

  function countOf(uuid: string, policy: Policy, limit: number): PolicyCount {
    let count = counts.get(uuid)
    if (!count) {
      count = { ...newCount(limit), policy, header: '' }
      counts.set(uuid, count)
    }
    if (count.limit !== limit || count.header === '') {
      count.limit = limit
      count.header = `"${policy}";q=${limit};w=60`
    }
    return count
  }

  /** What a merchant may use one of whose tokens has this limit of its own. */
  function shareOf(tokenLimit: number): number {
    const factor = limits.token === 0 ? 1 : Math.max(1, limits.merchant / limits.token)
    return Math.ceil(tokenLimit * factor)
  }

  return {
    /** The limits that hold for the caller: none, one or both. The token's comes first. */
    of({ token, merchant }: Caller): PolicyCount[] {
      startMinute()
      const found: PolicyCount[] = []
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
    },
    current: () => {
      startMinute()
      return { minute, counts }
    },
    secondsLeft: () => Math.ceil(((minute + 1) * MINUTE_MS - clock.now()) / 1000),
  }
}

type Policy = 'token' | 'merchant'

interface PolicyCount extends Count {
  policy: Policy
  /** The item of the RateLimit-Policy header, rendered once. */
  header: string
}

interface Call {
  cost: number
  /** What of the cost was counted before. */
  counted: number
}

function addedTo({ limit }: Count, { cost, counted }: Call): number {
  return Math.min(cost, limit) - Math.min(counted, limit)
}

function writeHeaders(
  reply: FastifyReply,
  counts: readonly PolicyCount[],
  { seconds, leftOf }: { seconds: number; leftOf: (count: Count) => number },
): void {
  const itemOf = (count: PolicyCount) => `"${count.policy}";r=${leftOf(count)};t=${seconds}`
  const [first, second] = counts
  reply.header('ratelimit-policy', second ? `${first.header}, ${second.header}` : first.header)
  reply.header('ratelimit', second ? `${itemOf(first)}, ${itemOf(second)}` : itemOf(first))
}

const WHO = { token: 'The token', merchant: 'All tokens of the merchant together' } as const

function refusalOf(
  reply: FastifyReply,
  count: PolicyCount,
  cost: number,
  seconds: number,
): Refusal {
  reply.header('retry-after', seconds)
  const { policy, limit } = count
  const most = `${WHO[policy]} may make ${limit} requests a minute`
  const counts = cost > 1 ? `, and this one counts as ${Math.min(cost, limit)}` : ''
  return new Refusal('rate_limited', `${most}${counts}; try again in ${seconds} s.`)
}
