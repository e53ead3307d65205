import { describe, expect, it } from 'vitest'
import { skuOf } from '../../src/gems/gem.ts'
import { readStones } from './feed-support.ts'

/** A feed whose columns are named as the interface names its fields. */
const OWN_NAMES = {
  vendor_sku: ['A-1', 'A-2', 'A-3', 'A-4'],
  shape: ['round', 'oval', 'round', 'round'],
  weight: ['1.01', '1.20', '0.90', '0.70'],
  color: ['G', 'F', 'E', 'D'],
  clarity: ['VS1', 'VS2', 'SI1', 'IF'],
  price_per_carat: ['5000', '5100', '4800', '4900'],
  cut_code: ['step_cut', 'Brilliant Cut', '', 'brilliant_cut'],
  ratio: ['1.01', '1.45', '', '1'],
  lab: ['GIA', '', 'IGI', 'GIA'],
  lab_name: ['G.I.A.', 'EGL USA', 'IGI Antwerp', 'GIA'],
  cert_num: ['2141438171', '77001122', '555112233', '2141438199'],
  shade: ['Brown', 'N/A', '', 'None'],
  milky: ['None', 'Light', '', 'None'],
  black_inclusion: ['BT1', '', '', 'None'],
  treatment: ['', 'Laser Drilled', 'None', ''],
  pair_sku: ['A-2', 'A-1', 'A-3', ''],
  pair_separable: ['Y', 'Y', '', ''],
  can_hold: ['no', 'yes', '', ''],
  days_to_return: ['5', '6', '', ''],
  memo_days_to_return: ['9', '10', '', ''],
  internal_days_to_return: ['30', '31', '', ''],
  is_sustainable: ['true', 'false', '', ''],
  sustainability_details: ['{"program":"traceable"}', 'Recycled', '', ''],
  image_top_url: ['https://media.example/t1.jpg', '', '', ''],
  image_bottom_url: ['https://media.example/b1.jpg', 'none', '', ''],
  video_url: ['https://media.example/1.mp4', '', '', ''],
  ux_url: ['https://media.example/1.html', '', '', ''],
  cached_ux_url: ['https://cache.example/1.html', '', '', ''],
  v360_json_base_url: ['https://media.example/frames/1/', '', '', ''],
  v360_info: ['{"frame_count":36,"s3_path":"f/1"}', '{broken', '', ''],
  original_imported_ext_url: ['https://supplier.example/1', '', '', ''],
}

function csvOf(columns: Record<string, string[]>): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const [first] = Object.values(columns)
  const rows = first.map((_, at) => Object.values(columns).map((cells) => quoted(cells[at])))
  return [Object.keys(columns), ...rows].map((cells) => cells.join(',')).join('\n')
}

const UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'

