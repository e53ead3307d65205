import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GemIndex, startGemIndex } from '../../src/gems/indexing/follower.ts'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import type { App } from '../../src/http/route.ts'
import { indexRows, loadedRows } from '../support/index-rows.ts'
import type { TestMerchant } from '../support/market.ts'
import { type Json, type OfferMarket, openOfferMarket } from './offer-support.ts'

let market: OfferMarket
/** An index beside those of the nodes, which is merged with every change. */
let merging: GemIndex
const bases = new Set<unknown>()
beforeAll(async () => {
  market = await openOfferMarket()
  const { database } = market
  merging = startGemIndex({ database, name: 'diamond', now: Date.now, driftMin: 0 })
  await merging.reload()
})
afterAll(async () => {
  await merging.stop()
  await market.close()
})

const SUPPLIERS = ['A', 'B', 'C']
const STONES = 3

/** A step of a history; the numbers choose among what there is. */
type Step =
  | { act: 'import'; supplier: number; prices: (number | null)[] }
  | { act: 'undo'; supplier: number }
  | { act: 'hold' | 'release' | 'order' | 'memo'; who: number; offer: number; node: number }
  | { act: 'backorder'; offer: number }
  | { act: 'cancel' | 'return' | 'convert'; order: number }
  | { act: 'keep' | 'apart'; offer: number }
  | { act: 'reprice'; offer: number; price: number | null }
  | { act: 'disable' | 'enable' | 'end hold'; offer: number }

