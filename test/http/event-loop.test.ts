import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SINGLES_AT_A_TIME } from '../../src/gems/curation/choose.ts'
import { PAIRS_AT_A_TIME } from '../../src/gems/curation/choose-pairs.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { LINES_AT_A_TIME } from '../../src/orders/placing/nearest-stones.ts'
import { CLARITIES, COLORS } from '../../src/reference/attributes.ts'
import { openDemoMarket } from '../support/demo-market.ts'
import type { TestMarket, TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'

const TEMPLATES = 500
const LINES = 200

let market: TestMarket
let shop: TestMerchant

beforeAll(async () => {
  market = await openDemoMarket()
  shop = await market.merchant()
  await market.database.db
    .insertInto('merchant_template')
    .values(
      Array.from({ length: TEMPLATES }, (_, n) => ({
        uuid: newUuid(),
        merchant_uuid: shop.merchant.uuid,
        group: 'MANY',
        position: n + 1,
        label: `Template ${n}`,
        color: COLORS[4 + (n % 6)],
        clarity: CLARITIES[2 + (n % 7)],
        grade_name: (['ideal', 'excellent', 'very good'] as const)[n % 3],
      })),
    )
    .execute()
  await indexed(market)
})
afterAll(() => market.close())

interface Watched {
  status: number
  /** In how many turns of the event loop the call looked into the index. */
  turns: number
  /** How many small requests of others were answered between the first and the last of them. */
  answered: number
}

/** Runs a call while ten others keep sending small requests. */
async function watch(path: string, body: object): Promise<Watched> {
  const { index } = market.app.services.diamonds
  let turn = 0
  let answered = 0
  const turns = new Map<number, number>()
  const store = index.store.bind(index)
  const spy = vi.spyOn(index, 'store').mockImplementation(() => {
    if (!turns.has(turn)) turns.set(turn, answered)
    return store()
  })
  let isDone = false
  const countTurns = async () => {
    for (; !isDone; turn++) await nextTurn()
  }
  const sendSmall = async () => {
    for (; !isDone; answered++) {
      await market.app.inject({ url: '/healthz' })
      // The response itself may come without a turn of the loop, and would keep the others from it.
      await nextTurn()
    }
  }
  const others = [countTurns(), ...Array.from({ length: 10 }, sendSmall)]
  const call = market.call('POST', path, { token: shop.key, body })
  const { status } = await call.finally(() => {
    isDone = true
  })
  await Promise.all(others)
  spy.mockRestore()
  const answers = [...turns.values()]
  return { status, turns: turns.size, answered: (answers.at(-1) ?? 0) - (answers[0] ?? 0) }
}

describe('other callers have their turn', () => {
  const path = '/api/v3/diamonds/get_diamonds_by_merchant_templates'
  const body = { shape: 'round', weight: 1, types: ['mined', 'lab grown'] }

  it('while 500 templates choose', async () => {
    const { status, turns, answered } = await watch(path, body)
    expect(status).toBe(200)
    expect(turns).toBeGreaterThanOrEqual(TEMPLATES / SINGLES_AT_A_TIME)
    expect(answered).toBeGreaterThan(10)
  })

  it('while 500 templates choose pairs', async () => {
    const { status, turns, answered } = await watch(path, { ...body, count_per_grade: 2 })
    expect(status).toBe(200)
    expect(turns).toBeGreaterThanOrEqual(TEMPLATES / PAIRS_AT_A_TIME)
    expect(answered).toBeGreaterThan(10)
  })

  it('while substitutes are found for an order whose 200 lines are refused', async () => {
    const { rows } = await market.database.pool.query<{ sku: string }>(
      `update gem set state = 'gone', mover = 'feed' where sku in (
        select sku from gem where product_type = 'diamond' and state = 'available'
          and hold_expires_on is null order by sku limit ${LINES}
      ) returning sku`,
    )
    const line_items = rows.map(({ sku }) => ({ sku, quantity: 1 }))
    const order = { order_type: 'invoice', line_items }
    const { status, turns, answered } = await watch('/api/v2/orders/place', order)
    expect(status).toBe(409)
    expect(turns).toBeGreaterThanOrEqual(LINES / LINES_AT_A_TIME)
    expect(answered).toBeGreaterThan(10)
  })
})

describe('the wait for the event loop', () => {
  it('is measured', async () => {
    const { text } = await market.call('GET', '/metrics')
    const [, within] =
      /^pavilion_event_loop_wait_seconds_bucket\{le="0.05".*\} (\d+)$/m.exec(text) ?? []
    const [, all] = /^pavilion_event_loop_wait_seconds_count.* (\d+)$/m.exec(text) ?? []
    expect(Number(all)).toBeGreaterThan(0)
    expect(Number(within)).toBeLessThanOrEqual(Number(all))
  })
})
