import { describe, expect, it } from 'vitest'
import { FEED_COLUMNS } from '../../src/gems/gem.ts'
import { gzip, readStones } from './feed-support.ts'

/** Three plain stones that every format below is written from. */
const HEADER = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat', 'Measurements']
const STONES = [
  ['A-1', 'Round', '1.01', 'G', 'VS1', '5200', '6.45 x 6.41 x 3.98'],
  ['A-2', 'Oval', '0.90', 'F', 'SI1', '3100.50', '7.50x5.20x3.30'],
  ['A-3', 'Emerald', '2.05', 'H', 'VVS2', '9800', '8.40*6.20*4.10'],
]

const EXPECTED = [
  {
    vendor_sku: 'A-1',
    shape: 'round',
    cut_code: 'brilliant_cut',
    weight: 1.01,
    color: 'G',
    clarity: 'VS1',
    cost: '5252.00',
    length: 6.45,
    width: 6.41,
    depth: 3.98,
    ratio: 1.01,
  },
  {
    vendor_sku: 'A-2',
    shape: 'oval',
    cut_code: 'brilliant_cut',
    weight: 0.9,
    color: 'F',
    clarity: 'SI1',
    cost: '2790.45',
    length: 7.5,
    width: 5.2,
    depth: 3.3,
    ratio: 1.44,
  },
  {
    vendor_sku: 'A-3',
    shape: 'emerald',
    cut_code: 'step_cut',
    weight: 2.05,
    color: 'H',
    clarity: 'VVS2',
    cost: '20090.00',
    length: 8.4,
    width: 6.2,
    depth: 4.1,
    ratio: 1.35,
  },
]

function delimited(delimiter: string, lineEnd: string, rows: string[][] = STONES): string {
  return [HEADER, ...rows].map((cells) => cells.join(delimiter) + lineEnd).join('')
}

function objects(rows: string[][] = STONES) {
  return rows.map((cells) => Object.fromEntries(HEADER.map((name, at) => [name, cells[at]])))
}

async function expectStones(content: string | Uint8Array, chunkBytes?: number): Promise<void> {
  const { drafts, rejections } = await readStones(content, { chunkBytes })
  expect(rejections).toEqual([])
  expect(drafts).toMatchObject(EXPECTED)
  expect(drafts).toHaveLength(3)
}

