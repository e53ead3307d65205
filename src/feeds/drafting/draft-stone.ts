import type { FieldName } from '../mapping/fields.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { fitsWeight, roundDiameterOf } from '../values/measurements.ts'
import { type NumberStyle, readCount, readPositive, roundTo } from '../values/numbers.ts'
import { readShapeInContext } from '../values/shape.ts'
import { isDamagedNumber, readAvailability, readSpecies } from '../values/words.ts'
import { assembleDraft, VENDOR_SKU_CHARS_MAX } from './assemble-draft.ts'
import { draftCertificate } from './draft-certificate.ts'
import { draftColor } from './draft-color.ts'
import { createMakeReader, draftMeasurements } from './draft-make.ts'
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

/** Either of these columns can say that a stone is not on offer. */
const OFFER_FIELDS = ['availability', 'is_active'] as const
const WEIGHT_CARATS_MAX = 1_000
const PARCEL_STONES_MAX = 1_000_000

export function createDrafter(settings: DraftSettings, notes: Notes): Drafter {
  const reader = createRowReader(settings.mapping)
  const draftOffer = createOfferDrafter(settings, reader, notes)
  const { at } = settings.mapping
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
      for (const field of OFFER_FIELDS) {
        if (at[field] === undefined) continue
        const isOffered = readAvailability(reader.cell(field))
        if (isOffered === undefined) return reject(field, 'The availability is not known')
        if (!isOffered)
          return { kind: 'off', rejection: reader.rejection(field, 'The stone is not on offer') }
      }
      return draftOffer(row, vendorSku)
    },
  }
}

function createOfferDrafter(settings: DraftSettings, reader: RowReader, notes: Notes) {
  const { at, style } = settings.mapping
  const { cell } = reader
  const readMake = createMakeReader(cell, style, notes)
  const readTerms = createTermsReader(cell, settings.supplier)
  const reject = (field: FieldName, reason: string): Drafted => {
    return { kind: 'rejected', rejection: reader.rejection(field, reason) }
  }

  return (row: RawRow, vendorSku: string): Drafted => {
    const weights = draftWeight(cell, style)
    if ('reason' in weights) return reject(weights.column, weights.reason)
    const { totalWeight, stones, weight } = weights

    const measures = draftMeasurements(cell, style)
    const ratio = measures.length && measures.width ? measures.length / measures.width : undefined
    const shape = readShapeInContext(cell('shape'), settings.shapeCodes, ratio)
    if (!shape) {
      const isMissing = cell('shape') === ''
      return reject('shape', isMissing ? 'The shape is missing' : 'The shape is not known')
    }
    const species = readSpecies(cell('species'))
    const kind = species !== undefined ? 'gemstone' : stones > 1 ? 'melee' : 'diamond'
    const color = draftColor(cell, kind, settings.supplier.si3, notes)
    if ('reason' in color) return reject(color.column, color.reason)
    if (kind === 'diamond' && !fitsWeight(measures, weight)) {
      const field = cell('length') !== '' && cell('width') !== '' ? 'length' : 'measurements'
      return reject(field, `The measurements are impossible for ${weight} carats`)
    }
    if (kind === 'melee' && measures.length === undefined) {
      if (shape.shape !== 'round')
        return reject('measurements', 'The size of the stones is missing')
      measures.length = roundDiameterOf(weight)
    }
    const certificate = draftCertificate(cell, row, notes)
    const treated = draftTreatment(cell, at)
    if (treated !== undefined && kind !== 'gemstone' && certificate.type === 'mined') {
      return reject(treated.field, 'The diamond is treated and cannot be sold as untreated')
    }
    const price = draftPrice(cell, settings, totalWeight, kind === 'melee')
    if ('reason' in price) return reject(price.column, price.reason)
    const draft = assembleDraft(cell, settings.supplier.country_code, {
      vendorSku,
      kind,
      stones,
      weight,
      ratio,
      species,
      treatment: treated?.treatment,
      measures,
      shape,
      color,
      certificate,
      price,
      make: readMake(),
      terms: readTerms(),
    })
    return { kind: 'offer', draft, priced_by: price.priced_by, price_text: cell(price.priced_by) }
  }
}

interface Weights {
  totalWeight: number
  stones: number
  /** Of one stone. */
  weight: number
}

interface WeightFault {
  column: 'weight' | 'parcel_stones'
  reason: string
}

function draftWeight(cell: CellReader, style: NumberStyle): Weights | WeightFault {
  const totalWeight = readPositive(cell('weight'), style)
  if (totalWeight === undefined) {
    const isMissing = cell('weight') === ''
    const reason = isMissing ? 'The weight is missing' : 'The weight is not a number above zero'
    return { column: 'weight', reason }
  }
  if (totalWeight > WEIGHT_CARATS_MAX) {
    return { column: 'weight', reason: 'The weight is impossible' }
  }
  const stones = Math.max(1, readCount(cell('parcel_stones')) ?? 1)
  if (stones > PARCEL_STONES_MAX) {
    return { column: 'parcel_stones', reason: 'The number of stones is too large' }
  }
  const weight = roundTo(totalWeight / stones, 4)
  if (weight <= 0) {
    return { column: 'weight', reason: 'The weight is too small for the number of stones' }
  }
  return { totalWeight, stones, weight }
}
