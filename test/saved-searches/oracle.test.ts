import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import { DEFAULT_MARGINS } from '../../src/reference/defaults.ts'
import { type OfferMarket, openOfferMarket } from '../offers/offer-support.ts'
import type { TestMerchant } from '../support/market.ts'
import { alertsOf, compared, endLease, raiseNow, saveAlert } from './alert-support.ts'
import { STONES, type Step, step } from './history-steps.ts'

/**
 * Random writes by suppliers, merchants and the operator on two nodes. What merchants are told is
 * compared with brute force over the table: a search is told of a stone once, if it matched after
 * some write and not when the search was saved.
 */
let market: OfferMarket
beforeAll(async () => {
  market = await openOfferMarket()
})
afterAll(() => market.close())

/** Conditions of a search; the oracle reads them in its own way. */
interface Conditions {
  colors: string[] | undefined
  limit: number | undefined
}

const CONDITIONS: Conditions[] = [
  { colors: undefined, limit: undefined },
  { colors: ['D', 'E'], limit: undefined },
  { colors: undefined, limit: 7500 },
  { colors: ['E', 'F', 'G'], limit: 9000 },
]

interface Saved {
  uuid: string
  who: number
  conditions: Conditions
  /** What matched when it was saved or changed, and what it must have been told of since. */
  known: Set<string>
  /** What it must be told of; a change drops what was not raised yet. */
  told: string[]
  waiting: string[]
}

interface Listing {
  id: number
  sku: string
  cert_num: string
  color: string
  state: string
  quantity: number
  weight: string
  wholesale_price: string
  wholesale_price_us: string
  held: boolean
}

let runs = 0

class History {
  readonly run = ++runs
  readonly merchants: TestMerchant[] = [market.us, market.german]
  readonly imports = new Map<number, string>()
  readonly orders: { who: number; uuid: string }[] = []
  searches: Saved[] = []
  node = 0

  certificate(n: number): string {
    return `77${String(this.run).padStart(4, '0')}${String(n).padStart(4, '0')}`
  }

  async start(): Promise<void> {
    const { db } = market.database
    await createSupplier(db, `P ${this.run}`, { markup: 0, markup_us: 10, memo: true })
    await createSupplier(db, `Q ${this.run}`, { markup: 10, markup_us: 0, memo: true })
  }

  async listings(): Promise<Listing[]> {
    const { rows } = await sql<Listing>`
      select id, sku, cert_num, color, state, quantity, weight, wholesale_price,
        wholesale_price_us, hold_expires_on > market_clock() as held
      from gem where cert_num like ${`77${String(this.run).padStart(4, '0')}%`}
      order by id`.execute(market.database.db)
    return rows
  }

  /** The SKUs that match, by brute force over the listings. */
  matches(all: readonly Listing[], who: number, { colors, limit }: Conditions): string[] {
    const priceOf = (each: Listing) =>
      Number(who === 0 ? each.wholesale_price_us : each.wholesale_price)
    return all.flatMap((listing) => {
      const stone = all.filter(({ cert_num }) => cert_num === listing.cert_num)
      if (stone.some(({ state }) => state === 'sold' || state === 'memo')) return []
      if (stone.some(({ held, state }) => held && state === 'available')) return []
      const onSale = stone.filter((each) => each.state === 'available' && each.quantity > 0)
      const least = Math.min(...onSale.map(priceOf))
      const leader = onSale.find((each) => priceOf(each) === least)
      if (leader?.id !== listing.id) return []
      if (colors && !colors.includes(listing.color)) return []
      const retail = priceOf(listing) * (1 + percentFor(Number(listing.weight)) / 100)
      return limit !== undefined && Math.round(retail * 100) > limit * 100 ? [] : [listing.sku]
    })
  }

  async take(step: Step): Promise<void> {
    if (step.act === 'import') return this.import(step.supplier, step.stones)
    if (step.act === 'undo') {
      const uuid = this.imports.get(step.supplier)
      if (uuid) await market.post(`/api/operator/imports/${uuid}/undo`, market.adminKey)
      return
    }
    if (step.act === 'other node') return this.changeNode()
    if (step.act === 'raise') return this.raise()
    if (step.act === 'release' || step.act === 'cancel') return this.giveBack(step.act, step.who)
    if ('search' in step) return this.changeSearches(step)
    if (!('stone' in step)) return
    const all = await this.listings()
    if (all.length > 0) await this.touch(step.act, all[step.stone % all.length].sku, step.who)
  }

  async import(supplier: number, stones: Extract<Step, { act: 'import' }>['stones']) {
    const rows = stones.flatMap((stone, n) =>
      stone === null
        ? []
        : [
            {
              stock: `S${n}`,
              certificate: this.certificate(n),
              perCarat: stone.price,
              color: stone.color,
            },
          ],
    )
    const name = `${supplier === 0 ? 'P' : 'Q'} ${this.run}`
    // A stone without a certificate, so that a file is never empty.
    this.imports.set(supplier, await market.list(name, [...rows, { stock: 'X', perCarat: 5000 }]))
  }

