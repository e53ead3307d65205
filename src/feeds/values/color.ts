import { COLORS, type Color, type FancyIntensity, type Hue } from '../../reference/attributes.ts'
import {
  colorWords,
  gradeOfWhite,
  HUE_WORDS,
  spellFancy,
  splitTint,
  TINT_WORDS,
  TINTS,
  titled,
} from './color-words.ts'
import { cached, fold, isBlankWord, spellings } from './spelling.ts'

/** A color: a grade of the white scale (worst and best for a range), or a fancy color. */
export type ColorReading =
  | { is_fancy: false; color: Color; color_max: Color | null }
  | {
      is_fancy: true
      color: Hue | null
      fancy_color_intensity: FancyIntensity | null
      overtone: string | null
    }

const SCALE = new Map<string, number>(COLORS.map((color, rank) => [color, rank]))

const SCALE_LETTERS = 'DEFGHIJKLMNOPQRSTUVWXYZ'

/** GIA grades the low end in pairs; a range over such a pair is one grade. */
const PAIRS = new Set(['OP', 'QR', 'ST', 'UV', 'WX', 'YZ'])

/** Reads a color; undefined when it is unknown. */
export const readColor = cached((text: string): ColorReading | undefined => {
  const written = text.trim().toUpperCase().replaceAll(/[*"']/g, '')
  const upper = gradeOfWhite(written) ?? spellFancy(written)
  return readScale(upper) ?? readFancyCode(fold(upper)) ?? readFancyWords(upper)
})

function readScale(upper: string): ColorReading | undefined {
  const code = upper.replace(/\s+RANGE$/, '').replaceAll(/[+\s.]|-$/g, '')
  if (SCALE.has(code)) return white(code as Color, null)
  const range = /^([D-Z])(?:[-/\\&,]|TO)([D-Z])$/.exec(code)
  if (range) {
    const [best, worst] = [range[1], range[2]].sort()
    if (PAIRS.has(best + worst)) return white((best + worst) as Color, null)
    return white(worst as Color, best === worst ? null : (best as Color))
  }
  // Parcels are graded `DEF`, also written as `D-E-F`.
  const letters = code.replace(/^([D-Z])([-/,])([D-Z])\2([D-Z])$/, '$1$3$4')
  if (letters.length === 3 && SCALE_LETTERS.includes(letters)) {
    return white(letters[2] as Color, letters[0] as Color)
  }
  const pair = /^([D-Z]{2})$/.exec(code)
  if (pair && code.charCodeAt(1) === code.charCodeAt(0) + 1 && !PAIRS.has(code)) {
    return white(code[1] as Color, code[0] as Color)
  }
  const tinted = splitTint(upper)
  return tinted && readScale(tinted.grade)
}

function white(color: Color, best: Color | null): ColorReading {
  return { is_fancy: false, color, color_max: best }
}

const HUE_CODES = spellings<Hue>({
  YL: 'Y YL YE YEL YELLOW',
  PN: 'PK PN PNK PINK',
  BL: 'BL BLU BLUE',
  BN: 'BN BR BRN BRW BROWN',
  BK: 'BK BLK BLACK',
  GR: 'G GR GN GRN GREEN',
  GY: 'GY GRY GREY GRAY',
  OR: 'O OR ORG ORN ORANGE',
  PL: 'PL PU PUR PURPLE',
  RD: 'R RD RED',
  VL: 'V VI VL VIO VIOLET',
  WH: 'W WH WHT WHITE',
  CH: 'CH CHAMPAGNE CHAMP',
  CM: 'CM CHAMELEON',
  CG: 'CG COGNAC',
  OT: 'OT OTHER',
})

const INTENSITY_CODES = new Map<string, FancyIntensity>([
  ['F', 'FAN'],
  ['FL', 'FLT'],
  ['FI', 'INT'],
  ['FV', 'VIV'],
  ['FP', 'FDP'],
  ['FD', 'FDK'],
  ['FDP', 'FDP'],
  ['FDK', 'FDK'],
  ['FLT', 'FLT'],
  ['FIN', 'INT'],
  ['FVI', 'VIV'],
  ['FVV', 'VIV'],
  ['L', 'LIT'],
  ['VL', 'VLT'],
  ['FT', 'FNT'],
  ['FC', 'FAN'],
  ['LT', 'LIT'],
  ['I', 'INT'],
  ['FCL', 'FLT'],
  ['FCI', 'INT'],
  ['FCV', 'VIV'],
])

/** `FB` may be fancy blue, brown or black, and `FGY` fancy grey or greenish yellow. */
const UNCERTAIN_HUES = new Set(['B', 'P', 'GY'])

/** `FIY` is fancy intense yellow. The longest intensity that leaves a known hue wins. */
function readFancyCode(code: string): ColorReading | undefined {
  if (code.length < 2 || code.length > 6) return undefined
  for (let split = Math.min(3, code.length - 1); split >= 1; split--) {
    const intensity = INTENSITY_CODES.get(code.slice(0, split))
    const hue = HUE_CODES.get(code.slice(split))
    if (isLikelyRange(code)) continue
    if (intensity && UNCERTAIN_HUES.has(code.slice(split))) return fancy(null, intensity, null)
    if (intensity && hue) return fancy(hue, intensity, null)
  }
  return undefined
}

/** `IG`, `LG`, `FV` and `FDP`: more likely two grades, or an intensity without its hue. */
function isLikelyRange(code: string): boolean {
  return /^([IL][GORVW]|FV|FDP)$/.test(code)
}

function fancy(hue: Hue | null, intensity: FancyIntensity | null, overtone: string | null) {
  return { is_fancy: true, color: hue, fancy_color_intensity: intensity, overtone } as const
}

const INTENSITY_WORDS: [RegExp, FancyIntensity][] = [
  [/VIVID|^VIV$|\bVIV\b|\bFVI?V?\b/, 'VIV'],
  [/INTENSE|\bINT\b|\bFIN?\b/, 'INT'],
  [/\bDEEP\b|\bFDP\b|\bDP\b/, 'FDP'],
  [/\bDARK\b|\bFDK\b|\bDK\b/, 'FDK'],
  [/FANCY (LIGHT|LITE|LT)|\bFLT?\b/, 'FLT'],
  [/VERY (LIGHT|LT)|\bVLT\b|\bV\.? ?L(IGH)?T\b/, 'VLT'],
  [/\bFAINT\b|\bFNT\b/, 'FNT'],
  [/\bLIGHT\b|\bLITE?\b|\bLT\b/, 'LIT'],
  [/FANCY|\bFAN\b|\bFCY\b|^F$/, 'FAN'],
]

/**
 * Whole cells of a column of intensities, where `FDP` is deep and not the dark of a color with `P`.
 * `D` and `FD` may be deep or dark, so they are not here.
 */
const SHORT_INTENSITIES = new Map<string, FancyIntensity>([
  ['F', 'FAN'],
  ['FC', 'FAN'],
  ['FL', 'FLT'],
  ['FI', 'INT'],
  ['I', 'INT'],
  ['V', 'VIV'],
  ['FV', 'VIV'],
  ['L', 'LIT'],
  ['VL', 'VLT'],
  ['FT', 'FNT'],
  ['DP', 'FDP'],
  ['FDP', 'FDP'],
  ['DK', 'FDK'],
  ['FDK', 'FDK'],
  ['FVI', 'VIV'],
  ['FVV', 'VIV'],
])
const DEEP_OR_DARK = /^F?D[A-Z]?$/

/** Reads the intensity of a fancy color: in words, as a code, or as a code with its hue (`FIB`). */
export const readIntensity = cached((text: string): FancyIntensity | undefined => {
  const code = fold(text)
  const short = SHORT_INTENSITIES.get(code)
  if (short) return short
  if (DEEP_OR_DARK.test(code)) return undefined
  const coded = readFancyCode(code)
  if (coded?.is_fancy && coded.fancy_color_intensity) return coded.fancy_color_intensity
  const words = spellFancy(text.toUpperCase())
    .replaceAll(/[^A-Z.]+/g, ' ')
    .trim()
  return INTENSITY_WORDS.find(([pattern]) => pattern.test(words))?.[1]
})

/** `Fancy Intense Brownish Yellow`: the last hue is the color, the tints before it the overtone. */
function readFancyWords(upper: string): ColorReading | undefined {
  const words = colorWords(upper)
  const hues = words.filter((word) => HUE_WORDS.has(word))
  const hue = hues.at(-1)
  const isFancy = words.some((word) => /^(FANCY|FCY)$/.test(word))
  if (hue === undefined && !isFancy) return undefined
  const named = words.filter((word) => TINT_WORDS.has(word))
  const tints = [...named, ...hues.slice(0, -1)].map((word) => TINTS.get(word) ?? titled(word))
  const code = hue === undefined ? null : (HUE_CODES.get(hue) ?? 'OT')
  return fancy(code, readIntensity(upper) ?? null, tints.join(' ') || null)
}

/** Reads the hue of a fancy color: a word, a code, or a whole description. */
export const readHue = cached((text: string): Hue | undefined => {
  const code = HUE_CODES.get(fold(text))
  if (code) return code
  const reading = readFancyWords(spellFancy(text.toUpperCase()))
  return reading?.is_fancy ? (reading.color ?? undefined) : undefined
})

/** Reads an overtone: `brownish`, `BROWN` and `Br` are all `Brownish`. */
export const readOvertone = cached((text: string): string | undefined => {
  const upper = text.toUpperCase().trim()
  if (isBlankWord(upper) || /^(NONE|N|NO|0|(NO|NONE) OVERTONES?)$/.test(upper)) return undefined
  const words = upper.split(/[^A-Z]+/).filter(Boolean)
  const tints = words.map((word) => {
    const tint = TINTS.get(word)
    if (tint !== undefined) return tint
    const hue = HUE_CODES.get(word)
    const name = [...HUE_WORDS].find((each) => hue && HUE_CODES.get(each) === hue) ?? word
    return TINTS.get(name) ?? titled(word)
  })
  return tints.join(' ').slice(0, 60) || undefined
})
