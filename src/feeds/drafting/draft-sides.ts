import type { GemProductType } from '../../database/tables/gems.ts'
import type { Shape } from '../../reference/attributes.ts'
import type { FieldName } from '../mapping/fields.ts'
import {
  type Measurements,
  orderMeasurements,
  readMeasurements,
  readParcelSize,
  SIDE_MM_MAX,
} from '../values/measurements.ts'
import { type NumberStyle, readPositive, readProportion, roundTo } from '../values/numbers.ts'
import { isOtherSize } from '../values/parcel-words.ts'
import { usualDensityOf } from '../values/shape-codes.ts'
import { saysNothing } from '../values/spelling.ts'
import type { Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

/** The sides of a stone, and the columns about them that were not understood. */
export interface Sides extends Measurements {
  /** One column has two numbers, of which the second may be the depth instead of the width. */
  isTwoNumbers: boolean
  unread: FieldName[] | undefined
}

/** Reads the sides from their own columns or from one that holds all; the longer side first. */
export function createSidesReader(cell: CellReader, style: NumberStyle) {
  let unread: FieldName[] | undefined
  // The row may still be rejected, so what is not understood is noted later.
  const read = <T>(field: FieldName, readText: ReadText<T>) => {
    const text = cell(field)
    if (text === '') return undefined
    const value = readText(text, style)
    if (value === undefined && !saysNothing(text)) unread = [...(unread ?? []), field]
    return value
  }
  return (): Sides => {
    unread = undefined
    const length = read('length', readSide)
    const width = read('width', readSide)
    const depth = read('depth', readSide)
    // One column of sizes may have the sides of some stones and the sieves of others.
    const written =
      read('measurements', readMeasurements) ?? readMeasurements(cell('parcel_size'), style)
    const percent = read('depth_percentage', readProportion)
    const hasSides = length !== undefined && width !== undefined
    const sides = hasSides ? orderMeasurements(length, width, depth) : written
    const merged: Sides = {
      length: sides?.length ?? length,
      width: sides?.width ?? width,
      depth: sides?.depth ?? depth ?? written?.depth,
      depth_percentage: percent ?? sides?.depth_percentage,
      isTwoNumbers: !hasSides && hasTwoNumbers(written) && depth === undefined,
      unread,
    }
    swapDepthAndWidth(merged)
    dropImpossibleOrder(merged, hasSides ? 'depth' : 'measurements')
    checkPercentage(merged)
    return merged
  }
}

/** Beyond this factor, a percentage and the sides are not those of one stone. */
const SAME_DEPTH_MAX = 5

/** Computes the depth in percent where the file has none; drops one that the sides contradict. */
function checkPercentage(sides: Sides): void {
  // A percentage that is written but not understood is not computed either.
  if (isUnread(sides, 'depth_percentage')) return
  const computed = depthOfWidth(sides)
  const percent = sides.depth_percentage ?? computed
  if (percent === undefined) return
  const isSame =
    computed === undefined || Math.max(percent / computed, computed / percent) < SAME_DEPTH_MAX
  sides.depth_percentage = isSame ? roundTo(percent, 2) : undefined
  if (!isSame) sides.unread = [...(sides.unread ?? []), 'depth_percentage']
}

type ReadText<T> = (text: string, style: NumberStyle) => T | undefined

function isUnread({ unread }: Sides, field: FieldName): boolean {
  return unread?.includes(field) === true
}

function hasTwoNumbers(written: Measurements | undefined): boolean {
  return (
    written !== undefined && written.depth === undefined && written.depth_percentage === undefined
  )
}

/** Points of percent within which a depth is the one that two numbers give. */
const SAME_PERCENT_MAX = 0.8
/**
 * Decides whether `6.43 x 3.97` has the diameter and the depth, which the depth in percent tells.
 * The length and width of a pear often have the same proportion, so that of other shapes than round
 * the weight has to tell it, too.
 */
export function decideSecondSide(sides: Sides, weightCarats: number, shape?: Shape): void {
  const { length, width, depth_percentage: percent } = sides
  if (!sides.isTwoNumbers || length === undefined || width === undefined) return
  if (percent === undefined) return
  if (Math.abs((width / length) * 100 - percent) > SAME_PERCENT_MAX) return
  const usual = usualDensityOf(shape)
  const distance = (volume: number) => Math.abs(Math.log(weightCarats / volume / usual))
  const asDepth = distance(length * length * width)
  const asWidth = distance((length * width * width * percent) / 100)
  if (shape !== 'round' && asWidth <= asDepth) return
  sides.width = length
  sides.depth = width
}

/** The depth of a stone is less than this share of its width. */
const DEPTH_SHARE_MAX = 0.8

/** Returns whether nothing tells if the second of two numbers is the width or the depth. */
export function isSecondUnsure(sides: Sides): boolean {
  const { isTwoNumbers, length = 0, width = 0, depth, depth_percentage } = sides
  const isUndecided = isTwoNumbers && depth === undefined && depth_percentage === undefined
  return isUndecided && width < length * DEPTH_SHARE_MAX
}

/** Two sides that differ more are not those of a round stone. */
const ROUND_RATIO_MAX = 1.1

/** Drops the two numbers of a round stone that are not its sides; what they are is not known. */
export function dropOtherSides(sides: Sides): void {
  const { isTwoNumbers, length = 0, width = 0 } = sides
  if (!isTwoNumbers || length <= width * ROUND_RATIO_MAX) return
  sides.length = undefined
  sides.width = undefined
  sides.unread = [...(sides.unread ?? []), 'measurements']
}

/** Notes the columns of sides that were not understood; a parcel may name one side only. */
export function noteSides(
  { unread }: Sides,
  kind: GemProductType,
  cell: CellReader,
  style: NumberStyle,
  notes: Notes,
): void {
  if (unread === undefined) return
  for (const field of unread) {
    const text = cell(field)
    const isSize =
      kind === 'melee' &&
      field === 'measurements' &&
      (readParcelSize(text, style) !== undefined || isOtherSize(text, style))
    if (!isSize) notes.unreadable(field, text)
  }
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

/** Of a stone that would be deeper than long it is not known which side is which. */
function dropImpossibleOrder(sides: Sides, field: FieldName): void {
  const { length, depth } = sides
  if (length === undefined || depth === undefined) return
  if (depth <= length * DEEPER_THAN_WIDE) return
  sides.length = undefined
  sides.width = undefined
  sides.depth = undefined
  sides.unread = [...(sides.unread ?? []), field]
}

function readSide(text: string, style: NumberStyle): number | undefined {
  const value = readPositive(text, style)
  return value === undefined || value > SIDE_MM_MAX ? undefined : roundTo(value, 3)
}

/** Computes the depth percentage from millimetres when the feed does not give it. */
function depthOfWidth({ width, depth }: Measurements): number | undefined {
  if (width === undefined || depth === undefined) return undefined
  const percent = (depth / width) * 100
  return percent <= 100 ? roundTo(percent, 1) : undefined
}
