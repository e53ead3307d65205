import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { setSupplier } from '../../src/gems/supplier-store.ts'
import { type ImportMarket, openImportMarket } from './import-support.ts'

let market: ImportMarket
beforeEach(async () => {
  market = await openImportMarket()
  await market.run(WHOLE)
})
afterEach(() => market.close())

const CORE = 'Stock #,Shape,Weight,Color,Clarity'
const WHOLE = [
  `${CORE},Price Per Carat,Lab,Report #,Growth Type,Treatment,Measurements,Fluorescence,Image`,
  'L-1,Round,1.02,G,VS1,900,IGI,LG730000011,CVD,,6.40x6.43x3.97,None,https://media.example/1.jpg',
  'M-1,Oval,1.20,F,VS2,5000,GIA,2141438171,,Laser Drilled,7.80x5.70x3.50,Faint,',
  '',
].join('\n')
const facts = async (stock: string) => {
  const gem = await market.gem(stock)
  const { type, grow_method, lab, cert_num, treatment, length, fluorescence, image_top_url } = gem
  return { type, grow_method, lab, cert_num, treatment, length, fluorescence, image_top_url }
}
const prices = (lines: string[]) =>
  `${CORE},Price Per Carat\n${lines.map((line) => `${line}\n`).join('')}`

describe('a file of updates with fewer columns', () => {
  it('changes what it tells, and the stones keep everything else', async () => {
    const [grown, treated] = [await facts('L-1'), await facts('M-1')]
    expect(grown).toMatchObject({ type: 'lab grown', grow_method: 'CVD', lab: 'IGI' })
    expect(treated).toMatchObject({ treatment: 'Laser Drilled', length: '7.800' })
    const report = await market.run(
      prices(['L-1,Round,1.02,G,VS1,880', 'M-1,Oval,1.20,F,VS2,5100']),
    )
    expect(report).toMatchObject({ changed: 2, added: 0 })
    expect([await facts('L-1'), await facts('M-1')]).toEqual([grown, treated])
    expect(await market.gem('L-1')).toMatchObject({ cost: '897.60' })
    expect((await market.log()).slice(-2).map((entry) => entry.split(' ')[0])).toEqual([
      'price',
      'price',
    ])
  })

  it('makes a stone of another weight a new one, which keeps nothing', async () => {
    await market.run(prices(['L-1,Round,1.50,G,VS1,5000']))
    expect(await facts('L-1')).toMatchObject({ type: 'mined', lab: null, cert_num: null })
  })

  it('can empty a field by a column that is empty', async () => {
    const file = `${CORE},Price Per Carat,Image\nL-1,Round,1.02,G,VS1,900,\n`
    await market.run(file)
    expect(await facts('L-1')).toMatchObject({ image_top_url: null, lab: 'IGI' })
  })

  it('does not outweigh what the supplier is set to', async () => {
    await setSupplier(market.database.db, 'Gems Ltd', { stone_type: 'mined' })
    await market.run(prices(['L-1,Round,1.02,G,VS1,5000']))
    expect(await facts('L-1')).toMatchObject({ type: 'mined' })
  })

  it('is undone like any other', async () => {
    const before = await market.gem('L-1')
    const { uuid } = await market.run(prices(['L-1,Round,1.02,G,VS1,880']))
    await undoImport(market.database, String(uuid))
    const { updated_on: _, ...after } = await market.gem('L-1')
    expect(before).toMatchObject(after)
  })

  it('says what a replaced list has no column for is unknown', async () => {
    await market.run(prices(['L-1,Round,1.02,G,VS1,880', 'M-1,Oval,1.20,F,VS2,5100']), {
      mode: 'replace',
      acceptPrices: true,
    })
    expect(await facts('M-1')).toMatchObject({ treatment: null, lab: null, length: null })
  })
})
