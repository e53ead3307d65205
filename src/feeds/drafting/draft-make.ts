import type { FieldName } from '../mapping/fields.ts'
import {
  type GirdleReading,
  girdleBetween,
  readCulet,
  readCutGrade,
  readEyeClean,
  readFinish,
  readFluorescence,
  readGirdle,
} from '../values/grades.ts'
import { readTolerance, readTolerances, type Tolerance } from '../values/measurements.ts'
import { type NumberStyle, readPositive, readProportion, roundTo } from '../values/numbers.ts'
import type { NotedReader, Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

/** Reads proportions and grades. An unreadable one is noted, but does not reject the stone. */
export function createMakeReader(
  cell: CellReader,
  noted: NotedReader,
  style: NumberStyle,
  notes: Notes,
) {
  const graded = <T>(field: FieldName, read: (text: string) => T | undefined): T | null => {
    const text = cell(field)
    if (text === '') return null
    const value = read(text)
    if (value === undefined && !NO_GRADE.test(text)) notes.unreadable(field, text)
    return value ?? null
  }
  const readAngle = (text: string) => {
    const angle = readPositive(text, style)
    return angle === undefined || angle > ANGLE_MAX ? undefined : roundTo(angle, 2)
  }
  const readPercent = (text: string) => {
    const percent = readProportion(text, style)
    return percent === undefined ? undefined : roundTo(percent, 2)
  }
  return () => {
    const girdle = girdleOf(cell, notes)
    return {
      table_percentage: noted('table_percentage', readPercent) ?? null,
      crown_angle: noted('crown_angle', readAngle) ?? null,
      pavilion_angle: noted('pavilion_angle', readAngle) ?? null,
      pavilion_depth: noted('pavilion_depth', readPercent) ?? null,
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

const ANGLE_MAX = 90

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
export function draftTolerance(noted: NotedReader, style: NumberStyle): Tolerance {
  const readOne = (text: string) => readTolerance(text, style)
  const both = noted('tolerance', (text) => readTolerances(text, style)) ?? NO_TOLERANCE
  return {
    tolerance_positive: noted('tolerance_positive', readOne) ?? both.tolerance_positive,
    tolerance_negative: noted('tolerance_negative', readOne) ?? both.tolerance_negative,
  }
}