  async touch(act: string, sku: string, who: number): Promise<void> {
    const { key } = this.merchants[who]
    if (act === 'hold') await market.hold(key, sku)
    if (act === 'order') {
      const { status, body } = await market.order(key, [sku])
      if (status === 200) this.orders.push({ who, uuid: body.uuid })
    }
    const override = {
      reprice: { wholesale_price: 4500, wholesale_price_us: 4700 },
      disable: { enabled: false },
      enable: { enabled: null, wholesale_price: null, wholesale_price_us: null },
    }
    if (act !== 'reprice' && act !== 'disable' && act !== 'enable') return
    const path = `/api/operator/inventory/gems/${sku}`
    await market.call('PATCH', path, { token: market.adminKey, body: override[act] })
  }

  async giveBack(act: 'release' | 'cancel', who: number): Promise<void> {
    const { key } = this.merchants[who]
    if (act === 'cancel') {
      const order = this.orders.pop()
      if (order) await market.post(`/api/operator/orders/${order.uuid}/cancel`, market.adminKey)
      return
    }
    const { body } = await market.call('GET', '/api/v3/inventory/holds', { token: key })
    for (const { uuid } of body.holds) {
      await market.call('DELETE', `/api/v3/inventory/holds/${uuid}`, { token: key })
    }
  }

  async changeSearches({ act, who, search }: Extract<Step, { search: number }>): Promise<void> {
    const conditions = CONDITIONS[search % CONDITIONS.length]
    const known = new Set(this.matches(await this.listings(), who, conditions))
    if (act === 'save') {
      const uuid = await saveAlert(market, this.merchants[who], this.filters(conditions), {
        max_retail_price: conditions.limit ?? null,
        // Instant ones would be raised in the middle of a history, when a minute is over.
        alert: 'daily',
      })
      this.searches.push({ uuid, who, conditions, known, told: [], waiting: [] })
      return
    }
    const own = this.searches.filter((each) => each.who === who)
    const saved = own[search % Math.max(1, own.length)]
    if (!saved) return
    const token = this.merchants[who].key
    const path = `/api/v3/saved_searches/${saved.uuid}`
    if (act === 'delete') {
      await market.call('DELETE', path, { token })
      this.searches = this.searches.filter((each) => each !== saved)
      return
    }
    if (saved.conditions === conditions) return
    const filters = this.filters(conditions)
    const body = { filters, max_retail_price: conditions.limit ?? null }
    expect((await market.call('PATCH', path, { token, body })).status).toBe(200)
    Object.assign(saved, { conditions, known, waiting: [] })
  }

  /** Only stones of this history. */
  filters({ colors }: Conditions) {
    const cert_num = Array.from({ length: STONES }, (_, n) => this.certificate(n))
    return { cert_num, ...(colors && { color: colors }) }
  }

  async changeNode(): Promise<void> {
    await endLease(market)
    this.node = 1 - this.node
  }

  async raise(): Promise<void> {
    await raiseNow(market)
    for (const saved of this.searches) {
      saved.told.push(...saved.waiting)
      saved.waiting = []
    }
  }

  /** After each write: one of the nodes compares, and the oracle does. */
  async compare(): Promise<void> {
    const nodes = [market.app, market.second]
    await compared(...(this.node === 0 ? nodes : nodes.toReversed()))
    const all = await this.listings()
    const listed = new Set(all.map(({ sku }) => sku))
    for (const saved of this.searches) {
      // An undone import takes its new stones away, and what comes again later is new again.
      saved.known = new Set([...saved.known].filter((sku) => listed.has(sku)))
      saved.waiting = saved.waiting.filter((sku) => listed.has(sku))
      for (const sku of this.matches(all, saved.who, saved.conditions)) {
        if (saved.known.has(sku)) continue
        saved.known.add(sku)
        saved.waiting.push(sku)
      }
    }
  }

  async check(): Promise<void> {
    await this.raise()
    for (const { uuid, who, told } of this.searches) {
      const alerts = await alertsOf(market, this.merchants[who])
      const skus = alerts.flatMap((each) => (each.saved_search_uuid === uuid ? each.skus : []))
      expect(skus.toSorted()).toEqual(told.toSorted())
    }
  }
}

/** The margin of a mined stone for a merchant without tiers of its own. */
function percentFor(weight: number): number {
  const tiers = DEFAULT_MARGINS.filter(({ weight_min }) => Number(weight_min) <= weight)
  return Number((tiers.at(-1) ?? DEFAULT_MARGINS[0]).mined_percent)
}

describe('a random history of stones and saved searches', () => {
  /** Few, for a busy machine; ALERT_HISTORIES sets another number. */
  const numRuns = Number(process.env.ALERT_HISTORIES ?? 4)

  it('tells each search once of each stone that starts to match', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        const history = new History()
        await history.start()
        for (const each of steps) {
          await history.take(each)
          await history.compare()
        }
        await history.check()
      }),
      { numRuns, endOnFailure: true },
    )
  })
})
