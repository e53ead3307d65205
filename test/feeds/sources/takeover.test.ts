import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TEST_SECRET_KEY } from '../../support/secrets.ts'
import { csvOf, openSourceMarket, type SourceMarket, stones } from './source-support.ts'
import { openWebServer, type WebServer } from './web-server.ts'

// The tests start and kill processes, which takes long on a busy machine.
let market: SourceMarket
let web: WebServer
beforeEach(async () => {
  market = await openSourceMarket()
  web = await openWebServer(csvOf(stones(3_000)))
})
afterEach(async () => {
  await market.close()
  await web.close()
})

/** Runs the source in another process, and kills it when `isFarEnough`. */
async function killWhile(uuid: string, isFarEnough: () => Promise<boolean>): Promise<void> {
  const child = spawn(
    process.execPath,
    ['test/feeds/sources/run-child.js', market.database.url, uuid, TEST_SECRET_KEY],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const exited = once(child, 'exit')
  await expect.poll(isFarEnough, { timeout: 60_000, interval: 20 }).toBe(true)
  child.kill('SIGKILL')
  await exited
}

const resume = (uuid: string) =>
  market.call('POST', `/api/operator/sources/${uuid}/resume`, { token: market.adminKey })

describe('A node that is killed in the middle of a run', () => {
  it.each(['while it fetches', 'while it imports'])(
    'leaves the source to another one (%s)',
    async (when) => {
      const { uuid } = await market.add({ url: `${web.url}/stock.csv`, mode: 'replace' })
      if (when === 'while it fetches') {
        let isAsked = false
        const respond = web.respond
        web.respond = () => {
          isAsked = true
        }
        await killWhile(uuid, async () => isAsked)
        web.respond = respond
      } else {
        // The import waits for this lock when it adds its first stones.
        await market.database.db.transaction().execute(async (tx) => {
          await sql`lock table gem in share mode`.execute(tx)
          await killWhile(uuid, async () => (await importStatus()) === 'applying')
        })
      }
      expect((await market.show(uuid)).state).toBe('running')
      await resume(uuid)
      // Nobody takes it before the lease ends.
      expect((await market.show(uuid)).runs).toHaveLength(1)
      await market.advance('61 seconds')
      const outcomes = async () => {
        const { runs } = await market.show(uuid)
        return runs.map(({ outcome, code }: { outcome: string; code: string }) => code ?? outcome)
      }
      await expect.poll(outcomes, { timeout: 60_000 }).toEqual(['done', 'interrupted'])
      expect(await market.onSale()).toHaveLength(3_000)
      expect(await market.show(uuid)).toMatchObject({ state: 'active', failures: 0 })
      // The source itself did not fail.
      expect(await market.events()).toEqual([])
    },
  )
})

describe('A node that is stopped in the middle of a run', () => {
  it('gives the source back at once, without a failure', async () => {
    const asked = new Promise<void>((resolve) => {
      web.respond = () => resolve()
    })
    const { uuid } = await market.add({ url: `${web.url}/stock.csv`, paused: false })
    await asked
    await market.app.close()
    const { db } = market.database
    const { rows } = await sql`
      select run_uuid, lease_until, failures, due_on <= market_clock() as is_due
      from feed_source where uuid = ${uuid}`.execute(db)
    expect(rows).toEqual([{ run_uuid: null, lease_until: null, failures: 0, is_due: true }])
    const runs = await sql`select from feed_source_run`.execute(db)
    expect(runs.rows).toEqual([])
  })
})

async function importStatus(): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`
    select status from import order by started_on desc limit 1`.execute(market.database.db)
  return rows[0]?.status
}
