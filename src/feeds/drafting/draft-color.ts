import type { GemProductType } from '../../database/tables/gems.ts'
import type { Clarity } from '../../reference/attributes.ts'
import { readColor, readHue, readIntensity, readOvertone } from '../values/color.ts'
import { readClarity } from '../values/grades.ts'
import type { Notes } from './notes.ts'
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
  column: 'color' | 'clarity' | 'fancy_color'
  reason: string
}

/** Color and clarity are read together, because only a fancy stone may lack a clarity. */
export function draftColor(
  cell: CellReader,
  kind: GemProductType,
  si3: 'SI2' | 'I1',
  notes: Notes,
): (ColorFields & ClarityFields) | ColorFault {
  const isGemstone = kind === 'gemstone'
  const color = isGemstone ? gemstoneColor(cell) : diamondColor(cell)
  if ('reason' in color) return color
  const clarity = readClarityFields(cell, si3, isGemstone || color.is_fancy, notes)
  if ('reason' in clarity) return clarity
  // Only a parcel keeps a range; a single stone is sold as the worst grade of it.
  const isParcel = kind === 'melee'
  return {
    color: color.color,
    color_max: isParcel ? (color.color_max ?? color.color) : null,
    is_fancy: color.is_fancy,
    fancy_color_intensity: color.fancy_color_intensity,
    overtone: color.overtone,
    clarity: clarity.clarity,
    clarity_max: isParcel ? (clarity.clarity_max ?? clarity.clarity) : null,
  }
}

function gemstoneColor(cell: CellReader): ColorFields | ColorFault {
  const color = cell('color').toLowerCase().slice(0, 60)
  if (color === '') return { column: 'color', reason: 'The color is missing' }
  return { ...WHITE, color }
}

const WHITE = {
  color: null,
  color_max: null,
  is_fancy: false,
  fancy_color_intensity: null,
  overtone: null,
}

const NO_HUE = /^(|N|NO|NONE|N\/?A|NA|-+|NULL|0)$/i

function diamondColor(cell: CellReader): ColorFields | ColorFault {
  const text = cell('color')
  const hueText = cell('fancy_color')
  const hasHue = !NO_HUE.test(hueText)
  const reading = readColor(text)
  if (!hasHue && reading && !reading.is_fancy) {
    return {
      color: reading.color,
      color_max: reading.color_max,
      is_fancy: false,
      fancy_color_intensity: null,
      overtone: null,
    }
  }
  if (!hasHue && !reading) {
    const reason = text === '' ? 'The color is missing' : 'The color is not a known grade'
    return { column: 'color', reason }
  }
  const named = hasHue ? readColor(hueText) : undefined
  const fancy = reading?.is_fancy ? reading : undefined
  const described = named?.is_fancy ? named : undefined
  const hue = (hasHue ? readHue(hueText) : undefined) ?? described?.color ?? fancy?.color
  if (!hue) {
    const column = hasHue ? 'fancy_color' : 'color'
    return { column, reason: 'The hue of the fancy color is not known' }
  }
  return {
    color: hue,
    color_max: null,
    is_fancy: true,
    fancy_color_intensity:
      readIntensity(cell('fancy_color_intensity')) ??
      described?.fancy_color_intensity ??
      fancy?.fancy_color_intensity ??
      null,
    overtone: readOvertone(cell('overtone')) ?? described?.overtone ?? fancy?.overtone ?? null,
  }
}

function readClarityFields(
  cell: CellReader,
  si3: 'SI2' | 'I1',
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