describe('a column that is named like a specified field', () => {
  it('is understood as it, whatever its values are', async () => {
    const { fields } = await readStones(csvOf(OWN_NAMES))
    const own = Object.keys(OWN_NAMES).map((name) => [name, name])
    expect(fields).toEqual({ ...Object.fromEntries(own), pair_sku: 'pair_vendor_sku' })
    const odd = Object.fromEntries(Object.keys(OWN_NAMES).map((name) => [name, ['?', '?', '?']]))
    const kept = { ...odd, vendor_sku: ['1', '2', '3'], weight: ['1', '1', '1'] }
    const read = await readStones(csvOf({ ...kept, shape: ['round', 'round', 'round'] }))
    expect(read.fields).toMatchObject({
      image_bottom_url: 'image_bottom_url',
      v360_info: 'v360_info',
      can_hold: 'can_hold',
      cert_num: 'cert_num',
    })
  })

  it('wins over a column with another name of the same field', async () => {
    const videos = ['https://media.example/x.mp4', 'https://media.example/y.mp4', '', '']
    const { fields, drafts } = await readStones(csvOf({ Video: videos, ...OWN_NAMES }))
    expect(fields).toMatchObject({ Video: null, video_url: 'video_url' })
    expect(drafts.map(({ video_url }) => video_url)).toEqual([
      ...OWN_NAMES.video_url.map((url) => url || null),
    ])
  })

  it('fills the field of the stone', async () => {
    const { drafts, unreadable } = await readStones(csvOf(OWN_NAMES), { supplier: { uuid: UUID } })
    expect(drafts[0]).toMatchObject({
      cut_code: 'step_cut',
      ratio: 1.01,
      lab: 'GIA',
      lab_name: 'G.I.A.',
      shade: 'Brown',
      milky: 'None',
      black_inclusion: 'BT1',
      treatment: null,
      pair_vendor_sku: 'A-2',
      pair_sku: skuOf(UUID, 'A-2'),
      pair_separable: true,
      can_hold: false,
      days_to_return: 5,
      memo_days_to_return: 9,
      internal_days_to_return: 30,
      is_sustainable: true,
      sustainability_details: '{"program":"traceable"}',
      image_bottom_url: 'https://media.example/b1.jpg',
      cached_ux_url: 'https://cache.example/1.html',
      v360_json_base_url: 'https://media.example/frames/1/',
      v360_info: '{"frame_count":36,"s3_path":"f/1"}',
      original_imported_ext_url: 'https://supplier.example/1',
    })
    expect(drafts[1]).toMatchObject({
      cut_code: 'brilliant_cut',
      lab: null,
      lab_name: 'EGL USA',
      shade: null,
      treatment: 'Laser Drilled',
      is_sustainable: false,
      sustainability_details: '{"description":"Recycled"}',
      image_bottom_url: null,
      v360_info: null,
    })
    // What the feed leaves open is the supplier's, or unknown; no stone is its own pair.
    expect(drafts[2]).toMatchObject({
      lab_name: 'IGI Antwerp',
      treatment: null,
      pair_sku: null,
      can_hold: true,
      days_to_return: 14,
      is_sustainable: null,
      sustainability_details: null,
    })
    expect(unreadable).toContain('v360_info {broken')
  })

  it('is understood in JSON, where the value may be an object', async () => {
    const stone = (at: number) => ({
      stock_num: `A-${at}`,
      shape: 'Round',
      size: 1 + at / 100,
      color: 'G',
      clarity: 'VS1',
      price_per_carat: 5000,
      v360_info: { frame_count: 24 + at, s3_path: 'x', md5_hash: null, image_ext: 'jpg' },
      sustainability_details: { program: 'a "quoted" one', steps: [1, 2] },
      is_sustainable: true,
    })
    const { drafts, fields } = await readStones(JSON.stringify([1, 2, 3].map(stone)))
    expect(fields).toMatchObject({ v360_info: 'v360_info', is_sustainable: 'is_sustainable' })
    expect(JSON.parse(String(drafts[1].v360_info))).toEqual(stone(2).v360_info)
    expect(JSON.parse(String(drafts[0].sustainability_details))).toEqual(
      stone(1).sustainability_details,
    )
  })
})

describe('what suppliers remark', () => {
  it('is known by the names of the trade, and a mapping may name it, too', async () => {
    const trade = {
      'Stock #': ['A-1', 'A-2', 'A-3'],
      Shape: ['Round', 'Round', 'Round'],
      Weight: ['1.01', '1.02', '1.03'],
      Color: ['G', 'G', 'G'],
      Clarity: ['VS1', 'VS1', 'VS1'],
      'Price/Ct': ['5000', '5000', '5000'],
      Tinge: ['Brown', '', 'Green'],
      Milky: ['M1', 'None', ''],
      'Black Inclusion': ['B1', '', ''],
      Frames: ['36', '48', ''],
      Trübung: ['leicht', '', ''],
    }
    const { drafts } = await readStones(csvOf(trade))
    expect(drafts[0]).toMatchObject({ shade: 'Brown', milky: 'M1', black_inclusion: 'B1' })
    const override = {
      Milky: 'ignore',
      Trübung: { field: 'milky', values: { leicht: 'Light' } },
      Frames: 'v360_frame_count',
      treatment: { value: 'HPHT' },
    }
    const mapped = await readStones(csvOf(trade), { override })
    expect(mapped.drafts[0]).toMatchObject({ milky: 'Light', treatment: 'HPHT' })
    expect(JSON.parse(String(mapped.drafts[0].v360_info))).toEqual({
      frame_count: 36,
      s3_path: null,
      md5_hash: null,
      image_ext: null,
    })
    expect(mapped.drafts[2].v360_info).toBeNull()
  })

  it('is a shade, or milky, where one column is about both', async () => {
    const cells = ['No BGM', 'None', 'Brown', 'Milky', 'Light brown, milky', 'Yes', '']
    const rows = cells.map((text, at) => `A-${at},Round,1.0${at},G,VS1,5000,"${text}"`)
    const header = 'Stock #,Shape,Carat,Color,Clarity,Price/Ct,BGM'
    const { drafts } = await readStones([header, ...rows].join('\n'))
    expect(drafts.map(({ shade, milky }) => [shade, milky])).toEqual([
      ['None', 'None'],
      ['None', 'None'],
      ['Brown', null],
      [null, 'Milky'],
      ['Light brown, milky', 'Light brown, milky'],
      [null, null],
      [null, null],
    ])
  })

  it('is a shade where each tint has a column', async () => {
    const tints = ['None,None,None', 'Light,None,', 'FALSE,Yes,', ',,N/A', 'Brown,Faint,None']
    const rows = tints.map((cells, at) => `A-${at},Round,1.0${at},G,VS1,5000,${cells}`)
    const header = 'stock_id,shape,carats,col,clar,price_per_carat,brown,green,gray'
    const { drafts } = await readStones([header, ...rows].join('\n'))
    expect(drafts.map(({ shade }) => shade)).toEqual([
      'None',
      'Light Brown',
      'Green',
      null,
      'Brown, Faint Green',
    ])
    const both = await readStones(
      `${header},colorShade\n${rows.map((row) => `${row},Pinkish`).join('\n')}`,
    )
    expect(both.drafts.map(({ shade }) => shade)).toEqual(tints.map(() => 'Pinkish'))
  })

  it('keeps the name of a laboratory outside the reference list as the supplier writes it', async () => {
    const labs = ['HRD Antwerp', 'American Gem Society', 'AGSL', 'Hoge Raad voor Diamant']
    const known = ['Gemological Institute of America', 'International Gemological Institute']
    const rows = [...labs, ...known, 'EGL USA'].map(
      (lab, at) => `A-${at},Round,1.0${at},G,VS1,5000,${lab},19000123456${at}`,
    )
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct,Lab,Report #'
    const { drafts } = await readStones([header, ...rows].join('\n'))
    expect(drafts.map(({ lab, lab_name }) => [lab, lab_name])).toEqual([
      ...labs.map((name) => [null, name]),
      ['GIA', known[0]],
      ['IGI', known[1]],
      [null, 'EGL USA'],
    ])
  })

  it('says of a laboratory only its name, when the number stands beside it', async () => {
    const rows = ['GIA 2141438171', 'HRD 190001234567', 'NO CERT'].map(
      (lab, at) => `A-${at},Round,1.0${at},G,VS1,5000,${lab}`,
    )
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct,Lab'
    const { drafts, otherLabs } = await readStones([header, ...rows].join('\n'))
    expect(drafts.map(({ lab, lab_name }) => [lab, lab_name])).toEqual([
      ['GIA', 'GIA'],
      [null, 'HRD'],
      [null, null],
    ])
    expect(otherLabs).toEqual([{ lab_original: 'HRD', count: 1 }])
  })
})

