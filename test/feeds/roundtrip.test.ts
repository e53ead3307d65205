import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asJson, asText, DIALECTS, expectedDraft, textStyle, tradeStones } from './dialects.ts'
import { readStones } from './feed-support.ts'

describe('any stone', () => {
  for (const dialect of DIALECTS) {
    it(`is read correctly from a file in the dialect of ${dialect.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          tradeStones(12, 40),
          textStyle,
          fc.constantFrom(17, 4_096, 65_536),
          async (stones, style, chunkBytes) => {
            const file = asText(stones.map(dialect.cells), style)
            const { drafts, rejections } = await readStones(file, { chunkBytes })
            expect(rejections).toEqual([])
            expect(drafts).toMatchObject(stones.map(expectedDraft))
          },
        ),
        { numRuns: 40 },
      )
    })

    it(`is read correctly from JSON with the names of ${dialect.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          tradeStones(12, 30),
          fc.constantFrom('array', 'lines', 'envelope'),
          fc.constantFrom(13, 65_536),
          async (stones, style, chunkBytes) => {
            const { drafts, rejections } = await readStones(
              asJson(stones.map(dialect.cells), style),
              { chunkBytes },
            )
            expect(rejections).toEqual([])
            expect(drafts).toMatchObject(stones.map(expectedDraft))
          },
        ),
        { numRuns: 20 },
      )
    })
  }
})
