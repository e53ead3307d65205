import { afterAll, beforeAll, expect, it } from 'vitest'
import { runPavilion } from '../../support/command-line.ts'
import { TEST_SECRET_KEY } from '../../support/secrets.ts'
import { addStone } from '../order-support.ts'
import { openQuoteMarket, type QuoteMarket } from './quote-support.ts'

let market: QuoteMarket
beforeAll(async () => {
  market = await openQuoteMarket()
})
afterAll(() => market.close())

const run = (...args: string[]) =>
  runPavilion(['quote', ...args], {
    DATABASE_URL: market.database.url,
    PAVILION_SECRET_KEY: TEST_SECRET_KEY,
  })
const offered = async () => {
  const sku = await addStone(market.database.db)
  return { sku, uuid: (await market.quoted([{ sku, offer_price: 1500 }])).uuid as string }
}

it('pavilion quote lists, shows, accepts, declines and counters', async () => {
  expect((await run('list')).stdout).toBe('No quotes.\n')
  const [first, second, third] = [await offered(), await offered(), await offered()]
  const accepted = await run('accept', first.uuid, '--minutes', '60', '--json')
  expect(JSON.parse(accepted.stdout)).toMatchObject({ status: 'open', total: 1500 })
  const declined = await run('decline', second.uuid, '--reason', 'too low')
  expect([declined.code, declined.stdout]).toEqual([0, expect.stringContaining('too low')])
  const countered = await run('counter', third.uuid, '--price', `${third.sku}:1600.5`, '--json')
  expect(JSON.parse(countered.stdout)).toMatchObject({ status: 'open', total: 1600.5 })
  const { email } = market.buyer.merchant
  const list = await run('list', '--status', 'declined', '--merchant', email, '--json')
  expect(JSON.parse(list.stdout)).toMatchObject([{ uuid: second.uuid, reason: 'too low' }])
  const shown = await run('show', third.uuid)
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('1600.5')])
  const again = await run('accept', third.uuid)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is open')])
  expect((await run('counter', third.uuid, '--price', 'cheap')).code).toBe(2)
  expect((await run('counter', third.uuid)).code).toBe(2)
})
