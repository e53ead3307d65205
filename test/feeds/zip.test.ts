import { readdirSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { gzip, readStones } from './feed-support.ts'
import { xlsOf } from './xls-files.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat'
const ROUND = 'A-1,Round,1.01,G,VS1,5200'
const OVAL = 'A-2,Oval,0.90,F,SI1,3100.50'
const EXPECTED = [
  { vendor_sku: 'A-1', shape: 'round', weight: 1.01, cost: '5252.00' },
  { vendor_sku: 'A-2', shape: 'oval', weight: 0.9, cost: '2790.45' },
]

function zip(files: Record<string, string | Uint8Array>): Uint8Array {
  const entries = Object.entries(files).map(
    ([name, text]) => [name, typeof text === 'string' ? strToU8(text) : text] as const,
  )
  return zipSync(Object.fromEntries(entries))
}

const sheet = (lines: string[]) =>
  xlsOf([{ name: 'S', rows: lines.map((line) => line.split(',')) }])

describe('a ZIP', () => {
  it('with one stock file of any format is read as that file', async () => {
    const objects = JSON.stringify([
      {
        stock: 'A-1',
        shape: 'Round',
        weight: 1.01,
        color: 'G',
        clarity: 'VS1',
        price_per_carat: 5200,
      },
      {
        stock: 'A-2',
        shape: 'Oval',
        weight: 0.9,
        color: 'F',
        clarity: 'SI1',
        price_per_carat: 3100.5,
      },
    ])
    const csv = [HEADER, ROUND, OVAL].join('\n')
    const archives: Record<string, string | Uint8Array>[] = [
      { 'stock.csv': csv },
      { 'stock.json': objects },
      { 'stock.xls': sheet([HEADER, ROUND, OVAL]) },
      { 'stock.csv.gz': gzip(csv) },
      { 'folder/': '', 'folder/STOCK': csv, '__MACOSX/._STOCK': 'x', '.DS_Store': 'x' },
    ]
    for (const files of archives) {
      const { drafts, notes, rejections } = await readStones(zip(files), { chunkBytes: 100 })
      expect(drafts).toMatchObject(EXPECTED)
      expect(rejections).toEqual([])
      expect(notes).toEqual([])
    }
  })

  it('with several stock files is read as one feed, whatever the order of their columns', async () => {
    const other = 'Shape,Stock #,Weight,Clarity,Color,Price Per Carat,Lab'
    const { drafts, rejections, notes, fields } = await readStones(
      zip({
        'fancy.csv': `${other}\nOval,A-2,0.90,SI1,F,3100.50,GIA\nOval,A-3,,SI1,F,3100.50,GIA`,
        '0-rounds.csv': `${HEADER}\n${ROUND}`,
        'photo.jpg': 'x',
        'read me.pdf': 'x',
      }),
    )
    expect(drafts).toMatchObject([EXPECTED[0], { ...EXPECTED[1], color: 'F', lab: 'GIA' }])
    expect(fields.Lab).toBe('lab')
    expect(rejections).toMatchObject([
      { row: 3, column: 'Weight', reason: 'The weight is missing (file fancy.csv)' },
    ])
    expect(notes).toEqual([
      'The files "0-rounds.csv", "fancy.csv" were read as one list.',
      'The ZIP has 2 files not read: photo.jpg, read me.pdf.',
    ])
  })

  it('may have JSON beside CSV, and a text without stones', async () => {
    const { drafts, notes } = await readStones(
      zip({
        'a.csv': `stock,shape,weight,color,clarity,price_per_carat\n${ROUND}`,
        'b.json': JSON.stringify([
          {
            stock: 'A-2',
            shape: 'Oval',
            weight: 0.9,
            color: 'F',
            clarity: 'SI1',
            price_per_carat: 3100.5,
          },
        ]),
        'readme.txt': 'Dear all,\nsee the other files.',
      }),
    )
    expect(drafts).toMatchObject(EXPECTED)
    expect(notes[1]).toBe('The file "readme.txt" has no header row and was left out.')
  })

  it('is refused with the names of its files when their columns differ', async () => {
    const total = HEADER.replace('Price Per Carat', 'Total Price')
    await expect(
      readStones(zip({ 'a.csv': `${HEADER}\n${ROUND}`, 'b.csv': `${total}\n${OVAL}` })),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(
        /a ZIP with 2 files \(a\.csv, b\.csv\)\. Its columns differ .*no column Price Per Carat and it has a column Total Price/,
      ),
    })
  })

  it('is refused with what it has when it has no stock list', async () => {
    for (const [files, message] of [
      [{ 'a.jpg': 'x', 'b.jpg': 'y' }, /a ZIP with 2 files \(a\.jpg, b\.jpg\), but no stock list/],
      [{ 'inner.zip': zip({ 'a.csv': HEADER }) }, /an archive inside \(inner\.zip\)/],
      [{ 'stock.csv': zip({ 'a.csv': HEADER }) }, /a ZIP inside a ZIP/],
      [{ 'stock.csv': '%PDF-1.7' }, /Of its file "stock\.csv": This is a PDF document/],
      [{ 'content.xml': '<a/>', mimetype: 'x' }, /an OpenDocument file/],
      [{ 'word/document.xml': '<a/>' }, /a Word document/],
      [{ 'xl/workbook.bin': 'x' }, /XLSB/],
    ] as const) {
      await expect(readStones(zip(files))).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(message),
      })
    }
    const locked = Buffer.from(zip({ 'a.csv': `${HEADER}\n${ROUND}` }))
    locked[locked.lastIndexOf(Buffer.from('PK\u0001\u0002')) + 8] |= 1
    await expect(readStones(locked)).rejects.toThrow(/protected with a password/)
  })

  it('leaves no temporary file open, also when it is refused', async () => {
    const openFiles = () => readdirSync('/dev/fd').length
    const before = openFiles()
    for (let times = 0; times < 10; times++) {
      await readStones(zip({ 'a.csv': `${HEADER}\n${ROUND}`, 'b.xls': sheet([HEADER, OVAL]) }))
      await readStones(zip({ 'a.jpg': 'x' })).catch(() => {})
      await readStones('<html><table></table></html>').catch(() => {})
    }
    // The test runner may open some files of its own meanwhile.
    expect(openFiles()).toBeLessThan(before + 10)
  })
})
