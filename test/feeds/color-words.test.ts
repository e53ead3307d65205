import { describe, expect, it } from 'vitest'
import { readColor, readIntensity } from '../../src/feeds/values/color.ts'
import { readStones } from './feed-support.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat'

/** Reads stones that differ in their colors. */
async function readColors(...colors: string[]) {
  const rows = colors.map((color, at) => `S-${at},Cushion,1.01,"${color}",VS1,2000\n`)
  return readStones(`${HEADER}\n${rows.join('')}`)
}

describe('a fancy color', () => {
  it.each([
    ['F Lt Yellow', 'FLT YL'],
    ['F-Light Yellow', 'FLT YL'],
    ['F Light Brown', 'FLT BN'],
    ['Fn Lt Pinkish Brown', 'FLT BN'],
    ['Fcy Lt Yellow', 'FLT YL'],
    ['Fncy Lt Yellow', 'FLT YL'],
    ['Fan Lt Yellow', 'FLT YL'],
    ['F. Lt. Yellow', 'FLT YL'],
    ['F Lt Pink', 'FLT PN'],
    ['F Int Yellow', 'INT YL'],
    ['F. Vivid Yellow', 'VIV YL'],
    ['Fn Yellow', 'FAN YL'],
    ['FancyIntenseYellow', 'INT YL'],
    ['FANCYLIGHTYELLOWISHBROWN', 'FLT BN'],
    ['Fancy Int. Yel.', 'INT YL'],
    ['Fcy. Blk', 'FAN BK'],
  ])('is read from %s', async (text, expected) => {
    const [intensity, color] = expected.split(' ')
    const fancy = { is_fancy: true, color, fancy_color_intensity: intensity }
    expect(readColor(text)).toMatchObject(fancy)
    expect((await readColors(text)).drafts).toMatchObject([fancy])
  })

  it('may be abbreviated to one word', async () => {
    const { drafts } = await readColors('BLK', 'Yel', 'PNK', 'G')
    expect(drafts.map(({ color, is_fancy }) => [color, is_fancy])).toEqual([
      ['BK', true],
      ['YL', true],
      ['PN', true],
      ['G', false],
    ])
  })

  it('has the intensity that a column of its own abbreviates', () => {
    expect(['F Lt', 'Fn Lt', 'Fcy. Light', 'Lt'].map(readIntensity)).toEqual([
      'FLT',
      'FLT',
      'FLT',
      'LIT',
    ])
    const codes = ['FDP', 'FDK', 'DP', 'DK', 'FVI', 'FVV', 'FD', 'D'].map(readIntensity)
    expect(codes).toEqual(['FDP', 'FDK', 'FDP', 'FDK', 'VIV', 'VIV', undefined, undefined])
  })

  it('has no overtone where its column says that there is none', async () => {
    const texts = ['N.A.', 'No Overtone', 'None', '-', 'Null', 'Brownish']
    const rows = texts.map((text, at) => `S-${at},Pear,1.01,Fancy Yellow,VS1,2000,${text}\n`)
    const { drafts } = await readStones(`${HEADER},Fancy Color Overtone\n${rows.join('')}`)
    expect(drafts.map(({ overtone }) => overtone)).toEqual([...Array(5).fill(null), 'Brownish'])
  })

  it('is rejected where the letters may be grey or greenish yellow', async () => {
    const { drafts, rejections } = await readColors('FIGY', 'FGY', 'FLGY')
    expect(drafts).toEqual([])
    expect(new Set(rejections.map(({ reason }) => reason))).toEqual(
      new Set(['The hue of the fancy color may be grey or greenish yellow']),
    )
  })

  it('is read from a description where the color says no more than fancy', async () => {
    const { drafts } = await readStones(
      'Stock #,Shape,Weight,Color,ColorDescription,Clarity,Price Per Carat\n' +
        'S-1,Round,1.01,G,Near Colorless,VS1,2000\n' +
        'S-2,Cushion,1.01,Fancy,Fancy Intense Yellow,VS1,2000\n',
    )
    expect(drafts).toMatchObject([
      { color: 'G', is_fancy: false },
      { color: 'YL', is_fancy: true, fancy_color_intensity: 'INT' },
    ])
  })

  it('is read from the only column that has it', async () => {
    const { drafts } = await readStones(
      'StockName,Shape,Weight,ColorFullName,Clarity,FancyColorFullName,FCIntensity,FCColor,PricePerCarat\n' +
        'M1,Round,1.01,G,VS1,,,,5200\n' +
        'M2,Round,1.01,Fancy Light Yellow,VS1,Fancy Light Yellow,Fancy Light,Yellow,9000\n' +
        'M5,Round,1.01,,VS1,Fancy Vivid Orangy Yellow,,,19000\n',
    )
    expect(drafts).toMatchObject([
      { color: 'G', is_fancy: false },
      { color: 'YL', fancy_color_intensity: 'FLT' },
      { color: 'YL', fancy_color_intensity: 'VIV', overtone: 'Orangy' },
    ])
  })
})

