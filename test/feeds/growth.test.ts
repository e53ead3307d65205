import { describe, expect, it } from 'vitest'
import { readGrowthSign } from '../../src/feeds/values/growth.ts'
import { type ReadOptions, readStones } from './feed-support.ts'

/** A file of stones that differ in the given columns only, one stone per line of cells. */
function fileOf(columns: string, lines: string[]): string {
  const rows = lines.map((cells, at) => `S-${at},Round,1.0${at % 10},G,VS1,3000,${cells}`)
  return `Stock #,Shape,Weight,Color,Clarity,Price/Ct,${columns}\n${rows.join('\n')}\n`
}

/** What is sold of three equal stones: the type and the method, or the reason of the rejection. */
async function soldAs(columns: string, cells: string, options: ReadOptions = {}) {
  const { drafts, rejections } = await readStones(fileOf(columns, [cells, cells, cells]), options)
  const [draft] = drafts
  if (draft?.treatment) return `${draft.type}, treated by ${draft.treatment}`
  if (draft) return [draft.type, draft.grow_method].filter(Boolean).join(' ')
  return rejections[0].reason
}

describe('a sign of growth', () => {
  it.each([
    ['Origin', 'Lab Grown', 'lab grown'],
    ['Origin', 'LG', 'lab grown'],
    ['Type', 'LAB-CREATED', 'lab grown'],
    ['Type', 'CVD', 'lab grown CVD'],
    ['Growth Type', 'MPCVD', 'lab grown CVD'],
    ['Growth', 'HPHT', 'lab grown HPHT'],
    ['Comments', 'Type IIa; CVD growth process', 'lab grown CVD'],
    ['Comments', 'This laboratory-grown diamond was created by HPHT', 'lab grown HPHT'],
    ['Member Comment', 'As grown - no post-growth treatment', 'lab grown'],
    ['Remarks', 'LGD', 'lab grown'],
    ['Report Type', 'LGDR', 'lab grown'],
    ['Something', 'lab_grown', 'lab grown'],
    ['Lab', 'IGI-LGD', 'lab grown'],
    ['Report #', 'LG551234567', 'lab grown'],
    ['Certificate URL', 'https://lab.example/verify?r=LG551234567', 'lab grown'],
    ['Treatment', 'As Grown', 'lab grown'],
    ['Is Lab Grown', 'TRUE', 'lab grown'],
    ['Is Natural', 'FALSE', 'lab grown'],
    ['Nat/LG', 'LG', 'lab grown'],
    ['LG / Natural', 'LGD', 'lab grown'],
    ['Natural or LG diamond', 'LG', 'lab grown'],
    ['LGD', 'Y', 'lab grown'],
    ['N/L', 'L', 'lab grown'],
    ['CVD', 'Y', 'lab grown'],
    ['Diamond Type', 'Labordiamant', 'lab grown'],
    ['Diamond Type', 'Laboratoire', 'lab grown'],
    ['Diamond Type', 'lab cultured', 'lab grown'],
    ['Diamond Type', 'cultured', 'lab grown'],
    ['Diamond Type', 'Synthetisch', 'lab grown'],
    ['Diamond Type', 'Laborgezüchtet', 'lab grown'],
    ['Diamond Type', 'cultivated', 'lab grown'],
    ['Diamond Type', 'laboratory', 'lab grown'],
    ['Comments', 'grown in a lab', 'lab grown'],
    ['Comments', 'diamant synthétique', 'lab grown'],
    ['Comments', 'cultivé en laboratoire', 'lab grown'],
    ['Comments', 'Diamante sintético', 'lab grown'],
    ['Comments', 'diamante de laboratorio', 'lab grown'],
    ['Comments', 'creato in laboratorio', 'lab grown'],
    ['Comments', 'gekweekte diamant', 'lab grown'],
    ['Comments', 'выращенный бриллиант', 'lab grown'],
    ['Comments', 'יהלום מעבדה', 'lab grown'],
    ['Comments', '培育钻石', 'lab grown'],
    ['Comments', '合成ダイヤモンド', 'lab grown'],
  ])('in %s (%s) makes a stone lab grown', async (column, text, sold) => {
    expect(await soldAs(column, text)).toBe(sold)
  })

  it.each([
    ['Origin', 'Natural'],
    ['Comments', 'no HPHT'],
    ['Comments', 'not CVD or HPHT'],
    ['Comments', 'Natural, CVD/HPHT tested'],
    ['Comments', 'non lab grown'],
    ['Comments', 'LG crystal under the table'],
    ['Comments', 'Available in the label'],
    ['HPHT', 'FALSE'],
    ['Seller Name', 'Blue Lab Grown Diamonds Ltd'],
    ['Is Natural', 'TRUE'],
    ['Is Lab Grown', '0'],
    ['Diamond Type', 'IIa'],
    ['Lab', 'GIA'],
    ['Origin', 'Botswana'],
    ['Comments', 'nicht synthetisch'],
    ['Comments', 'synthetisch: nein'],
    ['Comments', 'CVD: No'],
    ['Comments', 'HPHT - none'],
    ['Comments', 'Lab grown: no, natural'],
    ['Comments', 'no sintético'],
    ['Comments', 'pas synthétique'],
    ['Comments', 'не выращенный'],
    ['Comments', 'certificado de laboratorio'],
    ['Comments', '非合成'],
    ['Comments', 'not moissanite'],
    ['Comments', 'moissanite tested'],
    ['Country', 'CZ'],
  ])('is not seen in %s (%s)', async (column, text) => {
    expect(await soldAs(column, `"${text}"`)).toBe('mined')
  })

  it('may follow the shape', async () => {
    const { drafts } = await readStones(
      fileOf('Lab', ['IGI', 'IGI', 'IGI']).replace('S-0,Round', 'S-0,Round LG'),
    )
    expect(drafts.map(({ type }) => type)).toEqual(['lab grown', 'mined', 'mined'])
  })

  it.each([
    ['Diamond Type', 'Moissanite', 'This is moissanite, not a diamond'],
    ['Remarks', 'Fine moissanite stone', 'This is moissanite, not a diamond'],
    ['Gem Type', 'Cubic Zirconia', 'This is cubic zirconia, not a diamond'],
    ['Gem Type', 'CZ', 'This is cubic zirconia, not a diamond'],
  ])('is not looked for in an imitation: %s (%s)', async (column, text, reason) => {
    expect(await soldAs(column, text)).toBe(reason)
  })

  it('may stand beside a treatment by the same method', async () => {
    expect(await soldAs('Comments', 'HPHT treated')).toBe('mined, treated by HPHT')
    expect(await soldAs('Treatment', 'HPHT')).toBe('mined, treated by HPHT')
    expect(await soldAs('Comments', 'CVD with HPHT treatment')).toBe('lab grown CVD')
    expect(readGrowthSign('CVD / HPHT')).toEqual({ method: null })
  })

  it('may be the beginning of the stock number', async () => {
    const file = (first: string, rest = '') =>
      fileOf('Type', [rest, rest, rest]).replace('S-0', first)
    expect((await readStones(file('LG-0'))).drafts.map(({ type }) => type)).toEqual([
      'lab grown',
      'mined',
      'mined',
    ])
    expect((await readStones(file('CVD0'))).drafts[0]).toMatchObject({ type: 'lab grown' })
    expect((await readStones(file('LGX0'))).drafts[0]).toMatchObject({ type: 'mined' })
    expect((await readStones(file('LG-0', 'Natural'))).rejections).toEqual([
      {
        row: 2,
        column: 'Stock #',
        value: 'LG-0',
        reason: 'This looks lab grown, but "Type" says "Natural"',
      },
    ])
  })

  it('counts more than a column that says natural, which is noted', async () => {
    const file = fileOf('Type,Report #', ['Natural,LG551234567', 'Natural,1234567890'])
    const { drafts, unreadable } = await readStones(file)
    expect(drafts.map(({ type }) => type)).toEqual(['lab grown', 'mined'])
    expect(unreadable).toEqual(['type Natural'])
  })
})

