import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { lastNumber } from '../support/change-log.ts'
import { insertStone } from '../support/stones.ts'
import { type FollowedMarket, heard, KINDS, openFollowedMarket } from './followed-market.ts'

let market: FollowedMarket
let us: string
let german: string
beforeAll(async () => {
  market = await openFollowedMarket()
  us = market.us.key
  german = market.german.key
  await market.listStones('Stones', [
    { stock: 'S1', perCarat: 5000 },
    { stock: 'P1', perCarat: 500, stones: 100 },
  ])
  await market.listGemstones('Colors', [{ stock: 'G1', perCarat: 900 }])
  await market.listPieces('Atelier', [
    { stock: 'R1', parent: 'R', price: 1000, quantity: 3 },
    { stock: 'W1', parent: 'W', type: 'Watches', price: 4000, quantity: 1 },
    { stock: 'R2', parent: 'R', price: 1000, quantity: 0 },
  ])
})
afterAll(() => market.close())

const last = () => lastNumber(market.database.db)

async function variantSku(supplier: string, stock: string): Promise<string> {
  const { rows } = await market.database.pool.query<{ sku: string }>(
    `select sku from variant join supplier on supplier.id = supplier_id
     where name = $1 and vendor_sku = $2`,
    [supplier, stock],
  )
  return rows[0].sku
}

describe('a snapshot of other kinds of product', () => {
  it('has diamonds only unless product_types asks for others, in one order', async () => {
    const typesOf = async (kinds?: string[]) =>
      [...(await market.snapshot(us, kinds)).products.values()].map((line) => line.product_type)
    expect(await typesOf()).toEqual(['diamond'])
    expect(await typesOf(KINDS.toReversed())).toEqual(KINDS)
    expect(await typesOf(['watch', 'melee'])).toEqual(['melee', 'watch'])
  })

  it('shows gemstones as their search does', async () => {
    const { products } = await market.snapshot(german, ['gemstone'])
    const path = '/api/v3/gemstones/search'
    let found = await market.post(path, german, {})
    while (found.status === 503) found = await market.post(path, german, {})
    expect([...products.values()]).toEqual(found.body.gems)
    expect(found.body.gems).toMatchObject([{ species: 'sapphire', currency_code: 'EUR' }])
  })

  it('shows parcels as the leaves of the tree, with their place in it', async () => {
    const { products } = await market.snapshot(german, ['melee'])
    const { body } = await market.call('GET', '/api/v3/diamonds/get_parcel_filters', {
      token: german,
    })
    const [[size, qualities]] = Object.entries(body.filters.round.brilliant_cut.mined) as [
      string,
      Record<string, object>,
    ][]
    const [leaf] = Object.values(qualities)
    const line = { ...leaf, shape: 'round', cut_code: 'brilliant_cut', size }
    expect([...products.values()]).toEqual([line])
  })

  it('shows each variant of jewelry in stock, at the list and in the currency of the caller', async () => {
    const { products } = await market.snapshot(german, ['jewelry', 'watch'])
    const ring = products.get(await variantSku('Atelier', 'R1'))
    expect(ring).toMatchObject({
      product_type: 'jewelry',
      title: 'Halo',
      vendor: { name: 'Atelier' },
      currency_code: 'EUR',
      wholesale_price: 913.7,
      quantity: 3,
    })
    const body = { type: ['jewelry'], include: ['details'] }
    const queried = await market.post('/api/v3/products/query', german, body)
    const [product] = queried.body.products
    const { title, description, vendor } = product
    expect(ring).toEqual({ ...product.variants[0], title, description, vendor })
    expect(products.has(await variantSku('Atelier', 'R2'))).toBe(false)
  })

  it('refuses an unknown kind and an empty list, and takes every form of a list', async () => {
    const ask = (query: string) =>
      market.call('GET', `/api/v3/inventory/snapshot?${query}`, { token: us })
    for (const query of ['product_types=ring', 'product_types=', 'product_type=watch']) {
      const refused = await ask(query)
      expect([refused.status, refused.body.code], query).toEqual([422, 'invalid_request'])
    }
    const both = ['product_types=watch&product_types=melee', 'product_types[]=watch,melee']
    for (const query of both) expect((await ask(query)).text.split('\n')).toHaveLength(5)
    const after = await last()
    const path = `/api/v3/inventory/changes?after=${after}&product_types=ring`
    expect((await market.call('GET', path, { token: us })).status).toBe(422)
  })
})

