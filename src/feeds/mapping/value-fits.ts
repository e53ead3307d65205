import { VENDOR_SKU_CHARS_MAX, WORDS_CHARS_MAX } from '../../gems/gem.ts'
import { readAvailability } from '../values/availability.ts'
import { readCertNum } from '../values/certificate.ts'
import { readColor, readHue, readIntensity, readOvertone } from '../values/color.ts'
import { readCountry } from '../values/country.ts'
import {
  readClarity,
  readCulet,
  readCutGrade,
  readEyeClean,
  readFinish,
  readFluorescence,
  readGirdle,
} from '../values/grades.ts'
import { readGrowMethod, readGrown } from '../values/growth.ts'
import { readDetails, readUrl } from '../values/links-and-details.ts'
import {
  readMeasurements,
  readParcelSize,
  readTolerance,
  readTolerances,
} from '../values/measurements.ts'
import { type NumberStyle, readCount, readDays, readNumber } from '../values/numbers.ts'
import { isOtherSize, readCarats, readCaratsEach } from '../values/parcel-words.ts'
import { readCutCode, readRatioGroup } from '../values/shape.ts'
import { isShapeText } from '../values/shape-codes.ts'
import { readSpecies } from '../values/species.ts'
import { readFlag } from '../values/spelling.ts'
import type { FieldName } from './fields.ts'

/** Whether a value is plausible for a field; the share of plausible values is a column's fit. */
type Fit = (text: string, style: NumberStyle) => boolean
/** One that does not depend on how the file writes numbers. */
type TextFit = (text: string) => boolean

const between =
  (low: number, high: number): Fit =>
  (text, style) => {
    const value = readNumber(text, style)
    return value !== undefined && value >= low && value <= high
  }
const reads =
  (read: (text: string) => unknown): TextFit =>
  (text) =>
    read(text) !== undefined
const matches =
  (pattern: RegExp): TextFit =>
  (text) =>
    pattern.test(text)

/** Percentages are written as 61.7 or, by a spreadsheet, as 0.617; zero means unknown. */
const percent: Fit = (text, style) => {
  const value = readNumber(text, style)
  return value !== undefined && (value === 0 || (value >= 25 && value <= 100) || isShare(value))
}
const isShare = (value: number) => value >= 0.25 && value < 1

