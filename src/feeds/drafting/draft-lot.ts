import { DECIDED, type FeedMapping } from '../mapping/mapping.ts'
import type { RawRow } from '../reading/raw-row.ts'
import type { Measurements } from '../values/measurements.ts'
import { type NumberStyle, readCount, readPositive, roundTo } from '../values/numbers.ts'
import { readShape } from '../values/shape.ts'
import { usualDensityOf } from '../values/shape-codes.ts'
import { readFlag } from '../values/words.ts'
import type { CertificateFields } from './draft-certificate.ts'
import type { CellReader } from './row-reader.ts'

/** What a row sells: one stone, a pair that is sold together, or a parcel. */
export interface Lot {
  kind: 'stone' | 'pair' | 'parcel'
  totalWeight: number
  stones: number
  /** Of one stone. */
  weight: number
}

interface LotFault {
  column: 'weight' | 'parcel_stones' | 'cert_num'
  reason: string
}

const WEIGHT_CARATS_MAX = 1_000
const PARCEL_STONES_MAX = 1_000_000
/** Stones of this weight and more are sold one by one, and not as melee. */
const SINGLE_CARATS_MIN = 0.25

/** What a lot is decided by besides its weight. */
interface LotEvidence {
  row: RawRow
  mapping: FeedMapping
  measures: Measurements
  certificate: CertificateFields
}

export function draftLot(cell: CellReader, evidence: LotEvidence): Lot | LotFault {
  const total = readWeight(cell, evidence.mapping.style)
  if (typeof total !== 'number') return total
  const stones = Math.max(1, readCount(cell('parcel_stones')) ?? 1)
  if (stones > PARCEL_STONES_MAX) {
    return { column: 'parcel_stones', reason: 'The number of stones is too large' }
  }
  if (stones === 1 && evidence.certificate.cert_num_2 === null) return lotOf('stone', total, 1)
  return decideLot(cell, evidence, total, stones)
}

/**
 * The number of stones is often wrong. A certificate, or sides that fit the whole weight, make it
 * one stone; two certificates, or two stones that are called a pair and have none, make a pair.
 * What could be either is rejected.
 */
function decideLot(
  cell: CellReader,
  { row, mapping, measures, certificate }: LotEvidence,
  total: number,
  stones: number,
): Lot | LotFault {
  const fit = fitOf(measures, total, Math.max(2, stones), cell('shape'))
  if (fit === 'whole') return lotOf('stone', total, 1)
  const hasMark = stones <= 2 && isMarkedPair(cell, row, mapping)
  if (certificate.cert_num !== null && certificate.cert_num_2 !== null) {
    if (stones > 2)
      return { column: 'parcel_stones', reason: 'Two certificates for several stones' }
    if (stones === 2 || hasMark || fit === 'part') return lotOf('pair', total, 2)
    return { column: 'cert_num', reason: 'Two certificates: one stone or a pair is not said' }
  }
  const isUncertified = certificate.cert_num === null
  if (stones === 2 && hasMark && isUncertified) return lotOf('pair', total, 2)
  if (stones === 2 && (hasMark || fit === 'part') && !isSmall(total)) {
    return { column: 'cert_num', reason: 'A pair needs the certificates of both stones, or none' }
  }
  if (certificate.cert_num !== null) return lotOf('stone', total, 1)
  if (stones === 2 && !isSmall(total)) {
    return { column: 'parcel_stones', reason: 'Two stones: a pair or a parcel is not said' }
  }
  const lot = lotOf('parcel', total, stones)
  if (lot.weight > 0) return lot
  return { column: 'weight', reason: 'The weight is too small for the number of stones' }
}

function lotOf(kind: Lot['kind'], totalWeight: number, stones: number): Lot {
  return { kind, totalWeight, stones, weight: roundTo(totalWeight / stones, 4) }
}

function isSmall(totalWeight: number): boolean {
  return totalWeight / 2 < SINGLE_CARATS_MIN
}

function readWeight(cell: CellReader, style: NumberStyle): number | LotFault {
  const weight = readPositive(cell('weight'), style)
  if (weight === undefined) {
    const isMissing = cell('weight') === ''
    const reason = isMissing ? 'The weight is missing' : 'The weight is not a number above zero'
    return { column: 'weight', reason }
  }
  if (weight > WEIGHT_CARATS_MAX) return { column: 'weight', reason: 'The weight is impossible' }
  if (roundTo(weight, 4) <= 0) return { column: 'weight', reason: 'The weight is too small' }
  return weight
}

/** Carats per cubic millimetre that a single stone can have with any cut. */
const DENSITY_MIN = 0.0042
const DENSITY_MAX = 0.0128

/** Returns whether the sides are those of a stone of the whole weight, or of one of several. */
function fitOf(
  { length, width, depth }: Measurements,
  total: number,
  stones: number,
  shapeText: string,
): 'whole' | 'part' | undefined {
  if (length === undefined || width === undefined || depth === undefined) return undefined
  const density = total / (length * width * depth)
  const usual = usualDensityOf(readShape(shapeText)?.shape)
  const isWhole = Math.abs(Math.log(density / usual)) < Math.abs(Math.log(density / stones / usual))
  const fitting = isWhole ? density : density / stones
  if (fitting < DENSITY_MIN || fitting > DENSITY_MAX) return undefined
  return isWhole ? 'whole' : 'part'
}

const PAIR = /(?<![A-Z])(MATCHED |MATCHING )?PAIRS?(?![A-Z])/i

/** Returns whether a column says that the row is a pair. Asked for two stones only. */
function isMarkedPair(cell: CellReader, { cells }: RawRow, { columns }: FeedMapping): boolean {
  if (readFlag(cell('is_pair')) === true) return true
  if (PAIR.test(cell('is_pair')) || PAIR.test(cell('shape'))) return true
  if (PAIR.test(cell('vendor_sku'))) return true
  return columns.some(
    ({ field, reason }, at) =>
      field === null && reason !== DECIDED.ignored && PAIR.test(cells[at] ?? ''),
  )
}
