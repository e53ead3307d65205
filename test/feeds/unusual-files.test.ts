import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

/** A file of three equal stones with the given columns besides those that every stone has. */
function fileOf(columns: string, cells: string): string {
  const rows = [1, 2, 3].map((at) => `S-${at},Round,1.0${at},G,VS1,3000,${cells}`)
  return `Stock #,Shape,Weight,Color,Clarity,Price/Ct,${columns}\n${rows.join('\n')}\n`
}

async function firstOf(columns: string, cells: string) {
  const { drafts, rejections } = await readStones(fileOf(columns, cells))
  return drafts[0] ?? rejections[0]
}

describe('measurements', () => {
  it('of six numbers that are not those of two stones are noted', async () => {
    for (const sides of ['6·50×6·53×4·01', '6 50 6 53 4 01', '6.5 6.5 4.0 6.5 6.5 4.0']) {
      const file = fileOf('Measurements', '6.50 x 6.53 x 4.01')
      const { drafts, unreadable } = await readStones(`${file}S-4,Round,1.01,G,VS1,3000,${sides}\n`)
      expect(drafts).toHaveLength(4)
      expect(unreadable).toContain(`measurements ${sides}`)
    }
  })
})

describe('a kind of stone', () => {
  it.each([
    'LG Diamond',
    'LG Diamonds',
    'Diamond - Lab',
    'Diamond (Lab)',
    'Lab Dia',
    'LGD Diamond',
  ])('called %s is lab grown', async (type) => {
    expect(await firstOf('Type', type)).toMatchObject({ type: 'lab grown' })
  })

  it('is lab grown in a description, too, and not by the address of a firm', async () => {
    expect(await firstOf('Description', 'LG Diamond 1.01 ct')).toMatchObject({ type: 'lab grown' })
    expect(await firstOf('Web', 'https://lg-diamonds.example/1')).toMatchObject({ type: 'mined' })
  })
})

describe('a treatment', () => {
  it.each(['NON', 'Non', 'None/None', 'No, None', 'N / N'])('of %s is none', async (text) => {
    expect(await firstOf('Treatment', text)).toMatchObject({ treatment: null })
  })

  it('of None/HPHT is one', async () => {
    expect(await firstOf('Treatment', 'None/HPHT')).toMatchObject({ treatment: 'None/HPHT' })
  })
})

describe('a certificate number', () => {
  it.each([
    ['No. 2141438171', '2141438171'],
    ['Report No. 2141438171', '2141438171'],
    ['GIA Report # 2141438171', '2141438171'],
    ['GIA/2141438171', '2141438171'],
    ['2141438171*', '2141438171'],
    ['Certificate LG531234567', 'LG531234567'],
  ])('written as %s is %s', async (written, number) => {
    expect(await firstOf('Report #', written)).toMatchObject({ cert_num: number })
  })

  it('beside its laboratory without a space names both', async () => {
    const stone = await firstOf('Lab,Report #', 'GIA2141438171,')
    expect(stone).toMatchObject({ lab: 'GIA', lab_name: 'GIA', cert_num: '2141438171' })
  })

  it('is not the key of the certificate in JSON', async () => {
    const stones = [1, 2, 3].map((at) => ({
      stock_id: `S-${at}`,
      price_per_carat: 5_000,
      certificate: {
        id: `a8f31c2d-${at}11b-4c7e-9d55-0c2f6a7b1e3d`,
        shape: 'ROUND',
        carats: 1.01,
        color: 'G',
        clarity: 'VS1',
        lab: 'GIA',
        certNumber: `214143817${at}`,
      },
    }))
    const { drafts } = await readStones(JSON.stringify({ data: { items: stones } }))
    expect(drafts.map(({ cert_num }) => cert_num)).toEqual([
      '2141438171',
      '2141438172',
      '2141438173',
    ])
  })
})

describe('a place', () => {
  it.each([
    ['Hong Kong, China', 'HKG'],
    ['China (HK)', 'HKG'],
    ['Macau, China', 'MAC'],
    ['Shanghai, China', 'CHN'],
    ['IN-Mumbai', 'IND'],
    ['BE - Antwerp', 'BEL'],
    ['IN_GJ', 'IND'],
    ['Belgien', 'BEL'],
    ['Gujarat', 'IND'],
    ['US-Mumbai', null],
  ])('called %s is in %s', async (place, country) => {
    expect(await firstOf('Location', `"${place}"`)).toMatchObject({ country_code: country })
  })
})

