import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/**
 * Writes a supplier's file as such files really are: quoted cells, a byte order mark, CRLF, many
 * spellings, and one row in a thousand that cannot be sold. Row `index` is always the same, except
 * that every `changeEvery`th row has another price.
 */
export async function writeMessyFile(path: string, rows: number, changeEvery = 0): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 })
  file.write(`\ufeff${HEADER.join(',')}\r\n`)
  let text = ''
  for (let index = 0; index < rows; index++) {
    text += messyRow(index, changeEvery > 0 && index % changeEvery === 0)
    if (text.length < 1 << 18) continue
    if (!file.write(text)) await once(file, 'drain')
    text = ''
  }
  file.end(text)
  await once(file, 'finish')
}

const HEADER = [
  'Stock #',
  'Availability',
  'Shape',
  'Weight',
  'Color',
  'Clarity',
  'Cut Grade',
  'Polish',
  'Symmetry',
  'Fluorescence Intensity',
  'Fluorescence Color',
  'Measurements',
  'Lab',
  'Report #',
  'Treatment',
  'RapNet Price',
  'Rapnet Discount %',
  'Depth %',
  'Table %',
  'Girdle Thin',
  'Girdle Thick',
  'Culet Size',
  'Crown Angle',
  'Pavilion Angle',
  'Cert comment',
  'Country',
  'State',
  'City',
  'Report Filename',
  'Diamond Image',
  'Video Link',
  'Eye Clean',
  'Milky',
]
const SHAPES = ['Round', 'BR', 'RD', 'Oval', 'CUSHION', 'EM', 'PS', 'Princess', 'RAD', 'MQ']
const COLORS = ['D', 'E', 'F', 'G', 'H', 'I', 'J', 'K']
const CLARITIES = ['IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2', 'SI3', 'I1']
const GRADES = ['EX', 'X', 'Excellent', 'VG', 'Very Good', 'G', 'GD']
const FLUORESCENCES = ['N', 'None', 'FNT BL', 'MED', 'STG BL', 'Faint', '']
const GIRDLES = ['TN', 'MED', 'STK', 'Slightly Thick', 'THK']
const COUNTRIES = ['India', 'USA', 'Israel', 'Belgium', 'Hong Kong']
const LABS = ['GIA', 'GIA', 'IGI', 'HRD', 'GCAL', '']

function messyRow(index: number, isChanged: boolean): string {
  const noise = Math.imul(index + 1, 2654435761) >>> 0
  const pick = <T>(list: readonly T[], salt: number) => list[(noise >>> salt) % list.length]
  const weight = 0.3 + (noise % 270) / 100
  const side = 6.5 * weight ** (1 / 3)
  const isRound = (noise >>> 3) % SHAPES.length < 3
  const length = isRound ? side * 1.005 : side * 1.1
  const width = isRound ? side : side * 0.9
  const perCarat = Math.round(2_800 * weight ** 1.1 * (0.7 + ((noise >>> 7) % 60) / 100))
  const price = isChanged ? perCarat + 11 : perCarat
  const isBad = index % 1_000 === 999
  return [
    `MX${1_000_000 + index}`,
    pick(['G', 'GA', 'Available', 'STPS'], 5),
    pick(SHAPES, 3),
    isBad ? '' : weight.toFixed(2),
    pick(COLORS, 6),
    pick(CLARITIES, 9),
    isRound ? pick(GRADES, 4) : '',
    pick(GRADES, 8),
    pick(GRADES, 11),
    pick(FLUORESCENCES, 13),
    '',
    `${length.toFixed(2)} x ${width.toFixed(2)} x ${(side * 0.615).toFixed(2)}`,
    pick(LABS, 10),
    String(2_000_000_000 + index),
    '',
    `"${price.toLocaleString('en')}"`,
    (-0.1 - (noise % 40) / 100).toFixed(2),
    `${(58 + (noise % 60) / 10).toFixed(1)}%`,
    String(54 + (noise % 8)),
    pick(GIRDLES, 2),
    pick(GIRDLES, 12),
    'None',
    (33 + (noise % 30) / 10).toFixed(1),
    (40 + (noise % 20) / 10).toFixed(1),
    `"Clouds, pinpoints; ""additional"" ${noise % 97}"`,
    pick(COUNTRIES, 14),
    '',
    '',
    `https://certificates.example/${2_000_000_000 + index}.pdf`,
    index % 3 === 0 ? `https://media.example/${index}.jpg` : '',
    index % 5 === 0 ? `https://media.example/${index}.mp4` : '',
    pick(['Yes', 'No', ''], 9),
    'None',
  ]
    .join(',')
    .concat('\r\n')
}
