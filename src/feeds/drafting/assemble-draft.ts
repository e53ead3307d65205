import type { GemProductType } from '../../database/tables/gems.ts'
import { skuOf, VENDOR_SKU_CHARS_MAX, WORDS_CHARS_MAX } from '../../gems/gem.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { readCountry } from '../values/country.ts'
import { readGrown } from '../values/growth.ts'
import { readUrl } from '../values/links-and-details.ts'
import type { Measurements, Tolerance } from '../values/measurements.ts'
import { roundTo } from '../values/numbers.ts'
import { readCutCode, type ShapeReading } from '../values/shape.ts'
import { isBlankWord, readFlag } from '../values/spelling.ts'
import type { CertificateFields } from './draft-certificate.ts'
import type { ClarityFields, ColorFields } from './draft-color.ts'
import type { createMakeReader } from './draft-make.ts'
import type { draftMedia } from './draft-media.ts'
import type { PriceFields } from './draft-price.ts'
import { draftRemarks } from './draft-remarks.ts'
import type { createTermsReader } from './draft-terms.ts'
import type { GemDraft } from './gem-draft.ts'
import type { Growth } from './kind/draft-growth.ts'
import type { NotedReader } from './notes.ts'
import { type CellReader, stockNumberIn } from './row-reader.ts'

/** What the readers found out about one stone. */
interface DraftParts {
  vendorSku: string
  kind: GemProductType
  stones: number
  weight: number
  /** Two stones that are sold together. */
  isPair: boolean
  ratio: number | undefined
  ratioGroup: GemDraft['ratio_group']
  species: string | undefined
  treatment: string | undefined
  measures: Measurements
  shape: ShapeReading
  color: ColorFields & ClarityFields
  certificate: CertificateFields
  growth: Pick<Growth, 'type' | 'grow_method'>
  price: PriceFields
  make: ReturnType<ReturnType<typeof createMakeReader>>
  media: ReturnType<typeof draftMedia>
  parcel: Tolerance
  terms: ReturnType<ReturnType<typeof createTermsReader>>
}

/**
 * Written as one literal, in the order of the columns, because spreading all parts is slow when
 * done a million times. What is spread has its fields in this order.
 */
export function assembleDraft(
  cell: CellReader,
  noted: NotedReader,
  supplier: Pick<Supplier, 'uuid' | 'country_code'>,
  parts: DraftParts,
): GemDraft {
  const { color, certificate, growth, price, make, terms, measures, shape, ratio, ...stone } = parts
  const { media, parcel } = parts
  const isGemstone = stone.kind === 'gemstone'
  const pair = pairOf(cell, stone.vendorSku)
  return {
    vendor_sku: stone.vendorSku,
    product_type: stone.kind,
    type: growth.type,
    species: stone.species ?? null,
    origin: isGemstone ? originOf(cell('origin')) : null,
    shape: shape.shape,
    cut_code: noted('cut_code', readCutCode) ?? shape.cut_code,
    weight: stone.weight,
    length: measures.length ?? null,
    width: measures.width ?? null,
    depth: measures.depth ?? null,
    ratio: ratio === undefined ? null : roundTo(ratio, 2),
    ratio_group: stone.ratioGroup,
    depth_percentage: measures.depth_percentage ?? null,
    table_percentage: make.table_percentage,
    crown_angle: make.crown_angle,
    pavilion_angle: make.pavilion_angle,
    pavilion_depth: make.pavilion_depth,
    culet_size: make.culet_size,
    girdle_min: make.girdle_min,
    girdle_max: make.girdle_max,
    color: color.color,
    color_max: color.color_max,
    clarity: color.clarity,
    clarity_max: color.clarity_max,
    fancy_color_intensity: color.fancy_color_intensity,
    overtone: color.overtone,
    is_fancy: color.is_fancy,
    cut_grade: make.cut_grade,
    polish_grade: make.polish_grade,
    symmetry_grade: make.symmetry_grade,
    fluorescence: make.fluorescence,
    eye_clean: make.eye_clean,
    grow_method: growth.grow_method,
    lab: certificate.lab,
    cert_num: certNumOf(certificate, stone.isPair),
    cert_url: certUrlOf(cell, noted),
    country_code: countryOf(cell, noted, supplier.country_code),
    cost: price.cost,
    cost_exact: price.cost_exact,
    list_price: price.list_price,
    // Sheets of reference prices fill in what is missing when the import is planned.
    list_price_from_grid: false,
    wholesale_price: price.wholesale_price,
    wholesale_price_us: price.wholesale_price_us,
    quantity: stone.kind === 'melee' ? stone.stones : 1,
    ...terms,
    ...parcel,
    ...media,
    lab_name: certificate.lab_name,
    treatment: stone.treatment ?? null,
    ...draftRemarks(cell, isGemstone || color.is_fancy),
    pair_vendor_sku: pair,
    pair_sku: pair === null ? null : skuOf(supplier.uuid, pair),
    pair_separable: stone.isPair ? false : (noted('pair_separable', readFlag) ?? null),
  }
}

/** A pair has one SKU with the numbers of both stones. */
function certNumOf({ cert_num, cert_num_2 }: CertificateFields, isPair: boolean): string | null {
  return isPair && cert_num !== null ? `${cert_num} / ${cert_num_2}` : cert_num
}

/** An address in place of the number leads to the certificate, too. */
function certUrlOf(cell: CellReader, noted: NotedReader): string | null {
  return noted('cert_url', readUrl) ?? readUrl(cell('cert_num')) ?? null
}

/** A place that is not understood does not become the supplier's country. */
function countryOf(cell: CellReader, noted: NotedReader, own: string | null): string | null {
  return isBlankWord(cell('country_code')) ? own : (noted('country_code', readCountry) ?? null)
}

/** The stone that the supplier declares as the other one of a pair. */
function pairOf(cell: CellReader, vendorSku: string): string | null {
  const pair = stockNumberIn(cell('pair_vendor_sku'))
  if (pair === '' || pair === vendorSku || readFlag(pair) !== undefined) return null
  if (PAIR_WORD.test(pair)) return null
  return pair.slice(0, VENDOR_SKU_CHARS_MAX)
}

/** Says that there is a pair, and not which stone is the other one. */
const PAIR_WORD = /^(?:(?:matched|matching) ?)?(?:pairs?|single|set|n\/?a|none|-+)$/i

/** Where a gemstone was found. In some files the column says `Natural` or `Lab` instead. */
function originOf(text: string): string | null {
  if (isBlankWord(text) || readGrown(text) !== undefined) return null
  return text.slice(0, WORDS_CHARS_MAX)
}
