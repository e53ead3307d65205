import type { FancyIntensity, Hue } from '../../reference/attributes.ts'
import type { OrderLine } from '../order.ts'

/** What a document says about a product: a title, and lines below it. */
interface LineText {
  title: string
  facts: string[]
}

/** The fields of a gem that an order's copy of it lacks, because v2 does not show them. */
export interface GemDisclosure {
  treatment: string | null
  lab_name: string | null
  origin: string | null
}

/** The product of a line as a buyer, an insurer or customs identify it. */
export function describeLine(line: OrderLine, disclosure: GemDisclosure | undefined): LineText {
  const { product_type, product, description } = line
  if (product_type === 'gem') return describeGem(product, disclosure)
  if (product_type === 'cert') return { title: description || line.name, facts: [line.name] }
  const facts = description === '' ? [] : [shortened(description)]
  return { title: shortened(line.name), facts }
}

/** A line must fit on a page; the description of a piece of jewelry may be a whole story. */
const TEXT_LENGTH_MAX = 300

function shortened(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX - 1).trimEnd()}…`
}

type Fields = Record<string, unknown>

function describeGem(fields: Fields, disclosure: GemDisclosure | undefined): LineText {
  const isParcel = fields.product_type === 'melee'
  const weight = `${String(fields.weight)} ct`
  const title = [
    isParcel ? `${weight} each,` : weight,
    wordsOf(fields.shape),
    fields.type === 'lab grown' ? 'lab grown' : 'natural',
    stoneOf(fields),
  ].join(' ')
  const grades = [
    labelled('Color', colorOf(fields)),
    labelled('Clarity', rangeOf(fields.clarity_max, fields.clarity)),
    labelled('Cut', fields.cut_grade),
  ]
  const finish = [
    labelled('Polish', fields.polish_grade),
    labelled('Symmetry', fields.symmetry_grade),
    labelled('Fluorescence', fields.fluorescence),
  ]
  const identity = [measurementsOf(fields), certificateOf(fields, disclosure)]
  const sources = [
    labelled('Origin', disclosure?.origin),
    labelled('Treatment', disclosure?.treatment),
    labelled('Growth', fields.grow_method),
  ]
  const facts = [grades, finish, identity, sources].map(joined)
  return { title, facts: facts.filter((fact) => fact !== '') }
}

function stoneOf({ product_type, stone_type }: Fields): string {
  if (product_type === 'melee') return 'melee diamonds'
  return product_type === 'gemstone' && stone_type !== null ? wordsOf(stone_type) : 'diamond'
}

const HUE_WORDS: Record<Hue, string> = {
  BK: 'black',
  BL: 'blue',
  BN: 'brown',
  CH: 'champagne',
  CM: 'chameleon',
  CG: 'cognac',
  GY: 'gray',
  GR: 'green',
  OR: 'orange',
  PN: 'pink',
  PL: 'purple',
  RD: 'red',
  VL: 'violet',
  YL: 'yellow',
  WH: 'white',
  OT: 'other',
}

const INTENSITY_WORDS: Record<FancyIntensity, string> = {
  FAN: 'fancy',
  FDK: 'fancy dark',
  FDP: 'fancy deep',
  FLT: 'fancy light',
  FNT: 'faint',
  INT: 'fancy intense',
  LIT: 'light',
  VIV: 'fancy vivid',
  VLT: 'very light',
}

const HUES = new Map(Object.entries(HUE_WORDS))
const INTENSITIES = new Map(Object.entries(INTENSITY_WORDS))

/** `F`, `D-F` of a parcel, or `fancy vivid yellow`. */
function colorOf(fields: Fields): string {
  const { is_fancy, color, color_max, fancy_color_intensity, overtone } = fields
  if (is_fancy !== true) return rangeOf(color_max, color)
  const words = [
    INTENSITIES.get(String(fancy_color_intensity)),
    overtone,
    HUES.get(String(color)) ?? color,
  ]
  return words.filter(isPresent).join(' ')
}

/** Best first: `D-F`, or one grade. */
function rangeOf(best: unknown, worst: unknown): string {
  const grades = [best, worst].filter(isPresent).map(String)
  return [...new Set(grades)].join('-')
}

/** `7.4 × 7.36 × 4.55 mm` */
function measurementsOf({ length, width, depth }: Fields): string {
  const sides = [length, width, depth].filter(isPresent)
  return sides.length === 3 ? `${sides.map(withTwoDecimals).join(' × ')} mm` : ''
}

function withTwoDecimals(millimetres: unknown): string {
  return Number(millimetres).toFixed(2)
}

function certificateOf({ lab, cert_num }: Fields, disclosure: GemDisclosure | undefined): string {
  if (!isPresent(cert_num)) return ''
  return [lab ?? disclosure?.lab_name, cert_num].filter(isPresent).join(' ')
}

function labelled(label: string, value: unknown): string {
  return isPresent(value) ? `${label} ${String(value)}` : ''
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

function wordsOf(code: unknown): string {
  return String(code).replaceAll('_', ' ')
}
