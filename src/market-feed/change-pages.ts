import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Tx } from '../database/open.ts'
import { type Change, lastSequence, readChanges } from '../events/change-log.ts'
import type { Gem } from '../gems/gem.ts'
import { isOnSale, isTreated } from '../gems/gem-life.ts'
import {
  extensionJson,
  NO_TEMPLATE,
  pricedFrom,
  renderTerms,
  stoneJson,
} from '../gems/gem-rendering.ts'
import { readGems } from '../gems/gem-store.ts'
import { isLeading, type Offer, readOffers } from '../gems/offer-store.ts'
import { Refusal } from '../lib/refusal.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import type { PriceRules } from '../pricing/price-rules.ts'
import { readPriceRules, readPriceRulesOf } from '../pricing/price-rules-cache.ts'

/**
 * A change for a merchant's own copy of the market. A snapshot at number N, with the changes after
 * N applied, equals a later snapshot: both read the log and the stones in one moment, and both
 * take a hold as it is stored. A lease that has ended still counts as held in both, until it is
 * cleared and its release is in the log.
 */
interface FollowedChange {
  sequence: number
  kind: Change['kind']
  sku: string | null
  /** The stone as it is now, as JSON; null when it is no longer visible. */
  gem: string | null
  changed_on: string
}

export interface ChangePage {
  changes: FollowedChange[]
  /** The `after` of the next request. */
  next: number
  more: boolean
}

export interface PageRequest {
  merchantUuid: string
  limit: number
  /** Whether the merchant's copy has treated diamonds. */
  includeTreated: boolean
}

/** How many pages of the log without a change for the merchant are skipped in one request. */
const PAGES_MAX = 20

/** The changed stones, and which of their offers lead where a stone has several. */
interface Stones {
  gems: Map<number, Gem>
  offers: Map<number, Offer>
}

/** What the requests of one transaction share: what one of them has read, the others need not. */
interface SharedReads {
  after: number
  last: number
  /** Entries of the log by their position after `after`. */
  logged(from: number, count: number): Promise<Change[]>
  stones(changes: readonly Change[]): Promise<Stones>
  rules(merchantUuid: string): Promise<PriceRules>
  stoneJson(gem: Gem): string
}

/**
 * Reads the changes after a number for several merchants in one transaction, oldest first: the log
 * and the stones once for all of them, and the price rules of all merchants together. A refusal of
 * one merchant does not concern the others.
 */
export async function readChangePages(
  db: Db,
  after: number,
  requests: readonly PageRequest[],
  publicUrl: string,
): Promise<(ChangePage | Refusal)[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const last = await lastSequence(tx)
      refuseFutureNumber(after, last)
      const shared = createSharedReads(tx, after, last, requests, publicUrl)
      // A number that the log no longer has is refused once for all.
      await shared.logged(0, 1)
      const pages: (ChangePage | Refusal)[] = []
      for (const request of requests) {
        pages.push(await readPage(shared, request).catch(refusalOf))
        // Rendering for many merchants must not keep other requests waiting.
        await nextTurn()
      }
      return pages
    })
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

function refuseFutureNumber(after: number, last: number): void {
  if (after <= last) return
  const message = `must be at most ${last}, the last number; take a new snapshot if it was more`
  throw new Refusal('invalid_request', `after ${message}.`, {
    errors: [{ field: 'after', message }],
  })
}

