import type { FieldName } from '../mapping/fields.ts'
import { type FeedMapping, isIgnored } from '../mapping/mapping.ts'
import { type RawRow, textAt } from '../reading/raw-row.ts'
import { type Measurements, readParcelSize, roundWeightOf } from '../values/measurements.ts'
import { type NumberStyle, readCount, roundTo } from '../values/numbers.ts'
import {
  caratsOfSize,
  isOtherSize,
  readCarats,
  readCaratsEach,
  saysParcel,
  weightOfStones,
} from '../values/parcel-words.ts'
import { readShape } from '../values/shape.ts'
import { usualDensityOf } from '../values/shape-codes.ts'
import { readFlag } from '../values/spelling.ts'
import type { CertificateFields } from './draft-certificate.ts'
import type { CellReader } from './row-reader.ts'

/** What a row sells: one stone, a pair that is sold together, or a parcel. */
export interface Lot {
  kind: 'stone' | 'pair' | 'parcel'
  totalWeight: number
  stones: number
  /** Of one stone. */
  weight: number
  /** The number of stones is computed from the weight or size of one. */
  isEstimate: boolean
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
  if (stones > PARCEL_STONES_MAX) return TOO_MANY
  if (stones === 1 && isUncountedParcel(cell, evidence, total)) {
    return estimateStones(cell, evidence, total)
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
    if (stones > 2) {
      return { column: 'parcel_stones', reason: 'Two certificates for several stones' }
    }
    if (stones === 2 || hasMark || fit === 'part') return lotOf('pair', total, 2)
    return { column: 'cert_num', reason: 'Two certificates: one stone or a pair is not said' }
  }
  const isUncertified = certificate.cert_num === null
  if (stones === 2 && hasMark && isUncertified) return lotOf('pair', total, 2)
  const isOneOfPair = fit === undefined && namesOther(cell)
  if (stones === 2 && (hasMark || fit === 'part') && !isSmall(total) && !isOneOfPair) {
    return { column: 'cert_num', reason: 'A pair needs the certificates of both stones, or none' }
  }
  if (certificate.cert_num !== null) return lotOf('stone', total, 1)
  if (stones === 2 && !isSmall(total)) {
    return { column: 'parcel_stones', reason: 'Two stones: a pair or a parcel is not said' }
  }
  if (isOfEach(cell, mapping.style, total, stones)) return lotOf('parcel', total * stones, stones)
  const lot = lotOf('parcel', total, stones)
  if (lot.weight >= EACH_CARATS_MIN) return lot
  return { column: 'weight', reason: 'The weight is too small for the number of stones' }
}

/** Half a millimetre wide: no smaller stones are sold. */
const EACH_CARATS_MIN = 0.0004
/** Of fewer stones, the weight of one is not far enough from that of all. */
const STONES_OF_EACH_MIN = 8
const SAME_WEIGHT_FACTOR_MAX = 2

/** Returns whether the weight is that of each stone, as a size of round stones tells. */
function isOfEach(cell: CellReader, style: NumberStyle, total: number, stones: number): boolean {
  if (stones < STONES_OF_EACH_MIN || readShape(cell('shape'))?.shape !== 'round') return false
  const size = parcelSizeIn(cell, style)
  if (size === undefined) return false
  return Math.abs(Math.log(total / roundWeightOf(size))) < Math.log(SAME_WEIGHT_FACTOR_MAX)
}

/** Returns whether another stone is named as the other one of a pair. */
function namesOther(cell: CellReader): boolean {
  return /\d/.test(cell('pair_vendor_sku')) && cell('pair_vendor_sku') !== cell('vendor_sku')
}

function lotOf(kind: Lot['kind'], totalWeight: number, stones: number, isEstimate = false): Lot {
  return { kind, totalWeight, stones, weight: roundTo(totalWeight / stones, 4), isEstimate }
}

const TOO_MANY: LotFault = {
  column: 'parcel_stones',
  reason: 'The number of stones is too large',
}

/**
 * Returns whether a column calls the row a parcel, although the number of stones is missing, or is
 * one for several carats. A certificate, or sides that fit the whole weight, make it one stone.
 */
function isUncountedParcel(
  cell: CellReader,
  { row: { cells }, mapping: { columns, style }, measures, certificate }: LotEvidence,
  total: number,
): boolean {
  if (certificate.cert_num !== null) return false
  if (cell('parcel_stones') !== '' && total < SINGLE_CARATS_MIN) return false
  const isCalled = columns.some((mapped, at) => {
    if (!KIND_FIELDS.has(mapped.field) || isIgnored(mapped)) return false
    return saysParcel(mapped.column, textAt(cells, at))
  })
  const isOfMany = isFarTooHeavy(cell, style, total) || isHeavierThanEach(cell, style, total)
  if (!isCalled && !isOfMany) return false
  return fitOf(measures, total, STONES_OF_PARCEL, cell('shape')) !== 'whole'
}

