import { ratioGroupOf } from '../../gems/ratio-group.ts'
import type { FieldName } from '../mapping/fields.ts'
import { own } from '../reading/find-header.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { readCountry } from '../values/country.ts'
import { fitsWeight } from '../values/measurements.ts'
import { readCount, readPositive, roundTo } from '../values/numbers.ts'
import { readShapeInContext } from '../values/shape.ts'
import { storableText } from '../values/spelling.ts'
import { readAvailability, readFlag, readSpecies, readTreatment, readUrl } from '../values/words.ts'
import { draftCertificate } from './draft-certificate.ts'
import { draftColor } from './draft-color.ts'
import { draftMake, draftMeasurements } from './draft-make.ts'
import { draftPrice } from './draft-price.ts'
import type { DraftSettings } from './draft-settings.ts'
import type { GemDraft, Rejection } from './gem-draft.ts'
import type { Notes } from './notes.ts'

/** Reads the trimmed text of a field of the row at hand; empty when there is none. */
export type CellReader = (field: FieldName) => string

/** A stone on offer, a stone that its supplier does not offer now, or a row that is neither. */
export type Drafted =
  | { kind: 'offer'; draft: GemDraft }
  | { kind: 'off'; vendor_sku: string; rejection: Rejection }
  | { kind: 'rejected'; vendor_sku: string; rejection: Rejection }

const VENDOR_SKU_CHARS_MAX = 100
const WEIGHT_CARATS_MAX = 1_000
const PARCEL_STONES_MAX = 1_000_000

/** The supplier's number of the row's stone; empty when it has none. */
export function vendorSkuOf({ mapping }: DraftSettings, cells: readonly string[]): string {
  const index = mapping.at.vendor_sku ?? mapping.at.cert_num
  return index === undefined ? '' : storableText((cells[index] ?? '').trim())
}

/** The row at hand: its cells by field, and the way to refuse it. */
interface RowView {
  row: RawRow
  cell: CellReader
  vendorSku: string
  fault(field: FieldName, reason: string): Rejection
  reject(field: FieldName, reason: string): Drafted
}

function viewRow({ mapping, ...settings }: DraftSettings, row: RawRow): RowView {
  const { at, columns } = mapping
  const cell: CellReader = (field) => {
    const index = at[field]
    return index === undefined ? '' : (row.cells[index] ?? '').trim()
  }
  const vendorSku = vendorSkuOf({ mapping, ...settings }, row.cells)
  const fault = (field: FieldName, reason: string): Rejection => {
    const index = at[field]
    const column = index === undefined ? field : columns[index].column
    return { row: row.row, column, value: own(cell(field).slice(0, 200)), reason }
  }
  const reject = (field: FieldName, reason: string): Drafted => {
    return { kind: 'rejected', vendor_sku: vendorSku, rejection: fault(field, reason) }
  }
  return { row, cell, vendorSku, fault, reject }
}

/** Makes a stone out of a row, or says why it cannot be sold rightly. */
export function draftStone(settings: DraftSettings, row: RawRow, notes: Notes): Drafted {
  if (row.unreadable !== undefined) {
    const value = own(row.raw.slice(0, 200))
    const rejection = { row: row.row, column: '', value, reason: row.unreadable }
    return { kind: 'rejected', vendor_sku: '', rejection }
  }
  const view = viewRow(settings, row)
  const { vendorSku, reject } = view
  if (vendorSku === '') return reject('vendor_sku', 'has no stock number')
  if (vendorSku.length > VENDOR_SKU_CHARS_MAX) return reject('vendor_sku', 'is too long')
  if (/^\d(\.\d+)?E\+\d+$/i.test(vendorSku)) {
    return reject('vendor_sku', 'was damaged by a spreadsheet: the stock number is no longer whole')
  }
  const isAsked = settings.mapping.at.availability !== undefined
  const isOffered = isAsked ? readAvailability(view.cell('availability')) : true
  if (isOffered === undefined) return reject('availability', 'is no known availability')
  if (isOffered) return draftOffer(settings, view, notes)
  const rejection = view.fault('availability', 'is not on offer')
  return { kind: 'off', vendor_sku: vendorSku, rejection }
}

