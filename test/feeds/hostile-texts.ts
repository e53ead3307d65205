/**
 * Files with one word or sign over and over again, as the name of a column and as a value: what
 * tries every way to read a text takes hours for some of them.
 */

const COLUMNS = [
  ...['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price', 'Availability', 'Measurements'],
  ...['Lab', 'Report #', 'Cut Grade', 'Polish', 'Fluorescence', 'Girdle', 'Culet', 'Shade'],
  ...['Fancy Color', 'Fancy Intensity', 'Overtone', 'Treatment', 'Origin', 'Location', 'Eye Clean'],
  ...['Image', 'Video', 'Certificate URL', 'Pair', 'Sieve', 'Memo Days', 'Description', 'Comment'],
  ...['Species', 'Gemstone Type', 'Jewelry Type', 'Jewelry Title', 'Metal', 'Center Stone'],
]
const REPEATED = [
  ...[
    ' ',
    '\t',
    '0',
    '(',
    ') ',
    '[',
    '[$',
    ',',
    ',000',
    '.',
    '1.',
    '/',
    '- ',
    '#',
    '%',
    '=',
    '<!--',
  ],
  ...['GEMSTONE', 'STONE GEM ', 'CVD', 'CVD     ', 'CVDÉ   ', 'no CVD ', 'LAB GROWN OR ', 'HPHT '],
  ...['SAPPHIRE ', 'not heated ', 'fancy ', 'BLUE', 'white ', 'to ', '1x', 'é ', 'GIA ', 'round '],
  ...['thin ', 'sold ', 'day week ', 'https://a.b/', '"', "'", '<a b=', 'S0L1D ', '\u2013'],
]
const TEXT_CHARS = 6_000
const NAME_CHARS = 300

const repeated = (word: string, length: number) =>
  `A${word.repeat(Math.ceil(length / word.length))}`.slice(0, length)
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const lineOf = (cells: string[]) => `${cells.map(quoted).join(',')}\n`

/** One word in every column of a row, but for the ones without which it is not read any further. */
function rowOf(word: string, at: number): string {
  const text = repeated(word, TEXT_CHARS)
  return lineOf([
    `S-${at}`,
    'Round',
    '1.01',
    'G',
    'VS1',
    '5200',
    ...COLUMNS.slice(6).map(() => text),
  ])
}

const GOOD = ['Round', '1.01', 'G', 'VS1', '5200', 'A', '6.45 x 6.41 x 3.98', 'GIA', '2141438171']

export const hostileTexts = (): Buffer =>
  Buffer.from(
    [
      lineOf([...COLUMNS, ...REPEATED.map((word) => `${repeated(word, NAME_CHARS)}X`)]),
      ...Array.from({ length: 20 }, (_, at) => lineOf([`G-${at}`, ...GOOD])),
      ...REPEATED.map(rowOf),
    ].join(''),
  )
