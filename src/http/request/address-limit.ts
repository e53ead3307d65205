import type { FastifyReply } from 'fastify'
import type { MarketTime } from '../../database/clock.ts'
import { callerKey } from '../../lib/networks.ts'
import { Refusal } from '../../lib/refusal.ts'

const MINUTE_MS = 60_000
/**
 * How many addresses are remembered within a minute, at about 200 bytes each. When there are more,
 * the oldest is forgotten: an attacker with this many addresses gains nothing by it.
 */
const ADDRESSES_MAX = 20_000
/** Other processes are told about an address that has used this share of its calls here. */
const SHARED_PART = 1 / 20
/** Bounds a message between processes. */
const SHARED_MAX = 1_000

interface Count {
  own: number
  /** What the other processes of this node had counted when they last told. */
  others: number
}

/** The counts of one minute, by address. */
export interface AddressCounts {
  minute: number
  counts: [address: string, count: number][]
}

/**
 * Counts calls that no valid key answers for, by the address they come from and by the minute.
 * An IPv6 network of 64 bits counts as one address. Several processes of one node tell each other
 * their counts once a second (cli/serve/worker-addresses.ts); nodes count for themselves.
 */
export interface AddressLimiter {
  /** Counts a call. Returns a refusal, whose headers are written, when the minute is used up. */
  count(reply: FastifyReply, address: string): Refusal | undefined
  /** Whether the address has no call left in this minute. */
  isUsedUp(address: string): boolean
  /** What this process has counted, for the other ones. */
  own(): AddressCounts
  /** What the others have counted. */
  setOthers(counts: AddressCounts): void
}

/** 0 means no limit. */
export function createAddressLimiter(limitPerMinute: number, clock: MarketTime): AddressLimiter {
  let minute = 0
  let counts = new Map<string, Count>()

  function startMinute(nowMs: number): void {
    const current = Math.floor(nowMs / MINUTE_MS)
    if (current === minute) return
    minute = current
    counts = new Map()
  }

  function countOf(key: string): Count {
    let count = counts.get(key)
    if (count) return count
    // A Map keeps insertion order, so the first key is the oldest.
    if (counts.size >= ADDRESSES_MAX) counts.delete(counts.keys().next().value ?? '')
    count = { own: 0, others: 0 }
    counts.set(key, count)
    return count
  }

  return {
    count(reply, address) {
      if (limitPerMinute === 0) return undefined
      const nowMs = clock.now()
      startMinute(nowMs)
      const count = countOf(callerKey(address))
      count.own++
      if (count.own + count.others <= limitPerMinute) return undefined
      return refuse(reply, limitPerMinute, Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000))
    },
    isUsedUp(address) {
      if (limitPerMinute === 0) return false
      startMinute(clock.now())
      const count = counts.get(callerKey(address))
      return count !== undefined && count.own + count.others >= limitPerMinute
    },
    own() {
      startMinute(clock.now())
      const busy = [...counts].filter(([, { own }]) => own >= limitPerMinute * SHARED_PART)
      return { minute, counts: busy.slice(0, SHARED_MAX).map(([key, { own }]) => [key, own]) }
    },
    setOthers(told) {
      startMinute(clock.now())
      if (told.minute !== minute) return
      for (const [key, count] of told.counts) countOf(key).others = count
    },
  }
}

function refuse(reply: FastifyReply, limit: number, seconds: number): Refusal {
  reply.header('ratelimit-policy', `"address";q=${limit};w=60`)
  reply.header('ratelimit', `"address";r=0;t=${seconds}`)
  reply.header('retry-after', seconds)
  const detail =
    `An address may make ${limit} calls a minute without a valid token; ` +
    `try again in ${seconds} s.`
  return new Refusal('rate_limited', detail)
}
