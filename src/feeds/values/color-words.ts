import { cached, spellings, wordSet } from './spelling.ts'

/** Words for hues. */
export const HUE_WORDS = wordSet(`
  YELLOW PINK BLUE BROWN BLACK GREEN GRAY GREY ORANGE PURPLE RED VIOLET WHITE CHAMPAGNE
  CHAMELEON COGNAC
`)
/** Our words for the tints that stand before a hue, by how they are written: as a hue, too. */
export const TINTS = spellings({
  Yellowish: 'YELLOW YELLOWISH',
  Pinkish: 'PINK PINKISH',
  Bluish: 'BLUE BLUISH BLUEISH',
  Brownish: 'BROWN BROWNISH',
  Greenish: 'GREEN GREENISH',
  Greyish: 'GRAY GREY GRAYISH GREYISH',
  Orangy: 'ORANGE ORANGY ORANGEY ORANGISH',
  Purplish: 'PURPLE PURPLISH',
  Reddish: 'RED REDDISH',
  Violetish: 'VIOLET VIOLETISH',
  Blackish: 'BLACK BLACKISH',
  Whitish: 'WHITE WHITISH',
})
/** The words for tints that are not a hue themselves. */
export const TINT_WORDS = new Set([...TINTS.keys()].filter((word) => !HUE_WORDS.has(word)))
const INTENSITY_WORDS = wordSet('FANCY VERY FAINT LIGHT INTENSE VIVID DEEP DARK')

const SHORT_HUES = spellings({
  YELLOW: 'YEL',
  PINK: 'PNK',
  BROWN: 'BRN BRWN',
  GREEN: 'GRN',
  ORANGE: 'ORG ORNG',
  PURPLE: 'PURP',
  BLACK: 'BLK',
})

/** `FANCYINTENSEYELLOW`: the longest word comes first, so that `YELLOWISH` is not `YELLOW`. */
const JOINED = /^FANCY[A-Z]{3,}$/
const KNOWN_WORD = new RegExp(
  [...INTENSITY_WORDS, ...HUE_WORDS, ...TINT_WORDS].sort((a, b) => b.length - a.length).join('|'),
  'g',
)

/** `F`, `Fn` and `Fcy` before an intensity or a hue stand for "fancy". */
const SHORT_FANCY = new RegExp(
  '^(?:F|FN|FC|FCY|FNCY|FAN|FANC)[.\\s/-]+(?=(?:LIGHT|LT|LGT|INT|INTENSE|VIV|VIVID|DEEP|DP|DARK|' +
    `DK|${[...HUE_WORDS, ...TINT_WORDS].join('|')})(?![A-Z]))`,
)

/** Writes the word "fancy" out, and puts spaces between words that have none. */
export function spellFancy(upper: string): string {
  const spaced = JOINED.test(upper) ? upper.replaceAll(KNOWN_WORD, ' $& ').trim() : upper
  return spaced.replace(SHORT_FANCY, 'FANCY ').replaceAll(/ {2,}/g, ' ')
}

/** The words of a color, with hues written out. */
export function colorWords(upper: string): string[] {
  const words = upper.split(/[^A-Z]+/).filter(Boolean)
  return words.map((word) => SHORT_HUES.get(word) ?? word)
}

const WHITE_NAME =
  '(?:(?:EXCEPTIONAL|RARE|SLIGHTLY\\s+TINTED|TINTED)\\s+)?(?:WHITE|COLOU?R)\\s*\\+?'
const GRADE = '([D-Z](?:\\s*[-/]\\s*[D-Z])?)'
const NAME_OF_GRADE = new RegExp(`^${WHITE_NAME}[\\s(]+${GRADE}\\s*\\)?$`)
const GRADE_OF_NAME = new RegExp(`^${GRADE}\\s*\\(\\s*${WHITE_NAME}\\s*\\)$`)

/** The scale of the HRD. `White` alone may be the rare fancy white. */
const HRD_SCALE = new Map([
  ['EXCEPTIONAL WHITE+', 'D'],
  ['EXCEPTIONAL WHITE', 'E'],
  ['RARE WHITE+', 'F'],
  ['RARE WHITE', 'G'],
  ['SLIGHTLY TINTED WHITE', 'I-J'],
  ['TINTED WHITE', 'K-L'],
])

/** Returns the grade that the words of the HRD stand for: `G` for `Rare White (G)`. */
export function gradeOfWhite(upper: string): string | undefined {
  if (!/WHITE|TINTED/.test(upper)) return undefined
  const written = NAME_OF_GRADE.exec(upper)?.[1] ?? GRADE_OF_NAME.exec(upper)?.[1]
  return written ?? HRD_SCALE.get(upper.replaceAll(/\s+/g, ' ').replace(' +', '+'))
}

/**
 * `K-FAINT BROWN`, `M, Faint Brown`, `U-V Light Yellow`: a grade or a range of the white scale with
 * its tint named. `F Light Yellow` is fancy light, and `L Brown` may be light brown.
 */
const TINT = new RegExp(
  '^((?!F\\W+(?:LIGHT|LT))(?:OP|QR|ST|UV|WX|YZ|[D-Z](?:\\s*(?:-|/|TO)\\s*[D-Z])?))\\s*[-,/ (]\\s*' +
    '((?:VERY\\s+)?(?:FAINT|LIGHT|LT|FNT)\\s*(?:BROWN|BRN|BR|BN|GRAY|GREY|GREEN|YELLOW))\\)?$',
)
const BROWN = /^([EG-KM-U])\s*[-,/ (]\s*(BROWN|BRN)\)?$/

/** Splits a grade of the white scale from the tint that is named after it. */
export function splitTint(upper: string): { grade: string; tint: string } | undefined {
  const match = TINT.exec(upper) ?? BROWN.exec(upper)
  return match ? { grade: match[1], tint: match[2] } : undefined
}

const WRITTEN_OUT = spellings({
  Light: 'LT',
  Faint: 'FNT',
  Brown: 'BRN BR BN',
  Grey: 'GRAY',
})

/** Returns the shade in the color of a white stone: `Faint Brown` for `K-FAINT BROWN`. */
export const readShadeOfColor = cached((text: string): string | null => {
  const tint = splitTint(text.trim().toUpperCase())?.tint
  if (tint === undefined || tint.endsWith('YELLOW')) return null
  const words = tint.split(/\s+/).map((word) => {
    return WRITTEN_OUT.get(word) ?? titled(word)
  })
  return words.join(' ')
})

/** `BROWN` is `Brown`. */
export function titled(word: string): string {
  return word[0] + word.slice(1).toLowerCase()
}
