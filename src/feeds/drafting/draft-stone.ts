import type { GemProductType } from '../../database/tables/gems.ts'
import { ratioGroupOf, VENDOR_SKU_CHARS_MAX } from '../../gems/gem.ts'
import type { Shape } from '../../reference/attributes.ts'
import type { FieldName } from '../mapping/fields.ts'
import { type RawRow, textAt } from '../reading/raw-row.ts'
import { saysTaken } from '../values/availability.ts'
import { readCutGrade } from '../values/grades.ts'
import { fitsWeight, type Measurements, roundDiameterOf } from '../values/measurements.ts'
import { type NumberStyle, readPositive } from '../values/numbers.ts'
import { readRatioGroup, readShape, type ShapeReading } from '../values/shape.ts'
import { decideShape } from '../values/shape-codes.ts'
import { saysNothing, storableText } from '../values/spelling.ts'
import { assembleDraft } from './assemble-draft.ts'
import { type CertificateFields, draftCertificate, noteCertificate } from './draft-certificate.ts'
import { draftColor } from './draft-color.ts'
import { contradictsAverage, draftLot, type Lot, parcelSizeIn } from './draft-lot.ts'
import { createMakeReader, draftTolerance, NO_TOLERANCE } from './draft-make.ts'
import { draftMedia } from './draft-media.ts'
import { createOfferCheck } from './draft-offer.ts'
import { draftPrice, type PriceSource } from './draft-price.ts'
import type { DraftSettings } from './draft-settings.ts'
import {
  createSidesReader,
  decideSecondSide,
  dropOtherSides,
  isSecondUnsure,
  noteSides,
  type Sides,
} from './draft-sides.ts'
import { createTermsReader } from './draft-terms.ts'
import { draftTreatment } from './draft-treatment.ts'
import type { GemDraft, Rejection } from './gem-draft.ts'
import { createGrowthReader } from './kind/draft-growth.ts'
import { createSpeciesReader } from './kind/draft-species.ts'
import { createNotedReader, type NotedReader, type Notes } from './notes.ts'
import { type CellReader, createRowReader, findNumberFault, type RowReader } from './row-reader.ts'

/** The result for a row: a stone on offer, a stone that is not on offer now, or a rejection. */
type Drafted =
  | { kind: 'offer'; draft: GemDraft; priced_by: PriceSource; price_text: string }
  | { kind: 'off'; rejection: Rejection; isUnknown: boolean }
  | { kind: 'rejected'; rejection: Rejection }

/** Turns the rows of one feed into stones. */
export interface Drafter {
  /** Returns the supplier's stock number of the row, without drafting the stone. */
  vendorSku(row: RawRow): string
  /** Makes a stone of a row, or says why it cannot be sold. */
  draft(row: RawRow): Drafted
  /** Returns the number that both stones of a pair have; empty for a stone without one. */
  pairSet(row: RawRow): string
  /** Says that the row takes its stone off the market, if it does. */
  findTaken(row: RawRow): Rejection | undefined
  /** Rejects the row because of its stock number. */
  reject(row: RawRow, reason: string): Rejection
}

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
    pairSet(row) {
      reader.setRow(row)
      const text = reader.cell('pair_set')
      return text === '' || saysNothing(text)
        ? ''
        : storableText(text.slice(0, VENDOR_SKU_CHARS_MAX))
    },
    findTaken(row) {
      reader.setRow(row)
      const fault = row.unreadable === undefined ? findNoOffer(row) : undefined
      return fault && !fault.isUnknown ? reader.rejectionAt(fault.at, fault.reason) : undefined
    },
    reject(row, reason) {
      reader.setRow(row)
      return reader.rejection('vendor_sku', reason)
    },
    draft(row) {
      reader.setRow(row)
      if (row.unreadable !== undefined) return reject('vendor_sku', row.unreadable)
      const vendorSku = reader.vendorSku()
      const noStone = findNumberFault(vendorSku)
      if (noStone !== undefined) return reject('vendor_sku', noStone)
      const shift = settings.findShift(row)
      const fault = findNoOffer(row)
      // A cell that says SOLD may take the place of several others, and is not a shifted value.
      const isCertain = fault !== undefined && saysTaken(textAt(row.cells, fault.at))
      if (shift !== undefined && !isCertain) return reject('vendor_sku', shift)
      if (fault) {
        const { at, reason, isUnknown } = fault
        return { kind: 'off', rejection: reader.rejectionAt(at, reason), isUnknown }
      }
      return draftOffer(row, vendorSku)
    },
  }
}

