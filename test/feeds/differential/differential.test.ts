import { describe, expect, it } from 'vitest'
import { compareReaders } from './compare.ts'
import { DIALECT_NAMES, generateFile } from './files.ts'
import { chanceOf, seedOfRun } from './random.ts'

const SEED = seedOfRun()
const FILES = Number(process.env.FEED_FILES ?? 2)
/** Enough for the growth of prices with weight to tell what a column called Price holds. */
const ROWS = { min: 110, max: 150 }
/** What may be refused although it could be sold. */
const SOLD_SHARE_MIN = 0.98

describe(`two readers (FEED_SEED=${SEED})`, () => {
  for (const [index, name] of DIALECT_NAMES.entries()) {
    it(`agree with the truth on every field of files like those of ${name}`, async () => {
      let sellable = 0
      let sold = 0
      for (let at = 0; at < FILES; at++) {
        const chance = chanceOf(SEED + at * 1_009 + index)
        const file = generateFile(chance, name, chance.whole(ROWS.min, ROWS.max))
        const result = await compareReaders(file)
        expect(result.differences, JSON.stringify(file.style)).toEqual([])
        // An unclear price is asked about, which costs no stone.
        if (result.isAsked) continue
        sellable += result.sellable
        sold += result.sold
        const hint = result.refused.slice(0, 5).join('; ')
        expect(sold / sellable, hint).toBeGreaterThanOrEqual(SOLD_SHARE_MIN)
      }
    })
  }
})