describe('a grade of the white scale', () => {
  it.each([
    ['Rare White (G)', 'G'],
    ['Rare White + (F)', 'F'],
    ['White (H)', 'H'],
    ['Exceptional White (D)', 'D'],
    ['Exceptional White + (D)', 'D'],
    ['Exceptional White', 'E'],
    ['Slightly Tinted White (I-J)', 'J'],
    ['Tinted White', 'L'],
    ['G (White)', 'G'],
    ['RARE WHITE G', 'G'],
    ['White H', 'H'],
    ['TINTED COLOUR M', 'M'],
  ])('is read from the words of the HRD: %s', async (text, color) => {
    const { drafts } = await readColors(text)
    expect(drafts).toMatchObject([{ is_fancy: false, color }])
  })

  it.each(['Rarest White', 'Top White', 'Fine White', 'Off White'])(
    'is not said by %s, which is not a fancy color either',
    async (text) => {
      const { drafts, rejections } = await readColors(text)
      expect(drafts).toEqual([])
      expect(rejections[0].reason).toBe('The color is a group of grades, not one')
      expect((await readColors('Fancy White')).drafts).toMatchObject([{ color: 'WH' }])
    },
  )

  it.each([
    ['I BROWN', 'I', 'Brown'],
    ['I-BRN', 'I', 'Brown'],
    ['J BROWN', 'J', 'Brown'],
    ['K-FAINT BROWN', 'K', 'Faint Brown'],
    ['H (VERY LIGHT BROWN)', 'H', 'Very Light Brown'],
    ['M Lt Brn', 'M', 'Light Brown'],
    ['U-V Light Yellow', 'UV', null],
    ['G', 'G', null],
  ])('is read from %s, with its shade', async (text, color, shade) => {
    const { drafts } = await readColors(text)
    expect(drafts).toMatchObject([{ is_fancy: false, color, shade }])
  })

  it('has the shade of its own column first', async () => {
    const { drafts } = await readStones(`${HEADER},Shade\nS-1,Round,1.01,I BROWN,VS1,2000,None\n`)
    expect(drafts).toMatchObject([{ color: 'I', shade: 'None' }])
  })

  it('of a parcel may be three letters', async () => {
    const { drafts } = await readStones(`${HEADER},Pcs\nP-1,Round,10.00,DEF,VS1,500,1000\n`)
    expect(drafts).toMatchObject([{ color: 'F', color_max: 'D' }])
  })
})

describe('a certificate', () => {
  it('with the comma of a damaged number has no number', async () => {
    const { drafts, unreadable } = await readStones(
      'Stock #;Shape;Weight;Color;Clarity;Lab;Report #;Price Per Carat\n' +
        'e1;Round;1,01;G;VS1;IGI;6,31E+08;5200,00\ne2;Round;0,90;F;VS2;IGI;6,31E+08;4200,00\n' +
        'e3;Round;1,20;E;VS2;IGI;631234567;6200,00\n',
    )
    expect(drafts.map(({ cert_num }) => cert_num)).toEqual([null, null, '631234567'])
    expect(unreadable).toEqual(['cert_num 6,31E+08'])
  })

  it('is of the laboratory whose full name is written', async () => {
    const names = [
      'Gemological Institute of America',
      'International Gemological Institute',
      'Gem Certification & Assurance Lab',
      'Gemological Institute of Nowhere',
    ]
    const rows = names.map((name, at) => `S-${at},Round,1.01,G,VS1,2000,${name},214143817${at}\n`)
    const { drafts } = await readStones(`${HEADER},Lab,Report #\n${rows.join('')}`)
    expect(drafts.map(({ lab }) => lab)).toEqual(['GIA', 'IGI', 'GCAL', null])
    expect(drafts.map(({ lab_name }) => lab_name)).toEqual(names)
  })
})
