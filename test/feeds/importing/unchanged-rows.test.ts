import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportRequest } from '../../../src/feeds/importing/report.ts'
import { createSupplier, setSupplier } from '../../../src/gems/supplier-store.ts'
import { Refusal } from '../../../src/lib/refusal.ts'
import { insertRate } from '../../../src/pricing/exchange-rates.ts'
import { RATE_TEXTS } from '../differential/compare.ts'
import { type GeneratedFile, generateFile } from '../differential/files.ts'
import { type Chance, chanceOf, seedOfRun } from '../differential/random.ts'
import { fileBytes } from '../differential/writing.ts'
import { type ImportMarket, openImportMarket, withoutTime } from '../import-support.ts'

const SEED = seedOfRun()
const ROWS = 60
const IMPORTS = 4
const DIALECTS = ['RapNet download', 'Surat office', 'Rupees', 'Ritani', 'List and discount']
const SUPPLIER_UUID = '018f0000-0000-7000-8000-0000000000'

/** Two markets with the same stones; the second forgets what their rows were. */
let usual: ImportMarket
let forgetful: ImportMarket
beforeAll(async () => {
  usual = await openImportMarket()
  forgetful = await openImportMarket()
  for (const { database } of [usual, forgetful]) await setRates(database.db, RATE_TEXTS)
})
afterAll(async () => {
  await usual.close()
  await forgetful.close()
})

type Db = ImportMarket['database']['db']

async function setRates(db: Db, rates: Record<string, string>): Promise<void> {
  for (const [code, rate] of Object.entries(rates)) {
    if (code === 'USD') continue
    await db.transaction().execute((tx) => insertRate(tx, code, rate))
  }
}

/** Changes cells, takes rows away, and puts others in their place or a second time. */
function change(chance: Chance, file: GeneratedFile): GeneratedFile {
  const rows = chance.happens(0.3) ? chance.shuffled(file.rows) : [...file.rows]
  for (let left = chance.whole(0, 5); left > 0; left--) {
    const at = chance.whole(0, rows.length - 1)
    const other = chance.pick(file.rows)
    const column = chance.whole(0, other.length - 1)
    const changed = rows[at].map((cell, index) => (index === column ? other[index] : cell))
    const put = chance.pick([[changed], [changed], [changed], [], [rows[at], changed], [other]])
    rows.splice(at, 1, ...put)
  }
  return { ...file, rows }
}

/** What happens in the market between two imports. */
async function disturb({ database: { db } }: ImportMarket, name: string, what: string) {
  const some = sql`supplier_id = (select id from supplier where name = ${name})
    and vendor_sku like '%3%'`
  const move = (to: string, mover: string, quantity: number) =>
    sql`update gem set state = ${to}, mover = ${mover}, quantity = ${quantity}
      where state = 'available' and ${some}`.execute(db)
  if (what === 'sold') await move('sold', 'order', 0)
  if (what === 'gone') await move('gone', 'feed', 1)
  if (what === 'markup') await setSupplier(db, name, { markup: 7 })
  if (what === 'rates') await setRates(db, { ...RATE_TEXTS, INR: '90.125', EUR: '0.875' })
}

/** The report, or why the file was refused. */
async function run(market: ImportMarket, file: Buffer, request: Partial<ImportRequest>) {
  try {
    const { uuid: _, notes: __, ...report } = await market.run(file, request)
    return report
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    throw error
  }
}

/** The stones, without the digests of their rows. */
async function stonesOf(market: ImportMarket) {
  const gems = withoutTime(await market.gems())
  return gems.map(({ id: _, feed_hash: __, created_on: ___, ...gem }) => gem)
}

/** What followers heard of; the order within an import means nothing. */
async function changesOf(market: ImportMarket) {
  return (await market.log()).toSorted()
}

describe(`a file that is imported again with a few changes (FEED_SEED=${SEED})`, () => {
  for (const [index, name] of DIALECTS.entries()) {
    it(`gives the same report and stones as if every row had changed: ${name}`, async () => {
      const chance = chanceOf(SEED + index)
      let file = generateFile(chance, name, ROWS)
      const supplier = `${name} ${index}`
      for (const { database } of [usual, forgetful]) {
        const { id } = await createSupplier(database.db, supplier, { stone_type: 'both' })
        const uuid = `${SUPPLIER_UUID}${10 + index}`
        await sql`update supplier set uuid = ${uuid} where id = ${id}`.execute(database.db)
      }
      let unchanged = 0
      for (let at = 0; at < IMPORTS; at++) {
        const mode = chance.pick(['update', 'replace'] as const)
        const request = { supplier, mode, acceptPrices: true, maxRemovedShare: 1, maxJumpsShare: 1 }
        const bytes = fileBytes(file)
        const report = await run(usual, bytes, request)
        await sql`update gem set feed_hash = null`.execute(forgetful.database.db)
        expect(await run(forgetful, bytes, request)).toEqual(report)
        expect(await stonesOf(forgetful)).toEqual(await stonesOf(usual))
        expect(await changesOf(forgetful)).toEqual(await changesOf(usual))
        unchanged += 'unchanged' in report ? report.unchanged : 0
        const what = chance.pick(['nothing', 'nothing', 'sold', 'gone', 'markup', 'rates'])
        for (const market of [usual, forgetful]) await disturb(market, supplier, what)
        file = change(chance, file)
      }
      expect(unchanged).toBeGreaterThan(ROWS)
    })
  }
})
