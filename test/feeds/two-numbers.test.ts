import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct,Cut Grade,Measurements,Depth %'
const OTHERS = [1, 2, 3].map((at) => `O-${at},Round,1.01,G,VS1,3000,EX,6.42 x 6.45 x 3.97,61.8`)

/** Reads one stone in a file with others that have three numbers. */
async function readStone(
  shape: string,
  weight: string,
  [sides, depthPercent]: [string, string],
  grade = '',
) {
  const row = `S-1,${shape},${weight},G,VS1,3000,${grade},${sides},${depthPercent}`
  const { drafts, rejections, unreadable } = await readStones([HEADER, row, ...OTHERS].join('\n'))
  const stone = drafts.find(({ vendor_sku }) => vendor_sku === 'S-1')
  return { stone, rejection: rejections[0]?.reason, unreadable }
}

describe('a pavilion depth', () => {
  it('is a percentage, also as a spreadsheet writes it, and never in millimetres', async () => {
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct,Pavilion Depth'
    const rows = ['43.1', '43.1%', '0.431', '2.78'].map((text, at) => {
      return `S-${at},Round,1.01,G,VS1,3000,${text}`
    })
    const { drafts, unreadable } = await readStones([header, ...rows].join('\n'))
    expect(drafts.map(({ pavilion_depth }) => pavilion_depth)).toEqual([43.1, 43.1, 43.1, null])
    expect(unreadable).toEqual(['pavilion_depth 2.78'])
  })
})

describe('measurements of two numbers', () => {
  it('are the diameter and the depth where the depth in percent says so', async () => {
    const round = await readStone('Round', '1.01', ['6.43 x 3.97', '61.7'])
    expect(round.stone).toMatchObject({ length: 6.43, width: 6.43, depth: 3.97, ratio: 1 })
    expect(round.stone).toMatchObject({ depth_percentage: 61.7 })
    expect(round.unreadable).toEqual([])
    const princess = await readStone('Princess', '1.01', ['5.50x4.00', '72.7'])
    expect(princess.stone).toMatchObject({ length: 5.5, width: 5.5, depth: 4, ratio: 1 })
    const coded = await readStone('R', '1.01', ['6.43 x 3.97', '61.7'])
    expect(coded.stone).toMatchObject({ shape: 'round', width: 6.43, depth: 3.97 })
  })

  it('are length and width otherwise, even where they have the proportion by chance', async () => {
    const round = await readStone('Round', '2.02', ['8.10-8.14', '61.7'])
    expect(round.stone).toMatchObject({ length: 8.14, width: 8.1, depth: null, ratio: 1 })
    const pear = await readStone('Pear', '1.06', ['9.00 x 5.58', '62.0'])
    expect(pear.stone).toMatchObject({ length: 9, width: 5.58, depth: null, ratio: 1.61 })
    const oval = await readStone('Oval', '1.01', ['7.80 x 5.70', '61.7'])
    expect(oval.stone).toMatchObject({ length: 7.8, width: 5.7, depth: null, ratio: 1.37 })
    expect(oval.unreadable).toEqual([])
    const zero = await readStone('Oval', '1.01', ['7.80x5.70x0', ''])
    expect(zero.stone).toMatchObject({ length: 7.8, width: 5.7, depth: null })
  })

  it('of a round stone that cannot be its sides are noted and left out', async () => {
    for (const percent of ['', '58.0']) {
      const { stone, unreadable } = await readStone('Round', '1.01', ['6.43 x 3.97', percent])
      expect(stone).toMatchObject({ length: null, width: null, depth: null, ratio: null })
      expect(unreadable).toEqual(['measurements 6.43 x 3.97'])
    }
  })

  it('do not tell what a code means when the second may be the depth', async () => {
    const { stone, rejection } = await readStone('R', '1.01', ['6.43 x 3.97', ''])
    expect(stone).toBeUndefined()
    expect(rejection).toBe(
      'The code may mean round or radiant, and the measurements do not tell which',
    )
    const graded = await readStone('R', '1.01', ['6.43 x 3.97', ''], 'EX')
    expect(graded.stone).toMatchObject({ shape: 'round', length: null })
    const emerald = await readStone('AC', '1.01', ['7.00 x 5.00', '68.0'])
    expect(emerald.stone).toMatchObject({ shape: 'emerald', ratio: 1.4 })
  })

  it('are the smallest and the largest stones of a parcel', async () => {
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct,Parcel Stones,Measurements'
    const rows = [1, 2, 3].map((at) => `P-${at},Round,1.00,G,VS1,500,100,1.20-1.35`)
    const { drafts, unreadable } = await readStones([header, ...rows].join('\n'))
    expect(drafts[0]).toMatchObject({ product_type: 'melee', length: 1.35, width: 1.2 })
    expect(unreadable).toEqual([])
  })
})
