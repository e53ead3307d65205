import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import type { Gem } from '../../src/gems/gem.ts'
import { readGems } from '../../src/gems/gem-store.ts'
import { getBuyer } from '../../src/orders/placing/buyer.ts'
import { substitutesFrom } from '../../src/orders/placing/nearest-stones.ts'
import {
  distanceOf,
  type FindSubstitutes,
  findSubstitutesInDatabase,
  stoneOf,
} from '../../src/orders/placing/substitutes.ts'
import type { Product } from '../../src/orders/product.ts'
import { openDemoMarket } from '../support/demo-market.ts'
import type { TestMarket, TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'
import { insertStone, leaseOf } from '../support/stones.ts'

let market: TestMarket
let shop: TestMerchant

beforeAll(async () => {
  market = await openDemoMarket(4_000)
  shop = await market.merchant()
  await indexed(market)
})
afterAll(() => market.close())

async function someDiamonds(count: number): Promise<Gem[]> {
  const gems = await market.database.db
    .selectFrom('gem')
    .selectAll()
    .where('product_type', '=', 'diamond')
    .where('is_fancy', '=', false)
    .where('clarity', 'is not', null)
    .where('state', '=', 'available')
    .where('hold_expires_on', 'is', null)
    .orderBy('sku')
    .execute()
  const step = Math.floor(gems.length / count)
  return gems.filter((_, index) => index % step === 0).slice(0, count)
}

function productOf(gem: Gem): Product {
  const fields = { ...gem, weight: Number(gem.weight) }
  return { sku: gem.sku, stock_id: String(gem.id), fields } as unknown as Product
}

function findFor(find: FindSubstitutes, gem: Gem) {
  const { uuid: merchant_uuid } = shop.merchant
  return market.database.db.transaction().execute(async (tx) => {
    const buyer = await getBuyer(tx, { merchant_uuid, order_channel: 'api' }, '')
    const query = { refused: [productOf(gem)], buyer, except: [gem.sku], memo: false }
    const [{ stones }] = await find(tx, query)
    return stones
  })
}

describe('substitutes', () => {
  it('from the index are as near as those from the database', async () => {
    const fromIndex = substitutesFrom(market.app.services.diamonds.index)
    for (const gem of await someDiamonds(40)) {
      const distances = async (find: FindSubstitutes) =>
        (await findFor(find, gem)).map((stone) =>
          distanceOf(stone as unknown as Gem, stoneOf(productOf(gem).fields)).toFixed(6),
        )
      expect(await distances(fromIndex)).toEqual(await distances(findSubstitutesInDatabase))
    }
  })

  it.each([
    ['white', { is_fancy: false }],
    ['fancy', { is_fancy: true }],
  ])('are the nearest %s ones, however many others are held or far away', async (_, fancy) => {
    const { db } = market.database
    const add = (columns: object, grades: [color: string, clarity: string | null]) => {
      const color = fancy.is_fancy ? 'YL' : grades[0]
      return insertStone(db, {
        shape: 'tapered_baguette',
        ...fancy,
        color,
        clarity: grades[1],
        ...columns,
      })
    }
    const other = await market.merchant()
    const stones = [await add({ weight: '1.00', state: 'sold', quantity: 0 }, ['D', 'IF'])]
    for (let n = 0; n < 250; n++) stones.push(await add({ weight: '1.00' }, ['K', 'I2']))
    for (let n = 0; n < 12; n++) {
      stones.push(await add({ weight: '1.00', ...leaseOf(other.merchant.uuid, 60) }, ['D', 'IF']))
    }
    const near = [
      await add({ weight: '1.01', ...leaseOf(shop.merchant.uuid, 60) }, ['D', 'VS1']),
      await add({ weight: '1.00' }, ['D', 'VS2']),
      await add({ weight: '1.10' }, ['D', 'VS1']),
      await add({ weight: '0.87' }, ['E', 'VS2']),
      await add({ weight: '1.14' }, ['H', 'SI1']),
    ]
    stones.push(...near, await add({ weight: '1.00', color: 'PN', is_fancy: true }, ['D', 'IF']))
    const changes = stones.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'new' as const }))
    await inTransaction(db, (tx) => logChanges(tx, changes))
    const { index } = market.app.services.diamonds
    await index.catchUp()
    const [refused] = await readGems(db, [stones[0].id])
    const skus = async (find: FindSubstitutes) => {
      return (await findFor(find, refused)).map(({ sku }) => sku)
    }
    const expected = near.map(({ sku }) => sku)
    expect(await skus(substitutesFrom(index))).toEqual(expected)
    expect(await skus(findSubstitutesInDatabase)).toEqual(expected)
  })

  it('are given for every refused stone', async () => {
    const skus = (await someDiamonds(14)).map(({ sku }) => sku)
    const line_items = skus.map((sku) => ({ sku, quantity: 1 }))
    const body = { order_type: 'invoice', line_items }
    const place = () => market.call('POST', '/api/v2/orders/place', { token: shop.key, body })
    expect((await place()).body.line_items).toHaveLength(14)
    const again = await place()
    expect(again.status).toBe(409)
    expect(again.body.substitutes.map(({ sku }: { sku: string }) => sku)).toEqual(skus)
  })
})
