import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import type { Merchant } from '../../src/merchants/merchant.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { insertRate } from '../../src/pricing/exchange-rates.ts'
import { createPriceRulesCache } from '../../src/pricing/price-rules-cache.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { type Line, openLine } from '../support/line.ts'

let clone: ClonedDatabase
let line: Line
let database: Database
/** The same market over a connection that is not frozen. */
let writers: Database
let merchant: Merchant

beforeAll(async () => {
  clone = await cloneDatabase()
  line = await openLine(clone.url)
  writers = openDatabase({ url: clone.url })
  database = openDatabase({ url: line.url })
  await setRate('0.9')
  const fields = { email: 'rules@shop.example', legal_dba: 'Rules', country_code: 'DE' }
  merchant = await createMerchant(writers.db, { ...fields, currency_code: 'EUR' })
})
afterAll(async () => {
  await database.close()
  await writers.close()
  await line.close()
  await clone.drop()
})

const setRate = (rate: string) => inTransaction(writers.db, (tx) => insertRate(tx, 'EUR', rate))

it('rules whose change may have been missed are read again', async () => {
  const cache = createPriceRulesCache(database.db)
  const before = await cache.get(merchant)
  await setRate('0.8')
  expect(cache.peek(merchant)).toBe(before)
  cache.doubt()
  expect(cache.peek(merchant)).toBeUndefined()
  const after = await cache.get(merchant)
  expect(after).not.toEqual(before)
  expect(cache.peek(merchant)).toBe(after)
})

it('nobody waits for them long when the new server does not answer either', async () => {
  const cache = createPriceRulesCache(database.db)
  const before = await cache.get(merchant)
  cache.doubt()
  line.freeze()
  try {
    // Rules that were announced to have changed are worth three seconds. After both timers the
    // earlier one is served first, however busy the machine is.
    const late = sleep(2_000).then(() => nextTurn('late'))
    expect(await Promise.race([cache.get(merchant), late])).toBe(before)
  } finally {
    line.restore()
  }
})
