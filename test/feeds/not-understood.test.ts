import { describe, expect, it } from 'vitest'
import { createNotes } from '../../src/feeds/drafting/notes.ts'
import { readStones } from './feed-support.ts'

const CORE = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct'

/** Reads a file whose first stone has the value, and whose other ones have a usual value. */
async function withValue(column: string, value: string, usual: string) {
  const row = (at: number, text: string) => `S-${at},Round,1.01,G,VS1,3000,"${text}"`
  const rows = [value, usual, usual, usual].map((text, at) => row(at, text))
  const { drafts, rejections, unreadable } = await readStones(
    `${CORE},${column}\n${rows.join('\n')}`,
  )
  expect(rejections).toEqual([])
  return { stone: drafts[0], unreadable }
}

const SIDES = '6.42x6.45x3.97'
const IMAGE = 'https://ex.com/a.jpg'

describe('a value that is written but not understood', () => {
  it.each([
    ['Measurements', SIDES, 'measurements', '642x645x397'],
    ['Measurements', SIDES, 'measurements', 'see report'],
    ['Length', '6.42', 'length', '642'],
    ['Depth %', '61.7', 'depth_percentage', '617'],
    ['Depth %', '61.7', 'depth_percentage', 'abc'],
    ['Table %', '57', 'table_percentage', '5700'],
    ['Table %', '57', 'table_percentage', 'fifty'],
    ['Crown Angle', '34.5', 'crown_angle', '345'],
    ['Pavilion Angle', '40.8', 'pavilion_angle', '408'],
    ['Pavilion Depth', '43', 'pavilion_depth', '430'],
    ['Ratio', '1.01', 'ratio', '101'],
    ['Country', 'India', 'country_code', 'Atlantis'],
    ['Image', IMAGE, 'image_top_url', 'https://ex.com/a b.jpg'],
    ['Image', IMAGE, 'image_top_url', 'a.jpg'],
    ['Image', IMAGE, 'image_top_url', 'https://ex.com/a.mp4'],
    ['Video Link', IMAGE, 'video_url', 'Video'],
    ['Certificate URL', IMAGE, 'cert_url', 'c.pdf'],
    ['Report #', '2141438171', 'cert_num', 'YES'],
  ] as const)('in %s is empty and noted', async (column, usual, field, value) => {
    const { stone, unreadable } = await withValue(column, value, usual)
    expect(unreadable).toEqual([`${field} ${value}`])
    if (field !== 'measurements') expect(stone).not.toMatchObject({ [field]: expect.anything() })
    expect(stone).toMatchObject({ length: null, width: null, depth: null })
  })

  it.each(['soon', '-3', '99999', '2026-01-05', '3 months', 'Nov 25, 2026', '25-Nov-26'])(
    'in Delivery Days, such as %s, is noted, and the supplier says how long it takes',
    async (value) => {
      const { stone, unreadable } = await withValue('Delivery Days', value, '4')
      expect(stone).toMatchObject({ delivery_days_min: 3, delivery_days_max: 7 })
      expect(unreadable).toEqual([`delivery_days_max ${value}`])
    },
  )

  it('of a rejected row is not noted', async () => {
    const rows = ['S-1,Round,1.01,G,VS1,0,617', 'S-2,Round,1.01,G,VS1,3000,61.7']
    const { rejections, unreadable } = await readStones(`${CORE},Depth %\n${rows.join('\n')}`)
    expect(rejections).toHaveLength(1)
    expect(unreadable).toEqual([])
  })

  it('is counted even where its column has many others', () => {
    const notes = createNotes()
    for (let at = 0; at < 60; at++) notes.unreadable('image_top_url', `${at}.jpg`)
    notes.unreadable('image_top_url', '0.jpg')
    notes.unreadable('culet_size', 'chipped')
    const values = notes.values()
    expect(values.reduce((sum, { count }) => sum + count, 0)).toBe(62)
    expect(values[0]).toMatchObject({ field: 'image_top_url', value: 'other values', count: 10 })
    expect(values).toContainEqual({ field: 'culet_size', value: 'chipped', row: null, count: 1 })
  })
})

describe('a proportion with a shifted decimal point', () => {
  it.each([
    ['Depth %', '6.17', 'depth_percentage'],
    ['Depth %', '0.0617', 'depth_percentage'],
    ['Table %', '5.7', 'table_percentage'],
  ])('is empty and noted: %s %s', async (column, value, field) => {
    const { stone, unreadable } = await withValue(
      `${column},Measurements`,
      `${value}","${SIDES}`,
      `61.7","${SIDES}`,
    )
    expect(stone).toMatchObject({ length: 6.45, width: 6.42, depth: 3.97, [field]: null })
    expect(unreadable).toEqual([`${field} ${value}`])
  })

  it('is seen by the sides', async () => {
    const header = `${CORE},Measurements,Depth %`
    const row = (sides: string, percent: string) => `Emerald,0.20,G,VS1,3000,${sides},${percent}`
    const rows = [row('6.60x6.00x0.70', '70'), ...Array(3).fill(row('3.50x2.50x1.75', '70'))]
    const { drafts, unreadable } = await readStones(
      [header, ...rows.map((cells, at) => `S-${at},${cells}`)].join('\n'),
    )
    expect(drafts.map((stone) => stone.depth_percentage)).toEqual([null, 70, 70, 70])
    expect(unreadable).toEqual(['depth_percentage 70'])
  })
})

describe('what says nothing', () => {
  it.each([
    ['Measurements', SIDES, ['0x0x0', '0 x 0 x 0', 'XX', 'n/a', '-', '0|0|0']],
    ['Depth %', '61.7', ['0', '0.00', '0%', '-', 'N/A', 'None']],
    ['Table %', '57', ['0', '--', 'NA', 'none', 'Unknown']],
    ['Crown Angle', '34.5', ['0', '0.0°', '-']],
    ['Delivery Days', '4', ['-', 'N/A']],
    ['Country', 'India', ['-', 'N/A', 'None']],
    ['Image', IMAGE, ['-', 'N/A', 'None', '0', 'No']],
    ['Report #', '2141438171', ['0', '-', 'None', 'N/A']],
  ])('in %s is not noted', async (column, usual, values) => {
    for (const value of values) {
      expect([value, (await withValue(column, value, usual)).unreadable]).toEqual([value, []])
    }
  })
})

describe('what can only mean one thing', () => {
  it.each([
    ['Country', 'S. Africa', 'India', { country_code: 'ZAF' }],
    ['Image', 'www.ex.com/w.jpg', IMAGE, { image_top_url: 'https://www.ex.com/w.jpg' }],
    ['Delivery Days', '2 weeks', '4', { delivery_days_max: 14 }],
    ['Delivery Days', '3-5 days', '4', { delivery_days_max: 5 }],
    ['Delivery Days', '48 hours', '4', { delivery_days_max: 2 }],
    ['Delivery Days', '24h', '4', { delivery_days_max: 1 }],
    ['Measurements', '6.40x6.45x0', SIDES, { length: 6.45, width: 6.4, depth: null }],
    ['Measurements', '6.42x6.45xXX', SIDES, { length: 6.45, width: 6.42, depth: null }],
  ])('in %s is understood: %s', async (column, value, usual, expected) => {
    const { stone, unreadable } = await withValue(column, value, usual)
    expect(stone).toMatchObject(expected)
    expect(unreadable).toEqual([])
  })
})
