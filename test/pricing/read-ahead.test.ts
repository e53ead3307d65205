import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOutage } from '../../src/database/errors.ts'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { createOwnChoiceReads, type OwnChoiceReads } from '../../src/gems/curation/own-choices.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import type { Merchant } from '../../src/merchants/merchant.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { addTemplate } from '../../src/merchants/template-store.ts'
import { newToken } from '../../src/merchants/token.ts'
import { createTokenCache, type TokenCache } from '../../src/merchants/token-cache.ts'
import { createToken, type NewToken } from '../../src/merchants/token-store.ts'
import { insertRate } from '../../src/pricing/exchange-rates.ts'
import { replaceMargins } from '../../src/pricing/margin-store.ts'
import {
  createPriceRulesCache,
  type PriceRulesCache,
  readPriceRules,
} from '../../src/pricing/price-rules-cache.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { type Line, openLine } from '../support/line.ts'

const TEMPLATE = {
  group: 'RINGS',
  label: 'Fine',
  color: 'E',
  clarity: 'VVS2',
  grade_name: 'ideal',
} as const

/** What a node knows of callers that ask it for the first time while the database is away. */
let clone: ClonedDatabase
let line: Line
/** The same market over a connection that is not cut. */
let writers: Database
let database: Database
let merchant: Merchant
let key: NewToken
let tokens: TokenCache
let rules: PriceRulesCache
let choices: OwnChoiceReads

beforeAll(async () => {
  clone = await cloneDatabase()
  line = await openLine(clone.url)
  writers = openDatabase({ url: clone.url })
  database = openDatabase({ url: line.url })
  const shop = { email: 'first@shop.example', legal_dba: 'First', country_code: 'DE' }
  merchant = await createMerchant(writers.db, shop)
  const owner = { realm: 'live', type: 'api_key', merchant_uuid: merchant.uuid } as const
  key = await createToken(writers.db, owner)
  const tiers = [
    { min: 0, max: 1, mined_percent: 31, lab_percent: 40 },
    { min: 1.01, max: 9, mined_percent: 17, lab_percent: 25 },
  ]
  await inTransaction(writers.db, async (tx) => {
    await insertRate(tx, 'EUR', '0.9')
    await replaceMargins(tx, merchant.uuid, { mode: 'weight', product_type: 'diamond', tiers })
    await addTemplate(tx, merchant.uuid, TEMPLATE)
  })
  tokens = createTokenCache(database.db, { isBusy: () => false, clock: Date })
  rules = createPriceRulesCache(database.db)
  choices = createOwnChoiceReads(database.db)
  tokens.setListening(true)
  await tokens.readAhead(database.db)
  await rules.readAhead(database.db)
  await choices.readAhead(database.db)
  line.cut()
})

afterAll(async () => {
  await database.close()
  await writers.close()
  await line.close()
  await clone.drop()
})

const find = (token: string) => tokens.find(`Bearer ${token}`, token, false)

async function expectOutage(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(isOutage(error)).toBe(true)
}

describe('while the database is away', () => {
  it('a key that this node has not seen is known, unless it was revoked', async () => {
    expect(await find(key.token)).toMatchObject({ token: { uuid: key.uuid }, merchant })
    await expectOutage(find(newToken('live')))
    tokens.forget(`token ${key.uuid}`)
    await expectOutage(find(key.token))
  })

  it('a merchant that has not searched here has its own prices, in every currency', async () => {
    for (const currency of ['USD', 'EUR']) {
      for (const product of ['diamond', 'gemstone'] as const) {
        const expected = await readPriceRules(writers.db, merchant, currency, product)
        expect(await rules.get(merchant, currency, product)).toEqual(expected)
      }
    }
    await expectOutage(rules.get(merchant, 'CHF'))
  })

  it('a merchant that has not searched here is curated by its own templates', async () => {
    const { templates, held } = await choices.get(merchant.uuid)
    expect(templates).toMatchObject([TEMPLATE])
    expect(held.size).toBe(0)
    await expectOutage(choices.get(newUuid()))
  })

  it('margins that have changed are not guessed', async () => {
    rules.forget(merchant.uuid)
    await expectOutage(rules.get(merchant, 'EUR'))
  })
})
