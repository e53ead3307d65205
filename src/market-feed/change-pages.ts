import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Tx } from '../database/open.ts'
import {
  type Change,
  hasUnnumberedProducts,
  lastSequence,
  readChanges,
} from '../events/change-log.ts'
import { Refusal } from '../lib/refusal.ts'
import type { ProductKind } from './product-kinds.ts'
import { createProductReads, type ProductReads } from './product-reads.ts'

/**
 * A change for a merchant's own copy of the market. A snapshot at number N, with the changes after
 * N applied, equals a later snapshot: both read the log and the products in one moment, and both
 * take a hold as it is stored. A lease that has ended still counts as held in both, until it is
 * cleared and its release is in the log.
 */
interface FollowedChange {
  sequence: number
  kind: Change['kind']
  sku: string | null
  /** Null when the kind is `prices`. */
  product_type: ProductKind | null
  /** The product as it is now, as JSON; null when it is no longer visible. */
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
  kinds: readonly ProductKind[]
  /** Whether the merchant's copy has treated diamonds. */
  includeTreated: boolean
}

/** How many pages of the log without a change for the merchant are skipped in one request. */
const PAGES_MAX = 20

/** What the requests of one transaction share: what one of them has read, the others need not. */
interface SharedReads {
  last: number
  /** Entries of the log by their position after `after`, and the number after which it goes on. */
  logged(from: number, count: number): Promise<{ entries: Change[]; next: number }>
  products: ProductReads
}

interface ChangePageDeps {
  publicUrl: string
  numberChanges: () => Promise<void>
}

/** Jewelry changes rarely, so the first attempt is nearly always enough. */
const NUMBER_ATTEMPTS_MAX = 20

/**
 * Reads the changes after a number for several merchants in one transaction, oldest first: the log
 * and the products once for all of them, and the price rules of all merchants together. A refusal
 * of one merchant does not concern the others.
 */
export async function readChangePages(
  db: Db,
  after: number,
  requests: readonly PageRequest[],
  { publicUrl, numberChanges }: ChangePageDeps,
): Promise<(ChangePage | Refusal)[]> {
  for (let attempt = 1; ; attempt++) {
    await numberChanges()
    const pages = await readOnce(db, after, requests, publicUrl, attempt < NUMBER_ATTEMPTS_MAX)
    if (pages) return pages
  }
}

/**
 * Returns undefined when jewelry changed meanwhile, unless there was enough patience: a product
 * that is shown and hidden again before it is numbered is in no entry of the log, so no page may
 * show it.
 */
function readOnce(
  db: Db,
  after: number,
  requests: readonly PageRequest[],
  publicUrl: string,
  isPatient: boolean,
): Promise<(ChangePage | Refusal)[] | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      if (isPatient && (await hasUnnumberedProducts(tx))) return undefined
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
  const merchants = [...new Set(requests.map(({ merchantUuid }) => merchantUuid))]
  let readTo = after
  let isLogRead = false
  return {
    last,
    async logged(from, count) {
      while (!isLogRead && entries.length < from + count) {
        const { changes, upTo } = await readChanges(tx, readTo, chunk, merchants)
        for (const entry of changes) entries.push(entry)
        isLogRead = changes.length < chunk
        readTo = upTo
      }
      const some = entries.slice(from, from + count)
      const isRest = isLogRead && from + count > entries.length
      return { entries: some, next: isRest ? readTo : some[some.length - 1].sequence }
    },
    products: createProductReads(tx, merchants, publicUrl),
  }
}

async function readPage(shared: SharedReads, request: PageRequest): Promise<ChangePage> {
  const { last } = shared
  const { limit } = request
  for (let page = 1; ; page++) {
    const from = (page - 1) * limit
    const { entries: logged, next } = await shared.logged(from, limit)
    const changes = await followChanges(shared, request, logged)
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

/** The entries that the merchant hears of, with what it sees of their products now. */
async function followChanges(
  { products }: SharedReads,
  { merchantUuid, kinds, includeTreated }: PageRequest,
  logged: readonly Change[],
): Promise<FollowedChange[]> {
  if (logged.length === 0) return []
  const { list } = await products.rules(merchantUuid, 'diamond')
  const concerning = logged.filter(
    ({ merchant_uuid, merchants, price_list }) =>
      (merchant_uuid === null || merchant_uuid === merchantUuid) &&
      (merchants === null || merchants.includes(merchantUuid)) &&
      (price_list === null || price_list === list),
  )
  await products.load(concerning, kinds)
  const followed: FollowedChange[] = []
  for (const change of concerning) {
    const now = products.kindOf(change)
    const product_type = followedKind(change, now, kinds)
    if (product_type === undefined) continue
    const { sequence, kind, sku, changed_on, former_type } = change
    const isHidden = !includeTreated && products.isTreated(change)
    if (isHidden && kind !== TREATED_SINCE && former_type === null) continue
    const isShown = product_type !== null && product_type === now && !isHidden
    const gem = isShown ? await products.render(change, merchantUuid) : null
    const told = isHidden ? 'gone' : kind
    followed.push({ sequence, kind: told, sku, product_type, gem, changed_on })
  }
  return followed
}

/**
 * Which kind of product a change is about for a request: what the product is now, or what it was
 * before it became another kind or was deleted. Null for `prices`, undefined for other kinds than
 * the requested ones. A deleted stone of which the log has no kind was a diamond.
 */
function followedKind(
  { kind, gem_id, former_type }: Change,
  now: ProductKind | undefined,
  kinds: readonly ProductKind[],
): ProductKind | null | undefined {
  if (kind === 'prices') return null
  const former = former_type ?? (now === undefined && gem_id !== null ? 'diamond' : null)
  return [now, former].find((each) => each && kinds.includes(each)) ?? undefined
}
