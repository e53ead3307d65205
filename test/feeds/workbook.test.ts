import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'
import { workbookOf } from './hostile-files.ts'

type Cell = string | number | boolean | { inline: string } | { error: string } | null

/** Writes a workbook as spreadsheets do: shared strings, plain numbers, no empty cells. */
function workbook(
  sheets: { name: string; rows: Cell[][] }[],
  options: { level?: 0 | 6 } = {},
): Uint8Array {
  const shared: string[] = []
  const share = (text: string) => {
    const at = shared.indexOf(text)
    return at === -1 ? shared.push(text) - 1 : at
  }
  const files: Record<string, Uint8Array> = {}
  for (const [index, { rows }] of sheets.entries()) {
    const lines = rows.map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, `${letters(column)}${row + 1}`, share)).join('')}</row>`,
    )
    files[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(
      `<?xml version="1.0"?><worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`,
    )
  }
  files['xl/sharedStrings.xml'] = strToU8(
    `<sst>${shared.map((text) => `<si><r><t>${escapeXml(text.slice(0, 3))}</t></r><r><t xml:space="preserve">${escapeXml(text.slice(3))}</t></r></si>`).join('')}</sst>`,
  )
  files['xl/workbook.xml'] = strToU8(
    `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
  )
  files['xl/_rels/workbook.xml.rels'] = strToU8(
    `<Relationships>${sheets.map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
  )
  files['[Content_Types].xml'] = strToU8('<Types/>')
  return zipSync(files, { level: options.level ?? 6 })
}

function cellXml(cell: Cell, reference: string, share: (text: string) => number): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${reference}" s="1"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${share(cell)}</v></c>`
  if ('error' in cell) return `<c r="${reference}" t="e"><v>${cell.error}</v></c>`
  return `<c r="${reference}" t="inlineStr"><is><t>${escapeXml(cell.inline)}</t></is></c>`
}

const letters = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : letters(Math.floor(column / 26) - 1) + letters(column % 26)
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const HEADER = [
  'Stock #',
  'Shape',
  'Weight',
  'Color',
  'Clarity',
  'Price Per Carat',
  'Depth %',
  'Report #',
  'Lab Grown',
  'Lab',
]
const STONES: Cell[][] = [
  ['A & B-1', 'Round', 1.01, 'G', 'VS1', 5200, 0.617, 2141438171, false, { inline: 'GIA' }],
  ['A-2', 'Oval', 0.9000000000000001, 'F', 'SI1', 3100.5, 0.62, '0012345678', true, null],
  ['A-3', 'Round', { error: '#N/A' }, 'G', 'VS1', 5200, null, null, false, 'GIA'],
]

describe('a workbook', () => {
  for (const level of [0, 6] as const) {
    it(`is read from its first sheet with a header, ${level === 0 ? 'stored' : 'deflated'}`, async () => {
      const bytes = workbook(
        [
          { name: 'Cover', rows: [['Stock list'], ['of today']] },
          { name: 'Stones', rows: [['Title'], [], HEADER, ...STONES] },
        ],
        { level },
      )
      const { drafts, rejections } = await readStones(bytes, { chunkBytes: 777 })
      expect(drafts).toMatchObject([
        {
          vendor_sku: 'A & B-1',
          weight: 1.01,
          cost: '5252.00',
          depth_percentage: 61.7,
          cert_num: '2141438171',
          type: 'mined',
          lab: 'GIA',
        },
        {
          vendor_sku: 'A-2',
          weight: 0.9,
          cost: '2790.45',
          depth_percentage: 62,
          cert_num: '0012345678',
          type: 'lab grown',
          lab: null,
        },
      ])
      expect(rejections).toMatchObject([{ row: 6, column: 'Weight', value: '' }])
    })
  }

  it('is also read from gzip', async () => {
    const { drafts } = await readStones(
      gzipSync(workbook([{ name: 'S', rows: [HEADER, ...STONES] }])),
    )
    expect(drafts).toHaveLength(2)
  })

  it('is refused when no sheet has a header, or when it is damaged', async () => {
    await expect(readStones(workbook([{ name: 'S', rows: [['hello']] }]))).rejects.toMatchObject({
      code: 'invalid_request',
    })
    const whole = workbook([{ name: 'S', rows: [HEADER, ...STONES] }])
    await expect(readStones(whole.slice(0, -40))).rejects.toMatchObject({ code: 'invalid_request' })
    const broken = Uint8Array.from(whole)
    broken.fill(0xff, 60, 120)
    await expect(readStones(broken)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('is refused with what was seen when no spreadsheet writes such a file', async () => {
    for (const [rows, shared, seen] of [
      ['<row><c r="ZZZZZZZ2"><v>1</v></c></row>', '', 'a cell ZZZZZZZ2'],
      ['<row r="9999999"/>', '', 'a row 9999999'],
      ['<a>'.repeat(100_000), '', 'nested more than 64 levels'],
      [`<row ${'a'.repeat(2_000_000)}/>`, '', 'longer than 1048576 characters'],
      ['<a/>'.repeat(6_000_000), '', 'unpacks to more than'],
    ]) {
      await expect(readStones(workbookOf(rows, shared))).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(seen),
      })
    }
  })

  it('keeps no empty cells, and rejects a row with more than 2,000 cells', async () => {
    const header = HEADER.map((name) => `<c t="str"><v>${name}</v></c>`).join('')
    const cells = ['S-1', 'Round', 1.01, 'G', 'VS1', 5200].map((value) => `<c><v>${value}</v></c>`)
    const stone = (more: string) => `<row>${cells.join('')}${more}</row>`
    const bytes = workbookOf(
      `<row>${header}</row>${stone('<c r="XFD2"/>')}${stone('<c r="XFD3"><v>1</v></c>')}`,
    )
    const { drafts, rejections } = await readStones(bytes)
    expect(drafts).toMatchObject([{ vendor_sku: 'S-1', cost: '5252.00' }])
    expect(rejections).toMatchObject([{ row: 3, reason: expect.stringContaining('2000 cells') }])
  })
})
