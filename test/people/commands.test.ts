import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import { runPavilion } from '../support/command-line.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { signInByLink } from './people.ts'

let market: TestMarket
let folder: string
beforeAll(async () => {
  market = await openTestMarket()
  folder = mkdtempSync(join(tmpdir(), 'pavilion-users-'))
  await createSupplier(market.database.db, 'Command Stones')
})
afterAll(async () => {
  await market.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) =>
  runPavilion(args, { DATABASE_URL: market.deps.database.url }, folder)

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

it('pavilion user invites, lists, changes and removes the users of a supplier', async () => {
  const of = ['--supplier', 'Command Stones']
  const invited = await json('user', 'invite', 'boss@stones.example', ...of)
  expect(invited).toMatchObject({ email: 'boss@stones.example', role: 'owner', mailed: false })
  const { body } = await signInByLink(market, invited.link)
  expect([body.role, body.user.uuid]).toEqual(['supplier', invited.uuid])
  const stock = await market.call('GET', '/api/supplier/inventory', { token: body.token })
  expect(stock.status).toBe(200)

  await json('user', 'invite', '--email', 'eyes@stones.example', '--role', 'viewer', ...of)
  const users = await json('user', 'list', ...of)
  expect(users.map(({ role }: { role: string }) => role)).toEqual(['owner', 'viewer'])
  const set = await json('user', 'set', 'EYES@stones.example', '--active', 'no', ...of)
  expect(set.active).toBe(false)
  expect(await json('user', 'remove', set.uuid)).toMatchObject({ email: 'eyes@stones.example' })

  const last = await run('user', 'remove', 'boss@stones.example', ...of)
  expect([last.code, last.stderr]).toEqual([1, expect.stringContaining('last active user')])
  const wrong = await run('user', 'set', 'boss@stones.example', ...of)
  expect(wrong.code).toBe(2)
})

it('pavilion console --supplier prints a link that signs in as the supplier', async () => {
  const { url } = await json('console', '--supplier', 'command stones')
  const { body } = await signInByLink(market, url)
  expect([body.role, body.user]).toEqual(['supplier', null])
})