/** One stone cannot be so many times heavier than its size tells, whatever its cut. */
const HEAVIER_MIN = 20

/** Returns whether the row names the size of stones that are far smaller: `0.9 mm` for 3 carats. */
function isFarTooHeavy(cell: CellReader, style: NumberStyle, total: number): boolean {
  if (total < SINGLE_CARATS_MIN || cell('parcel_stones') !== '') return false
  const size = parcelSizeIn(cell, style)
  return size !== undefined && total >= roundWeightOf(size) * HEAVIER_MIN
}

/** A single stone is not so many times heavier than the size that its list puts it in. */
const HEAVIER_THAN_EACH_MIN = 1.8

/** Returns whether the row names the weight or the sieve of one stone, and the whole is heavier. */
function isHeavierThanEach(cell: CellReader, style: NumberStyle, total: number): boolean {
  const text = cell('average_weight')
  if (text === '' || cell('parcel_stones') !== '') return false
  const each = readCaratsEach(text, style)
  return each === undefined ? isOtherSize(text, style) : total >= each * HEAVIER_THAN_EACH_MIN
}

/** Columns that may say what a row sells. */
const KIND_FIELDS: ReadonlySet<FieldName | null> = new Set<FieldName | null>([
  null,
  'shape',
  'type',
  'grow_method',
  'species',
  'is_pair',
])

/** More than any single stone is mistaken for; only tells sides of one from those of many. */
const STONES_OF_PARCEL = 100

/** Computes how many stones a parcel has from the weight of one, or the size of a round one. */
function estimateStones(
  cell: CellReader,
  { mapping: { style }, measures }: LotEvidence,
  total: number,
): Lot | LotFault {
  const each =
    readCaratsEach(cell('average_weight'), style) ??
    caratsOfSize(cell('parcel_size'), style) ??
    caratsOfSize(cell('measurements'), style) ??
    roundWeightIn(cell, style, measures)
  const stones = each === undefined ? 0 : Math.round(total / each)
  if (stones > PARCEL_STONES_MAX) return TOO_MANY
  if (stones > 1) return lotOf('parcel', total, stones, true)
  return { column: 'parcel_stones', reason: 'The number of stones of the parcel is missing' }
}

/** Returns the weight of a round stone of the size that the row names. */
function roundWeightIn(
  cell: CellReader,
  style: NumberStyle,
  { length, width = length }: Measurements,
): number | undefined {
  if (readShape(cell('shape'))?.shape !== 'round') return undefined
  const sides = length === undefined || width === undefined ? undefined : (length + width) / 2
  const size = sides ?? parcelSizeIn(cell, style)
  return size === undefined ? undefined : roundWeightOf(size)
}

/** Returns the one number that names the size of the stones of a parcel. */
export function parcelSizeIn(cell: CellReader, style: NumberStyle): number | undefined {
  return readParcelSize(cell('parcel_size'), style) ?? readParcelSize(cell('measurements'), style)
}

/** What a rounded average may differ by: more is another weight or another number of stones. */
const AVERAGE_FACTOR_MAX = 1.25

/** Returns whether the average weight contradicts the weight and the number of stones. */
export function contradictsAverage(
  cell: CellReader,
  style: NumberStyle,
  { weight, isEstimate }: Lot,
): boolean {
  const text = cell('average_weight')
  const each = isEstimate ? undefined : readCaratsEach(text, style)
  if (each === undefined) return false
  const decimals = /[.,](\d+)/.exec(text)?.[1].length ?? 2
  const isRounded = Math.abs(each - weight) <= 0.5 / 10 ** decimals
  return !isRounded && Math.abs(Math.log(each / weight)) > Math.log(AVERAGE_FACTOR_MAX)
}

function isSmall(totalWeight: number): boolean {
  return totalWeight / 2 < SINGLE_CARATS_MIN
}

function parcelWeightIn(cell: CellReader, style: NumberStyle): number | undefined {
  return weightOfStones(cell('average_weight'), cell('parcel_stones'), style)
}

function readWeight(cell: CellReader, style: NumberStyle): number | LotFault {
  const written = cell('weight')
  const weight = written === '' ? parcelWeightIn(cell, style) : readCarats(written, style)
  if (weight === undefined) {
    const isMissing = written === ''
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
  if (PAIR.test(cell('pair_vendor_sku'))) return true
  if (PAIR.test(cell('vendor_sku'))) return true
  return columns.some(
    (mapped, at) => mapped.field === null && !isIgnored(mapped) && PAIR.test(cells[at] ?? ''),
  )
}