describe('changes of jewelry', () => {
  it('tell its life from new to gone and back', async () => {
    const ring = { stock: 'L1', parent: 'L', price: 1000, quantity: 3 }
    const steps: [what: () => Promise<unknown>, heard: string[]][] = [
      [() => market.listPieces('Life', [ring]), ['new jewelry shown']],
      [() => market.listPieces('Life', [ring]), []],
      [() => market.listPieces('Life', [{ ...ring, price: 1100 }]), ['price jewelry shown']],
      [() => market.listPieces('Life', [{ ...ring, title: 'Band' }]), ['price jewelry shown']],
      [async () => market.order(german, await variantSku('Life', 'L1')), ['details jewelry shown']],
      [async () => market.order(us, await variantSku('Life', 'L1'), 2), ['sold jewelry']],
      [() => cancelLast(), ['back jewelry shown']],
      [
        () => market.listPieces('Life', [{ ...ring, stock: 'L2' }]),
        ['gone jewelry', 'new jewelry shown'],
      ],
      [() => undoLast(), ['back jewelry shown', 'gone jewelry']],
    ]
    for (const [act, expected] of steps) {
      const after = await last()
      await act()
      const { changes } = await market.changes(us, after, ['jewelry', 'watch'])
      expect(heard(changes).toSorted()).toEqual(expected.toSorted())
      expect((await market.changes(us, after)).changes).toEqual([])
      expect((await market.changes(us, after, ['watch', 'melee'])).changes).toEqual([])
    }
  })

  it('tell a merchant nothing of catalogues that it does not see', async () => {
    const admin = market.adminKey
    const after = await last()
    const made = await market.post('/api/operator/catalogues', admin, { name: 'Preview' })
    await market.listPieces(
      'Secret',
      [{ stock: 'X1', parent: 'X', price: 5, quantity: 2 }],
      'Preview',
    )
    const sku = await variantSku('Secret', 'X1')
    const path = `/api/operator/catalogues/${made.body.uuid}`
    const share = `${path}/merchants/${market.german.merchant.uuid}`
    const call = (method: string, url: string, body?: unknown) =>
      market.call(method, url, { token: admin, ...(body !== undefined && { body }) })
    const steps: [what: () => Promise<unknown>, german: string[], us: string[]][] = [
      [() => call('PUT', share), ['new jewelry shown'], []],
      [() => market.order(german, sku), ['details jewelry shown'], []],
      [() => call('PATCH', path, { published: true }), [], []],
      [() => call('PATCH', path, { public: true }), ['new jewelry shown'], ['new jewelry shown']],
      [() => call('PATCH', path, { public: false }), ['gone jewelry shown'], ['gone jewelry']],
      [() => market.order(german, sku), ['sold jewelry'], []],
      [() => cancelLast(), ['back jewelry shown'], []],
      [() => call('DELETE', share), ['gone jewelry'], []],
      [() => call('PATCH', path, { name: 'Later' }), [], []],
    ]
    expect((await market.changes(german, after, KINDS)).changes).toEqual([])
    for (const [act, ofGerman, ofUs] of steps) {
      const from = await last()
      await act()
      expect(heard((await market.changes(german, from, KINDS)).changes)).toEqual(ofGerman)
      expect(heard((await market.changes(us, from, KINDS)).changes)).toEqual(ofUs)
    }
  })

  it('wake a request that waits for them, and no other', async () => {
    const after = await last()
    const wait = (kinds: string, seconds: number) =>
      market.call(
        'GET',
        `/api/v3/inventory/changes?after=${after}&wait=${seconds}&product_types=${kinds}`,
        { token: us },
      )
    const [watch, diamond] = [wait('watch,jewelry', 20), wait('diamond', 3)]
    const ring = { stock: 'N1', parent: 'N', price: 1000, quantity: 3 }
    await market.listPieces('Awaited', [ring])
    expect(heard((await watch).body.changes)).toEqual(['new jewelry shown'])
    expect((await diamond).body.changes).toEqual([])
  })

  async function cancelLast(): Promise<void> {
    const { rows } = await market.database.pool.query<{ uuid: string }>(
      'select uuid from orders order by ordered_on desc limit 1',
    )
    expect((await market.cancel(rows[0].uuid)).status).toBe(200)
  }

  async function undoLast(): Promise<void> {
    const { rows } = await market.database.pool.query<{ uuid: string }>(
      'select uuid from jewelry_import order by created_on desc limit 1',
    )
    const path = `/api/operator/jewelry/imports/${rows[0].uuid}/undo`
    expect((await market.post(path, market.adminKey)).status).toBe(200)
  }
})