describe('delimited files', () => {
  for (const [name, delimiter] of [
    ['commas', ','],
    ['tabs', '\t'],
    ['semicolons', ';'],
    ['pipes', '|'],
  ]) {
    for (const [end, lineEnd] of [
      ['LF', '\n'],
      ['CRLF', '\r\n'],
      ['CR alone', '\r'],
    ]) {
      it(`are read with ${name} and ${end}`, () => expectStones(delimited(delimiter, lineEnd)))
    }
  }

  it('are read without a line end after the last row', () =>
    expectStones(delimited(',', '\n').trimEnd()))

  it('are read byte by byte and as a whole', () => expectStones(delimited(',', '\r\n'), 1))

  it('are read in UTF-8 with a byte order mark', () =>
    expectStones(`\ufeff${delimited(',', '\n')}`))

  it('are read in UTF-16 of both byte orders, with a mark and without', async () => {
    const text = delimited('\t', '\r\n')
    const little = Buffer.from(text, 'utf16le')
    await expectStones(Buffer.concat([Buffer.from([0xff, 0xfe]), little]), 7)
    await expectStones(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]), 7)
    await expectStones(little)
    await expectStones(Buffer.from(little).swap16())
  })

  it('are read in Latin-1', async () => {
    const rows = STONES.map((cells) => [...cells])
    rows[2][0] = 'Ä-3'
    const latin = Buffer.from(delimited(',', '\n', rows), 'latin1')
    for (const chunkBytes of [1, 65_536]) {
      const { drafts } = await readStones(latin, { chunkBytes })
      expect(drafts.map((draft) => draft.vendor_sku)).toEqual(['A-1', 'A-2', 'Ä-3'])
    }
  })

  it('are read in UTF-8 when a character is split between two chunks', async () => {
    const rows = [
      ['Ä-1', ...STONES[0].slice(1)],
      ['B–2', ...STONES[1].slice(1)],
    ]
    const { drafts } = await readStones(delimited(',', '\n', rows), { chunkBytes: 1 })
    expect(drafts.map((draft) => draft.vendor_sku)).toEqual(['Ä-1', 'B–2'])
  })

  it('keep quoted delimiters, quotes and line ends, and number lines as editors do', async () => {
    const text = [
      'Stock #,Comment,Shape,Weight,Color,Clarity,Price Per Carat',
      'A-1,"two\nlines, and ""quotes""",Round,1.01,G,VS1,5200',
      'A-2,plain,Round,,G,VS1,5200',
      '"A-3","x\n\n\ny",Round,1.01,G,VS1,"5,200.00"',
      'A-4,plain,Round,,G,VS1,5200',
    ].join('\n')
    for (const chunkBytes of [1, 65_536]) {
      const { drafts, rejections } = await readStones(text, { chunkBytes })
      expect(drafts.map(({ vendor_sku, cost }) => [vendor_sku, cost])).toEqual([
        ['A-1', '5252.00'],
        ['A-3', '5252.00'],
      ])
      expect(rejections.map(({ row, column, reason }) => [row, column, reason])).toEqual([
        [4, 'Weight', 'The weight is missing'],
        [9, 'Weight', 'The weight is missing'],
      ])
    }
  })

  it('tolerate a stray quote', async () => {
    const text = `${delimited(',', '\n')}A-4,"Round,1.01,G,VS1,5200,6.45 x 6.41 x 3.98\n`
    const { drafts } = await readStones(text)
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(
      ['A-1', 'A-2', 'A-3'].concat(drafts.length > 3 ? ['A-4'] : []),
    )
    expect(drafts.length).toBeGreaterThanOrEqual(3)
  })

  it('find the header below titles and skip blank rows and repeated headers', async () => {
    const text = `Fine Stones Ltd.,,,,,,\nprice list,15.11.2026,,,,,\n,,,,,,\n${delimited(',', '\n')}\n,,,,,,\n${HEADER.join(',')}\nA-4,Round,,G,VS1,5200,\n`
    const { drafts, rejections } = await readStones(text)
    expect(drafts).toMatchObject(EXPECTED)
    expect(rejections).toMatchObject([{ row: 11, column: 'Weight' }])
  })

  it('accept rows with a cell too few or too many', async () => {
    const short = STONES.map((cells) => cells.slice(0, -1).join(',')).join('\n')
    const shorter = await readStones(`${HEADER.join(',')}\n${short}\n`)
    expect(shorter.drafts).toHaveLength(3)
    expect(shorter.drafts[0]).toMatchObject({ vendor_sku: 'A-1', cost: '5252.00', length: null })
    const long = STONES.map((cells) => `${cells.join(',')},,`).join('\n')
    await expectStones(`${HEADER.join(',')}\n${long}\n`)
  })

  it('read decimal commas when the file uses them', async () => {
    const rows = STONES.map((cells) => cells.map((cell) => cell.replaceAll('.', ',')))
    await expectStones(delimited(';', '\r\n', rows))
  })

  it.each([
    ['1,015', '2,004', '1,000'],
    ['0,532', '12,004', '1,000'],
  ])('read weights to a thousandth after a comma: %s, %s, %s', async (...weights) => {
    const rows = weights.map((weight, at) => `A${at};Round;${weight};G;VS1;5200`)
    const { drafts } = await readStones(
      `Stock;Shape;Weight;Color;Clarity;Price/ct\n${rows.join('\n')}`,
    )
    expect(drafts.map(({ weight }) => weight)).toEqual(
      weights.map((weight) => Number(weight.replace(',', '.'))),
    )
  })

  it('read the weights of large parcels, whose commas group thousands', async () => {
    const text =
      'Stock,Shape,Weight,Pcs,Color,Clarity,Size mm,Price/ct\nM,Round,"1,000",200000,G,VS,1.1,420'
    const { drafts } = await readStones(text)
    expect(drafts).toMatchObject([{ product_type: 'melee', weight: 0.005, quantity: 200_000 }])
  })
})

describe('a header of two rows', () => {
  const stones = 'A-1,Round,1.01,G,VS1,6.45,6.41,3.98,5200,5252,GIA\n'
  const expected = EXPECTED[0]
  const upper = 'Stock No,Shape,Weight,Color,Clarity,Measurements,,,Price USD,,Lab\n'
  const lower = ',,(ct),,,Length,Width,Height,Per Ct,Total,\n'

  it('has groups above the names of their columns, and units below', async () => {
    const { drafts, rejections, fields } = await readStones(
      `Stock list\n${upper}${lower}${stones}${upper}${lower}${stones.replace('A-1', 'A-2')}`,
    )
    expect(rejections).toEqual([])
    expect(drafts).toMatchObject([expected, { ...expected, vendor_sku: 'A-2' }])
    expect(fields).toMatchObject({
      'Weight (ct)': 'weight',
      'Measurements Height': 'depth',
      'Price USD Per Ct': 'price_per_carat',
      'Price USD Total': 'total_price',
    })
  })

  it('has the height of the crown apart from that of the stone', async () => {
    const { fields } = await readStones(
      'Stock,Shape,Carat,Color,Clarity,Crown,,Price/ct\n,,,,,Angle,Height,\n' +
        'A,Round,1.01,G,VS1,34.5,15,5200\n',
    )
    expect(fields).toMatchObject({ 'Crown Angle': 'crown_angle', 'Crown.Height': null })
  })

  it('is not joined where a mapping names the columns of one row', async () => {
    const { drafts } = await readStones(`${upper}${lower}${stones}`, {
      override: { Weight: 'weight', 'Price USD': 'price_per_carat' },
    })
    expect(drafts).toMatchObject([{ weight: 1.01, cost: '5252.00', length: null }])
  })
})

