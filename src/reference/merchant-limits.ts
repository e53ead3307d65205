import { Refusal, type RefusalCode } from '../lib/refusal.ts'

/**
 * What one merchant may have at most. The names are those of the columns in `merchant`, of the
 * fields in the operator's interface and, with hyphens, of the options of `pavilion merchant set`.
 */
interface MerchantLimit {
  /** In force unless the operator sets another for the merchant. */
  standard: number
  lowest: number
  highest: number
  /** What is counted, in words. */
  counts: string
}

export const MERCHANT_LIMITS = {
  /** A hold takes a stone from everyone else for nothing. Few shops have 50 customers a day. */
  max_holds: { standard: 50, lowest: 0, highest: 5_000, counts: 'live holds' },
  /**
   * A customer decides within a weekend and a day. Without this limit a merchant could renew its
   * holds for ever.
   */
  max_hold_hours: { standard: 72, lowest: 1, highest: 8_760, counts: 'hours for one stone' },
  /**
   * How much a merchant may have on memo is agreed with it (`memo_limit`). Without that there is no
   * limit: the standard ones are never reached.
   */
  max_memo_stones: { standard: 1_000_000, lowest: 0, highest: 1_000_000, counts: 'stones on memo' },
  /** In US dollars. */
  max_memo_value: {
    standard: 2_000_000_000,
    lowest: 0,
    highest: 2_000_000_000,
    counts: 'US dollars on memo',
  },
  /** More shops than any merchant has. Lists of addresses are read whole, so they end somewhere. */
  max_addresses: { standard: 500, lowest: 0, highest: 5_000, counts: 'addresses' },
  /** One curated search goes through all templates of a group, so nobody may have more. */
  max_templates: { standard: 500, lowest: 0, highest: 500, counts: 'templates' },
  /** Every event of the merchant makes one delivery for each webhook. */
  max_webhooks: { standard: 20, lowest: 0, highest: 200, counts: 'webhooks' },
  /** Far more than a shop needs; each living key may be in the memory of every node. */
  max_keys: { standard: 50, lowest: 0, highest: 1_000, counts: 'keys' },
} as const satisfies Record<string, MerchantLimit>

export type MerchantLimitName = keyof typeof MERCHANT_LIMITS
export const MERCHANT_LIMIT_NAMES = Object.keys(MERCHANT_LIMITS) as MerchantLimitName[]

/** What the operator set for a merchant; null where the standard limit is in force. */
export type OwnLimits = Record<MerchantLimitName, number | null>

/** The limit in force. */
export function limitOf(own: Partial<OwnLimits>, name: MerchantLimitName): number {
  return own[name] ?? MERCHANT_LIMITS[name].standard
}

interface LimitReached {
  name: MerchantLimitName
  limit: number
  used: number
  /** What the merchant can do about it. */
  advice: string
  /** Given where a request can ask for more than one. */
  requested?: number
}

/** The refusal of a request that would exceed a limit. It has the figures for programs, too. */
export function limitRefusal(code: RefusalCode, reached: LimitReached): Refusal {
  const { name, limit, used, requested, advice } = reached
  const { counts } = MERCHANT_LIMITS[name]
  const most = limit.toLocaleString('en-US')
  const has = used.toLocaleString('en-US')
  const more = requested?.toLocaleString('en-US')
  const asked = more === undefined ? '' : `, and ${more} more were requested`
  const detail =
    `The merchant's limit of ${counts} is ${most}; ${has} are in use${asked}. ` +
    `${advice}, or have the operator raise the limit.`
  const figures = { limit_name: name, limit, used, ...(requested !== undefined && { requested }) }
  return new Refusal(code, detail, { extra: figures })
}
