import { describe, expect, it } from 'vitest'
import { isSame, type StoneValues } from './compare.ts'
import { type FileResult, importFile } from './cut-file.ts'
import { DIALECT_NAMES, expectedStone, type GeneratedFile, generateFile } from './files.ts'
import { type Chance, chanceOf, seedOfRun } from './random.ts'
import { fileText } from './writing.ts'

const SEED = seedOfRun()
const CUTS = Number(process.env.FEED_CUTS ?? 6)
const ROWS = 120
const CUT = { min: 3, max: 50 }

/** The positions of some rows, in any order, or the lightest stones of the file. */
function cutOf(chance: Chance, file: GeneratedFile): number[] {
  const size = chance.whole(CUT.min, CUT.max)
  const positions = chance.shuffled([...file.rows.keys()])
  if (chance.happens(0.2)) positions.sort((a, b) => file.stones[a].weight - file.stones[b].weight)
  return positions.slice(0, size)
}

/** Values that differ from what is true of the stones, one line each. */
function wrongValues(file: GeneratedFile, positions: number[], { drafts }: FileResult): string[] {
  return positions.flatMap((at) => {
    const stone = file.stones[at]
    const draft = drafts.get(stone.stock) as StoneValues | undefined
    if (!draft) return []
    const truth = expectedStone(file, stone)
    if (truth === null) return [`${stone.stock} is sold, but it is ${stone.not}`]
    return Object.entries(truth)
      .filter(([field, value]) => !isSame(field, draft[field], value))
      .filter(([field]) => field !== 'list_price' || draft[field] !== null)
      .map(([field, value]) => `${stone.stock}: ${field} is ${value}, not ${draft[field]}`)
  })
}

describe(`a file cut to 3 to 50 of its rows (FEED_SEED=${SEED})`, () => {
  for (const [index, name] of DIALECT_NAMES.entries()) {
    it(`like those of ${name} is read as the whole file, asked about or refused`, async () => {
      const chance = chanceOf(SEED + index)
      const file = generateFile(chance, name, ROWS)
      const whole = await importFile(fileText(file))
      for (let at = 0; at < CUTS; at++) {
        const positions = cutOf(chance, file)
        const bytes = fileText(file, positions)
        const first = await importFile(bytes)
        expect(first.refusal ?? wrongValues(file, positions, first)).toEqual(
          first.refusal ? expect.stringMatching(/^import_unsure/) : [],
        )
        if (whole.reading === undefined) continue
        const update = await importFile(bytes, whole.reading)
        expect(update.refusal).toBeUndefined()
        expect(wrongValues(file, positions, update)).toEqual([])
      }
    })
  }
})
