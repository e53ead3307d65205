import type { FieldName } from '../mapping/fields.ts'
import {
  type GirdleReading,
  girdleBetween,
  readCulet,
  readCutGrade,
  readFinish,
  readFluorescence,
  readGirdle,
} from '../values/grades.ts'
import {
  type Measurements,
  orderMeasurements,
  readMeasurements,
  readTolerance,
  readTolerances,
  type Tolerance,
} from '../values/measurements.ts'
import { type NumberStyle, readPercentage, readPositive, roundTo } from '../values/numbers.ts'
import { readEyeClean } from '../values/words.ts'
import type { Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

const SIDE_MM_MAX = 100

/** Reads the sides from their own columns or from one that holds all; the longer side first. */
export function draftMeasurements(cell: CellReader, style: NumberStyle): Measurements {
  const length = sideOf(cell('length'), style)
  const width = sideOf(cell('width'), style)
  const depth = sideOf(cell('depth'), style)
  const text = cell('measurements')
  const written = text === '' ? undefined : readMeasurements(text, style)
  const hasSides = length !== undefined && width !== undefined
  const sides = hasSides ? orderMeasurements(length, width, depth) : written
  const merged: Measurements = {
    length: sides?.length ?? length,
    width: sides?.width ?? width,
    depth: sides?.depth ?? depth ?? written?.depth,
    depth_percentage: undefined,
  }
  swapDepthAndWidth(merged)
  const given = cell('depth_percentage')
  const percent =
    (given === '' ? undefined : readPercentage(given, style)) ??
    sides?.depth_percentage ??
    derivedPercentage(merged)
  merged.depth_percentage = percent === undefined ? undefined : roundTo(percent, 2)
  return merged
}

/** No stone is this much deeper than it is wide: the depth was written before the width. */
const DEEPER_THAN_WIDE = 1.15

function swapDepthAndWidth(sides: Measurements): void {
  const { length, width, depth } = sides
  if (length === undefined || width === undefined || depth === undefined) return
  if (depth < width * DEEPER_THAN_WIDE || depth > length * DEEPER_THAN_WIDE) return
  sides.length = Math.max(length, depth)
  sides.width = Math.min(length, depth)
  sides.depth = width
}

function sideOf(text: string, style: NumberStyle): number | undefined {
  const value = text === '' ? undefined : readPositive(text, style)
  return value === undefined || value > SIDE_MM_MAX ? undefined : roundTo(value, 3)
}

/** Computes the depth percentage from millimetres when the feed does not give it. */
function derivedPercentage({ width, depth }: Measurements): number | undefined {
  if (width === undefined || depth === undefined) return undefined
  const percent = (depth / width) * 100
  return percent <= 100 ? roundTo(percent, 1) : undefined
}

/** Reads proportions and grades. An unreadable one is noted, but does not reject the stone. */
export function createMakeReader(cell: CellReader, style: NumberStyle, notes: Notes) {
  const graded = <T>(field: FieldName, read: (text: string) => T | undefined): T | null => {
    const text = cell(field)
    if (text === '') return null
    const value = read(text)
    if (value === undefined && !NO_GRADE.test(text)) notes.unreadable(field, text)
    return value ?? null
  }
  const upTo = (field: FieldName, max: number) => {
    const text = cell(field)
    const value = text === '' ? undefined : readPositive(text, style)
    return value === undefined || value > max ? null : roundTo(value, 2)
  }
  return () => {
    const table = readPercentage(cell('table_percentage'), style)
    const girdle = girdleOf(cell, notes)
    return {
      table_percentage: table === undefined ? null : roundTo(table, 2),
      crown_angle: upTo('crown_angle', 90),
      pavilion_angle: upTo('pavilion_angle', 90),
      pavilion_depth: upTo('pavilion_depth', 100),
      culet_size: graded('culet_size', readCulet),
      girdle_min: girdle.girdle_min,
      girdle_max: girdle.girdle_max,
      cut_grade: graded('cut_grade', readCutGrade),
      polish_grade: graded('polish_grade', readFinish),
      symmetry_grade: graded('symmetry_grade', readFinish),
      fluorescence: graded('fluorescence', readFluorescence),
      eye_clean: graded('eye_clean', readEyeClean),
    }
  }
}

const NO_GRADE = /^(-+|N\/?A|NA|N|NONE|NULL|0|NG|NOT GRADED|NOT SPECIFIED|\.)$/i

/**
 * Reads the girdle from a column for each end, or from one for both. An end that is written but
 * not understood is null and noted, even where another column seems to know it.
 */
function girdleOf(cell: CellReader, notes: Notes): GirdleReading {
  const whole = girdleIn(cell('girdle'), 'girdle', notes)
  const thin = girdleIn(cell('girdle_min'), 'girdle_min', notes)
  const thick = girdleIn(cell('girdle_max'), 'girdle_max', notes)
  if (thin === undefined && thick === undefined) return whole ?? NO_GIRDLE
  // A column for one end may hold a range of both.
  const low = thin ?? (isRange(thick) ? thick : whole)
  const high = thick ?? (isRange(thin) ? thin : whole)
  return girdleBetween(low?.girdle_min ?? null, high?.girdle_max ?? null)
}

const NO_GIRDLE: GirdleReading = { girdle_min: null, girdle_max: null }

function isRange(reading: GirdleReading | undefined): boolean {
  return reading !== undefined && reading.girdle_min !== reading.girdle_max
}

/** Undefined for an empty cell; what is not understood is noted. */
function girdleIn(text: string, field: FieldName, notes: Notes): GirdleReading | undefined {
  if (text === '' || NO_GRADE.test(text)) return undefined
  const reading = readGirdle(text)
  if (reading === undefined || reading.girdle_min === null || reading.girdle_max === null) {
    notes.unreadable(field, text)
  }
  return reading ?? NO_GIRDLE
}

export const NO_TOLERANCE: Tolerance = { tolerance_positive: null, tolerance_negative: null }

/** How much the stones of a parcel may differ from its size: two columns, or one for both. */
export function draftTolerance(cell: CellReader, style: NumberStyle): Tolerance {
  const both = cell('tolerance')
  const { tolerance_positive, tolerance_negative } =
    (both === '' ? undefined : readTolerances(both, style)) ?? NO_TOLERANCE
  return {
    tolerance_positive: readTolerance(cell('tolerance_positive'), style) ?? tolerance_positive,
    tolerance_negative: readTolerance(cell('tolerance_negative'), style) ?? tolerance_negative,
  }
}