describe('an availability', () => {
  it.each(['Available (India)', 'AVAILABLE-HK', 'In Stock - New York', 'Ready Stock', 'Fresh'])(
    'of %s is on offer',
    async (text) => {
      expect(await firstOf('Availability', text)).toMatchObject({ quantity: 1 })
    },
  )

  it.each(['Available in March', 'Available from 12/3', 'In Stock - Sold'])(
    'of %s is not known',
    async (text) => {
      const reason = 'The availability is not known'
      expect(await firstOf('Availability', text)).toMatchObject({ reason })
    },
  )
})

describe('a column of availabilities', () => {
  const listOf = (column: string, words: string[]) => {
    const rows = words.map((word, at) => `S-${at},Round,1.01,G,VS1,3000,${word}`)
    return readStones(`Stock #,Shape,Weight,Color,Clarity,Price/Ct,${column}\n${rows.join('\n')}\n`)
  }

  it('counts although most of its words are not known', async () => {
    const { drafts, rejections } = await listOf('Status', [
      'Available',
      ...Array.from({ length: 9 }, () => 'Auction'),
    ])
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['S-0'])
    expect(rejections[0]).toMatchObject({ reason: 'The availability is not known' })
    expect((await listOf('Stock Status', ['Auction', 'Auction', 'Auction'])).drafts).toEqual([])
  })

  it('is another one where none of its words or only numbers are known', async () => {
    expect((await listOf('Status', ['Polished', 'Loose', 'Polished'])).drafts).toHaveLength(3)
    expect((await listOf('Available', ['12', '7', '31'])).drafts).toHaveLength(3)
  })
})

describe('a laboratory', () => {
  it('that nobody knows keeps its name, in every row', async () => {
    const stone = await firstOf('Lab,Report #', 'XGL,2141438171')
    expect(stone).toMatchObject({ lab: null, lab_name: 'XGL', cert_num: '2141438171' })
  })
})

describe('a parcel', () => {
  const parcelOf = async (columns: string, cells: string) => {
    const rows = [1, 2, 3].map((at) => `P-${at},Round,18.52,D-F,VS,450,${cells}`)
    const header = `Lot No,Shape,Carats,Color,Clarity,Price/Ct,${columns}`
    const { drafts, rejections } = await readStones(`${header}\n${rows.join('\n')}\n`)
    return drafts[0] ?? rejections[0]
  }

  it.each([
    ['"1,500"', 1_500],
    ['120 pcs', 120],
    ['1500 Pcs.', 1_500],
    ['1500.00', 1_500],
  ])('of %s has all of its stones', async (pieces, quantity) => {
    expect(await parcelOf('Pcs', pieces)).toMatchObject({ product_type: 'melee', quantity })
  })

  it.each([
    ['0.10-0.13', 161],
    ['1/10', 185],
    ['0.05', 370],
  ])('of the pointer %s is not one stone', async (pointer, quantity) => {
    expect(await parcelOf('Pointer', pointer)).toMatchObject({ product_type: 'melee', quantity })
  })

  it('with a sieve in its column of pointers has a number that nobody knows', async () => {
    const reason = 'The number of stones of the parcel is missing'
    expect(await parcelOf('Pointer', '-2')).toMatchObject({ reason })
  })

  it('is not a stone that weighs as much as its pointer', async () => {
    const rows = [1, 2, 3].map((at) => `P-${at},Round,0.3${at},F,VS2,1450,0.30-0.39`)
    const header = 'Lot No,Shape,Carats,Color,Clarity,Price/Ct,Pointer'
    const { drafts } = await readStones(`${header}\n${rows.join('\n')}\n`)
    expect(drafts.map(({ product_type }) => product_type)).toEqual(Array(3).fill('diamond'))
  })
})

describe('a text for spreadsheets', () => {
  it('has an apostrophe before it, which is not in the stock number', async () => {
    const csv =
      "Stock #,Shape,Weight,Color,Clarity,Price/Ct,Pair Stock #\n'00123,Round,1.01,G,VS1,3000,'00124\n"
    const { drafts } = await readStones(csv)
    expect(drafts[0]).toMatchObject({ vendor_sku: '00123', pair_vendor_sku: '00124' })
  })

  it('may have characters without a width', async () => {
    const csv = fileOf('Lab,Report #', 'GIA,2141438171').replaceAll(',', ',\u200b')
    const { drafts } = await readStones(`\u200b${csv}`)
    expect(drafts).toHaveLength(3)
    expect(drafts[0]).toMatchObject({ weight: 1.01, lab: 'GIA', cert_num: '2141438171' })
  })
})

