import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexed } from '../support/stocked.ts'
import { type FollowedMarket, openFollowedMarket } from './followed-market.ts'

let market: FollowedMarket
let us: string
let german: string
beforeAll(async () => {
  market = await openFollowedMarket()
  us = market.us.key
  german = market.german.key
})
afterAll(() => market.close())

/** The market's time, later than everything that was written before. */
async function now(): Promise<string> {
  const { rows } = await market.database.pool.query<{ now: string }>(
    'select to_json(market_clock()) #>> $1 as now',
    ['{}'],
  )
  return rows[0].now
}

async function skuOf(supplier: string, stock: string, table = 'gem'): Promise<string> {
  const { rows } = await market.database.pool.query<{ sku: string }>(
    `select sku from ${table} join supplier on supplier.id = supplier_id
     where name = $1 and vendor_sku = $2`,
    [supplier, stock],
  )
  return rows[0].sku
}

async function diamondsSince(token: string, since: string): Promise<string[]> {
  await indexed(market)
  const { body } = await market.post('/api/v3/diamonds/merchant_search', token, {
    filters: { updated_since: since },
  })
  for (const gem of body.gems) expect(`${gem.updated_on.replace(' ', 'T')}Z` >= since).toBe(true)
  return body.gems.map(({ sku }: { sku: string }) => sku)
}

describe('updated_since finds a diamond', () => {
  it('whose offer is seen because the one before it is gone, and each time again', async () => {
    const certificate = '9100000001'
    const cheap = { stock: 'A', perCarat: 4000, certificate }
    await market.listStones('Cheap', [cheap])
    await market.listStones('Dear', [{ stock: 'B', perCarat: 4400, certificate }])
    const [first, second] = [await skuOf('Cheap', 'A'), await skuOf('Dear', 'B')]
    let since = await now()
    expect(await diamondsSince(us, since)).toEqual([])
    await market.listStones('Cheap', [{ ...cheap, stock: 'C', certificate: '9100000002' }])
    const other = await skuOf('Cheap', 'C')
    expect((await diamondsSince(us, since)).toSorted()).toEqual([second, other].toSorted())
    since = await now()
    const sold = await market.order(german, second)
    expect(await diamondsSince(us, since)).toEqual([])
    await market.cancel(sold.body.uuid)
    expect(await diamondsSince(us, since)).toEqual([second])
    since = await now()
    await market.listStones('Cheap', [cheap])
    expect(await diamondsSince(us, since)).toEqual([first])
    const { products } = await market.snapshot(us)
    const { body } = await market.post('/api/v3/diamonds/merchant_search', us, {
      filters: { sku: [first] },
    })
    expect(products.get(first)).toEqual(body.gems[0])
  })

  it('that the undoing of an import brought back', async () => {
    const stone = { stock: 'U', perCarat: 5000, certificate: '9200000001' }
    await market.listStones('Undoing', [stone])
    const uuid = await market.listStones('Undoing', [{ ...stone, stock: 'V' }])
    const since = await now()
    await market.post(`/api/operator/imports/${uuid}/undo`, market.adminKey)
    expect(await diamondsSince(us, since)).toEqual([await skuOf('Undoing', 'U')])
  })

  it('that the operator set apart from the offer before it', async () => {
    const certificate = '9300000001'
    await market.listStones('Left', [{ stock: 'L', perCarat: 4000, certificate }])
    await market.listStones('Right', [{ stock: 'R', perCarat: 4400, certificate }])
    const since = await now()
    const path = `/api/operator/inventory/conflicts/GIA/${certificate}/decide`
    await market.post(path, market.adminKey, { decision: 'apart' })
    expect(await diamondsSince(us, since)).toContain(await skuOf('Right', 'R'))
  })
})

describe('updated_since of other kinds', () => {
  it('is a filter of gemstone search', async () => {
    await market.listGemstones('Colors', [
      { stock: 'G1', perCarat: 900 },
      { stock: 'G2', perCarat: 900 },
    ])
    const since = await now()
    await market.listGemstones('Colors', [
      { stock: 'G1', perCarat: 900 },
      { stock: 'G2', perCarat: 950 },
    ])
    await market.app.services.gemstones.index.catchUp()
    const search = (filters: unknown) =>
      market.post('/api/v3/gemstones/search', us, { filters, include: ['facets'] })
    const { body } = await search({ updated_since: since })
    expect(body.gems).toMatchObject([{ sku: await skuOf('Colors', 'G2') }])
    expect(body.facets.species).toEqual([{ value: 'sapphire', count: 1 }])
    const refused = await search({ updated_since: 'yesterday' })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'filters.updated_since' }] },
    })
  })

  it('leaves the leaves of the parcel tree that changed, also by a sale', async () => {
    const list = (...prices: number[]) =>
      market.listStones(
        'Lots',
        prices.map((perCarat, n) => ({ stock: `P${n}`, perCarat, stones: 100 + (n % 2) * 50 })),
      )
    const tree = async (query: string) => {
      const path = `/api/v3/diamonds/get_parcel_filters${query}`
      return market.call('GET', path, { token: us })
    }
    const skusIn = (body: unknown) => JSON.stringify(body).match(/"sku":"\w+"/g) ?? []
    await list(500, 600)
    const cheapest = await skuOf('Lots', 'P0')
    const since = await now()
    expect((await tree(`?updated_since=${encodeURIComponent(since)}`)).body).toEqual({
      filters: {},
    })
    await market.order(german, cheapest, 100)
    const changed = await tree(`?updated_since=${encodeURIComponent(since)}`)
    expect(skusIn(changed.body)).toEqual([`"sku":"${await skuOf('Lots', 'P1')}"`])
    expect(await tree('?updated_since=x')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'updated_since' }] },
    })
  })

  it('is in the body of the queries of products, and counts stock and catalogues', async () => {
    const pieces = [
      { stock: 'R1', parent: 'R', price: 1000, quantity: 3 },
      { stock: 'W1', parent: 'W', type: 'Watches' as const, price: 4000, quantity: 2 },
    ]
    await market.listPieces('Atelier', pieces)
    const query = async (token: string, since: string) => {
      const body = { updated_since: since }
      const answer = await market.post('/api/v3/products/query', token, body)
      return answer.body.products.map(({ type }: { type: string }) => type)
    }
    let since = await now()
    expect(await query(us, since)).toEqual([])
    await market.order(german, await skuOf('Atelier', 'W1', 'variant'))
    expect(await query(us, since)).toEqual(['watch'])
    since = await now()
    const made = await market.post('/api/operator/catalogues', market.adminKey, { name: 'Later' })
    const path = `/api/operator/catalogues/${made.body.uuid}`
    await market.listPieces('Studio', [{ ...pieces[0], stock: 'S1' }], 'Later')
    since = await now()
    const share = `${path}/merchants/${market.german.merchant.uuid}`
    await market.call('PUT', share, { token: market.adminKey })
    expect([await query(us, since), await query(german, since)]).toEqual([[], ['jewelry']])
    since = await now()
    const body = { published: true, public: true }
    await market.call('PATCH', path, { token: market.adminKey, body })
    expect([await query(us, since), await query(german, since)]).toEqual([['jewelry'], []])
    for (const kind of ['products/jewelry', 'product_variants/jewelry']) {
      const answer = await market.post(`/api/v3/${kind}/query`, us, { updated_since: since })
      expect([answer.status, answer.body.total]).toEqual([200, 1])
    }
    const refused = await market.post('/api/v3/products/query', us, { updated_since: 'x' })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'updated_since' }] } })
  })
})