function draftOffer(settings: DraftSettings, view: RowView, notes: Notes): Drafted {
  const { cell, reject } = view
  const { at, style } = settings.mapping
  const totalWeight = readPositive(cell('weight'), style)
  if (totalWeight === undefined) return reject('weight', 'has no weight above zero')
  if (totalWeight > WEIGHT_CARATS_MAX) return reject('weight', 'is no weight that a stone can have')
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
    const field = at.measurements === undefined ? 'length' : 'measurements'
    return reject(field, `are impossible for a stone of ${weight} carats`)
  }
  const certificate = draftCertificate(cell, view.row, notes)
  const treatment = readTreatment(cell('treatment'))
  if (treatment !== undefined && kind !== 'gemstone' && certificate.type === 'mined') {
    return reject('treatment', 'is a treated diamond, which cannot be sold as an untreated one')
  }
  const price = draftPrice(cell, settings, totalWeight, kind === 'melee')
  if ('reason' in price) return reject(price.column, price.reason)
  const draft: GemDraft = {
    vendor_sku: view.vendorSku,
    product_type: kind,
    ...certificate,
    species: species ?? null,
    origin: species === undefined ? null : textOrNull(cell('origin'), 60),
    treatment: species === undefined ? null : (treatment?.toLowerCase() ?? 'none'),
    ...shape,
    weight,
    length: measures.length ?? null,
    width: measures.width ?? null,
    depth: measures.depth ?? null,
    ratio: ratio === undefined ? null : roundTo(ratio, 2),
    ratio_group: ratio === undefined ? null : ratioGroupOf(shape.shape, ratio),
    depth_percentage: measures.depth_percentage ?? null,
    ...draftMake(cell, style, notes),
    ...color,
    ...price,
    country_code: readCountry(cell('country_code')) ?? settings.supplier.country_code,
    quantity: kind === 'melee' ? stones : 1,
    ...draftTerms(cell, settings),
    ...draftLinks(cell),
  }
  return { kind: 'offer', draft }
}

function textOrNull(text: string, charsMax: number): string | null {
  return text === '' ? null : text.slice(0, charsMax)
}

const DAYS_MAX = 3_650

/** Delivery, return and memo as the feed says, otherwise as agreed with the supplier. */
function draftTerms(cell: CellReader, { supplier }: DraftSettings) {
  const days = (field: FieldName) => {
    const count = readCount(cell(field))
    return count === undefined || count > DAYS_MAX ? undefined : count
  }
  const soonest = days('delivery_days_min')
  const latest = days('delivery_days_max') ?? soonest
  const max = latest ?? supplier.delivery_days_max
  return {
    memo: readFlag(cell('memo')) ?? supplier.memo,
    returnable: readFlag(cell('returnable')) ?? supplier.returnable,
    memo_days_to_return: supplier.memo_days_to_return,
    days_to_return: days('days_to_return') ?? supplier.days_to_return,
    internal_days_to_return: supplier.internal_days_to_return,
    delivery_days_min: Math.min(soonest ?? supplier.delivery_days_min, max),
    delivery_days_max: max,
  }
}

function draftLinks(cell: CellReader) {
  const pair = cell('pair_vendor_sku')
  return {
    cert_url: readUrl(cell('cert_url')) ?? null,
    image_top_url: readUrl(cell('image_top_url')) ?? null,
    video_url: readUrl(cell('video_url')) ?? null,
    ux_url: readUrl(cell('ux_url')) ?? null,
    original_imported_ext_url: readUrl(cell('original_imported_ext_url')) ?? null,
    pair_vendor_sku: readFlag(pair) === undefined ? textOrNull(pair, VENDOR_SKU_CHARS_MAX) : null,
    pair_separable: readFlag(cell('pair_separable')) ?? null,
  }
}
