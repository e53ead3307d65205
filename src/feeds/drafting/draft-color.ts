import type { GemProductType } from '../../database/tables/gems.ts'
import { WORDS_CHARS_MAX } from '../../gems/gem.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { CLARITIES, type Clarity, COLORS } from '../../reference/attributes.ts'
import {
  type ColorReading,
  readColor,
  readHue,
  readIntensity,
  readOvertone,
} from '../values/color.ts'
import { readClarity } from '../values/grades.ts'
import { isBlankWord, readFlag, saysNothing } from '../values/spelling.ts'
import { createNotedReader, type NotedReader, type Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

export interface ColorFields {
  color: string | null
  color_max: string | null
  is_fancy: boolean
  fancy_color_intensity: string | null
  overtone: string | null
}

export interface ClarityFields {
  clarity: Clarity | null
  clarity_max: Clarity | null
}

interface ColorFault {
  column: 'color' | 'clarity' | 'fancy_color' | 'is_fancy'
  reason: string
}

/** What is known of the stone besides its colors and clarity. */
interface ColoredStone {
  kind: GemProductType
  /** The color beside the name of a gemstone. */
  hue: string | undefined
  si3: Supplier['si3']
}

/** Color and clarity are read together, because only a fancy stone may lack a clarity. */
export function draftColor(
  cell: CellReader,
  { kind, hue, si3 }: ColoredStone,
  notes: Notes,
): (ColorFields & ClarityFields) | ColorFault {
  const isGemstone = kind === 'gemstone'
  const color = isGemstone ? gemstoneColor(cell, hue) : diamondColor(cell, notes)
  if ('reason' in color) return color
  const contradiction = isGemstone ? undefined : checkFancy(cell, color, notes)
  if (contradiction) return contradiction
  const clarity = readClarityFields(cell, si3, isGemstone || color.is_fancy, notes)
  if ('reason' in clarity) return clarity
  const others = otherGrades(createNotedReader(cell, notes), color.is_fancy, si3)
  const [color_max, worstColor] = rangeOf(COLORS, others.color ?? color.color_max, color.color)
  const [clarity_max, worstClarity] = rangeOf(
    CLARITIES,
    others.clarity ?? clarity.clarity_max,
    clarity.clarity,
  )
  // Only a parcel keeps a range; a single stone is sold as the worst grade of it.
  const isParcel = kind === 'melee'
  if (!isParcel && clarity_max !== worstClarity) notes.count('worst_clarities')
  return {
    color: worstColor,
    color_max: isParcel ? color_max : null,
    is_fancy: color.is_fancy,
    fancy_color_intensity: color.fancy_color_intensity,
    overtone: color.overtone,
    clarity: worstClarity,
    clarity_max: isParcel ? clarity_max : null,
  }
}

/**
 * A stone that the file calls fancy is not sold by a grade of white. The other way round the color
 * itself says more than a column that has the same word for most stones.
 */
function checkFancy(cell: CellReader, color: ColorFields, notes: Notes): ColorFault | undefined {
  const text = cell('is_fancy')
  if (text === '' || saysNothing(text)) return undefined
  const isFancy = readFlag(text)
  if (isFancy === color.is_fancy) return undefined
  if (isFancy) {
    return { column: 'is_fancy', reason: `A fancy color contradicts the color ${color.color}` }
  }
  notes.unreadable('is_fancy', text)
  return undefined
}

/** The other end of a range of grades, where it has columns of its own, as in `Color From`. */
function otherGrades(noted: NotedReader, isFancy: boolean, si3: Supplier['si3']) {
  const color = noted('color_max', readColor)
  const clarity = noted('clarity_max', readClarity)?.clarity
  return {
    color: color?.is_fancy === isFancy ? color.color : undefined,
    clarity: clarity === 'SI3' ? si3 : clarity,
  }
}

/** The best and the worst of two grades, whichever comes first; hues have no order. */
function rangeOf<Grade extends string>(
  scale: readonly Grade[],
  one: Grade | null | undefined,
  other: Grade | null,
): [best: Grade | null, worst: Grade | null] {
  if (one == null || other === null) return [one ?? other, other]
  return scale.indexOf(one) > scale.indexOf(other) ? [other, one] : [one, other]
}

function gemstoneColor(cell: CellReader, hue = ''): ColorFields | ColorFault {
  const text = cell('color')
  const color = isBlankWord(text) ? hue : text.toLowerCase().slice(0, WORDS_CHARS_MAX)
  if (color === '') return { column: 'color', reason: 'The color is missing' }
  return { ...NOT_FANCY, color }
}

const NOT_FANCY = {
  color: null,
  color_max: null,
  is_fancy: false,
  fancy_color_intensity: null,
  overtone: null,
}

const NO_HUE = /^(|N|NO|NONE|N\/?A|NA|-+|NULL|0|(NEAR[ -]?)?COLOU?RLESS|NOT FANCY)$/i
/** Grades that no fancy color has. `F` is left out: it also stands for "fancy" beside a hue. */
const CLEARLY_WHITE = /^[DEG-M]$/

function diamondColor(cell: CellReader, notes: Notes): ColorFields | ColorFault {
  const text = colorTextIn(cell)
  const reading = isWordForWhite(cell, text) ? undefined : readColor(text)
  const white = reading?.is_fancy === false ? reading : undefined
  const hueText = hueTextIn(cell)
  const intensityText = cell('fancy_color_intensity')
  const hasHue = !NO_HUE.test(hueText) && !isPlainWhite(hueText, intensityText, white)
  if (!hasHue && white) return whiteFields(white)
  if (!hasHue && !reading) return { column: 'color', reason: unknownColor(text) }
  const named = hasHue ? readColor(hueText) : undefined
  const described = named?.is_fancy ? named : undefined
  const fancy = reading?.is_fancy ? reading : undefined
  const hue = (hasHue ? readHue(hueText) : undefined) ?? described?.color ?? fancy?.color
  if (white && CLEARLY_WHITE.test(white.color)) {
    return whiteBesideHue(white, hueText, hue !== undefined && hue !== null, notes)
  }
  if (!hue) return unknownHue(hasHue ? 'fancy_color' : 'color', hasHue ? hueText : text)
  return {
    color: hue,
    color_max: null,
    is_fancy: true,
    fancy_color_intensity: intensityOf(intensityText, described, fancy, notes),
    overtone: readOvertone(cell('overtone')) ?? described?.overtone ?? fancy?.overtone ?? null,
  }
}

/** `White` is what lists call all colors from D on; of the rare fancy white more is said. */
function isWordForWhite(cell: CellReader, text: string): boolean {
  const reading = readColor(text)
  const isWhite = reading?.is_fancy === true && reading.color === 'WH'
  if (!isWhite || reading.fancy_color_intensity !== null || /fancy|fcy/i.test(text)) return false
  return NO_HUE.test(cell('fancy_color_intensity')) && readFlag(cell('is_fancy')) !== true
}

/** A treated stone may have its color in `Treated Color` alone; a yes or no is not a color. */
function colorTextIn(cell: CellReader): string {
  const treated = cell('color_enhanced')
  if (!NO_HUE.test(cell('color')) || readFlag(treated) !== undefined) return cell('color')
  return readColor(treated) === undefined ? cell('color') : treated
}

/** `Fancy` in the column of the color may be described whole in another one. */
function hueTextIn(cell: CellReader): string {
  const hue = cell('fancy_color')
  const description = cell('color_description')
  const isFancy = /FANCY|FCY/i.test(description) && readHue(description) !== undefined
  return isFancy && NO_HUE.test(hue) ? description : hue
}

type WhiteReading = Extract<ColorReading, { is_fancy: false }>
type FancyReading = Extract<ColorReading, { is_fancy: true }>

function whiteFields({ color, color_max }: WhiteReading): ColorFields {
  return { ...NOT_FANCY, color, color_max }
}

/** `White` beside a grade of the white scale is a word for it, not the rare fancy white. */
function isPlainWhite(hue: string, intensity: string, white: WhiteReading | undefined): boolean {
  return white !== undefined && /^WHITE$/i.test(hue) && NO_HUE.test(intensity)
}

/** A grade from D to M beside a fancy color: a contradiction, or a word to note. */
function whiteBesideHue(
  white: WhiteReading,
  hueText: string,
  isHue: boolean,
  notes: Notes,
): ColorFields | ColorFault {
  if (isHue) {
    return { column: 'fancy_color', reason: `The fancy color contradicts the color ${white.color}` }
  }
  notes.unreadable('fancy_color', hueText)
  return whiteFields(white)
}

function unknownColor(text: string): string {
  if (text === '') return 'The color is missing'
  const isGroup = /^(near[ -]?)?colou?rless$|^wh|white\+?$/i.test(text)
  return isGroup ? 'The color is a group of grades, not one' : 'The color is not a known grade'
}

function unknownHue(column: 'color' | 'fancy_color', text: string): ColorFault {
  if (/B$/i.test(text) && text.length <= 4) {
    return { column, reason: 'The hue of the fancy color may be blue, brown or black' }
  }
  if (/GY$/i.test(text) && text.length <= 6) {
    return { column, reason: 'The hue of the fancy color may be grey or greenish yellow' }
  }
  return { column, reason: 'The hue of the fancy color is not known' }
}

/** An intensity that is written but not understood is null, not taken from another column. */
function intensityOf(
  text: string,
  described: FancyReading | undefined,
  fancy: FancyReading | undefined,
  notes: Notes,
): string | null {
  if (!NO_HUE.test(text)) {
    const intensity = readIntensity(text)
    if (intensity === undefined) notes.unreadable('fancy_color_intensity', text)
    return intensity ?? null
  }
  return described?.fancy_color_intensity ?? fancy?.fancy_color_intensity ?? null
}

function readClarityFields(
  cell: CellReader,
  si3: Supplier['si3'],
  mayLack: boolean,
  notes: Notes,
): ClarityFields | ColorFault {
  const text = cell('clarity')
  const reading = readClarity(text)
  if (reading) {
    if (reading.clarity === 'SI3') notes.count('si3')
    const clarity = reading.clarity === 'SI3' ? si3 : reading.clarity
    return { clarity, clarity_max: reading.clarity_max }
  }
  if (mayLack && /^(|N|NONE|N\/?A|-|NG|NOT GRADED)$/i.test(text)) {
    return { clarity: null, clarity_max: null }
  }
  if (mayLack) notes.unreadable('clarity', text)
  if (mayLack) return { clarity: null, clarity_max: null }
  const reason = text === '' ? 'The clarity is missing' : 'The clarity is not a known grade'
  return { column: 'clarity', reason }
}
