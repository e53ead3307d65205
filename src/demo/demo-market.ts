import type { Database } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { isWithoutMerchants } from '../merchants/merchant-store.ts'
import type { Realm } from '../merchants/token.ts'
import { createDemoMerchants, type DemoKeys } from './demo-merchants.ts'

export interface DemoWish {
  realm: Realm
  stones: number
  seed: number
  publicUrl: string
  onProgress?: (done: number) => void
}

/** Moves the demo market into an empty database; undefined when it is not empty. */
export async function createDemoMarket(
  { db }: Database,
  { realm }: DemoWish,
): Promise<DemoKeys | undefined> {
  if (!(await isWithoutMerchants(db))) return undefined
  return inTransaction(db, (tx) => createDemoMerchants(tx, realm))
}