const price = fc.option(fc.constantFrom(5000, 5200, 5400, 5600), { freq: 3 })
const choice = fc.nat({ max: 999 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('import' as const),
      supplier: fc.nat({ max: SUPPLIERS.length - 1 }),
      prices: fc.array(price, { minLength: STONES, maxLength: STONES }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('undo' as const),
      supplier: fc.nat({ max: SUPPLIERS.length - 1 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom('hold' as const, 'release', 'order', 'memo'),
      who: fc.nat({ max: 1 }),
      offer: choice,
      node: fc.nat({ max: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('backorder' as const), offer: choice }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('cancel' as const, 'return', 'convert'),
      order: choice,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('keep' as const, 'apart'), offer: choice }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('reprice' as const),
      offer: choice,
      price: fc.option(fc.constantFrom(4900, 5300, 5700), { freq: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('disable' as const, 'enable', 'end hold'),
      offer: choice,
    }),
  },
)

/** A listing as the table has it. The oracle knows nothing of which offers lead. */
interface Listing {
  id: number
  sku: string
  cert_num: string
  supplier: string
  state: string
  quantity: number
  memo: boolean
  held_by: string | null
  prices: { default: number; us: number }
}

let runs = 0

/** A history in a market of its own: new suppliers, new certificates, one market of merchants. */
class History {
  readonly run = ++runs
  readonly certificates = Array.from(
    { length: STONES },
    (_, n) => `88${String(this.run).padStart(4, '0')}${String(n).padStart(4, '0')}`,
  )
  readonly imports = new Map<string, string>()
  readonly orders: string[] = []
  /** Certificates whose listings the operator said are different stones. */
  readonly apart = new Set<string>()
  /** What the operator set by hand, by SKU: it stands whatever else happens. */
  readonly prices = new Map<string, number>()
  readonly disabled = new Set<string>()
  readonly merchants: TestMerchant[] = [market.us, market.german]
  readonly copies: { next: number; gems: Map<string, Json>; known: Set<string> }[] = []

  nameOf(supplier: number): string {
    return `${SUPPLIERS[supplier]} ${this.run}`
  }

  async start(): Promise<void> {
    const { db } = market.database
    await createSupplier(db, this.nameOf(0), { markup: 0, markup_us: 6, memo: true })
    await createSupplier(db, this.nameOf(1), { markup: 4, markup_us: 0, memo: true })
    await createSupplier(db, this.nameOf(2), { markup: 2, markup_us: 2, memo: true })
    for (const { key } of this.merchants) {
      const { sequence, gems } = await market.snapshot(key)
      this.copies.push({ next: sequence, gems, known: new Set(gems.keys()) })
    }
  }

  async listings(): Promise<Listing[]> {
    const { db } = market.database
    const rows = await db
      .selectFrom('gem')
      .innerJoin('supplier', 'supplier.id', 'gem.supplier_id')
      .selectAll('gem')
      .select('supplier.name as supplier')
      .where('gem.cert_num', 'in', this.certificates)
      .orderBy('gem.id')
      .execute()
    return rows.map((gem) => ({
      id: gem.id,
      sku: gem.sku,
      cert_num: gem.cert_num ?? '',
      supplier: gem.supplier,
      state: gem.state,
      quantity: gem.quantity,
      memo: gem.memo,
      held_by: gem.hold_merchant_uuid,
      prices: { default: Number(gem.wholesale_price), us: Number(gem.wholesale_price_us) },
    }))
  }

  /** The listings that are one stone with this one, itself included. */
  stoneOf(listing: Listing, all: readonly Listing[]): Listing[] {
    if (this.apart.has(listing.cert_num)) return all.filter(({ id }) => id === listing.id)
    return all.filter(({ cert_num }) => cert_num === listing.cert_num)
  }

  /** What search must find: per stone that nobody has taken, the cheapest listing on sale. */
  leaders(all: readonly Listing[], list: 'default' | 'us'): Record<string, boolean> {
    const shown: Record<string, boolean> = {}
    for (const listing of all) {
      const stone = this.stoneOf(listing, all)
      if (stone.some(isTaken) || !isOnSale(listing)) continue
      const rivals = stone.filter(isOnSale)
      const cheapest = Math.min(...rivals.map(({ prices }) => prices[list]))
      const [first] = rivals.filter(({ prices }) => prices[list] === cheapest)
      if (first.id === listing.id) shown[listing.sku] = stone.some(isHeld)
    }
    return shown
  }

  /** What ordering or holding the listing must answer. */
  expected(listing: Listing, all: readonly Listing[], by: string, act: string): string {
    const stone = this.stoneOf(listing, all)
    const isBackorder = act === 'backorder' && ['available', 'gone'].includes(listing.state)
    if (stone.some(isTaken) || (!isOnSale(listing) && !isBackorder)) return 'sku_unavailable'
    const holder = stone.find(isHeld)?.held_by
    if (holder && holder !== by) return 'sku_on_hold'
    return 'done'
  }

  async take(step: Step): Promise<void> {
    if (step.act === 'import') return this.import(step)
    if (step.act === 'undo') return this.undo(step)
    if ('order' in step) return this.changeOrder(step)
    const all = await this.listings()
    if (all.length === 0) return
    const listing = all[step.offer % all.length]
    if (step.act === 'keep' || step.act === 'apart') return this.decide(step.act, listing)
    if (step.act === 'release') return this.release(step.who)
    if (step.act === 'reprice') return this.reprice(listing, step.price)
    if (step.act === 'end hold') return this.endHold(listing, all)
    if (step.act === 'disable' || step.act === 'enable') return this.switch(step.act, listing)
    const { merchant, key } = this.merchants['who' in step ? step.who : 0]
    const node = 'node' in step && step.node === 1 ? market.second : market.app
    const expected = this.expected(listing, all, merchant.uuid, step.act)
    const { status, body } = await this.buy(node, step.act, listing.sku, key, merchant.uuid)
    expect(status < 300 ? 'done' : body.code, JSON.stringify({ step, body })).toBe(expected)
    if (status === 200) this.orders.push(body.uuid)
  }

  async buy(node: App, act: string, sku: string, key: string, merchant_uuid: string) {
    const line_items = [{ sku, quantity: 1 }]
    const isBackorder = act === 'backorder'
    const order = { order_type: act === 'memo' ? 'memo' : 'invoice', line_items }
    const response = await node.inject({
      method: 'POST',
      url: act === 'hold' ? '/api/v3/inventory/holds' : '/api/v2/orders/place',
      headers: { authorization: `Bearer ${isBackorder ? market.adminKey : key}` },
      payload:
        act === 'hold'
          ? { sku, minutes: 60 }
          : isBackorder
            ? { ...order, merchant_uuid, allow_unavailable: true }
            : order,
    })
    return { status: response.statusCode, body: response.json() }
  }

  async import({ supplier, prices }: Extract<Step, { act: 'import' }>): Promise<void> {
    const name = this.nameOf(supplier)
    const rows = prices.flatMap((perCarat, n) =>
      perCarat === null ? [] : [{ stock: `S${n}`, certificate: this.certificates[n], perCarat }],
    )
    // A stone without a certificate, so that a file is never empty.
    this.imports.set(name, await market.list(name, [...rows, { stock: 'X', perCarat: 5000 }]))
  }

  async undo({ supplier }: Extract<Step, { act: 'undo' }>): Promise<void> {
    const uuid = this.imports.get(this.nameOf(supplier))
    if (uuid) await market.post(`/api/operator/imports/${uuid}/undo`, market.adminKey)
  }

  async changeOrder({ act, order }: Extract<Step, { order: number }>): Promise<void> {
    const uuid = this.orders[order % Math.max(1, this.orders.length)]
    if (uuid) await market.post(`/api/operator/orders/${uuid}/${act}`, market.adminKey)
  }

  async release(who: number): Promise<void> {
    const token = this.merchants[who].key
    const { body } = await market.call('GET', '/api/v3/inventory/holds', { token })
    const hold = body.holds.at(0)
    if (hold) await market.call('DELETE', `/api/v3/inventory/holds/${hold.uuid}`, { token })
  }

  async decide(decision: 'keep' | 'apart', { cert_num, sku }: Listing): Promise<void> {
    const path = `/api/operator/inventory/conflicts/GIA/${cert_num}/decide`
    const body = decision === 'keep' ? { decision, sku } : { decision }
    const { status } = await market.post(path, market.adminKey, body)
    // Stones that were sold while they were apart stay apart.
    if (status === 409) return
    expect(status).toBe(200)
    if (decision === 'apart') this.apart.add(cert_num)
    else {
      this.apart.delete(cert_num)
      for (const each of await this.listings()) {
        if (each.cert_num !== cert_num) continue
        if (each.sku === sku) this.disabled.delete(sku)
        else if (!isTaken(each)) this.disabled.add(each.sku)
      }
    }
  }

  async set(sku: string, body: Json): Promise<void> {
    const path = `/api/operator/inventory/gems/${sku}`
    const { status } = await market.call('PATCH', path, { token: market.adminKey, body })
    expect(status).toBe(200)
  }

  async reprice({ sku }: Listing, wholesale_price: number | null): Promise<void> {
    await this.set(sku, { wholesale_price })
    if (wholesale_price === null) this.prices.delete(sku)
    else this.prices.set(sku, wholesale_price)
  }

  async switch(act: 'disable' | 'enable', { sku }: Listing): Promise<void> {
    await this.set(sku, { enabled: act === 'disable' ? false : null })
    if (act === 'disable') this.disabled.add(sku)
    else this.disabled.delete(sku)
  }

  async endHold(listing: Listing, all: readonly Listing[]): Promise<void> {
    const path = `/api/operator/inventory/gems/${listing.sku}/hold`
    const { status } = await market.call('DELETE', path, { token: market.adminKey })
    const isHeldNow = this.stoneOf(listing, all).some(isHeld)
    expect(status).toBe(isHeldNow ? 204 : 404)
    const after = await this.listings()
    expect(this.stoneOf(listing, after).some(isHeld)).toBe(false)
  }

  /** What was set by hand is there, and what is disabled is not for sale. */
  checkOverrides(all: readonly Listing[]): void {
    for (const { sku, state, prices } of all) {
      expect(prices.default, sku).toBe(this.prices.get(sku) ?? prices.default)
      if (this.disabled.has(sku)) expect(['disabled', 'sold', 'memo']).toContain(state)
      else expect(state).not.toBe('disabled')
    }
    for (const sku of [...this.prices.keys(), ...this.disabled]) {
      expect(all.map((each) => each.sku)).toContain(sku)
    }
  }

  /** Compares both nodes, the snapshots and the followed copies with the oracle. */
  async check(): Promise<void> {
    const all = await this.listings()
    this.checkOverrides(all)
    for (const listing of all) {
      const stone = this.stoneOf(listing, all)
      expect(stone.filter(isTaken).length).toBeLessThan(2)
    }
    for (const [at, list] of (['us', 'default'] as const).entries()) {
      const { key } = this.merchants[at]
      const wanted = this.leaders(all, list)
      expect(await market.found(key, this.certificates)).toEqual(wanted)
      const second = await market.second.inject({
        method: 'POST',
        url: '/api/v2/diamonds/merchant_search',
        headers: { authorization: `Bearer ${key}` },
        payload: { filters: { cert_num: this.certificates }, limit: 100 },
      })
      const gems = second.json<{ gems: { sku: string; on_hold: boolean }[] }>().gems
      expect(Object.fromEntries(gems.map(({ sku, on_hold }) => [sku, on_hold]))).toEqual(wanted)
      await this.follow(at)
    }
  }

  /** Compares the index that is merged all the time with one that is loaded from the table. */
  async checkMerged(): Promise<void> {
    await merging.catchUp()
    expect(indexRows(merging.store())).toEqual(await loadedRows(market.database, 'diamond'))
    bases.add(merging.store().base)
  }

  async follow(at: number): Promise<void> {
    const { key } = this.merchants[at]
    const copy = this.copies[at]
    const { changes, next } = await market.changes(key, copy.next)
    for (const { kind, sku, gem } of changes) {
      if (kind === 'new' || kind === 'back') copy.known.add(sku)
      expect(copy.known.has(sku), `${kind} of ${sku}, which never led`).toBe(true)
      if (gem === null) copy.gems.delete(sku)
      else copy.gems.set(sku, gem)
    }
    copy.next = next
    const { gems } = await market.snapshot(key)
    expect(Object.fromEntries(copy.gems)).toEqual(Object.fromEntries(gems))
  }
}

const isTaken = ({ state }: Listing) => state === 'sold' || state === 'memo'
const isOnSale = ({ state, quantity }: Listing) => state === 'available' && quantity > 0
const isHeld = ({ held_by }: Listing) => held_by !== null

describe('a random history of a few stones at three suppliers', () => {
  /** Few, for a busy machine; OFFER_HISTORIES sets another number. */
  const numRuns = Number(process.env.OFFER_HISTORIES ?? 4)

  it('shows, holds and sells each stone once, on both nodes and in both lists', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps) => {
        const history = new History()
        await history.start()
        for (const each of steps) {
          await history.take(each)
          await history.check()
          await history.checkMerged()
        }
      }),
      { numRuns, endOnFailure: true },
    )
    expect(bases.size).toBeGreaterThan(1)
  })
})
