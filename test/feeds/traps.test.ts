import { describe, expect, it } from 'vitest'
import { readStones, stonesByWeight } from './feed-support.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity'

/** Writes a file of stones by weight; `more` makes the other columns. */
function fileOf(
  columns: string,
  more: (stone: ReturnType<typeof stonesByWeight>[number], index: number) => string | number,
  count = 60,
): string {
  const rows = stonesByWeight(count).map(
    (stone, index) => `${stone.stock},Round,${stone.weight},G,VS1,${more(stone, index)}`,
  )
  return `${HEADER},${columns}\n${rows.join('\n')}\n`
}

function costs(count = 60): string[] {
  return stonesByWeight(count).map(({ total }) => total)
}

describe('a price column', () => {
  it('named Price is per carat when its values grow like one', async () => {
    const { drafts, fields } = await readStones(fileOf('Price', ({ perCarat }) => perCarat))
    expect(fields.Price).toBe('price_per_carat')
    expect(drafts.map(({ cost }) => cost)).toEqual(costs())
  })

  it('named Price is a total when its values grow like one', async () => {
    const { drafts, mapping } = await readStones(fileOf('Price', ({ total }) => total))
    expect(mapping.columns[5]).toMatchObject({
      field: 'total_price',
      reason: expect.stringContaining('power of'),
    })
    expect(drafts.map(({ cost }) => cost)).toEqual(costs())
  })

  it('with a clear name keeps its meaning however few stones seem to contradict it', async () => {
    for (const count of [1, 8, 49]) {
      const named = await readStones(fileOf('Price Per Carat', ({ total: price }) => price, count))
      expect(named.mapping.price).toMatchObject({ meaning: 'per carat', basis: 'name' })
    }
  })

  it('with a clear name that many stones contradict is overruled or unsure', async () => {
    const cheap = await readStones(
      fileOf('Price Per Carat', ({ weight }) => Math.round(5_000 * weight ** 3)),
    )
    expect(cheap.mapping.price).toMatchObject({ meaning: 'per carat', basis: 'unsure' })
    const total = await readStones(
      fileOf('Total Price', ({ weight }) => Math.round(4_000 + weight)),
    )
    expect(total.mapping.price).toMatchObject({ meaning: 'total', basis: 'unsure' })
    const priceless = await readStones(
      fileOf('Total Price', ({ weight }) => Math.round(40 * weight ** 0.2 * 1_000)),
    )
    expect(priceless.mapping.price).toMatchObject({ basis: 'unsure' })
  })

  it('without a clear name is unsure when the file is small and proves nothing', async () => {
    for (const count of [1, 3, 8, 49]) {
      const { mapping } = await readStones(fileOf('Price', ({ perCarat }) => perCarat, count))
      expect(mapping.price).toMatchObject({ basis: 'unsure' })
    }
  })

  it('is proved by any other column that is its product or quotient with the weight', async () => {
    const perCarat = await readStones(
      fileOf('usd,Worth', ({ perCarat: price, total }) => `${price},${total}`, 4),
    )
    expect(perCarat.mapping.price).toMatchObject({ meaning: 'per carat', basis: 'proof' })
    const total = await readStones(
      fileOf('usd,Worth', ({ perCarat: price, total: sum }) => `${sum},${price}`, 4),
    )
    expect(total.mapping.price).toMatchObject({ meaning: 'total', basis: 'proof' })
  })

  it('is proved by the list price and the discount from it', async () => {
    const cells = ({ perCarat }: { perCarat: number }) => `${perCarat},${perCarat * 2},-50`
    const { mapping } = await readStones(fileOf('Price,Rap,Disc %', cells, 5))
    expect(mapping.price).toMatchObject({ meaning: 'per carat', basis: 'proof' })
  })

  it('is checked against a second one, also when their names are swapped', async () => {
    const upright = await readStones(
      fileOf('Price,Total', ({ perCarat, total }) => `${perCarat},${total}`),
    )
    expect(upright.fields).toMatchObject({ Price: 'price_per_carat', Total: 'total_price' })
    const swapped = await readStones(
      fileOf('Price/Ct,Amount', ({ perCarat, total }) => `${total},${perCarat}`),
    )
    expect(swapped.fields).toMatchObject({ 'Price/Ct': 'total_price', Amount: 'price_per_carat' })
    expect(swapped.drafts.map(({ cost }) => cost)).toEqual(costs())
  })

  it('that contradicts the other in a row rejects that row', async () => {
    const { drafts, rejections } = await readStones(
      fileOf(
        'Price/Ct,Total',
        ({ perCarat, total }, index) => `${perCarat},${index === 5 ? Number(total) * 2 : total}`,
      ),
    )
    expect(drafts).toHaveLength(59)
    expect(rejections).toMatchObject([
      { row: 7, column: 'Total', reason: expect.stringContaining('contradicts') },
    ])
  })

  it('may be missing when there are a list price and a discount', async () => {
    const { drafts } = await readStones(fileOf('Rap,Disc %', () => '10000,-37.5', 10))
    expect(drafts[0]).toMatchObject({ cost: '1875.00', list_price: '3000.00' })
  })

  it('that is empty does not replace one that has values', async () => {
    const text = fileOf(
      'RapNet Price,Rapnet Discount %,Cash Price,Cash Price Discount %',
      ({ perCarat }, index) => `${index === 4 ? '' : perCarat},,,`,
      20,
    )
    const { rejections, fields, drafts } = await readStones(text)
    expect(fields).toMatchObject({ 'RapNet Price': 'price_per_carat', 'Cash Price': null })
    expect(rejections).toEqual([
      { row: 6, column: 'RapNet Price', value: '', reason: 'The price is missing' },
    ])
    expect(drafts).toHaveLength(19)
    const cash = fileOf('Cash Price', ({ perCarat }) => perCarat, 4)
    expect((await readStones(cash)).fields).toMatchObject({ 'Cash Price': 'price_per_carat' })
  })

  it.each([
    ['$/ct', 'Total price', ''],
    ['$/ct', 'Total price', '0'],
    ['Price Per Carat', 'Amount', ''],
    ['RapNet Price', 'Total', '0.00'],
  ])('named %s is used where the column %s says %j in every row', async (name, spare, none) => {
    for (const count of [1, 20, 60]) {
      const text = fileOf(`${name},${spare}`, ({ perCarat }) => `${perCarat},${none}`, count)
      const { drafts, fields, mapping } = await readStones(text)
      expect(fields).toMatchObject({ [name]: 'price_per_carat', [spare]: null })
      expect(mapping.rival).toBeUndefined()
      expect(drafts.map(({ cost }) => cost)).toEqual(costs(count))
    }
  })

  it('named Price is judged by its values where the total is empty', async () => {
    const text = fileOf('Price,Total Price', ({ perCarat }) => `${perCarat},`)
    const { drafts, fields } = await readStones(text)
    expect(fields).toMatchObject({ Price: 'price_per_carat', 'Total Price': null })
    expect(drafts.map(({ cost }) => cost)).toEqual(costs())
  })

  it('may have the price of one row and the next column that of another', async () => {
    const text = fileOf('$/ct,Total price', ({ perCarat, total }, index) =>
      index % 2 === 0 ? `${perCarat},` : `,${total}`,
    )
    const { drafts, mapping } = await readStones(text)
    expect(mapping.rival).toBeUndefined()
    expect(drafts.map(({ cost }) => cost)).toEqual(costs())
  })

  it('may have thousands separators, currency signs and cents', async () => {
    const { drafts } = await readStones(fileOf('Price Per Carat', () => '"$ 1,234.56"', 10))
    expect(drafts[0]).toMatchObject({ cost: '370.37' })
  })
})

