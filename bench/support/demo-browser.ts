import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createDemoMarket } from '../../src/demo/market.ts'
import { CHROMIUM, FLAGS } from '../../test/support/chromium.ts'
import { freePort } from '../../test/support/free-port.ts'
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
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const keys = await createDemoMarket(database, { realm: 'live', stones, seed: 1, publicUrl })
    if (!keys) throw new Error('the database is not empty')
    const program = fileURLToPath(new URL('../search/server.ts', import.meta.url))
    const server = fork(program, ['pavilion', url, String(port)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(server, 'message')
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
    try {
      const { merchantKey } = keys
      await work({ browser, database, market: publicUrl, merchantKey })
    } finally {
      await browser.close()
      server.kill()
      await database.close()
    }
  })
}