function createOfferDrafter(settings: DraftSettings, reader: RowReader, notes: Notes) {
  const { at, style } = settings.mapping
  const { cell } = reader
  const noted = createNotedReader(cell, notes)
  const readSides = createSidesReader(cell, style)
  const readMake = createMakeReader(cell, noted, style, notes)
  const readTerms = createTermsReader(noted, settings.supplier)
  const readGrowth = createGrowthReader(settings, notes)
  const readSpecies = createSpeciesReader(settings.mapping, settings.gemSigns, cell)
  const rejectAt = (index: number, reason: string): Drafted => {
    return { kind: 'rejected', rejection: reader.rejectionAt(index, reason) }
  }
  const reject = (field: FieldName, reason: string): Drafted => {
    return { kind: 'rejected', rejection: reader.rejection(field, reason) }
  }

  return (row: RawRow, vendorSku: string): Drafted => {
    const named = readSpecies(row)
    if ('reason' in named) return rejectAt(named.at, named.reason)
    const { species, hue } = named
    const outline = draftOutline(cell, { row, measures: readSides(), species }, settings)
    if ('reason' in outline) return reject(outline.column, outline.reason)
    const { measures, certificate, lot, shape, kind } = outline
    const { totalWeight, stones, weight } = lot
    const color = draftColor(cell, { kind, hue, si3: settings.supplier.si3 }, notes)
    if ('reason' in color) return reject(color.column, color.reason)
    if (kind === 'diamond' && !fitsWeight(measures, weight)) {
      const field = cell('length') !== '' && cell('width') !== '' ? 'length' : 'measurements'
      return reject(field, `The measurements are impossible for ${weight} carats`)
    }
    if (kind === 'melee') {
      noteParcelCount(cell, style, lot, notes)
      if (!draftParcelSize(cell, style, outline, notes)) {
        return reject('measurements', 'The size of the stones is missing')
      }
    }
    noteCertificate(cell, certificate, row, notes)
    const growth = readGrowth(row, certificate.cert_num)
    if ('reason' in growth) return rejectAt(growth.at, growth.reason)
    const treated = draftTreatment(cell, at, kind, growth)
    if (kind === 'melee' && treated?.at !== undefined) return rejectAt(treated.at, TREATED)
    const price = draftPrice(cell, settings, totalWeight, kind === 'melee')
    if ('reason' in price) return reject(price.column, price.reason)
    noteSides(measures, kind, cell, style, notes)
    const ratio = draftRatio(noted, measures, style)
    const draft = assembleDraft(cell, noted, settings.supplier, {
      vendorSku,
      kind,
      stones,
      weight: lot.kind === 'pair' ? totalWeight : weight,
      isPair: lot.kind === 'pair',
      ratio,
      ratioGroup: draftRatioGroup(noted, shape.shape, ratio),
      species,
      treatment: treated?.treatment,
      measures,
      shape,
      color,
      certificate,
      growth,
      price,
      make: readMake(),
      media: draftMedia(cell, noted),
      parcel: kind === 'melee' ? draftTolerance(noted, style) : NO_TOLERANCE,
      terms: readTerms(),
    })
    return { kind: 'offer', draft, priced_by: price.priced_by, price_text: cell(price.priced_by) }
  }
}

/** Length divided by width, as measured; where the sides are not known, as the file says. */
function draftRatio(
  noted: NotedReader,
  { length, width }: Measurements,
  style: NumberStyle,
): number | undefined {
  if (length && width) return length / width
  return noted('ratio', (text) => {
    const ratio = readPositive(text, style)
    return ratio === undefined || ratio > RATIO_MAX ? undefined : ratio
  })
}

/** No stone is longer in proportion to its width. */
const RATIO_MAX = 10

/**
 * The group of the ratio. Where the ratio is not known and the shape has groups, it is the one that
 * the file names.
 */
function draftRatioGroup(
  noted: NotedReader,
  shape: Shape,
  ratio: number | undefined,
): GemDraft['ratio_group'] {
  const group = ratioGroupOf(shape, ratio ?? 1)
  const isKnown = ratio !== undefined || group === null
  const named = noted('ratio_group', (text) => {
    const read = readRatioGroup(text)
    return isKnown && read !== group ? undefined : read
  })
  return isKnown ? group : (named ?? null)
}

/** Notes an estimated number of stones, and an average weight that contradicts the number. */
function noteParcelCount(cell: CellReader, style: NumberStyle, lot: Lot, notes: Notes): void {
  if (lot.isEstimate) notes.count('estimated_counts')
  if (contradictsAverage(cell, style, lot)) {
    notes.unreadable('average_weight', cell('average_weight'))
  }
}

/**
 * Sets the size of the stones of a parcel: the file's, or for round stones one that fits their
 * weight, which the report counts. Returns false when it is not known.
 */
function draftParcelSize(
  cell: CellReader,
  style: NumberStyle,
  { measures, lot, shape }: Outline,
  notes: Notes,
): boolean {
  if (measures.length !== undefined) return true
  const named = parcelSizeIn(cell, style)
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
  measures: Sides
  certificate: CertificateFields
  lot: Lot
  shape: ShapeReading
  kind: GemProductType
}

interface OutlineFault {
  column: FieldName
  reason: string
}

function draftOutline(
  cell: CellReader,
  { row, measures, species }: { row: RawRow; measures: Sides; species: string | undefined },
  { mapping, shapeCodes }: DraftSettings,
): Outline | OutlineFault {
  const certificate = draftCertificate(cell)
  const lot = draftLot(cell, { row, mapping, measures, certificate })
  if ('reason' in lot) return lot
  const isParcel = lot.kind === 'parcel'
  if (measures.isTwoNumbers && !isParcel) {
    decideSecondSide(measures, lot.weight, readShape(cell('shape'))?.shape)
  }
  const shape = decideShape(cell('shape'), shapeCodes, {
    measures: shapeEvidence(measures, species),
    weight: lot.weight,
    hasCutGrade: readCutGrade(cell('cut_grade')) !== undefined,
  })
  if ('reason' in shape) return { column: 'shape', reason: shape.reason }
  if (!isParcel && shape.shape === 'round') dropOtherSides(measures)
  if (species !== undefined && isParcel) {
    return { column: 'parcel_stones', reason: 'A parcel of gemstones cannot be sold' }
  }
  const kind = species !== undefined ? 'gemstone' : isParcel ? 'melee' : 'diamond'
  return { measures, certificate, lot, shape, kind }
}

/** The sides as far as they tell the shape. */
function shapeEvidence(sides: Sides, species: string | undefined): Measurements {
  // The densities of shapes are those of diamonds.
  if (species !== undefined) return { ...sides, depth: undefined }
  return isSecondUnsure(sides) ? { ...sides, width: undefined } : sides
}
