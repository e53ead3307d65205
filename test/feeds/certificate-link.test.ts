import { describe, expect, it } from 'vitest'
import { certNumInLink } from '../../src/feeds/values/certificate.ts'
import { readStones } from './feed-support.ts'

const GIA = 'https://www.gia.edu/report-check?reportno=2141438178'

/** The stones of a file with these cells in the column `Report #`. */
async function read(cells: string[], header = 'Report #') {
  const rows = cells.map((cell, at) => `S-${at},Round,1.0${at},G,VS1,3000,GIA,${cell}`)
  const lines = [`Stock #,Shape,Weight,Color,Clarity,Price/Ct,Lab,${header}`, ...rows]
  return readStones(lines.join('\n'))
}

describe('an address in place of a certificate number', () => {
  it('is read as the number in it, and leads to the certificate', async () => {
    const { drafts, unreadable } = await read([GIA, '2141438179', '2141438180', '2141438181'])
    expect(drafts[0]).toMatchObject({ cert_num: '2141438178', cert_url: GIA })
    expect(drafts[1]).toMatchObject({ cert_num: '2141438179', cert_url: null })
    expect(unreadable).toEqual([])
  })

  it('may be in a tag, with the number as its text', async () => {
    const tag = `"<a href=""${GIA}"" target=""_blank"">2141438178</a>"`
    const { drafts } = await read([tag, '2141438179', '2141438180'])
    expect(drafts[0]).toMatchObject({ cert_num: '2141438178', cert_url: GIA })
    const images = await read(
      [1, 2, 3].map((at) => `"<img src='https://img.example/${at}.jpg'>"`),
      'Image',
    )
    expect(images.drafts[0]).toMatchObject({ image_top_url: 'https://img.example/1.jpg' })
  })

  it('may be in every row', async () => {
    const { drafts, fields } = await read(['1', '2', '3', '4'].map((last) => `${GIA}${last}`))
    expect(fields['Report #']).toBe('cert_num')
    expect(drafts.map(({ cert_num }) => cert_num)).toEqual([
      '21414381781',
      '21414381782',
      '21414381783',
      '21414381784',
    ])
  })

  it('is the link of a column that is named for links, beside one with numbers', async () => {
    const rows = ['1', '2', '3'].map((last) => `214143817${last},${GIA}${last}`)
    const { drafts } = await read(rows, 'Report #,Certificate')
    expect(drafts[0]).toMatchObject({ cert_num: '2141438171', cert_url: `${GIA}1` })
  })

  it.each([
    ['https://www.igi.org/verify-your-report/?r=LG612345678', 'LG612345678'],
    ['https://my.hrdantwerp.com/?id=34&record_number=190001234567&L=', '190001234567'],
    ['https://certs.example/gia/2141438178.pdf', '2141438178'],
    ['https://certs.example/gia/2141438178/report.pdf?v=123456', '2141438178'],
    ['www.certs.example/GIA_2141438178.jpg', 'GIA 2141438178'],
    ['https://www.gia.edu/report-check?lang=en&ReportNo=2141438178', '2141438178'],
  ])('has the number in a known place: %s', (address, number) => {
    expect(certNumInLink(address)).toBe(number)
  })

  it.each([
    'https://ex.com/stone?id=2141438178',
    'https://ex.com/v2/view',
    '2141438178',
    'https://',
  ])('has none elsewhere: %s', (address) => {
    expect(certNumInLink(address)).toBeUndefined()
  })
})
