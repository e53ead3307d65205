import { createDemoMarket } from '../../src/demo/market.ts'
import type { DemoKeys } from '../../src/demo/merchants.ts'
import type { AppDeps } from '../../src/http/app.ts'
import { openTestMarket, type TestMarket } from './market.ts'

export interface DemoTestMarket extends TestMarket {
  /** What the first start prints. */
  keys: DemoKeys
}

/** The application on a demo market, as the first start makes it, with fewer stones. */
export async function openDemoMarket(
  stones = 1200,
  options: Partial<AppDeps> = {},
): Promise<DemoTestMarket> {
  const market = await openTestMarket(options)
  const { realm, publicUrl, secrets } = market.deps
  const demo = { realm, stones, seed: 1, publicUrl, secrets }
  const keys = await createDemoMarket(market.database, demo)
  if (!keys) throw new Error('the market is not empty')
  await market.app.services.catchUp()
  return { ...market, keys }
}
