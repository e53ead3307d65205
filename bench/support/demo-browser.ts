import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createDemoMarket } from '../../src/demo/market.ts'
import { withBenchDatabase } from './database.ts'

interface DemoBrowser {
  browser: Browser
  database: Database
  /** The address of a server in its own process. */
  market: string
  merchantKey: string
}

/** Runs the work with Debian's Chromium and a server of a demo market, and ends both after it. */
export function withDemoBrowser(
  stones: number,
  work: (demo: DemoBrowser) => Promise<void>,
): Promise<void> {
  return withBenchDatabase(async (url) => {
    const database = openDatabase({ url, statementTimeoutMs: 0 })
    const publicUrl = 'http://127.0.0.1'
    const keys = await createDemoMarket(database, { realm: 'live', stones, seed: 1, publicUrl })
    if (!keys) throw new Error('the database is not empty')
    const program = fileURLToPath(new URL('../search/server.ts', import.meta.url))
    const server = fork(program, ['pavilion', url])
    const port = await new Promise<number>((resolve) =>
      server.once('message', (message) => resolve(message as number)),
    )
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    })
    try {
      const { merchantKey } = keys
      await work({ browser, database, market: `${publicUrl}:${port}`, merchantKey })
    } finally {
      await browser.close()
      server.kill()
      await database.close()
    }
  })
}
