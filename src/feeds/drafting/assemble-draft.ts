import type { GemProductType } from '../../database/tables/gems.ts'
import { ratioGroupOf } from '../../gems/gem.ts'
import type { FieldName } from '../mapping/fields.ts'
import { readCountry } from '../values/country.ts'
import type { Measurements } from '../values/measurements.ts'
import { roundTo } from '../values/numbers.ts'
import type { ShapeReading } from '../values/shape.ts'
import { isBlankWord } from '../values/spelling.ts'
import { readFlag, readUrl } from '../values/words.ts'
import type { CertificateFields } from './draft-certificate.ts'
import type { ClarityFields, ColorFields } from './draft-color.ts'
import type { Growth } from './draft-growth.ts'
import type { createMakeReader } from './draft-make.ts'
import type { PriceFields } from './draft-price.ts'
import type { createTermsReader } from './draft-terms.ts'
import type { GemDraft } from './gem-draft.ts'
import type { CellReader } from './row-reader.ts'

export const VENDOR_SKU_CHARS_MAX = 100
const TEXT_CHARS_MAX = 60

/** What the readers found out about one stone. */
interface DraftParts {
  vendorSku: string
  kind: GemProductType
  stones: number
  weight: number
  /** Two stones that are sold together. */
  isPair: boolean
  ratio: number | undefined
  species: string | undefined
  treatment: string | undefined
  measures: Measurements
  shape: ShapeReading
  color: ColorFields & ClarityFields
  certificate: CertificateFields
  growth: Pick<Growth, 'type' | 'grow_method'>
  price: PriceFields
  make: ReturnType<ReturnType<typeof createMakeReader>>
  terms: ReturnType<ReturnType<typeof createTermsReader>>
}

/** Written as one literal, because spreading the parts is slow when done a million times. */
export function assembleDraft(
  cell: CellReader,
  country: string | null,
  { color, certificate, growth, price, make, terms, measures, shape, ratio, ...stone }: DraftParts,
): GemDraft {
  const isGemstone = stone.kind === 'gemstone'
  return {
    vendor_sku: stone.vendorSku,
    product_type: stone.kind,
    type: growth.type,
    species: stone.species ?? null,
    origin: isGemstone ? textOrNull(cell('origin')) : null,
    treatment: isGemstone ? (stone.treatment?.toLowerCase() ?? 'none') : null,
    shape: shape.shape,
    cut_code: shape.cut_code,
    weight: stone.weight,
    length: measures.length ?? null,
    width: measures.width ?? null,
    depth: measures.depth ?? null,
    ratio: ratio === undefined ? null : roundTo(ratio, 2),
    ratio_group: ratio === undefined ? null : ratioGroupOf(shape.shape, ratio),
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
    lab_original: certificate.lab_original,
    cert_num: certNumOf(certificate, stone.isPair),
    cert_url: linkOf(cell, 'cert_url'),
    country_code: countryOf(cell, country),
    cost: price.cost,
    cost_exact: price.cost_exact,
    list_price: price.list_price,
    // Sheets of reference prices fill in what is missing when the import is planned.
    list_price_from_grid: false,
    wholesale_price: price.wholesale_price,
    wholesale_price_us: price.wholesale_price_us,
    quantity: stone.kind === 'melee' ? stone.stones : 1,
    memo: terms.memo,
    returnable: terms.returnable,
    memo_days_to_return: terms.memo_days_to_return,
    days_to_return: terms.days_to_return,
    internal_days_to_return: terms.internal_days_to_return,
    delivery_days_min: terms.delivery_days_min,
    delivery_days_max: terms.delivery_days_max,
    image_top_url: imageOf(cell),
    video_url: linkOf(cell, 'video_url'),
    ux_url: linkOf(cell, 'ux_url'),
    original_imported_ext_url: linkOf(cell, 'original_imported_ext_url'),
    pair_vendor_sku: pairOf(cell),
    pair_separable: stone.isPair ? false : (readFlag(cell('pair_separable')) ?? null),
  }
}

/** A pair has one SKU with the numbers of both stones. */
function certNumOf({ cert_num, cert_num_2 }: CertificateFields, isPair: boolean): string | null {
  return isPair && cert_num !== null ? `${cert_num} / ${cert_num_2}` : cert_num
}

/** A place that is not understood is not the supplier's country. */
function countryOf(cell: CellReader, country: string | null): string | null {
  const text = cell('country_code')
  return isBlankWord(text) ? country : (readCountry(text) ?? null)
}

/** What a link to an image may not end with. */
const NOT_IMAGE = /\.(pdf|mp4|mov|webm|avi)(?=[?#]|$)/i

function imageOf(cell: CellReader): string | null {
  const link = linkOf(cell, 'image_top_url')
  return link !== null && NOT_IMAGE.test(link) ? null : link
}

function linkOf(cell: CellReader, field: FieldName): string | null {
  const text = cell(field)
  return text === '' ? null : (readUrl(text) ?? null)
}

function pairOf(cell: CellReader): string | null {
  const pair = cell('pair_vendor_sku')
  if (pair === '' || readFlag(pair) !== undefined) return null
  return pair.slice(0, VENDOR_SKU_CHARS_MAX)
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text.slice(0, TEXT_CHARS_MAX)
}