describe('a parcel', () => {
  const parcels = (column: string, cells: string[]) =>
    [
      `Stock #,Shape,Weight,Color,Clarity,Price/Ct,Parcel Stones,Parcel Size,${column}`,
      ...cells.map((cell, at) => `P-${at},Round,2.00,F-G,VS,400,80,1.${at},${cell}`),
    ].join('\n')

  it.each([
    ['tolerance_positive,tolerance_negative', '0.05,0.03', 0.05, 0.03],
    ['Tolerance Plus,Tolerance Minus', '+0.05 mm,-0.02', 0.05, 0.02],
    ['Tolerance', '0.04', 0.04, 0.04],
    ['Tolerance', '± 0.06', 0.06, 0.06],
    ['Tolerance', '+0.05/-0.03', 0.05, 0.03],
    ['Tolerance', '-0.03 +0.05', 0.05, 0.03],
    ['Tolerance', 'exact', null, null],
  ])('has the tolerance of its columns (%s: %s)', async (column, cells, up, down) => {
    const { drafts } = await readStones(parcels(column, [cells, cells, cells]))
    expect(drafts[0]).toMatchObject({
      product_type: 'melee',
      tolerance_positive: up,
      tolerance_negative: down,
    })
  })

  it('has the range of two columns, whichever of them is the better grade', async () => {
    const ranges = ['D,F,VVS1,VS1', 'F,D,VS1,VVS1']
    const header = 'Stock #,Shape,Weight,Color From,Color To,Clarity From,Clarity To,Price/Ct'
    const read = (stones: string) =>
      readStones(
        [
          `${header},Parcel Stones,Parcel Size`,
          ...ranges.map((range, at) => `P-${at},Round,2.00,${range},400,${stones},1.8`),
        ].join('\n'),
      )
    const grades = { color: 'F', clarity: 'VS1' }
    const best = { color_max: 'D', clarity_max: 'VVS1' }
    expect((await read('80')).drafts).toMatchObject(ranges.map(() => ({ ...grades, ...best })))
    const single = { ...grades, color_max: null, clarity_max: null, product_type: 'diamond' }
    expect((await read('1')).drafts).toMatchObject(ranges.map(() => single))
  })

  it('has its best grades, where they have columns of their own', async () => {
    const { drafts } = await readStones(parcels('color_max,clarity_max', ['E,VVS2', 'D,IF', ',']))
    expect(drafts.map(({ color_max, clarity_max }) => [color_max, clarity_max])).toEqual([
      ['E', 'VVS2'],
      ['D', 'IF'],
      ['F', 'VS1'],
    ])
  })
})
