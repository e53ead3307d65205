import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

const CORE = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct'

async function read(columns: string, lines: string[], color = 'G') {
  const rows = lines.map((cells, at) => `S-${at},Round,1.0${at},${color},VS1,3000,${cells}`)
  return readStones(`${CORE},${columns}\n${rows.join('\n')}\n`)
}

/** The first stone of a file with three equal ones. */
async function one(columns: string, cells: string, color?: string) {
  return (await read(columns, [cells, cells, cells], color)).drafts[0]
}

describe('a girdle end', () => {
  it('that is not understood is null and noted, and never a copy of the other', async () => {
    const file = await read('Girdle', ['Medium - Bruised', 'Thin - Medium', 'Thin - Thick'])
    expect(file.drafts[0]).toMatchObject({ girdle_min: 'MD', girdle_max: null })
    expect(file.unreadable).toEqual(['girdle Medium - Bruised'])
    const ends = await read('Girdle Min,Girdle Max', ['Thin,Odd', 'Odd,Thick', 'Thin,Thick'])
    expect(ends.drafts).toMatchObject([
      { girdle_min: 'TN', girdle_max: null },
      { girdle_min: null, girdle_max: 'TK' },
      { girdle_min: 'TN', girdle_max: 'TK' },
    ])
    expect(ends.unreadable).toEqual(['girdle_max Odd', 'girdle_min Odd'])
    const whole = await read('Girdle Max,Girdle', ['Odd,Medium', 'Thick,Medium', 'Thick,Medium'])
    expect(whole.drafts[0]).toMatchObject({ girdle_min: 'MD', girdle_max: null })
  })

  it('may stand as a range in the column of one end, or in Girdle Condition', async () => {
    const range = { girdle_min: 'MD', girdle_max: 'STK' }
    expect(await one('Girdle(thinnest)', 'Medium - Slightly Thick')).toMatchObject(range)
    expect(await one('Girdle Condition', 'Med to STK (Faceted)')).toMatchObject(range)
    expect(await one('Girdle Condition', 'Faceted')).toMatchObject({ girdle_min: null })
  })
})

describe('a fancy color', () => {
  const columns = 'Fancy Color,Fancy Color Intensity'

  it('has no intensity when its own column is not understood', async () => {
    const file = await read(
      columns,
      ['Fancy Intense Yellow,???', 'Yellow,FIB', 'Yellow,I', 'Yellow,FD'],
      '',
    )
    expect(file.drafts.map((stone) => stone.fancy_color_intensity)).toEqual([
      null,
      'INT',
      'INT',
      null,
    ])
    expect(file.unreadable).toEqual(['fancy_color_intensity ???', 'fancy_color_intensity FD'])
  })

  it('is not made of a word for white stones', async () => {
    for (const word of ['Colorless', 'Near Colorless', 'White', 'None'])
      expect([word, await one('Fancy Color', word)]).toMatchObject([
        word,
        { color: 'G', is_fancy: false },
      ])
    expect(await one(columns, 'White,Fancy', '')).toMatchObject({ color: 'WH', is_fancy: true })
  })

  it('that contradicts a grade, or whose letter is not certain, rejects the stone', async () => {
    const rejected = async (color: string, hue: string) =>
      (await read('Fancy Color', [hue, hue, hue], color)).rejections[0]?.reason
    expect(await rejected('G', 'Yellow')).toBe('The fancy color contradicts the color G')
    expect(await rejected('FB', '')).toBe('The hue of the fancy color may be blue, brown or black')
    for (const group of ['Colorless', 'White'])
      expect(await rejected(group, '')).toBe('The color is a group of grades, not one')
    expect(await one('Fancy Color', 'Blue', 'FB')).toMatchObject({
      color: 'BL',
      fancy_color_intensity: 'FAN',
    })
  })
})

describe('a stone is off the market', () => {
  it.each([
    ['Availability', 'Sold'],
    ['Availability', 'On hold for a client'],
    ['Stone Status,Web Status', 'Available,Hold'],
    ['Availability,Memo', 'G,On Memo'],
    ['is_sold_out', 'true'],
    ['Is Sold Out', '1'],
    ['Sold', 'Yes'],
    ['Hold', '2026-01-05'],
    ['Availability,On Memo', 'G,Y'],
    ['Reserved', 'Somebody'],
    ['Availability,Hold By', 'G,A client'],
    ['Sold To', 'A client'],
    ['Memo Party', 'A client'],
  ])('by %s: %s', async (columns, cells) => {
    const { rejections, drafts } = await read(columns, [cells, cells, cells])
    expect(drafts).toEqual([])
    expect(rejections[0].reason).toBe('The stone is not on offer')
  })

  it.each([
    ['is_sold_out', 'false'],
    ['Sold', 'Nein'],
    ['Reserved', 'Non'],
    ['Hold', 'No'],
    ['Sold', '0'],
    ['Memo', 'Y'],
    ['Memo', 'FALSE'],
    ['Availability,Stock Status', 'Available,No'],
    ['Availability', 'Unsold'],
    ['On Hold', '-'],
    ['Hold By', 'None'],
    ['Sold By', 'Test Diamonds'],
  ])('but not by %s: %s', async (columns, cells) => {
    expect((await read(columns, [cells, cells, cells])).drafts).toHaveLength(3)
  })
})

describe('a certificate number', () => {
  it('of one or two characters, or without digits, is none', async () => {
    const file = await read('Report #', [
      '1',
      '12',
      'YES',
      '2141438171',
      '2141438172',
      '2141438173',
    ])
    expect(file.drafts.map(({ cert_num }) => cert_num).slice(0, 4)).toEqual([
      null,
      null,
      null,
      '2141438171',
    ])
  })
})

describe('names met in files', () => {
  it('are understood together with their values', async () => {
    const names =
      'Parcel,Shape,Weight,Color,Clarity,PR/CT,List p/c,Total List,MLength,MWidth,MDepth,Dep%,Tab%,' +
      'Cr >,Pav >,Fluro,Cert/Lab,GIA NO,visualizationImageUrl'
    const row = (at: number) =>
      `P-${at},Round,1.00,G,VS1,3000,6000,6000,6.42,6.45,3.95,61.4,57,34.5,40.8,Faint,GIA,` +
      `214143817${at},https://img.example/${at}.jpg`
    const { drafts } = await readStones(`${names}\n${[1, 2, 3].map(row).join('\n')}\n`)
    expect(drafts[0]).toMatchObject({
      vendor_sku: 'P-1',
      cost: '3000.00',
      list_price: '6000.00',
      length: 6.45,
      width: 6.42,
      depth: 3.95,
      depth_percentage: 61.4,
      table_percentage: 57,
      crown_angle: 34.5,
      pavilion_angle: 40.8,
      fluorescence: 'Faint',
      lab: 'GIA',
      cert_num: '2141438171',
      image_top_url: 'https://img.example/1.jpg',
    })
    const total = await readStones(
      'Variant SKU,Shape,Weight,Color,Clarity,Price Per Karat,Total List\n' +
        [1, 2, 3].map((at) => `V-${at},Round,2.00,G,VS1,3000,12000`).join('\n'),
    )
    expect(total.drafts[0]).toMatchObject({ vendor_sku: 'V-1', list_price: '12000.00' })
  })
})
