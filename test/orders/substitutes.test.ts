import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoMarket } from '../../src/demo/market.ts'
import type { Gem } from '../../src/gems/gem.ts'
import { getBuyer } from '../../src/orders/buyer.ts'
import { substitutesFrom } from '../../src/orders/nearest-stones.ts'
import type { Product } from '../../src/orders/product.ts'
import {
  distanceOf,
  type FindSubstitutes,
  findSubstitutesInDatabase,
  stoneOf,
} from '../../src/orders/substitutes.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let shop: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  const publicUrl = 'http://pavilion.test'
  const options = { realm: 'live', stones: 4_000, seed: 7, publicUrl } as const
  await createDemoMarket(market.database, options)
  shop = await market.merchant()
  await market.app.services.diamonds.index.catchUp()
}, 60_000)
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

describe('substitutes', () => {
  it('from the index are as near as those from the database', async () => {
    const { db } = market.database
    const { uuid: merchant_uuid } = shop.merchant
    const fromIndex = substitutesFrom(market.app.services.diamonds.index)
    for (const gem of await someDiamonds(40)) {
      const distances = (find: FindSubstitutes) =>
        db.transaction().execute(async (tx) => {
          const buyer = await getBuyer(tx, { merchant_uuid, order_channel: 'api' }, '')
          const query = { refused: [productOf(gem)], buyer, except: [gem.sku], memo: false }
          const [{ stones }] = await find(tx, query)
          return stones.map((stone) =>
            distanceOf(stone as unknown as Gem, stoneOf(productOf(gem).fields)).toFixed(6),
          )
        })
      expect(await distances(fromIndex)).toEqual(await distances(findSubstitutesInDatabase))
    }
  }, 60_000)

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
