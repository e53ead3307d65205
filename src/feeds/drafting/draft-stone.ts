import type { GemProductType } from '../../database/tables/gems.ts'
import type { FieldName } from '../mapping/fields.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { readCutGrade } from '../values/grades.ts'
import {
  fitsWeight,
  type Measurements,
  readParcelSize,
  roundDiameterOf,
} from '../values/measurements.ts'
import { type NumberStyle, readPositive } from '../values/numbers.ts'
import type { ShapeReading } from '../values/shape.ts'
import { decideShape } from '../values/shape-codes.ts'
import { isDamagedNumber, readSpecies } from '../values/words.ts'
import { assembleDraft, VENDOR_SKU_CHARS_MAX } from './assemble-draft.ts'
import { type CertificateFields, draftCertificate, noteCertificate } from './draft-certificate.ts'
import { draftColor } from './draft-color.ts'
import { createGrowthReader } from './draft-growth.ts'
import { draftLot, type Lot } from './draft-lot.ts'
import { createMakeReader, draftMeasurements, draftTolerance, NO_TOLERANCE } from './draft-make.ts'
import { draftMedia } from './draft-media.ts'
import { createOfferCheck } from './draft-offer.ts'
import { draftPrice, type PriceSource } from './draft-price.ts'
import type { DraftSettings } from './draft-settings.ts'
import { createTermsReader } from './draft-terms.ts'
import { draftTreatment } from './draft-treatment.ts'
import type { GemDraft, Rejection } from './gem-draft.ts'
import type { Notes } from './notes.ts'
import { type CellReader, createRowReader, type RowReader } from './row-reader.ts'

/** The result for a row: a stone on offer, a stone that is not on offer now, or a rejection. */
type Drafted =
  | { kind: 'offer'; draft: GemDraft; priced_by: PriceSource; price_text: string }
  | { kind: 'off'; rejection: Rejection }
  | { kind: 'rejected'; rejection: Rejection }

/** Turns the rows of one feed into stones. */
export interface Drafter {
  /** Returns the supplier's stock number of the row, without drafting the stone. */
  vendorSku(row: RawRow): string
  /** Makes a stone of a row, or says why it cannot be sold. */
  draft(row: RawRow): Drafted
  /** Rejects the row because of its stock number. */
  reject(row: RawRow, reason: string): Rejection
}

const TOTALS = /^((grand|sub)[ -]?)?totals?( :|:|$)/i
const TREATED = 'The diamonds are treated, and parcels are sold untreated only'

export function createDrafter(settings: DraftSettings, notes: Notes): Drafter {
  const reader = createRowReader(settings.mapping)
  const draftOffer = createOfferDrafter(settings, reader, notes)
  const findNoOffer = createOfferCheck(settings.mapping)
  const reject = (field: FieldName, reason: string): Drafted => {
    return { kind: 'rejected', rejection: reader.rejection(field, reason) }
  }

  return {
    vendorSku(row) {
      reader.setRow(row)
      return row.unreadable === undefined ? reader.vendorSku() : ''
    },
    reject(row, reason) {
      reader.setRow(row)
      return reader.rejection('vendor_sku', reason)
    },
    draft(row) {
      reader.setRow(row)
      if (row.unreadable !== undefined) return reject('vendor_sku', row.unreadable)
      const vendorSku = reader.vendorSku()
      if (vendorSku === '') return reject('vendor_sku', 'The stock number is missing')
      if (vendorSku.length > VENDOR_SKU_CHARS_MAX) {
        return reject('vendor_sku', 'The stock number is too long')
      }
      if (isDamagedNumber(vendorSku)) {
        return reject('vendor_sku', 'The stock number was damaged by a spreadsheet')
      }
      if (TOTALS.test(vendorSku)) return reject('vendor_sku', 'This is a line of totals')
      const shift = settings.findShift(row)
      if (shift !== undefined) return reject('vendor_sku', shift)
      const fault = findNoOffer(row)
      if (fault) return { kind: fault.kind, rejection: reader.rejectionAt(fault.at, fault.reason) }
      return draftOffer(row, vendorSku)
    },
  }
}

