import { describe, expect, it } from 'vitest'
import { checkColumns } from '../../src/feeds/importing/checks/import-checks.ts'
import { readStones } from './feed-support.ts'

const STONES = [
  'A-1,Round,1.01,G,VS1,5200',
  'A-2,Oval,0.90,F,SI1,3100.50',
  'A-3,Emerald,2.05,H,VVS2,9800',
]

describe('a file without a header', () => {
  it('is refused with its first row and how to map its columns by position', async () => {
    await expect(readStones(STONES.join('\n'))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(
        /no header row .* row 1 is: A-1 \| Round \| 1\.01 \| G \| VS1 \| 5200\. .*--explain.*--mapping.*\{"1": "vendor_sku"/,
      ),
    })
  })

  it('is read with a mapping by position', async () => {
    const override = {
      '1': 'vendor_sku',
      '2': 'shape',
      '3': 'weight',
      '4': 'color',
      '5': 'clarity',
      '6': 'price_per_carat',
    }
    const { drafts, rejections } = await readStones(
      `\n${STONES.join('\n')}\nA-4,Round,,G,VS1,1\n`,
      {
        override,
      },
    )
    expect(drafts).toMatchObject([
      { vendor_sku: 'A-1', shape: 'round', weight: 1.01, cost: '5252.00' },
      { vendor_sku: 'A-2', shape: 'oval', weight: 0.9, cost: '2790.45' },
      { vendor_sku: 'A-3', shape: 'emerald', weight: 2.05, cost: '20090.00' },
    ])
    expect(rejections).toMatchObject([{ row: 5, column: '3' }])
  })

  it('does not take a stone whose grades are also names for the header', async () => {
    const stone = 'ID,Round,1.01,D,FL,5200,EX,Fl,1,2,3,4,5'
    await expect(readStones([stone, stone, stone].join('\n'))).rejects.toThrow(/no header row/)
  })
})

describe('a header in another language', () => {
  const HEADER = 'Артикул;Огранка;Вес, ct;Цвет;Чистота;Цена за карат'
  const TEXT = `Прайс-лист\n${HEADER}\nA-1;Round;1,01;G;VS1;5200,50\nA-2;Oval;0,90;F;SI1;3100,50\n`

  it('is found by the names in the mapping', async () => {
    const override = {
      Артикул: 'vendor_sku',
      Огранка: 'shape',
      'Вес, ct': 'weight',
      Цвет: 'color',
      Чистота: 'clarity',
      'Цена за карат': 'price_per_carat',
    }
    for (const text of [TEXT, Buffer.from(`\ufeff${TEXT}`, 'utf16le')]) {
      const { drafts } = await readStones(text, { override })
      expect(drafts).toMatchObject([
        { vendor_sku: 'A-1', weight: 1.01, cost: '5252.51' },
        { vendor_sku: 'A-2', weight: 0.9, cost: '2790.45' },
      ])
    }
  })

  it('is shown as it is written when it is not known', async () => {
    await expect(readStones(TEXT)).rejects.toThrow(/Артикул \| Огранка \| Вес, ct/)
  })
})

describe('a file that is not a stock list', () => {
  const bytes = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(500, 7)])
  for (const [name, content, message] of [
    ['a PDF', Buffer.from('%PDF-1.7\n…'), /This is a PDF document/],
    ['a PNG', bytes('89504e470d0a1a0a'), /This is an image \(PNG\)/],
    ['a JPEG', bytes('ffd8ffe0'), /This is an image \(JPEG\)/],
    ['a film', bytes('000000206674797069736f6d'), /This is a film/],
    ['a RAR archive', bytes('526172211a0700'), /This is a RAR archive/],
    ['a 7-Zip archive', bytes('377abcaf271c'), /This is a 7-Zip archive/],
    ['rich text', Buffer.from('{\\rtf1 hello}'), /This is a rich text document/],
    ['a web archive', Buffer.from('MIME-Version: 1.0\nX: y\n'), /This is a web archive/],
    ['an empty ZIP', bytes('504b0506'), /This is an empty ZIP/],
    ['an old Excel file', bytes('090406000000'), /This is an Excel 4 file/],
    ['JSON without stones', Buffer.from('{"a":[{"b":1}]}'), /This is JSON that contains no list/],
  ] as const) {
    it(`is refused with what it is: ${name}`, async () => {
      await expect(readStones(content)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(message),
      })
    })
  }
})

describe('a column whose values do not fit its name', () => {
  const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat'
  const file = (rows: number, weightOf: (at: number) => string) =>
    [
      HEADER,
      ...Array.from({ length: rows }, (_, at) => `S-${at},Round,${weightOf(at)},G,VS1,5200`),
    ].join('\n')

  it('is named by the refusal, with how many of its values fit', async () => {
    const { mapping } = await readStones(file(25, (at) => (at < 4 ? '1.01' : 'on request')))
    expect(() => checkColumns(mapping)).toThrow(
      'No column was recognized as weight; name it in the table of columns of the console, ' +
        'or in a mapping, which --explain writes and --mapping reads. Weight is there, but only ' +
        '16% of its values are numbers ' +
        '(one is "on request").',
    )
  })

  it('is named with counts when there are few values', async () => {
    const { mapping } = await readStones(file(3, () => 'heavy'))
    expect(() => checkColumns(mapping)).toThrow(/Weight is there, but only 0 of its 3 values are/)
  })
})
