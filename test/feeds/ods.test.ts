import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

const TYPE = 'application/vnd.oasis.opendocument.spreadsheet'

const text = (value: string) =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
const number = (value: number, shown: string, more = '') =>
  `<table:table-cell office:value-type="float" office:value="${value}"${more}><text:p>${shown}</text:p></table:table-cell>`
const row = (cells: string[], more = '') =>
  `<table:table-row${more}>${cells.join('')}<table:table-cell table:number-columns-repeated="16370"/></table:table-row>`
const EMPTY_ROWS = row(['<table:table-cell/>'], ' table:number-rows-repeated="1048000"')
const sheet = (name: string, rows: string[], style = 'ta1') =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows.join('')}${EMPTY_ROWS}</table:table>`

function ods(sheets: string, options: { type?: string; manifest?: string } = {}): Uint8Array {
  return zipSync({
    mimetype: strToU8(options.type ?? TYPE),
    'content.xml': strToU8(`<?xml version="1.0"?><office:document-content><office:automatic-styles>
      <style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>
      <style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>
      </office:automatic-styles><office:body><office:spreadsheet>${sheets}</office:spreadsheet></office:body></office:document-content>`),
    'META-INF/manifest.xml': strToU8(
      `<manifest:manifest>${options.manifest ?? ''}</manifest:manifest>`,
    ),
  })
}

const HEADER = row(
  ['Stock #', 'Shape', 'Carat', 'Color', 'Clarity', 'Price/Ct', 'Depth %', 'Lab', 'Report #'].map(
    text,
  ),
)
const REMARK =
  '<office:annotation><text:p>ask the owner</text:p></office:annotation><text:p>Round</text:p>'
const stone = (stock: string, more = '') =>
  row(
    [
      text(stock),
      `<table:table-cell office:value-type="string">${REMARK}</table:table-cell>`,
      number(1.015, '1,02'),
      text('G'),
      text('VS1'),
      '<table:table-cell office:value-type="currency" office:currency="EUR" office:value="5200"><text:p>5.200,00 €</text:p></table:table-cell>',
      '<table:table-cell office:value-type="percentage" office:value="0.617"><text:p>61,7%</text:p></table:table-cell>',
      text('GIA'),
      '<table:table-cell office:value-type="string"><text:p><text:a xlink:href="https://lab.example/r">2141438171</text:a></text:p></table:table-cell>',
    ],
    more,
  )

describe('an OpenDocument workbook', () => {
  it('is read by the values of its cells, which show fewer decimals', async () => {
    const title = row([text('Stock list'), '<table:covered-table-cell/>'])
    const file = ods(
      sheet('Stones', [title, HEADER, stone('A-1')]) +
        sheet('Old', [HEADER, stone('A-9')], 'ta2') +
        sheet('Terms', [row([text('Prices in EUR')])]),
    )
    const { drafts, rejections, notes } = await readStones(file, { rates: { EUR: '0.8' } })
    expect(rejections).toEqual([])
    expect(drafts).toMatchObject([
      {
        vendor_sku: 'A-1',
        shape: 'round',
        weight: 1.015,
        cost: '6597.50',
        depth_percentage: 61.7,
        cert_num: '2141438171',
        cert_url: 'https://lab.example/r',
      },
    ])
    expect(notes).toContain('The sheet "Old" is hidden and was left out.')
  })

  it('numbers its rows as the sheet does, and rejects a row with an error', async () => {
    const error = `<table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>`
    const broken = row([text('A-2'), text('Round'), error, text('G'), text('VS1'), number(1, '1')])
    const blank = row(['<table:table-cell/>'], ' table:number-rows-repeated="3"')
    const twice = stone('A-3', ' table:number-rows-repeated="2"')
    const { drafts, rejections } = await readStones(
      ods(sheet('Stones', [HEADER, blank, broken, twice])),
      { rates: { EUR: '0.8' } },
    )
    expect(rejections).toMatchObject([{ row: 5, value: '#N/A', reason: 'The weight is missing' }])
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-3', 'A-3'])
  })

  it('is refused when it is locked or has no sheets', async () => {
    const locked = ods('', { manifest: '<manifest:encryption-data/>' })
    await expect(readStones(locked)).rejects.toThrow(/protected with a password/)
    const letter = ods('', { type: 'application/vnd.oasis.opendocument.text' })
    await expect(readStones(letter)).rejects.toThrow(/an OpenDocument file, but no workbook/)
  })
})