function createOfferDrafter(settings: DraftSettings, reader: RowReader, notes: Notes) {
  const { at, style } = settings.mapping
  const { cell } = reader
  const readMake = createMakeReader(cell, style, notes)
  const readTerms = createTermsReader(cell, settings.supplier, notes)
  const readGrowth = createGrowthReader(settings, notes)
  const rejectAt = (index: number, reason: string): Drafted => {
    return { kind: 'rejected', rejection: reader.rejectionAt(index, reason) }
  }
  const reject = (field: FieldName, reason: string): Drafted => {
    return { kind: 'rejected', rejection: reader.rejection(field, reason) }
  }

  return (row: RawRow, vendorSku: string): Drafted => {
    const outline = draftOutline(cell, row, settings)
    if ('reason' in outline) return reject(outline.column, outline.reason)
    const { measures, certificate, lot, shape, species, kind } = outline
    const { totalWeight, stones, weight } = lot
    const ratio = draftRatio(cell, measures, style)
    const color = draftColor(cell, kind, settings.supplier.si3, notes)
    if ('reason' in color) return reject(color.column, color.reason)
    if (kind === 'diamond' && !fitsWeight(measures, weight)) {
      const field = cell('length') !== '' && cell('width') !== '' ? 'length' : 'measurements'
      return reject(field, `The measurements are impossible for ${weight} carats`)
    }
    if (kind === 'melee' && !draftParcelSize(cell, settings, outline, notes)) {
      return reject('measurements', 'The size of the stones is missing')
    }
    noteCertificate(cell, certificate, row, notes)
    const growth = readGrowth(row, certificate.cert_num)
    if ('reason' in growth) return rejectAt(growth.at, growth.reason)
    const treated = draftTreatment(cell, at, kind, growth)
    if (kind === 'melee' && treated?.at !== undefined) return rejectAt(treated.at, TREATED)
    const price = draftPrice(cell, settings, totalWeight, kind === 'melee')
    if ('reason' in price) return reject(price.column, price.reason)
    const draft = assembleDraft(cell, settings.supplier, {
      vendorSku,
      kind,
      stones,
      weight: lot.kind === 'pair' ? totalWeight : weight,
      isPair: lot.kind === 'pair',
      ratio,
      species,
      treatment: treated?.treatment,
      measures,
      shape,
      color,
      certificate,
      growth,
      price,
      make: readMake(),
      media: draftMedia(cell, notes),
      parcel: kind === 'melee' ? draftTolerance(cell, style) : NO_TOLERANCE,
      terms: readTerms(),
    })
    return { kind: 'offer', draft, priced_by: price.priced_by, price_text: cell(price.priced_by) }
  }
}

/** Length divided by width, as measured; where the sides are not known, as the file says. */
function draftRatio(
  cell: CellReader,
  { length, width }: Measurements,
  style: NumberStyle,
): number | undefined {
  if (length && width) return length / width
  const text = cell('ratio')
  const ratio = text === '' ? undefined : readPositive(text, style)
  return ratio === undefined || ratio > RATIO_MAX ? undefined : ratio
}

/** No stone is longer in proportion to its width. */
const RATIO_MAX = 10

/**
 * Sets the size of the stones of a parcel: the file's, or for round stones one that fits their
 * weight, which the report counts. Returns false when it is not known.
 */
function draftParcelSize(
  cell: CellReader,
  { mapping }: DraftSettings,
  { measures, lot, shape }: Outline,
  notes: Notes,
): boolean {
  if (measures.length !== undefined) return true
  const named =
    readParcelSize(cell('parcel_size'), mapping.style) ??
    readParcelSize(cell('measurements'), mapping.style)
  if (named !== undefined) {
    measures.length = named
    measures.width ??= named
    return true
  }
  if (shape.shape !== 'round') return false
  measures.length = roundDiameterOf(lot.weight)
  notes.count('estimated_sizes')
  return true
}

/** What kind of product a row sells, how much it weighs and what shape it has. */
interface Outline {
  measures: Measurements
  certificate: CertificateFields
  lot: Lot
  shape: ShapeReading
  species: string | undefined
  kind: GemProductType
}

interface OutlineFault {
  column: FieldName
  reason: string
}

function draftOutline(
  cell: CellReader,
  row: RawRow,
  { mapping, shapeCodes }: DraftSettings,
): Outline | OutlineFault {
  const measures = draftMeasurements(cell, mapping.style)
  const certificate = draftCertificate(cell)
  const lot = draftLot(cell, { row, mapping, measures, certificate })
  if ('reason' in lot) return lot
  const species = readSpecies(cell('species'))
  const shape = decideShape(cell('shape'), shapeCodes, {
    // The densities of shapes are those of diamonds.
    measures: species === undefined ? measures : { ...measures, depth: undefined },
    weight: lot.weight,
    hasCutGrade: readCutGrade(cell('cut_grade')) !== undefined,
  })
  if ('reason' in shape) return { column: 'shape', reason: shape.reason }
  const isParcel = lot.kind === 'parcel'
  if (species !== undefined && isParcel) {
    return { column: 'parcel_stones', reason: 'A parcel of gemstones cannot be sold' }
  }
  const kind = species !== undefined ? 'gemstone' : isParcel ? 'melee' : 'diamond'
  return { measures, certificate, lot, shape, species, kind }
}