describe('a draft', () => {
  it('has its values in the order in which they are staged', async () => {
    const { drafts } = await readStones(delimited(',', '\n'))
    expect(Object.keys(drafts[0])).toEqual(FEED_COLUMNS)
  })
})

describe('JSON', () => {
  it('is read as an array', () => expectStones(JSON.stringify(objects())))
  it('is read one stone per line', () =>
    expectStones(
      objects()
        .map((stone) => JSON.stringify(stone))
        .join('\n'),
    ))
  it('is read byte by byte', () => expectStones(JSON.stringify(objects(), null, 2), 1))

  it('is found in an envelope, beside lists of other objects', () =>
    expectStones(
      JSON.stringify({
        response: {
          header: { warnings: [{ code: 1 }], pages: [1, 2] },
          body: { total: 3, diamonds: objects(), filters: [{ name: 'shape', values: ['x'] }] },
        },
      }),
    ))

  it('is read from lists of names and values, which are not stones themselves', () => {
    const listed = objects().map((stone) => ({
      attributes: Object.entries(stone).map(([name, value]) => ({ name, value })),
    }))
    const filters = ['Shape', 'Weight', 'Color', 'Clarity'].map((key) => ({ key, value: 'x' }))
    return expectStones(JSON.stringify({ filters, found: 2, stones: listed }))
  })

  it('is found in an envelope that is longer than any stone may be', () =>
    expectStones(
      JSON.stringify({ padding: Array.from({ length: 300_000 }, (_, at) => at), data: objects() }),
    ))

  it('is found in several envelopes, one after the other', () =>
    expectStones(
      objects()
        .map((stone) => JSON.stringify({ page: 1, items: [stone] }))
        .join('\n'),
    ))

  it('may have nested prices, and numbers as strings', async () => {
    const text = JSON.stringify({
      Diamonds: [
        {
          SerialNumber: 7,
          Shape: 'Round',
          CaratWeight: '1.01',
          Color: 'G',
          Clarity: 'VS1',
          Certification: 'GIA',
          Fluorescence: 'MEDIUM BLUE',
          Price: { Value: 5252, CurrencyCode: 'USD' },
          PricePerCarat: { Value: 5200, CurrencyCode: 'USD' },
        },
      ],
      NextPage: 'x',
    })
    const { drafts, fields } = await readStones(text)
    expect(drafts).toMatchObject([
      { vendor_sku: '7', weight: 1.01, cost: '5252.00', fluorescence: 'Medium', lab: 'GIA' },
    ])
    expect(fields).toMatchObject({
      'Price.Value': 'total_price',
      'PricePerCarat.Value': 'price_per_carat',
    })
  })

  it('counts stones from 1 and names the one that is not valid JSON', async () => {
    const lines = objects().map((stone) => JSON.stringify(stone))
    lines[1] = lines[1].replace('":"', '":')
    const { rejections, drafts } = await readStones(`[${lines.join(',')}]`)
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-1', 'A-3'])
    expect(rejections).toMatchObject([{ row: 2 }])
  })

  it('maps a key that first occurs after thousands of stones', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      stock: `J-${index}`,
      shape: 'Round',
      carat: 1,
      color: 'G',
      clarity: 'VS1',
      price_per_carat: 5_000,
      ...(index === 2_400 && { lab_grown: true, growth_type: 'CVD' }),
    }))
    const { drafts, mapping } = await readStones(JSON.stringify(many))
    expect(drafts).toHaveLength(2_500)
    expect(drafts[2_400]).toMatchObject({ type: 'lab grown', grow_method: 'CVD' })
    expect(drafts[2_401]).toMatchObject({ type: 'mined', grow_method: null })
    expect(mapping.columns.at(-1)).toMatchObject({
      column: 'growth_type',
      field: 'grow_method',
      confidence: 0.6,
    })
  })

  it('reports that the file ends abruptly', async () => {
    const whole = JSON.stringify({ data: objects() })
    const { drafts, damage } = await readStones(whole.slice(0, -40))
    expect(drafts).toHaveLength(2)
    expect(damage).toContain('ends abruptly after stone 2')
    expect((await readStones(whole)).damage).toBeUndefined()
  })
})

describe('gzip', () => {
  it('is unpacked for every format', async () => {
    await expectStones(gzip(delimited(';', '\r\n')), 5)
    await expectStones(gzip(JSON.stringify(objects())))
    await expectStones(gzip(Buffer.from(delimited('\t', '\n'), 'utf16le')))
  })

  it('that is incomplete is refused', async () => {
    const packed = gzip(delimited(',', '\n'))
    await expect(readStones(packed.subarray(0, packed.length - 12))).rejects.toThrow(/incomplete/)
  })
})

describe('files that are not feeds', () => {
  for (const [name, content, message] of [
    ['nothing', '', /empty/],
    ['white space', ' \n \n', /empty/],
    ['text', 'Dear all,\nplease find attached.\n', /no header row/],
    ['JSON without stones', '{"a":[{"b":1}]}', /no list of stones/],
  ] as const) {
    it(`are refused with a message: ${name}`, async () => {
      await expect(readStones(content)).rejects.toThrow(message)
    })
  }
})