function createSharedReads(
  tx: Tx,
  after: number,
  last: number,
  requests: readonly PageRequest[],
  publicUrl: string,
): SharedReads {
  const entries: Change[] = []
  const chunk = Math.max(...requests.map(({ limit }) => limit))
  let isLogRead = false
  const stones: Stones = { gems: new Map(), offers: new Map() }
  const askedFor = new Set<number>()
  const rendered = new Map<number, string>()
  let rulesOfAll: Promise<Map<string, PriceRules>> | undefined

  return {
    after,
    last,
    async logged(from, count) {
      while (!isLogRead && entries.length < from + count) {
        const more = await readChanges(tx, after + entries.length, chunk)
        for (const entry of more) entries.push(entry)
        isLogRead = more.length < chunk
      }
      return entries.slice(from, from + count)
    },
    async stones(changes) {
      const ids = changes.flatMap(({ gem_id }) => (gem_id === null ? [] : [gem_id]))
      const missing = [...new Set(ids)].filter((id) => !askedFor.has(id))
      for (const gem of await readGems(tx, missing)) stones.gems.set(gem.id, gem)
      for (const [id, offer] of await readOffers(tx, missing)) stones.offers.set(id, offer)
      for (const id of missing) askedFor.add(id)
      return stones
    },
    async rules(merchantUuid) {
      const merchants = new Set(requests.map((request) => request.merchantUuid))
      rulesOfAll ??= readPriceRulesOf(tx, [...merchants])
      const rules = (await rulesOfAll).get(merchantUuid)
      // A merchant without rules is refused, with the reason.
      return rules ?? readPriceRules(tx, await getMerchant(tx, merchantUuid))
    },
    stoneJson(gem) {
      const json = rendered.get(gem.id) ?? stoneJson(gem, publicUrl) + extensionJson(gem)
      rendered.set(gem.id, json)
      return json
    },
  }
}

async function readPage(shared: SharedReads, request: PageRequest): Promise<ChangePage> {
  const { after, last } = shared
  const { limit } = request
  for (let page = 1; ; page++) {
    const from = (page - 1) * limit
    const logged = await shared.logged(from, limit)
    const changes = await followChanges(shared, request, logged)
    const next = after + from + logged.length
    const isLast = changes.length > 0 || logged.length < limit || page === PAGES_MAX
    if (isLast) return { changes, next, more: next < last }
  }
}

/**
 * A treated stone has no changes for those who do not follow them, with one exception: the stone
 * may have been untreated until this change, and then it has to leave their copies. Imports log
 * such a change as one of details, whatever else it changes.
 */
const TREATED_SINCE: Change['kind'] = 'details'

async function followChanges(
  shared: SharedReads,
  { merchantUuid, includeTreated }: PageRequest,
  logged: readonly Change[],
): Promise<FollowedChange[]> {
  if (logged.length === 0) return []
  const rules = await shared.rules(merchantUuid)
  const concerning = logged.filter(
    ({ merchant_uuid, price_list }) =>
      (merchant_uuid === null || merchant_uuid === merchantUuid) &&
      (price_list === null || price_list === rules.list),
  )
  if (concerning.length === 0) return []
  const { gems, offers } = await shared.stones(concerning)
  const followed: FollowedChange[] = []
  for (const { sequence, kind, sku, gem_id, changed_on } of concerning) {
    const gem = gem_id === null ? undefined : gems.get(gem_id)
    // A snapshot has diamonds only, so parcels and gemstones have no changes here either.
    if (gem && gem.product_type !== 'diamond') continue
    const isHidden = gem !== undefined && isTreated(gem) && !includeTreated
    if (isHidden && kind !== TREATED_SINCE) continue
    const offer = gem_id === null ? undefined : offers.get(gem_id)
    const isVisible = gem && !isHidden && isOnSale(gem) && isLeading(offer, rules.list)
    const rendered = isVisible ? renderFollowed(gem, offer, rules, shared) : null
    followed.push({ sequence, kind: isHidden ? 'gone' : kind, sku, gem: rendered, changed_on })
  }
  return followed
}

/** A stone of a merchant's copy, as JSON with the fields of a search result. */
function renderFollowed(
  gem: Gem,
  offer: Offer | undefined,
  rules: PriceRules,
  shared: SharedReads,
): string {
  const on_hold = (offer ? offer.held_until : gem.hold_expires_on) !== null
  const terms = { ...pricedFrom(gem, rules), on_hold }
  const rest = JSON.stringify({ ...renderTerms(terms, rules), ...NO_TEMPLATE })
  return `${shared.stoneJson(gem)},${rest.slice(1)}`
}
