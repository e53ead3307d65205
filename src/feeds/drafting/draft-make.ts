import type { FieldName } from '../mapping/fields.ts'
import {
  type GirdleReading,
  readCulet,
  readCutGrade,
  readFinish,
  readFluorescence,
  readGirdle,
  readGirdleEnd,
} from '../values/grades.ts'
import { type Measurements, orderMeasurements, readMeasurements } from '../values/measurements.ts'
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
  const given = cell('depth_percentage')
  const percent =
    (given === '' ? undefined : readPercentage(given, style)) ??
    sides?.depth_percentage ??
    derivedPercentage(merged)
  merged.depth_percentage = percent === undefined ? undefined : roundTo(percent, 2)
  return merged
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
    const girdle = girdleOf(cell, graded)
    return {
      table_percentage: table === undefined ? null : roundTo(table, 2),
      crown_angle: upTo('crown_angle', 90),
      pavilion_angle: upTo('pavilion_angle', 90),
      pavilion_depth: upTo('pavilion_depth', 100),
      culet_size: graded('culet_size', readCulet),
      girdle_min: girdle === null ? null : girdle.girdle_min,
      girdle_max: girdle === null ? null : girdle.girdle_max,
      cut_grade: graded('cut_grade', readCutGrade),
      polish_grade: graded('polish_grade', readFinish),
      symmetry_grade: graded('symmetry_grade', readFinish),
      fluorescence: graded('fluorescence', readFluorescence),
      eye_clean: graded('eye_clean', readEyeClean),
    }
  }
}

const NO_GRADE = /^(-+|N\/?A|NA|N|NONE|NULL|0|NG|NOT GRADED|NOT SPECIFIED|\.)$/i

function girdleOf(
  cell: CellReader,
  graded: <T>(field: FieldName, read: (text: string) => T | undefined) => T | null,
): GirdleReading | null {
  const thin = graded('girdle_min', readGirdleEnd)
  const thick = graded('girdle_max', readGirdleEnd)
  if (thin !== null && thick !== null) {
    const ends = readGirdle(`${thin} - ${thick}`)
    if (ends) return ends
  }
  const whole = cell('girdle') === '' ? null : graded('girdle', readGirdle)
  // Some feeds have one end in its own column and the other in `Girdle`.
  const low = thin ?? whole?.girdle_min ?? thick
  const high = thick ?? whole?.girdle_max ?? thin
  return low === null || high === null ? whole : (readGirdle(`${low} - ${high}`) ?? whole)
}
