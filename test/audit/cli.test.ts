import { afterAll, beforeAll, expect, it } from 'vitest'
import { runPavilion } from '../support/command-line.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { TEST_SECRET_KEY } from '../support/secrets.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

const run = (...args: string[]) =>
  runPavilion(args, { DATABASE_URL: market.database.url, PAVILION_SECRET_KEY: TEST_SECRET_KEY })

it('pavilion audit lists what the command line and others did, with filters and pages', async () => {
  const { merchant } = await market.merchant()
  await run('merchant', 'disable', merchant.email)
  const list = await run('audit', 'list', '--actor', 'command_line', '--json')
  expect(JSON.parse(list.stdout)).toMatchObject({
    entries: [
      {
        action: 'merchant.change',
        actor: { kind: 'command_line', uuid: null, name: 'command line' },
        subject: { kind: 'merchant', id: merchant.uuid },
        before: { api_enabled: true },
        after: { api_enabled: false },
      },
    ],
    next_cursor: null,
  })
  const shown = await run('audit', 'list', '--merchant', merchant.email, '--limit', '1')
  expect(shown.stdout).toMatch(/merchant\.change +merchant [0-9a-f-]{36} +api_enabled/)
  const cursor = /--cursor (\S+)/.exec(shown.stdout)?.[1] ?? ''
  const rest = await run(
    'audit',
    'list',
    '--merchant',
    merchant.email,
    '--cursor',
    cursor,
    '--json',
  )
  const actions = JSON.parse(rest.stdout).entries.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(['token.create', 'merchant.create'])
  expect((await run('audit', 'list', '--subject', 'nothing')).stdout).toBe('No entries.\n')
  expect((await run('audit', 'list', '--from', 'yesterday')).code).toBe(2)
  expect((await run('audit', 'list', '--actor', 'somebody')).code).toBe(1)
})
