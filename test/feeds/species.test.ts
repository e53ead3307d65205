import { describe, expect, it } from 'vitest'
import { readSpecies, readStoneWords } from '../../src/feeds/values/species.ts'
import { readStones } from './feed-support.ts'
import { workbook } from './xlsx-files.ts'

const GEM = 'Stock #,Shape,Carat,Color,Clarity,Price/Ct'
const blue = (stock: string) => `${stock},Oval,1.50,Blue,,900`
const white = (stock: string) => `${stock},Oval,1.50,G,VS1,5000`

/** Returns the kind of each stone by its stock number: a species, `diamond`, or `rejected`. */
async function kindsOf(text: string | Uint8Array): Promise<Record<string, string | null>> {
  const { drafts, rejections, settings, sample } = await readStones(text)
  const skuAt = settings.mapping.at.vendor_sku ?? 0
  const rejected = rejections.map(({ row }) => {
    const cells = sample.find((each) => each.row === row)?.cells ?? []
    return [cells[skuAt], 'rejected'] as const
  })
  const drafted = drafts.map((stone) => [stone.vendor_sku, stone.species ?? stone.product_type])
  return Object.fromEntries([...drafted, ...rejected])
}

describe('the species of a stone', () => {
  it.each([
    'Type',
    'Product',
    'Product Type',
    'Category',
    'Item',
    'Item Name',
    'Name',
    'Title',
    'Description',
    'Kind',
    'Material',
    'Mineral',
    'Gem Name',
    'Stone Name',
    'gemType',
    'Stone Type',
  ])('is read from a column %s', async (column) => {
    const text = `${GEM},${column}\n${blue('A')},Sapphire\n${blue('B')},Blue Spinel\n${blue('C')},Sapphire\n`
    expect(await kindsOf(text)).toEqual({ A: 'sapphire', B: 'spinel', C: 'sapphire' })
  })

  it.each(['Type', 'Category', 'Title', 'Description', 'Stone Name'])(
    'is a diamond for all that does not name a gemstone in a column %s',
    async (column) => {
      const text = `${GEM},${column}\n${white('A')},Emerald Cut\n${white('B')},Natural\n${white('C')},\n`
      expect(await kindsOf(text)).toEqual({ A: 'diamond', B: 'diamond', C: 'diamond' })
    },
  )

  it('may be written with its variety, its color, or in another language', () => {
    const read = (text: string) => {
      const { gem } = readSpecies(text) ?? {}
      return [gem?.species, gem?.hue]
    }
    expect(read('Tourmaline, Paraíba')).toEqual(['tourmaline', 'paraiba'])
    expect(read('Sapphire (Padparadscha)')).toEqual(['sapphire', 'padparadscha'])
    expect(read('Garnet/Tsavorite')).toEqual(['garnet', 'green'])
    expect(read('Saphir')).toEqual(['sapphire', undefined])
    expect(read('Rubin')).toEqual(['ruby', undefined])
    expect(read('Smaragd')).toEqual(['emerald', undefined])
    expect(read('royal blue sapphire')).toEqual(['sapphire', 'royal blue'])
    expect(read('Blauer Saphir')).toEqual(['sapphire', 'blue'])
    expect(read('Rubies')).toEqual(['ruby', undefined])
    expect(read('Grandidierite')).toEqual(['grandidierite', undefined])
    expect(read('Emerald Cut Sapphire')).toEqual(['sapphire', undefined])
    expect(read('Round')).toEqual([undefined, undefined])
    expect(readStoneWords('Black Diamond')).toMatchObject({ isDiamond: true, gem: undefined })
    expect(readStoneWords('Ruby and Sapphire')).toMatchObject({ isAnyGem: true, gem: undefined })
  })

  it('gives its color where the column of colors is empty', async () => {
    const text =
      'Stock #,gemType,Shape,Carat,Color,Price/Ct\n' +
      'A,Pink Sapphire,Oval,1.5,,900\nB,blue sapphire,Oval,1.5,Teal,900\nC,Ruby,Oval,1.5,Red,900\n'
    expect((await readStones(text)).drafts).toMatchObject([
      { species: 'sapphire', color: 'pink' },
      { species: 'sapphire', color: 'teal' },
      { species: 'ruby', color: 'red' },
    ])
  })

  it('comes with the country of origin', async () => {
    const text =
      'Stock #,gemType,Shape,Carat,Color,countryOfOrigin,Price/Ct\n' +
      'A,Saphir,Oval,1.5,Blue,Sri Lanka,900\nB,Ruby,Oval,1.5,Red,Unknown,900\n' +
      'C,Ruby,Oval,1.5,Red,Natural,900\nD,Ruby,Oval,1.5,Red,Burma (Mogok),900\n'
    expect((await readStones(text)).drafts).toMatchObject([
      { species: 'sapphire', origin: 'Sri Lanka' },
      { origin: null },
      { origin: null },
      { origin: 'Burma (Mogok)' },
    ])
  })

  it.each([
    ['gemType', 'Lab Ruby', 'lab grown'],
    ['gemType', 'Lab Emerald', 'lab grown'],
    ['gemType', 'Created Sapphire', 'lab grown'],
    ['gemType', 'Hydrogrown Emerald', 'lab grown'],
    ['gemType', 'Created Pink Sapphire', 'lab grown'],
    ['Description', 'Flux grown ruby', 'lab grown'],
    ['Description', 'hydrothermal emerald', 'lab grown'],
    ['Description', 'Ruby with a report of the GRS lab', 'mined'],
    ['gemType', 'Ruby', 'mined'],
  ])('may be lab grown: %s %s', async (column, text, type) => {
    const file = `Stock #,Shape,Carat,Color,Price/Ct,${column}\nA,Oval,1.5,Red,900,${text}\n`
    expect((await readStones(file)).drafts).toMatchObject([{ type }])
  })

  it('is not told by an imitation, a code or a word for several', async () => {
    const names = ['Opal Doublet', 'Simulated Ruby', 'Mixed', 'Others', 'EMD', 'SAPH', 'Onyx']
    const rows = names.map((name, at) => `S${at},Oval,1.5,Red,900,${name}`)
    const file = `Stock #,Shape,Carat,Color,Price/Ct,gemType\n${rows.join('\n')}\n`
    const { drafts, rejections } = await readStones(file)
    expect(drafts.map(({ species }) => species)).toEqual(['sapphire', 'onyx'])
    expect(rejections.map(({ value, reason }) => `${value}: ${reason}`)).toEqual([
      'Opal Doublet: This is an imitation or a composite stone, not a diamond',
      'Simulated Ruby: This is an imitation or a composite stone, not a diamond',
      'Mixed: The species is not known',
      'Others: The species is not known',
      'EMD: The species is not known',
    ])
  })

  it('is read from the name of the sheet and from a title', async () => {
    const rows = [GEM.split(','), blue('A').split(','), blue('B').split(',')]
    const sheet = workbook([{ name: 'Sapphires', rows }])
    expect(await kindsOf(sheet)).toEqual({ A: 'sapphire', B: 'sapphire' })
    const several = workbook([
      { name: 'Rubies', rows },
      { name: 'Diamonds', rows: [GEM.split(','), white('D').split(',')] },
    ])
    expect(await kindsOf(several)).toEqual({ A: 'ruby', B: 'ruby', D: 'diamond' })
    const title = `Loose Sapphires - Price List 2026\n${GEM}\n${blue('A')}\n`
    expect(await kindsOf(title)).toEqual({ A: 'sapphire' })
  })

  it('is not the name of a firm, of a shape, of a color or of a lot', async () => {
    const named = (title: string) => kindsOf(`${title}\n${GEM}\n${white('A')}\n`)
    expect(await named('Ruby Star Ltd.')).toEqual({ A: 'diamond' })
    expect(await named('Sapphire Palace stock')).toEqual({ A: 'diamond' })
    expect(await named('Emerald Coast Diamonds')).toEqual({ A: 'diamond' })
    const emeralds = [GEM.split(','), 'A,Emerald,1.5,G,VS1,5000'.split(',')]
    expect(await kindsOf(workbook([{ name: 'Emerald', rows: emeralds }]))).toEqual({
      A: 'diamond',
    })
    const texts = ['emerald cut', 'from the ruby lot', 'sapphire blue fluorescence', 'ruby red']
    for (const column of ['Comments', 'Description', 'Remarks']) {
      const rows = texts.map((text, at) => `${white(`S${at}`)},${text}`)
      const kinds = await kindsOf(`${GEM},${column}\n${rows.join('\n')}\n`)
      expect(Object.values(kinds)).toEqual(texts.map(() => 'diamond'))
    }
    const fancy = `${GEM},Description\nA,Oval,1.5,Fancy Vivid Blue,VS1,50000,sapphire blue\n`
    expect(await kindsOf(fancy)).toEqual({ A: 'diamond' })
    const shape = `${GEM},Title\nA,Emerald,1.5,G,VS1,5000,Emerald 1.50 G VS1\n`
    expect(await kindsOf(shape)).toEqual({ A: 'diamond' })
  })

  it('rejects a row that may be a gemstone and may be a diamond', async () => {
    const reasonOf = async (text: string) => {
      const { rejections, drafts } = await readStones(text)
      return [drafts.length, rejections.map(({ column, reason }) => `${column}: ${reason}`)]
    }
    const unsaid = 'This may be a diamond or a gemstone: its species is not said'
    const empty = `${GEM},gemType\n${blue('A')},Sapphire\n${blue('B')},\n${white('C')},\n`
    expect(await reasonOf(empty)).toEqual([2, [`Stock #: ${unsaid}`]])
    expect(await reasonOf(`${GEM},Category\n${blue('A')},Gemstone\n`)).toEqual([
      0,
      ['Category: This is a gemstone, but its species is not said'],
    ])
    expect(await reasonOf(`${GEM},Title\n${white('A')},Oval Sapphire\n`)).toEqual([
      0,
      ['Title: This says sapphire, but color and clarity are those of a diamond'],
    ])
    expect(await reasonOf(`${GEM},Type,gemType\n${blue('A')},Diamond,Sapphire\n`)).toEqual([
      0,
      ['gemType: This says sapphire, and another column diamond'],
    ])
    expect(await reasonOf(`Sapphire Palace stock\n${GEM}\n${blue('A')}\n`)).toEqual([
      0,
      [`Stock #: ${unsaid}`],
    ])
  })

  it('is a diamond where a flag or another column says so', async () => {
    const flags = `${GEM},IsGemstone,IsDiamond\n${blue('A')},false,true\n${blue('B')},true,false\n`
    expect(await kindsOf(flags)).toEqual({ A: 'diamond', B: 'rejected' })
    const mixed = `${GEM},Category\n${blue('A')},Fancy Diamond\n${blue('B')},Sapphire\n`
    expect(await kindsOf(mixed)).toEqual({ A: 'diamond', B: 'sapphire' })
  })
})