describe('a discount', () => {
  for (const [name, values] of [
    ['as a share', '-0.25'],
    ['in percent', '-25'],
    ['without its sign', '25'],
    ['with a sign of percent', '-25.00%'],
  ] as const) {
    it(`written ${name} gives the same list price`, async () => {
      const { drafts } = await readStones(
        fileOf('Price Per Carat,Disc', () => `3000,${values}`, 20),
      )
      expect(drafts[0]).toMatchObject({ cost: '900.00', list_price: '1200.00' })
    })
  }
})

describe('a column whose name has two meanings', () => {
  const price = (cells: string) => `${cells},3000`

  it('Cut is the shape or the grade, depending on its values', async () => {
    const shapes = await readStones(
      `Item ID,Cut,Carat,Color,Clarity,Make,Price/Ct\n${stonesByWeight(10)
        .map(({ stock, weight }) => `${stock},Oval,${weight},G,VS1,Excellent,3000`)
        .join('\n')}`,
    )
    expect(shapes.fields).toMatchObject({ Cut: 'shape', Make: 'cut_grade' })
    expect(shapes.drafts[0]).toMatchObject({ shape: 'oval', cut_grade: 'EX' })
    const grades = await readStones(fileOf('Cut,Price/Ct', () => price('VG'), 10))
    expect(grades.drafts[0]).toMatchObject({ shape: 'round', cut_grade: 'VG' })
  })

  it('Depth is in percent, in millimetres or a fraction, depending on its values', async () => {
    expect(
      (await readStones(fileOf('Depth,Price/Ct', () => price('61.5'), 10))).drafts[0],
    ).toMatchObject({ depth_percentage: 61.5, depth: null })
    expect(
      (await readStones(fileOf('Depth,Price/Ct', () => price('0.615'), 10))).drafts[0],
    ).toMatchObject({ depth_percentage: 61.5, depth: null })
    expect(
      (
        await readStones(
          fileOf(
            'Length,Width,Depth,Price/Ct',
            ({ weight }) =>
              price(
                `${(6.5 * weight ** (1 / 3)).toFixed(2)},${(6.4 * weight ** (1 / 3)).toFixed(2)},${(4 * weight ** (1 / 3)).toFixed(2)}`,
              ),
            10,
          ),
        )
      ).drafts[0],
    ).toMatchObject({ depth: expect.any(Number), depth_percentage: 62.6 })
  })

  it('Certificate is the number, the laboratory or a link, depending on its values', async () => {
    expect(
      (
        await readStones(
          fileOf('Certificate,Price/Ct', (_, index) => price(`62${index}4567890`), 10),
        )
      ).drafts[0],
    ).toMatchObject({ cert_num: '6204567890' })
    expect(
      (await readStones(fileOf('Certificate,Price/Ct', () => price('GIA'), 10))).drafts[0],
    ).toMatchObject({ lab: 'GIA', cert_num: null })
    expect(
      (await readStones(fileOf('Certificate,Price/Ct', () => price('https://lab.example/1'), 10)))
        .drafts[0],
    ).toMatchObject({ cert_url: 'https://lab.example/1', cert_num: null })
  })

  it('VS is very strong as fluorescence and very small as culet', async () => {
    const { drafts } = await readStones(fileOf('FL,Culet,Price/Ct', () => price('VS,VS'), 10))
    expect(drafts[0]).toMatchObject({
      fluorescence: 'Very Strong',
      culet_size: 'VS',
      clarity: 'VS1',
    })
  })
})

