import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { numberChanges } from '../../src/events/number-changes.ts'
import { setExchangeRate } from '../../src/pricing/exchange-rates.ts'
import {
  type FollowedMarket,
  type Json,
  KINDS,
  openFollowedMarket,
  type PieceRow,
  type StoneRow,
} from './followed-market.ts'

vi.setConfig({ testTimeout: 600_000 })

let market: FollowedMarket
beforeAll(async () => {
  market = await openFollowedMarket()
})
afterAll(() => market.close())

/** A step of a history; the numbers choose among what there is. */
type Step =
  | { act: 'stones' | 'gemstones' | 'pieces'; supplier: number; rows: (number | null)[] }
  | { act: 'undo'; which: number }
  | { act: 'order' | 'hold'; who: number; which: number; quantity: number }
  | { act: 'cancel'; which: number }
  | { act: 'open' | 'close' | 'share' | 'unshare' | 'add' | 'remove'; which: number }
  | { act: 'rate'; which: number }

const which = fc.nat({ max: 9_999 })
const listing = fc.record({
  act: fc.constantFrom('stones' as const, 'gemstones', 'pieces'),
  supplier: fc.nat({ max: 1 }),
  rows: fc.array(fc.option(fc.nat({ max: 59 }), { freq: 4 }), { minLength: 5, maxLength: 5 }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: listing },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('undo' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom('order' as const, 'order', 'order', 'hold'),
      who: fc.nat({ max: 1 }),
      which,
      quantity: fc.constantFrom(1, 1, 2, 50),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('cancel' as const), which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom('open' as const, 'close', 'share', 'unshare', 'add', 'remove'),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('rate' as const), which }) },
)

/** A merchant's copy of one or of all kinds of product. */
interface Copy {
  token: string
  kinds: readonly string[]
  next: number
  products: Map<string, Json>
}

let runs = 0

class History {
  readonly run = ++runs
  readonly orders: string[] = []
  readonly imports: string[] = []
  readonly catalogues: string[] = []
  copies: Copy[] = []

  async start(): Promise<void> {
    for (const name of ['One', 'Two']) {
      const body = { name: `${name} ${this.run}` }
      const made = await market.post('/api/operator/catalogues', market.adminKey, body)
      this.catalogues.push(made.body.uuid)
    }
    for (const { key } of [market.us, market.german]) {
      for (const kinds of [...KINDS.map((kind) => [kind]), KINDS, ['melee', 'watch']]) {
        const { sequence, products } = await market.snapshot(key, kinds)
        this.copies.push({ token: key, kinds, next: sequence, products })
      }
    }
  }

  async take(step: Step): Promise<void> {
    if ('rows' in step) return this.list(step)
    if (step.act === 'undo') return this.undo(step.which)
    if (step.act === 'cancel') return this.cancel(step.which)
    if (step.act === 'rate') return setRate(step.which)
    if ('who' in step) return this.buy(step)
    return this.changeCatalogue(step.act, step.which)
  }

  /** A digit of each number is the price, the rest is what the row is. */
  async list({ act, supplier, rows }: Extract<Step, { rows: unknown }>): Promise<void> {
    const listed = rows.flatMap((n, at) => (n === null ? [] : [{ n, at }]))
    if (listed.length === 0) return
    const name = `${act}${supplier}of${this.run}`
    if (act === 'stones') {
      const stones = listed.map(({ n, at }): StoneRow => {
        const perCarat = 5000 + 100 * (n % 10)
        const certificate = `77${String(this.run).padStart(4, '0')}${String(at).padStart(4, '0')}`
        if (n < 40) return { stock: `S${at}`, perCarat, certificate }
        return { stock: `S${at}`, perCarat: perCarat / 10, stones: 40 + (n % 3) * 10 }
      })
      return this.keep('imports', market.listStones(name, stones))
    }
    if (act === 'gemstones') {
      const stones = listed.map(({ n, at }) => ({ stock: `G${at}`, perCarat: 900 + (n % 10) }))
      return this.keep('imports', market.listGemstones(name, stones))
    }
    const pieces = listed.map(
      ({ n, at }): PieceRow => ({
        stock: `J${at}`,
        parent: n % 7 === 0 ? 'moved' : `P${at % 2}`,
        type: n < 15 ? 'Watches' : 'Rings',
        price: 1000 + 10 * (n % 10),
        quantity: n % 4,
      }),
    )
    return this.keep('jewelry/imports', market.listPieces(name, pieces))
  }

