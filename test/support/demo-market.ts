import { openDatabase } from '../../src/database/open.ts'
import { createDemoMarket } from '../../src/demo/market.ts'
import type { DemoKeys } from '../../src/demo/merchants.ts'
import type { AppDeps } from '../../src/http/app.ts'
import { type ClonedDatabase, cloneFilled } from './database.ts'
import { openTestMarket, type TestMarket } from './market.ts'
import { testSecrets } from './secrets.ts'
import { indexed } from './stocked.ts'

export interface DemoTestMarket extends TestMarket {
  /** What the first start prints. */
  keys: DemoKeys
}

interface DemoSize {
  stones: number
  seed: number
  publicUrl: string
}

/** A demo market as the first start makes it; made once in a run, because that takes seconds. */
export async function cloneDemoDatabase({
  stones,
  seed,
  publicUrl,
}: DemoSize): Promise<{ clone: ClonedDatabase; keys: DemoKeys }> {
  const { hostname } = new URL(publicUrl)
  const name = `demo_${stones}_${seed}_${hostname.replaceAll(/\W/g, '')}`
  const { clone, made } = await cloneFilled(name, async (url) => {
    const database = openDatabase({ url })
    const demo = { realm: 'live' as const, stones, seed, publicUrl, secrets: testSecrets() }
    try {
      return await createDemoMarket(database, demo)
    } finally {
      await database.close()
    }
  })
  if (!made) throw new Error('the market is not empty')
  return { clone, keys: made }
}

/** The application on a demo market, as the first start makes it, with fewer stones. */
export async function openDemoMarket(
  stones = 1200,
  options: Partial<AppDeps> = {},
): Promise<DemoTestMarket> {
  const publicUrl = 'http://pavilion.test'
  const { clone, keys } = await cloneDemoDatabase({ stones, seed: 1, publicUrl })
  const market = await openTestMarket({ ...options, publicUrl }, { clone })
  await indexed(market)
  return { ...market, keys }
}