describe('JSON whose stones are the members of an object', () => {
  const stoneOf = (at: number) => ({
    stock_num: `S-${at}`,
    shape: 'Round',
    size: 1 + at / 100,
    color: 'G',
    clarity: 'VS1',
    price_per_carat: 3_000,
    certificate: { lab: 'GIA', certNumber: `214143817${at % 10}` },
  })
  const membersOf = (count: number) => {
    return Object.fromEntries(Array.from({ length: count }, (_, at) => [`S-${at}`, stoneOf(at)]))
  }

  it.each([2, 40, 900])('has all of %s stones', async (count) => {
    const members = membersOf(count)
    for (const envelope of [members, { status: 'ok', total: count, data: members }]) {
      const { drafts, rejections } = await readStones(JSON.stringify(envelope), { chunkBytes: 700 })
      expect(rejections).toEqual([])
      expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(Object.keys(members))
    }
  })

  it('is one stone where only a part of it has the names of a stone', async () => {
    const stone = { id: 'S-1', price: 3_000, diamond: stoneOf(1), seller: { name: 'A', city: 'B' } }
    const { drafts } = await readStones(JSON.stringify({ items: [stone] }))
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toHaveLength(1)
  })
})

describe('a row of groups above a whole header', () => {
  const below = 'Stock #,Shape,Carat,Color,Clarity,Intensity,Color,Per Ct,Total,Angle,Depth,Depth %'
  const row = (at: number) => `S-${at},Round,1.2${at},G,VS1,Strong,Blue,5000,${at + 6096},40.8,43.1`
  const fileBelow = (upper: string) => {
    const rows = [0, 4, 8].map((at) =>
      `${row(at)},61.5,GIA,214143817${at}`.replace(/,\d{4},/, ',5000,'),
    )
    const priced = rows.map((cells, at) => cells.replace(/,5000,\d+/, `,5000,${6_000 + at * 200}`))
    return `${upper}\n${below},Lab,No\n${priced.join('\n')}\n`
  }

  it('says which certificate, fluorescence and pavilion its columns are about', async () => {
    const upper = ',,,,,Fluorescence,,Price,,Pavilion,,Proportions,Certificate,'
    const { drafts, fields } = await readStones(fileBelow(upper))
    expect(drafts[0]).toMatchObject({
      color: 'G',
      fluorescence: 'Strong',
      cert_num: '2141438170',
      pavilion_angle: 40.8,
      pavilion_depth: 43.1,
      depth_percentage: 61.5,
      cost: '6000.00',
    })
    expect(fields).toMatchObject({ 'Certificate No': 'cert_num', Shape: 'shape' })
  })

  it('is a title where it has one cell', async () => {
    const { fields } = await readStones(fileBelow('Certificate list,,,,,,,,,,,,,'))
    expect(fields).toMatchObject({ 'Stock #': 'vendor_sku', 'Depth %': 'depth_percentage' })
  })
})

describe('discounts of which some are fractions and some percentages', () => {
  const listOf = (discounts: string[], prices: boolean) => {
    const rows = discounts.map((discount, at) => {
      return `S-${at},Round,1.2${at},G,VS1,10000,${discount}${prices ? ',7000' : ''}`
    })
    const header = `Stock #,Shape,Carat,Color,Clarity,Rap,Disc${prices ? ',Price/Ct' : ''}`
    return readStones(`${header}\n${rows.join('\n')}\n`)
  }
  const mixed = ['-0.30', '-30', '-0.3', '-30', '-0.30', '-30', '-0.3', '-30', '-30']

  it('give no price, and do not reject one that is written', async () => {
    const { drafts, rejections } = await listOf(mixed, false)
    expect(drafts).toEqual([])
    expect(rejections[0].reason).toBe('The discount may be a percentage or a fraction')
    expect((await listOf(mixed, true)).drafts).toHaveLength(9)
  })

  it('are percentages where small ones are among them', async () => {
    const small = ['-30', '-12', '-4', '-2', '-0.5', '-0.75', '-0.25', '-7', '-18', '-25']
    const { drafts } = await listOf(small, false)
    expect(drafts[4].cost).toBe('12338.00')
  })
})

