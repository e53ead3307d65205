import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillDemoMarket } from '../../src/demo/market.ts'
import { moveDemoMedia } from '../../src/demo/move-media.ts'
import { lastNumber, listChanges } from '../support/change-log.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { insertStone } from '../support/stones.ts'

const OLD = 'http://localhost:8080'
const NEW = 'https://market.example/shop'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket({ publicUrl: NEW })
  const options = { realm: 'live', stones: 1_500, seed: 3, publicUrl: OLD } as const
  await fillDemoMarket(market.database, options)
})
afterAll(() => market.close())

describe('the media of the demo market', () => {
  it('follow the address of the server, those of stones and of jewelry', async () => {
    const { db } = market.database
    const { key } = await market.merchant()
    const foreign = 'https://supplier.example/media/demo/top/x.svg'
    const imported = await insertStone(db, { image_top_url: foreign })
    const before = await lastNumber(db)
    const moved = await moveDemoMedia(db, NEW)
    expect(moved).toBeGreaterThan(1_000)
    const { body } = await market.call('GET', '/openapi/v3.json')
    expect(body.servers[0].url).toBe(NEW)
    const { rows } = await market.database.pool.query(
      `select to_jsonb(gem)::text as row from gem union all select to_jsonb(variant)::text from variant`,
    )
    expect(rows.filter(({ row }) => row.includes(OLD))).toEqual([])
    const pictured = rows.filter(({ row }) => row.includes(`${NEW}/media/demo/`))
    expect(pictured.length).toBeGreaterThan(1_000)
    const stone = await db
      .selectFrom('gem')
      .select('image_top_url')
      .where('id', '=', imported.id)
      .executeTakeFirstOrThrow()
    expect(stone.image_top_url).toBe(foreign)
    const changes = await listChanges(db, before, 10_000)
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['media']))
    const query = { include: ['details'], limit: 5 }
    const products = await market.call('POST', '/api/v3/products/query', {
      token: key,
      body: query,
    })
    expect(products.text).toContain(`${NEW}/media/demo/`)
  })

  it('stay as they are at the next start, and in a market without a demo', async () => {
    expect(await moveDemoMedia(market.database.db, NEW)).toBe(0)
  })
})
