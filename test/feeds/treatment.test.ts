import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

/** The treatment of the first of three equal diamonds that differ in the given columns only. */
async function treatmentOf(columns: string, cells: string) {
  const rows = [1, 2, 3].map((at) => `S-${at},Round,1.0${at},G,VS1,3000,${cells}`)
  const header = `Stock #,Shape,Weight,Color,Clarity,Price/Ct,${columns}`
  const { drafts, rejections } = await readStones(`${header}\n${rows.join('\n')}\n`)
  expect(rejections).toEqual([])
  return drafts[0].treatment
}

describe('a treated color', () => {
  it('is the color where no other column has one', async () => {
    const header =
      'Item ID #,Cut,Carat,Color,Natural Fancy Color,Treated Color,Clarity,Price Per Carat'
    const rows = ['D,,', ',,Blue', ',,H', ',Yellow,', 'G,,No'].map(
      (colors, at) => `S-${at},Round,1.0${at},${colors},VS1,3000`,
    )
    const { drafts, rejections } = await readStones([header, ...rows].join('\n'))
    expect(rejections).toEqual([])
    expect(drafts.map(({ color, is_fancy, treatment }) => [color, is_fancy, treatment])).toEqual([
      ['D', false, null],
      ['BL', true, 'color enhanced'],
      ['H', false, 'color enhanced'],
      ['YL', true, null],
      ['G', false, null],
    ])
  })
})

describe('a diamond is treated', () => {
  it.each([
    ['Remarks', 'Clarity enhanced', 'clarity enhanced'],
    ['Remarks', 'Clarity-Enhanced (CE)', 'clarity enhanced'],
    ['Comments', 'Laser drilled', 'laser drilled'],
    ['Key To Symbols', 'Feather; Laser Drill-hole', 'laser drilled'],
    ['Remarks', 'fracture filled', 'fracture filled'],
    ['Remarks', 'Irradiated', 'irradiated'],
    ['Remarks', 'Color treated', 'color treated'],
    ['Remarks', 'HPHT color treated', 'HPHT'],
    ['Remarks', 'HPHT treated and irradiated', 'HPHT, irradiated'],
    ['Remarks', 'No HPHT; laser drilled', 'laser drilled'],
    ['Remarks', '"No HPHT, laser drilled"', 'laser drilled'],
    ['Treatment,Remarks', 'None,Clarity enhanced', 'clarity enhanced'],
    ['Enhanced', 'Y', 'treated'],
    ['Is Treated', 'TRUE', 'treated'],
    ['Treatment', 'Облучен', 'Облучен'],
    ['Treatment', '辐照', '辐照'],
  ])('by %s: %s', async (columns, cells, treatment) => {
    expect(await treatmentOf(columns, cells)).toBe(treatment)
  })

  it.each([
    ['Remarks', 'no treatment'],
    ['Remarks', 'Not clarity enhanced'],
    ['Remarks', 'not clarity enhanced or laser drilled'],
    ['Remarks', 'No HPHT treatment'],
    ['Remarks', '"No HPHT, irradiation or clarity enhancement"'],
    ['Remarks', 'Without any signs of irradiation'],
    ['Remarks', 'Laser drilling: none'],
    ['Remarks', 'Laser inscribed; natural color'],
    ['Enhanced', 'No'],
    ['Treatment', 'None detected'],
    ['Treatment', 'None Reported'],
    ['Treatment', 'NONE (NATURAL)'],
    ['Treatment', 'Unenhanced'],
    ['Treatment', 'Natural Color'],
    ['Treatment', 'No treatment'],
    ['Treatment', 'No indications of treatment'],
    ['Treatment', 'Untreated'],
    ['Treatment', 'No heat'],
    ['Treatment', 'Not clarity enhanced'],
    ['Treatment', 'нет'],
    ['Treatment', '无'],
    ['Treatment', '?'],
  ])('but not by %s: %s', async (columns, cells) => {
    expect(await treatmentOf(columns, cells)).toBeNull()
  })

  it('also when it is lab grown, by what is not its growth', async () => {
    expect(await treatmentOf('Type,Remarks', 'CVD,HPHT treated')).toBeNull()
    expect(await treatmentOf('Type,Remarks', 'CVD,HPHT treated; irradiated')).toBe('irradiated')
  })
})

describe('the treatment of a gemstone', () => {
  const header = 'Stock #,gemType,Shape,Carat,Color,Price/Ct'
  const stone = 'G-1,Sapphire,Oval,1.50,Royal Blue,900'

  it.each([
    ['', null],
    ['?', null],
    ['N/A', null],
    ['Not Specified', null],
    ['None', 'none'],
    ['None detected', 'none'],
    ['Untreated', 'none'],
    ['No heat', 'no heat'],
    ['Heated', 'heated'],
  ])('that its column gives as %j is %j', async (written, treatment) => {
    const { drafts } = await readStones(`${header},Treatment\n${stone},${written}\n`)
    expect(drafts).toMatchObject([{ product_type: 'gemstone', treatment }])
  })

  it('is not known without a column', async () => {
    expect((await readStones(`${header}\n${stone}\n`)).drafts[0].treatment).toBeNull()
  })
})