describe('a currency', () => {
  const rates = {
    CAD: '1.4',
    HKD: '7.8',
    SGD: '1.3',
    CNY: '7',
    ILS: '3.5',
    AED: '3.67',
    JPY: '150',
  }
  const costOf = async (header: string, cells: string, currency = 'USD') => {
    const rows = [1, 2, 3].map((at) => `S-${at},Round,2,G,VS1,${cells}`)
    const csv = `Stock #,Shape,Weight,Color,Clarity,${header}\n${rows.join('\n')}\n`
    const { drafts, rejections } = await readStones(csv, { rates, currency })
    return drafts[0]?.cost ?? rejections[0].reason
  }

  it.each([
    ['Price/ct (RMB)', '2000.00'],
    ['Price/ct in Yuan', '2000.00'],
    ['Price/ct (NIS)', '4000.00'],
    ['Price/ct (C$)', '10000.00'],
    ['Price/ct HK$', '1794.87'],
    ['Price/ct (Hong Kong Dollar)', '1794.87'],
    ['Price/ct (Dhs)', '3814.71'],
    ['Price/ct (¥)', 'There is no exchange rate for CNY or JPY'],
    ['P/C $', '14000.00'],
    ['Price P/C ($)', '14000.00'],
  ])('in the header %s counts', async (header, cost) => {
    expect(await costOf(header, '7000')).toBe(cost)
  })

  it.each([
    ['Canadian Dollar', '10000.00'],
    ['HK Dollars', '1794.87'],
    ['S$', '10769.23'],
    ['RMB', '2000.00'],
    ['NIS', '4000.00'],
    ['US Dollar', '14000.00'],
  ])('called %s in its column counts', async (currency, cost) => {
    expect(await costOf('Price Per Carat,Currency', `7000,${currency}`)).toBe(cost)
  })

  it.each(['C$7000', '7000 CDN', '7000 CAD'])('beside a price such as %s counts', async (price) => {
    expect(await costOf('Price Per Carat', price)).toBe('10000.00')
  })

  it('written as ¥ is the one of the supplier, if it is one of the two', async () => {
    expect(await costOf('Price/ct (¥)', '7000', 'CNY')).toBe('2000.00')
  })
})

describe('a grade', () => {
  it.each([
    ['Clarity ', 'clarity', 'VS-1/VS-2', 'VS2'],
    ['Cut', 'cut_grade', 'Triple Excellent', 'EX'],
    ['Cut', 'cut_grade', 'Very Good Cut', 'VG'],
    ['Polish', 'polish_grade', 'Sehr gut', 'VG'],
    ['Fluorescence', 'fluorescence', 'Non-Fluorescent', 'None'],
    ['Culet', 'culet_size', 'Ex. Large', 'EL'],
  ] as const)('in %s, as %s, of %s is %s', async (column, field, text, grade) => {
    const rows = [1, 2, 3].map((at) => `S-${at},Round,1.01,G,${text},3000`)
    const clarities = `Stock #,Shape,Weight,Color,Clarity,Price/Ct\n${rows.join('\n')}\n`
    const csv = field === 'clarity' ? clarities : fileOf(column, text)
    expect((await readStones(csv)).drafts[0]).toMatchObject({ [field]: grade })
  })

  it('of clarity may be written out', async () => {
    for (const [text, clarity] of [
      ['Very Very Slightly Included 2', 'VVS2'],
      ['Slightly Included (SI1)', undefined],
      ['Included 1', 'I1'],
    ]) {
      const rows = ['VS1', 'VS2', text].map((grade, at) => `S-${at},Round,1.01,G,${grade},3000`)
      const csv = `Stock #,Shape,Weight,Color,Clarity,Price/Ct\n${rows.join('\n')}\n`
      expect((await readStones(csv)).drafts[2]?.clarity).toBe(clarity)
    }
  })
})

describe('a gemstone', () => {
  it('may be called by its mineral in another column', async () => {
    const names = ['Beryl,Aquamarine', 'Beryl,Emerald', 'Chrysoberyl,Alexandrite', 'Beryl,Ruby']
    const rows = names.map((name, at) => `G-${at},${name},Oval,2.1,green,900`)
    const { drafts, rejections } = await readStones(
      `SKU,Gem,Variety,Shape,Carat,Color,Price/ct\n${rows.join('\n')}\n`,
    )
    expect(drafts.map(({ species }) => species)).toEqual(['aquamarine', 'emerald', 'alexandrite'])
    expect(rejections).toMatchObject([{ reason: expect.stringContaining('Another column says') }])
  })
})