const LAB_WORD = new RegExp(
  '\\b(G\\.?I\\.?A|IGI|GCAL|HRD|AGSL?|EGL|GSI|IIDGR|DF|PGS|NGTC|SGL|CGL|GHI|BSC|JGS|WGI|EDR|LGC|' +
    'GEM+OLOGICAL|(AMERICAN|NATIONAL) GEM|GEM CERTIFICATION|GEM ?RESEARCH|HOGE RAAD|' +
    'DHI|FM|GRS|AGL|SSEF|GUBELIN|NONE|NO CERT|UNCERT|N/A|NA|NC)',
  'i',
)
/** A pair may have both numbers in one cell. */
const CERT_NUM = /^[A-Z#:'-]{0,6}[\s-]?(?:LG)?\d[\w.+ /,;&|#:–-]{3,}$/i
const isCertNum: TextFit = (text) => CERT_NUM.test(text) || CERT_NUM.test(readCertNum(text) ?? '')
const isLink: TextFit = (text) => readUrl(text) !== undefined
const isIdentifier = matches(/^'?[\p{L}\p{N}][^\s].{0,99}$|^\d$/u)

/** A number of stones: `1,500`, `120 pcs`. */
const STONES = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.0+)?(?:\s*(?:pcs?\.?|pieces?|stones?|diamonds?))?$/i

/** A remark about a stone may be anything short. */
const isWords: TextFit = (text) => text.length <= WORDS_CHARS_MAX && readUrl(text) === undefined

/** A currency that is not known rejects its row, so any word may be one. */
const CURRENCY_CHARS_MAX = 20

/** The fields that are recognised by their values too; any value fits the others. */
const FITS: Partial<Record<FieldName, Fit>> = {
  vendor_sku: (text) => !isLink(text) && text.length <= VENDOR_SKU_CHARS_MAX,
  availability: reads(readAvailability),
  is_active: reads(readAvailability),
  shape: isShapeText,
  weight: (text, style) => {
    const carats = readCarats(text, style) ?? readNumber(text, style)
    return carats !== undefined && carats >= 0 && carats <= 1_000
  },
  color: (text) =>
    readColor(text) !== undefined || /^(\*|FANCY|FC|F|(NEAR[ -]?)?COLOU?RLESS)$/i.test(text),
  clarity: (text) => readClarity(text) !== undefined || /^(N|NONE)$/i.test(text),
  cut_grade: reads(readCutGrade),
  polish_grade: reads(readFinish),
  symmetry_grade: reads(readFinish),
  fluorescence: reads(readFluorescence),
  fluorescence_color: matches(
    /^(N|NONE|B|Y|W|G|O|BL|YL|WH|[a-z]{0,20}(blue|yellow|white|green|orange)[a-z]{0,20})$/i,
  ),
  measurements: (text, style) =>
    readMeasurements(text, style) !== undefined || /^[0Xx|* .]+$/.test(text),
  parcel_size: (text, style) =>
    readParcelSize(text, style) !== undefined || isOtherSize(text, style),
  tolerance: (text, style) => readTolerances(text, style) !== undefined,
  tolerance_positive: (text, style) => readTolerance(text, style) !== undefined,
  tolerance_negative: (text, style) => readTolerance(text, style) !== undefined,
  ratio: between(0, 20),
  ratio_group: reads(readRatioGroup),
  cut_code: reads(readCutCode),
  color_max: (text) => readColor(text) !== undefined,
  clarity_max: reads(readClarity),
  length: between(0, 100),
  width: between(0, 100),
  depth: between(1, 24.99),
  depth_percentage: percent,
  table_percentage: percent,
  crown_angle: between(0, 65),
  pavilion_angle: between(0, 65),
  pavilion_depth: between(0, 90),
  girdle: reads(readGirdle),
  girdle_min: reads(readGirdle),
  girdle_max: reads(readGirdle),
  culet_size: reads(readCulet),
  fancy_color: (text) =>
    readHue(text) !== undefined || /^(NONE|N\/?A|-|WHITE|(NEAR[ -]?)?COLOU?RLESS)$/i.test(text),
  is_fancy: reads(readFlag),
  fancy_color_intensity: reads(readIntensity),
  overtone: (text) =>
    readOvertone(text) !== undefined || /^(N|NO|NONE|N\/?A|-|0|NO(NE)? OVERTONES?)$/i.test(text),
  lab: matches(LAB_WORD),
  lab_name: (text) => !isLink(text),
  shade: isWords,
  shade_brown: isWords,
  shade_green: isWords,
  shade_blue: isWords,
  shade_gray: isWords,
  milky: isWords,
  bgm: isWords,
  black_inclusion: isWords,
  cert_num: isCertNum,
  cert_num_2: isCertNum,
  cert_url: isLink,
  price_per_carat: between(0, 50_000_000),
  total_price: between(0, 500_000_000),
  list_price: between(0, 500_000_000),
  total_list_price: between(0, 500_000_000),
  discount_percentage: between(-100, 400),
  currency_code: (text) => text.length <= CURRENCY_CHARS_MAX && !/\d/.test(text),
  type: reads(readGrown),
  grow_method: (text) =>
    readGrowMethod(text) !== undefined || /^(|-|NONE|N\/?A|NATURAL)$/i.test(text),
  species: (text) => readSpecies(text)?.gem !== undefined,
  country_code: reads(readCountry),
  eye_clean: reads(readEyeClean),
  image_top_url: isLink,
  image_bottom_url: isLink,
  cached_ux_url: isLink,
  v360_json_base_url: isLink,
  v360_info: reads(readDetails),
  v360_frame_count: reads(readCount),
  video_url: isLink,
  ux_url: isLink,
  media_requested: reads(readFlag),
  original_imported_ext_url: isLink,
  pair_vendor_sku: (text) => readFlag(text) === undefined && isIdentifier(text),
  pair_set: (text) => text.length <= VENDOR_SKU_CHARS_MAX && !isLink(text),
  is_pair: (text) => readFlag(text) !== undefined || /pair|single/i.test(text),
  pair_separable: reads(readFlag),
  parcel_stones: matches(STONES),
  average_weight: (text, style) =>
    readCaratsEach(text, style) !== undefined || isOtherSize(text, style),
  is_sustainable: reads(readFlag),
  sustainability_details: (text) => readFlag(text) === undefined,
  can_hold: reads(readFlag),
  memo_days_to_return: reads(readDays),
  internal_days_to_return: reads(readDays),
  returnable: reads(readFlag),
  days_to_return: reads(readDays),
  memo: reads(readFlag),
  delivery_days_min: reads(readDays),
  delivery_days_max: reads(readDays),
}

export function fitsField(field: FieldName, text: string, style: NumberStyle): boolean {
  return FITS[field]?.(text, style) ?? true
}