describe('the type of a supplier', () => {
  const typed = (stone_type: 'mined' | 'lab grown' | 'both') => ({ supplier: { stone_type } })

  it('lab grown makes every stone lab grown', async () => {
    expect(await soldAs('Comments', '', typed('lab grown'))).toBe('lab grown')
    expect(await soldAs('Growth', 'CVD', typed('lab grown'))).toBe('lab grown CVD')
  })

  it('mined rejects a stone with a sign of growth', async () => {
    expect(await soldAs('Comments', 'clean', typed('mined'))).toBe('mined')
    const file = fileOf('Comments', ['clean', 'grown by CVD'])
    expect((await readStones(file, typed('mined'))).rejections).toEqual([
      {
        row: 3,
        column: 'Comments',
        value: 'grown by CVD',
        reason: 'The supplier is set to mined stones, but this says that it is lab grown',
      },
    ])
  })

  it('mined overrules a beginning that all stock numbers share, and no other', async () => {
    const file = fileOf('Comments', ['', '', '']).replaceAll('S-', 'LG-')
    expect((await readStones(file)).drafts[0]).toMatchObject({ type: 'lab grown' })
    expect((await readStones(file, typed('mined'))).drafts).toHaveLength(3)
    const one = fileOf('Comments', ['', '', '']).replace('S-0', 'LG-0')
    expect((await readStones(one, typed('mined'))).rejections).toHaveLength(1)
  })

  it('both leaves the decision to the signs', async () => {
    expect(await soldAs('Comments', 'CVD', typed('both'))).toBe('lab grown CVD')
    expect(await soldAs('Comments', '', typed('both'))).toBe('mined')
  })
})
