import { type RawRow, textAt } from '../reading/raw-row.ts'
import { readMeasurements } from '../values/measurements.ts'
import { readPercentage, readPositive } from '../values/numbers.ts'
import type { FeedMapping } from './mapping.ts'

/** Fewer rows could agree by chance. */
const ROWS_MIN = 3
const ROWS_MAX = 200
const SHARE_MIN = 0.8
/** Points of percent within which a depth is the one that the sides give, and beyond which not. */
const SAME_MAX = 0.8
const OTHER_MIN = 1.5

/**
 * Depth and table are both about sixty percent, so swapped names are not seen in their values. The
 * sides prove it: the depth in percent is the depth divided by the width.
 */
export function decideDepthAndTable(mapping: FeedMapping, sample: readonly RawRow[]): void {
  const { depth_percentage: depthAt, table_percentage: tableAt } = mapping.at
  if (depthAt === undefined || tableAt === undefined) return
  if (mapping.decisions.has(depthAt) || mapping.decisions.has(tableAt)) return
  let telling = 0
  let swapped = 0
  for (const { cells } of sample.slice(0, ROWS_MAX)) {
    const derived = derivedDepth(mapping, cells)
    const percentAt = (at: number) => readPercentage(textAt(cells, at), mapping.style)
    const [depth, table] = [percentAt(depthAt), percentAt(tableAt)]
    if (derived === undefined || depth === undefined || table === undefined) continue
    if (Math.abs(depth - table) < OTHER_MIN) continue
    telling++
    if (Math.abs(table - derived) <= SAME_MAX && Math.abs(depth - derived) >= OTHER_MIN) swapped++
  }
  if (swapped < ROWS_MIN || swapped < telling * SHARE_MIN) return
  const reason = `the names are swapped: the sides give this depth in ${swapped} of ${telling} rows`
  const { column: depthName } = mapping.columns[depthAt]
  const { column: tableName } = mapping.columns[tableAt]
  const confidence = 1
  mapping.columns[depthAt] = { column: depthName, field: 'table_percentage', confidence, reason }
  mapping.columns[tableAt] = { column: tableName, field: 'depth_percentage', confidence, reason }
  mapping.at.depth_percentage = tableAt
  mapping.at.table_percentage = depthAt
}

function derivedDepth({ at, style }: FeedMapping, cells: readonly string[]): number | undefined {
  const written = readMeasurements(textAt(cells, at.measurements), style)
  const width = readPositive(textAt(cells, at.width), style) ?? written?.width
  const length = readPositive(textAt(cells, at.length), style) ?? written?.length
  const depth = readPositive(textAt(cells, at.depth), style) ?? written?.depth
  if (width === undefined || length === undefined || depth === undefined) return undefined
  return (depth / Math.min(width, length)) * 100
}
