import { afterAll, beforeAll, expect, it } from 'vitest'
import { runPavilion } from '../../support/command-line.ts'
import { TEST_SECRET_KEY } from '../../support/secrets.ts'
import { openReturnMarket, type ReturnMarket } from './return-support.ts'

let market: ReturnMarket
beforeAll(async () => {
  market = await openReturnMarket()
})
afterAll(() => market.close())

const run = (...args: string[]) =>
  runPavilion(['return', ...args], {
    DATABASE_URL: market.database.url,
    PAVILION_SECRET_KEY: TEST_SECRET_KEY,
  })

it('pavilion return lists, shows, approves, rejects and receives', async () => {
  expect((await run('list')).stdout).toBe('No returns.\n')
  const sku = await market.stone()
  const order = await market.shipped([sku])
  const { uuid } = await market.asked(order)
  const early = await run('receive', uuid)
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('approve, reject')])
  const approved = await run('approve', uuid, '--json')
  expect(JSON.parse(approved.stdout)).toMatchObject({ uuid, status: 'approved', total: 1700 })
  const received = await run('receive', uuid)
  expect([received.code, received.stdout]).toEqual([0, expect.stringContaining('received')])
  expect((await market.stateOf(sku)).state).toBe('available')
  const other = await market.asked(await market.shipped([await market.stone()]))
  const rejected = await run('reject', other.uuid, '--reason', 'the seal is broken')
  expect(rejected.stdout).toContain('Rejected: the seal is broken')
  const list = await run('list', '--status', 'rejected', '--order', other.order_uuid, '--json')
  expect(JSON.parse(list.stdout)).toMatchObject([{ uuid: other.uuid }])
  expect((await run('list', '--status', 'lost')).code).toBe(2)
  const shown = await run('show', uuid)
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(sku)])
})
