import { expect, it } from 'vitest'
import { workbookOf } from '../../console/src/lib/workbook.ts'
import { readStones } from '../feeds/feed-support.ts'

it('writes a workbook that is read as it was, whatever its texts look like', async () => {
  const head = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat', 'Report #']
  const rows = [
    ['=A&B<1>\u0007', 'Round', 1.01, 'G', 'VS1', 5200, '0012345678'],
    ['"Ü 2"', 'Oval', 0.9, 'F', 'SI1', 3100.5, null],
  ]
  const bytes = new Uint8Array(await workbookOf(head, rows).arrayBuffer())
  const { drafts, rejections } = await readStones(Buffer.from(bytes))
  expect(rejections).toEqual([])
  expect(drafts).toMatchObject([
    { vendor_sku: '=A&B<1>', shape: 'round', weight: 1.01, cert_num: '0012345678' },
    { vendor_sku: '"Ü 2"', shape: 'oval', weight: 0.9, cert_num: null },
  ])
})

it('names columns beyond the 26th, and writes flags and empty cells', async () => {
  const head = Array.from({ length: 28 }, (_, at) => `Column ${at}`)
  const row = head.map((_, at) => (at === 27 ? true : null))
  const text = await workbookOf(head, [row]).text()
  expect(text).toContain('<c r="AA1" t="inlineStr" s="1">')
  expect(text).toContain('<row r="2"><c r="AB2" t="b"><v>1</v></c></row>')
})
