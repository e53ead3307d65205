import type { FieldName } from '../mapping/fields.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { fitsWeight, roundDiameterOf } from '../values/measurements.ts'
import { readCount, readPositive, roundTo } from '../values/numbers.ts'
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
import { createRowReader, type RowReader } from './row-reader.ts'

/** A stone on offer, a stone that its supplier does not offer now, or a row that is neither. */
export type Drafted =
  | { kind: 'offer'; draft: GemDraft; priced_by: PriceSource; price_text: string }
  | { kind: 'off'; rejection: Rejection }
  | { kind: 'rejected'; rejection: Rejection }

/** Turns the rows of one feed into stones. */
export interface Drafter {
  /** The supplier's number of the row's stone, which is known without drafting it. */
  vendorSku(row: RawRow): string
  /** Makes a stone out of a row, or says why it cannot be sold rightly. */
  draft(row: RawRow): Drafted
  /** A rejection of the row by its stock number. */
  refuse(row: RawRow, reason: string): Rejection
}

/** Either of them takes a stone off the market: a supplier may switch off what it lists. */
const OFFER_FIELDS = ['availability', 'is_active'] as const
const WEIGHT_CARATS_MAX = 1_000
const PARCEL_STONES_MAX = 1_000_000

export function createDrafter(settings: DraftSettings, notes: Notes): Drafter {
  const reader = createRowReader(settings.mapping)
  const draftOffer = createOfferDrafter(settings, reader, notes)
  const { at } = settings.mapping
  const reject = (field: FieldName, reason: string): Drafted => {
    return { kind: 'rejected', rejection: reader.fault(field, reason) }
  }

  return {
    vendorSku(row) {
      reader.turnTo(row)
      return row.unreadable === undefined ? reader.vendorSku() : ''
    },
    refuse(row, reason) {
      reader.turnTo(row)
      return reader.fault('vendor_sku', reason)
    },
    draft(row) {
      reader.turnTo(row)
      if (row.unreadable !== undefined) return reject('vendor_sku', row.unreadable)
      const vendorSku = reader.vendorSku()
      if (vendorSku === '') return reject('vendor_sku', 'has no stock number')
      if (vendorSku.length > VENDOR_SKU_CHARS_MAX) return reject('vendor_sku', 'is too long')
      if (isDamagedNumber(vendorSku)) {
        return reject('vendor_sku', 'was damaged by a spreadsheet and is no longer whole')
      }
      for (const field of OFFER_FIELDS) {
        if (at[field] === undefined) continue
        const isOffered = readAvailability(reader.cell(field))
        if (isOffered === undefined) return reject(field, 'is no known availability')
        if (!isOffered) return { kind: 'off', rejection: reader.fault(field, 'is not on offer') }
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
    return { kind: 'rejected', rejection: reader.fault(field, reason) }
  }

  return (row: RawRow, vendorSku: string): Drafted => {
    const totalWeight = readPositive(cell('weight'), style)
    if (totalWeight === undefined) return reject('weight', 'has no weight above zero')
    if (totalWeight > WEIGHT_CARATS_MAX) return reject('weight', 'is more than a stone can weigh')
    const stones = Math.max(1, readCount(cell('parcel_stones')) ?? 1)
    if (stones > PARCEL_STONES_MAX) return reject('parcel_stones', 'is too many stones')
    const weight = roundTo(totalWeight / stones, 4)
    if (weight <= 0) return reject('weight', 'is too little for so many stones')

    const measures = draftMeasurements(cell, style)
    const ratio = measures.length && measures.width ? measures.length / measures.width : undefined
    const shape = readShapeInContext(cell('shape'), settings.shapeCodes, ratio)
    if (!shape) {
      return reject('shape', cell('shape') === '' ? 'has no shape' : 'is a shape we do not know')
    }
    const species = readSpecies(cell('species'))
    const kind = species !== undefined ? 'gemstone' : stones > 1 ? 'melee' : 'diamond'
    const color = draftColor(cell, kind, settings.supplier.si3, notes)
    if ('reason' in color) return reject(color.column, color.reason)
    if (kind === 'diamond' && !fitsWeight(measures, weight)) {
      const field = cell('length') !== '' && cell('width') !== '' ? 'length' : 'measurements'
      return reject(field, `are impossible for a stone of ${weight} carats`)
    }
    if (kind === 'melee' && measures.length === undefined) {
      if (shape.shape !== 'round') return reject('measurements', 'has no size of its stones')
      measures.length = roundDiameterOf(weight)
    }
    const certificate = draftCertificate(cell, row, notes)
    const treated = draftTreatment(cell, at)
    if (treated !== undefined && kind !== 'gemstone' && certificate.type === 'mined') {
      return reject(treated.field, 'is a treated diamond, which cannot be sold as an untreated one')
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