describe('ambiguous shape codes', () => {
  const file = (rows: string[]) =>
    `Stock #,Shape,Weight,Color,Clarity,Price/Ct,Measurements\n${rows.join('\n')}\n`
  const rows = (code: string, sides: string, from: number) =>
    Array.from(
      { length: 6 },
      (_, index) => `${code}-${from + index},${code},1.00,G,VS1,3000,${sides}`,
    )

  it('R is round in a file of square stones, and radiant beside BR', async () => {
    expect((await readStones(file(rows('R', '6.42x6.38x3.95', 0)))).drafts[0]).toMatchObject({
      shape: 'round',
    })
    const both = await readStones(
      file([...rows('R', '6.90x5.20x3.60', 0), ...rows('BR', '6.42x6.38x3.95', 10)]),
    )
    expect(both.drafts.map(({ shape }) => shape)).toEqual([
      ...Array(6).fill('radiant'),
      ...Array(6).fill('round'),
    ])
  })

  it('AC is asscher when square and emerald when long', async () => {
    const { drafts } = await readStones(
      file([...rows('AC', '5.60x5.55x3.70', 0), 'X,AC,1.00,G,VS1,3000,7.00x5.00x3.30']),
    )
    expect(drafts.map(({ shape }) => shape)).toEqual([...Array(6).fill('asscher'), 'emerald'])
  })
})

