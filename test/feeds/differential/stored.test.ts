import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSupplier } from '../../../src/gems/supplier-store.ts'
import { insertRate } from '../../../src/pricing/exchange-rates.ts'
import { type ImportMarket, openImportMarket } from '../import-support.ts'
import { isSame, RATE_TEXTS, type StoneValues } from './compare.ts'
import { expectedStone, generateFile } from './files.ts'
import { chanceOf, seedOfRun } from './random.ts'
import { fileBytes } from './writing.ts'

const SEED = seedOfRun()
const ROWS = 120
const CUT_ROWS = 8
const DIALECTS = ['RapNet download', 'Surat office', 'Rupees', 'Ritani', 'List and discount']

let market: ImportMarket
beforeAll(async () => {
  market = await openImportMarket()
  for (const [code, rate] of Object.entries(RATE_TEXTS)) {
    if (code === 'USD') continue
    await market.database.db.transaction().execute((tx) => insertRate(tx, code, rate))
  }
})
afterAll(() => market.close())

describe(`the stones of a file in the market (FEED_SEED=${SEED})`, () => {
  for (const [index, name] of DIALECTS.entries()) {
    it(`are what the file says, also after an update: ${name}`, async () => {
      const chance = chanceOf(SEED + index)
      const file = generateFile(chance, name, ROWS)
      const supplier = `${name} ${index}`
      const request = { supplier, acceptPrices: true }
      const settings = { stone_type: 'both' } as const
      const { id } = await createSupplier(market.database.db, supplier, settings)
      await market.run(fileBytes(file), request)
      const cut = chance.shuffled([...file.rows.keys()]).slice(0, CUT_ROWS)
      const update = await market.run(fileBytes(file, cut), request)
      expect(update).toMatchObject({ added: 0, changed: 0 })
      const gems = (await market.gems()) as StoneValues[]
      const stored = new Map(gems.map((gem) => [`${gem.supplier_id} ${gem.vendor_sku}`, gem]))
      const wrong = file.stones.flatMap((stone) => {
        const gem = stored.get(`${id} ${stone.stock}`)
        const truth = expectedStone(file, stone)
        if (truth === null) return gem ? [`${stone.stock} is sold, but it is ${stone.not}`] : []
        return Object.entries(truth)
          .filter(
            ([field, value]) => gem && !isSame(field, asRead(field, gem[field], value), value),
          )
          .map(([field, value]) => `${stone.stock}: ${field} is ${value}, not ${gem?.[field]}`)
      })
      expect(wrong).toEqual([])
    })
  }
})

/** JSON of the database has money as numbers. */
function asRead(field: string, stored: string | number | boolean | null, value: unknown) {
  return field === 'cost' && typeof value === 'string' ? Number(stored).toFixed(2) : stored
}