describe('changes of parcels and gemstones', () => {
  it('tell what imports and orders do', async () => {
    const after = await last()
    await market.listStones('Lots', [{ stock: 'P2', perCarat: 500, stones: 100 }])
    const { rows } = await market.database.pool.query<{ sku: string }>(
      `select sku from gem where vendor_sku = 'P2'`,
    )
    const [{ sku }] = rows
    await market.order(us, sku, 40)
    const sold = await market.order(german, sku, 60)
    await market.cancel(sold.body.uuid)
    await market.listStones('Lots', [{ stock: 'P2', perCarat: 500, stones: 0.5 * 100 }])
    const { changes } = await market.changes(us, after, ['melee'])
    expect(changes.map(({ kind }) => kind)).toEqual(['new', 'details', 'sold', 'back', 'details'])
    expect(changes.at(-1)?.gem).toMatchObject({ sku, product_type: 'melee', quantity: 50 })
    expect((await market.changes(us, after, ['gemstone'])).changes).toEqual([])
    const from = await last()
    await market.listGemstones('Colors', [{ stock: 'G1', perCarat: 950 }])
    const ofGemstones = await market.changes(us, from, ['gemstone'])
    expect(heard(ofGemstones.changes)).toEqual(['price gemstone shown'])
  })

  it('take a stone out of the copy of one kind when it becomes another, or is deleted', async () => {
    const certificate = '5500000001'
    const stone = { stock: 'K1', perCarat: 5000, certificate }
    await market.listStones('Changing', [stone])
    const after = await last()
    const parcel = { stock: 'K1', perCarat: 500, stones: 100 }
    await market.listStones('Changing', [parcel])
    const all = [['diamond'], ['melee'], ['diamond', 'melee'], ['gemstone']]
    const told = async (from: number) => {
      const lists: string[][] = []
      for (const kinds of all) lists.push(heard((await market.changes(us, from, kinds)).changes))
      return lists
    }
    expect(await told(after)).toEqual([
      ['price diamond'],
      ['price melee shown'],
      ['price melee shown'],
      [],
    ])
    const { id, sku } = await insertStone(market.database.db, {
      product_type: 'gemstone',
      species: 'ruby',
    })
    const from = await last()
    await inTransaction(market.database.db, async (tx) => {
      await tx.deleteFrom('gem').where('id', '=', id).execute()
      const former_type = 'gemstone' as const
      await logChanges(tx, [{ gem_id: id, sku, kind: 'gone', former_type }])
    })
    expect(await told(from)).toEqual([[], [], [], ['gone gemstone']])
  })
})