describe('lab grown stones', () => {
  const grown = async (columns: string, cells: string) =>
    (await readStones(fileOf(`${columns},Price/Ct`, () => `${cells},3000`, 10))).drafts[0]

  it('are recognized by a column, a growth type, a certificate or the laboratory', async () => {
    expect(await grown('Lab Grown', 'Y')).toMatchObject({ type: 'lab grown' })
    expect(await grown('Lab Grown', '0')).toMatchObject({ type: 'mined' })
    expect(await grown('Type', 'Natural')).toMatchObject({ type: 'mined' })
    expect(await grown('Type', 'CVD')).toMatchObject({ type: 'lab grown', grow_method: 'CVD' })
    expect(await grown('Growth Type', 'HPHT')).toMatchObject({
      type: 'lab grown',
      grow_method: 'HPHT',
    })
    expect(await grown('Report #', 'LG551234567')).toMatchObject({
      type: 'lab grown',
      cert_num: 'LG551234567',
    })
    expect(await grown('Lab', 'IGI LG')).toMatchObject({ type: 'lab grown', lab: 'IGI' })
    expect(await grown('Lab', 'GIA')).toMatchObject({ type: 'mined', lab: 'GIA' })
  })
})

describe('single values', () => {
  const one = async (columns: string, cells: string, options = {}) =>
    (
      await readStones(
        fileOf(`${columns},Price/Ct`, () => `${cells},3000`, 10),
        options,
      )
    ).drafts[0]

  it('keep whole certificate numbers and leave out damaged ones', async () => {
    expect(await one('Report #', '0012345678')).toMatchObject({ cert_num: '0012345678' })
    expect(await one('Report #', '2141438171.0')).toMatchObject({ cert_num: '2141438171' })
    expect(await one('Report #', '"=""0041438172"""')).toMatchObject({ cert_num: '0041438172' })
    expect(await one('Report #', '="0041438172"')).toMatchObject({ cert_num: '0041438172' })
    const { drafts, unreadable } = await readStones(
      fileOf(
        'Report #,Price/Ct',
        (_, index) => (index === 0 ? '2.21E+09,3000' : `21414381${70 + index},3000`),
        10,
      ),
    )
    expect(drafts[0]).toMatchObject({ cert_num: null })
    expect(unreadable).toEqual(['cert_num 2.21E+09'])
  })

  it('keep the name of an unknown laboratory and leave the lab null', async () => {
    expect(await one('Lab', 'EGL USA')).toMatchObject({ lab: null, lab_name: 'EGL USA' })
    expect(await one('Lab', 'NO CERT')).toMatchObject({ lab: null, lab_name: null })
    const { otherLabs } = await readStones(
      fileOf('Lab,Price/Ct', (_, index) => `${['EGL USA', 'HRD', 'GIA'][index % 3]},3000`, 8),
    )
    expect(otherLabs).toEqual([
      { lab_original: 'EGL USA', count: 3 },
      { lab_original: 'HRD', count: 3 },
    ])
  })

  it('sell SI3 as the supplier is set to, and count it', async () => {
    const text = fileOf('Price/Ct', () => 3000, 10).replaceAll(',VS1,', ',SI3,')
    expect(await readStones(text)).toMatchObject({
      si3: 10,
      drafts: Array(10).fill({ clarity: 'SI2' }),
    })
    expect((await readStones(text, { supplier: { si3: 'I1' } })).drafts[0]).toMatchObject({
      clarity: 'I1',
    })
  })

  it('sell a treated diamond as such, and reject impossible measurements', async () => {
    const treated = await readStones(
      fileOf(
        'Treatment,Price/Ct',
        (_, index) => (index === 2 ? 'Laser Drilled,3000' : 'None,3000'),
        10,
      ),
    )
    expect(treated.rejections).toEqual([])
    expect(treated.drafts.map(({ treatment }) => treatment)).toEqual([
      ...[null, null, 'Laser Drilled'],
      ...Array(7).fill(null),
    ])
    const huge = await readStones(
      fileOf(
        'Measurements,Price/Ct',
        ({ weight }, index) =>
          `${index === 3 ? '12.0x12.0x8.0' : [6.5, 6.4, 4].map((mm) => (mm * weight ** (1 / 3)).toFixed(2)).join('x')},3000`,
        10,
      ),
    )
    expect(huge.rejections).toMatchObject([
      { row: 5, column: 'Measurements', value: '12.0x12.0x8.0' },
    ])
  })

  it('name the treatments that any treatment column says', async () => {
    const flags =
      'Clarity Enhanced,Color Enhanced,HPHT,Irradiated,Laser Drilled,Other Treatment'.split(',')
    const text = fileOf(
      `Treatment,${flags.join(',')},Price/Ct`,
      (_, index) =>
        `,${flags.map((_flag, at) => (at === index || index === 6 ? 'TRUE' : 'FALSE')).join(',')},3000`,
      8,
    )
    const meanings = flags.map((flag) => (flag === 'HPHT' ? flag : flag.toLowerCase()))
    const words = meanings.map((word) => (word === 'other treatment' ? 'treated' : word))
    const { rejections, drafts } = await readStones(text)
    expect(rejections).toEqual([])
    expect(drafts.map(({ treatment }) => treatment)).toEqual([...words, words.join(', '), null])
    const grown = await readStones(fileOf('Lab Grown,HPHT,Price/Ct', () => 'Y,TRUE,300', 8))
    expect(grown.drafts[0]).toMatchObject({ type: 'lab grown', treatment: null })
    expect(grown.rejections).toEqual([])
  })

  it('reject a parcel of treated diamonds, because parcels are sold untreated only', async () => {
    const parcels = await readStones(
      fileOf(
        'Parcel Stones,Treatment,Price/Ct',
        (_, index) => (index === 1 ? '80,Irradiated,300' : '80,,300'),
        8,
      ),
    )
    expect(parcels.rejections).toMatchObject([
      { row: 3, column: 'Treatment', reason: expect.stringContaining('parcels') },
    ])
    expect(parcels.drafts).toHaveLength(7)
  })

  it('leave out a stone that is inactive, even if it is available', async () => {
    const text = fileOf(
      'Availability,Is Active,Price/Ct',
      (_, index) => `Available,${index === 1 ? 0 : 1},3000`,
      8,
    )
    const { rejections, drafts } = await readStones(text)
    expect(rejections).toEqual([
      { row: 3, column: 'Is Active', value: '0', reason: 'The stone is not on offer' },
    ])
    expect(drafts).toHaveLength(7)
    const alone = fileOf('Active,Price/Ct', (_, index) => `${index > 0},3000`, 8)
    expect((await readStones(alone)).rejections).toMatchObject([{ row: 2, column: 'Active' }])
  })

  it.each([
    ['enabled', 'false', 'true'],
    ['quantity', '0', '1'],
    ['Qty', '-1', '1'],
    ['Stock Qty', '0.00', '1'],
    ['Pcs', '0', '1'],
  ])('leave out a stone whose %s is %s', async (name, none, some) => {
    const row = (index: number) => `${index === 1 ? none : some},3000`
    const text = fileOf(`${name},Price/Ct`, (_, index) => row(index), 8)
    const { rejections, drafts } = await readStones(text)
    expect(rejections).toEqual([
      { row: 3, column: name, value: none, reason: 'The stone is not on offer' },
    ])
    expect(drafts).toHaveLength(7)
  })

  it('sell a single stone whose number of stones in a parcel is 0', async () => {
    const text = fileOf('Parcel Stones,Price/Ct', () => '0,3000', 8)
    expect((await readStones(text)).drafts).toHaveLength(8)
  })

  it('read pairs, returns and delivery', async () => {
    expect(
      await one(
        'Pair Stock #,Is Matched Pair Separable,is_returnable,ReturnDays,minDeliveryDays,maxDeliveryDays,vendor_accepts_memo',
        'B-7,No,Y,21,2,9,true',
      ),
    ).toMatchObject({
      pair_vendor_sku: 'B-7',
      pair_separable: false,
      returnable: true,
      days_to_return: 21,
      delivery_days_min: 2,
      delivery_days_max: 9,
      memo: true,
    })
  })

  it('make a lot of several stones a parcel priced per carat', async () => {
    const text = `${HEADER},# Stones,Total Price\nP-1,Round,2.00,G-H,VS-SI,100,1000\nS-1,Round,1.00,G,VS1,1,3000\n`
    const { drafts } = await readStones(text)
    expect(drafts).toMatchObject([
      {
        product_type: 'melee',
        quantity: 100,
        weight: 0.02,
        cost: '500.00',
        color: 'H',
        color_max: 'G',
        clarity: 'SI2',
        clarity_max: 'VS1',
      },
      { product_type: 'diamond', quantity: 1, weight: 1, color_max: null },
    ])
  })

  it('take the size of a parcel from its measurements, or from the weight of round stones', async () => {
    const rows = [
      'P-1,Round,2.00,G-H,VS-SI,100,1000,',
      'P-2,Princess,2.00,G-H,VS-SI,100,1000,',
      'P-3,Princess,2.00,G-H,VS-SI,100,1000,1.6x1.6x1.1',
    ]
    const text = `${HEADER},# Stones,Total Price,Measurements\n${rows.join('\n')}\n`
    const { drafts, rejections } = await readStones(text)
    expect(drafts).toMatchObject([
      { vendor_sku: 'P-1', length: 1.76 },
      { vendor_sku: 'P-3', length: 1.6 },
    ])
    expect(rejections).toEqual([
      { row: 3, column: 'Measurements', value: '', reason: 'The size of the stones is missing' },
    ])
  })

  it('read a girdle whose ends are in Girdle and Girdle2', async () => {
    const ends = { girdle_min: 'MD', girdle_max: 'STK' }
    expect(await one('Girdle,Girdle2', 'Medium,Slightly Thick')).toMatchObject(ends)
    expect(await one('Girdle Max', 'Medium')).toMatchObject({ girdle_min: null, girdle_max: 'MD' })
    expect(await one('Girdle', 'Medium - Slightly Thick')).toMatchObject(ends)
  })

  it('sell a single stone of several clarities as the worst, and count it', async () => {
    const text =
      'Stock #,Shape,Weight,Color,Clarity,Price/Ct\n' +
      'A,Round,1.5,G,VS,5000\nB,Round,1.5,G,SI,5000\nC,Round,1.5,G,VS1-VS2,5000\n' +
      'D,Round,1.5,G,VS1,5000\n'
    const { drafts, worst_clarities } = await readStones(text)
    expect(drafts.map(({ clarity }) => clarity)).toEqual(['VS2', 'SI2', 'VS2', 'VS1'])
    expect(worst_clarities).toBe(3)
  })

  it('read gemstones', async () => {
    const text =
      'Stock #,gemType,Shape,Carat,Color,Treatment,Mine of Origin,Price/Ct\nG-1,Sapphire,Oval,1.50,Royal Blue,Heated,Sri Lanka,900\n'
    expect((await readStones(text)).drafts).toMatchObject([
      {
        product_type: 'gemstone',
        species: 'sapphire',
        color: 'royal blue',
        treatment: 'heated',
        origin: 'Sri Lanka',
        clarity: null,
        cost: '1350.00',
      },
    ])
  })
})