  /** Two imports of a supplier at the same time are refused; a refused one changed nothing. */
  async keep(kind: string, running: Promise<string>): Promise<void> {
    const uuid = await running.catch((error: Error) => {
      if (error.message.includes('import_running')) return undefined
      throw error
    })
    if (uuid !== undefined) this.imports.push(`${kind}/${uuid}`)
  }

  async undo(which: number): Promise<void> {
    if (this.imports.length === 0) return
    const path = this.imports[which % this.imports.length]
    await market.post(`/api/operator/${path}/undo`, market.adminKey)
  }

  async buy({ act, who, which, quantity }: Extract<Step, { who: number }>): Promise<void> {
    const { rows } = await market.database.pool.query<{ sku: string }>(
      `select sku from gem union all select sku from variant order by sku`,
    )
    if (rows.length === 0) return
    const { sku } = rows[which % rows.length]
    const { key } = [market.us, market.german][who]
    if (act === 'hold') {
      await market.post('/api/v3/inventory/holds', key, { sku, minutes: 10 })
      return
    }
    const { status, body } = await market.order(key, sku, quantity)
    if (status === 200) this.orders.push(body.uuid)
  }

  async cancel(which: number): Promise<void> {
    if (this.orders.length === 0) return
    await market.cancel(this.orders[which % this.orders.length])
  }

  async changeCatalogue(act: string, which: number): Promise<void> {
    const path = `/api/operator/catalogues/${this.catalogues[which % 2]}`
    const token = market.adminKey
    if (act === 'open' || act === 'close') {
      const body = { published: act === 'open', public: which % 3 > 0 }
      await market.call('PATCH', path, { token, body })
      return
    }
    if (act === 'share' || act === 'unshare') {
      const { uuid } = [market.us, market.german][which % 3 > 0 ? 1 : 0].merchant
      await market.call(act === 'share' ? 'PUT' : 'DELETE', `${path}/merchants/${uuid}`, { token })
      return
    }
    const { rows } = await market.database.pool.query<{ id: string }>(
      'select id from product order by id',
    )
    if (rows.length === 0) return
    const { id } = rows[which % rows.length]
    // Products are taken out of the general catalogue, too, so that nobody or some see them.
    const { rows: all } = await market.database.pool.query<{ uuid: string }>(
      'select uuid from catalogue order by created_on, uuid',
    )
    const { uuid } = all[which % all.length]
    await market.post(`/api/operator/catalogues/${uuid}/products`, token, {
      [act]: [id],
    })
  }

  async check(): Promise<void> {
    for (const copy of this.copies) {
      await follow(copy)
      const { sequence, products } = await market.snapshot(copy.token, copy.kinds)
      expect(copy.next).toBe(sequence)
      expect(Object.fromEntries(copy.products)).toEqual(Object.fromEntries(products))
    }
  }
}

async function setRate(which: number): Promise<void> {
  const rate = `0.91${String(which).padStart(4, '0')}`
  const { db } = market.database
  await inTransaction(db, (tx) => setExchangeRate(tx, 'EUR', rate))
  // As the operator's interface does. A number given later could come between two reads of a check.
  await numberChanges(db)
}

/** Applies the changes as the documents say: `prices` asks for a new snapshot. */
async function follow(copy: Copy): Promise<void> {
  const { changes, next } = await market.changes(copy.token, copy.next, copy.kinds)
  copy.next = next
  for (const { sku, kind, gem, product_type } of changes) {
    if (kind === 'prices') {
      const { sequence, products } = await market.snapshot(copy.token, copy.kinds)
      Object.assign(copy, { next: sequence, products })
      return
    }
    expect(copy.kinds).toContain(product_type)
    if (gem !== null) expect(gem).toMatchObject({ sku, product_type })
    if (gem === null) copy.products.delete(sku ?? '')
    else copy.products.set(sku ?? '', gem)
  }
}

/** Steps of one batch run at the same time, while the copies follow. */
const AT_A_TIME = 3

it('a snapshot with the changes after it is the next snapshot, for each kind and for all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 45 }), async (steps) => {
      const history = new History()
      await history.start()
      for (let at = 0; at < steps.length; at += AT_A_TIME) {
        const writes = Promise.all(
          steps.slice(at, at + AT_A_TIME).map((each) => history.take(each)),
        )
        await follow(history.copies[at % history.copies.length])
        await writes
        await history.check()
      }
    }),
    { numRuns: Number(process.env.FOLLOW_RUNS ?? 2), endOnFailure: true },
  )
})