describe('columns', () => {
  it('with the same meaning are decided by the better name, not by their order', async () => {
    const both = async (names: string, cells: (index: number) => string) =>
      (
        await readStones(
          fileOf(`${names},Price/Ct`, (_, index) => `${cells(index)},3000`, 10).replace(
            'Stock #',
            'Ignored',
          ),
        )
      ).fields
    expect(await both('Lot Number,Stock Number', (index) => `L${index},N${index}`)).toMatchObject({
      'Stock Number': 'vendor_sku',
      'Lot Number': null,
    })
    expect(await both('Item ID,Supplier Stock Ref', (at) => `70${at},R${at}`)).toMatchObject({
      'Supplier Stock Ref': 'vendor_sku',
      'Item ID': null,
    })
    const links = (at: number) => `https://lab.example/v/${at},https://lab.example/c/${at}.pdf`
    expect(await both('VerificationUrl,CertificateLink', links)).toMatchObject({
      CertificateLink: 'cert_url',
      VerificationUrl: null,
    })
  })

  it('are recognized by their values when their names are unknown', async () => {
    const text = `Stock #,Form,Weight,Farbe,Reinheit,Price/Ct\n${stonesByWeight(10)
      .map(
        ({ stock, weight }, index) =>
          `${stock},${index % 2 ? 'Oval' : 'Round'},${weight},${'DEFGH'[index % 5]},${['VS1', 'SI2'][index % 2]},3000`,
      )
      .join('\n')}\n`
    const { fields, drafts, mapping } = await readStones(text)
    expect(fields).toMatchObject({ Form: 'shape', Farbe: 'color', Reinheit: 'clarity' })
    expect(mapping.columns[1]).toMatchObject({
      confidence: 0.4,
      reason: expect.stringContaining('the values look like shape'),
    })
    expect(drafts).toHaveLength(10)
  })

  it('follow the mapping of the operator despite their names', async () => {
    const text = fileOf('Rate,Price/Ct', () => '4000,3000', 10)
    expect(
      (await readStones(text, { override: { Rate: 'price_per_carat', 'Price/Ct': null } }))
        .drafts[0],
    ).toMatchObject({ cost: '1200.00' })
  })
})
