import { amountFrom, centsFrom } from '../lib/money.ts'
import { millisecondsOf, spacedTimestamp } from '../lib/timestamps.ts'
import { BASE_CURRENCY } from '../pricing/exchange-rates.ts'
import { wholesaleOf } from '../pricing/price-list.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../pricing/price-rules.ts'
import { offRapHundredths, priceStone } from '../pricing/prices.ts'
import type { GemType } from '../reference/attributes.ts'
import {
  type ComputedField,
  EXTENSION_FIELDS,
  type ExtensionField,
  GEM_FIELDS,
  type Gem,
  isComputed,
  type Shown,
  STONE_FIELDS,
  type StoneField,
} from './gem.ts'

/**
 * What every merchant sees alike, as a JSON object without its closing brace: what depends on the
 * caller or the clock comes behind it, and search stores these bytes once per version of a stone.
 * The text is written field by field from the table of gem.ts; building an object by the table
 * first and serialising it takes three times as long.
 */
export function stoneJson(gem: Gem, publicUrl: string): string {
  let json = ''
  for (const write of WRITERS) json += write(gem, publicUrl)
  return json
}

/** The fields that v3 shows behind those: `,"lab_name":…`. */
export function extensionJson(gem: Gem): string {
  let json = ''
  for (const write of EXTENSION_WRITERS) json += write(gem, '')
  return json
}

/** What `stoneJson` writes, as an object. */
export function renderStone(gem: Gem, publicUrl: string): Record<StoneField, unknown> {
  return JSON.parse(`${stoneJson(gem, publicUrl)}}`)
}

/** What `extensionJson` writes, as an object. */
export function renderExtensions(gem: Gem): Record<ExtensionField, unknown> {
  return JSON.parse(`{${extensionJson(gem).slice(1)}}`)
}

/** A gem as a merchant sees it in search, as an object. */
export function renderGem(gem: Gem, rules: PriceRules, publicUrl: string, nowMs: number) {
  return {
    ...renderStone(gem, publicUrl),
    ...renderTerms({ ...pricedFrom(gem, rules), on_hold: isHeld(gem, nowMs) }, rules),
    ...NO_TEMPLATE,
  }
}

export function isHeld(gem: Pick<Gem, 'hold_expires_on'>, nowMs: number): boolean {
  return gem.hold_expires_on !== null && millisecondsOf(gem.hold_expires_on) > nowMs
}

/** How the value of a column is written; market-feed/snapshot-fields.ts does the same in SQL. */
const JSON_OF: Record<Exclude<Shown, 'computed'>, (value: unknown) => string> = {
  word: (value) => `"${String(value)}"`,
  text: JSON.stringify,
  decimal: (digits) => withoutTrailingZeros(String(digits)),
  whole: String,
  flag: String,
  json: JSON.stringify,
  timestamp: (timestamp) => `"${spacedTimestamp(String(timestamp))}"`,
}

/** A numeric column as JSON has the number: `6.450` is 6.45. */
function withoutTrailingZeros(digits: string): string {
  if (!digits.includes('.')) return digits
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end)
}

type Writer = (gem: Gem, publicUrl: string) => string

const COMPUTED: Record<ComputedField, Writer> = {
  parcel: (gem) => String(isMelee(gem)),
  stone_type: (gem) => (gem.species === null ? 'null' : JSON.stringify(gem.species)),
  quality: (gem) => (isMelee(gem) ? JSON.stringify(qualityOf(gem)) : 'null'),
  cut_grade_description: ({ cut_grade }) =>
    cut_grade === null ? 'null' : `"${CUT_GRADE_WORDS[cut_grade]}"`,
  // Search has only stones that are on sale.
  enabled: () => 'true',
  is_sustainable: (gem) => String(gem.is_sustainable ?? false),
  shape_icon_url: (gem, publicUrl) => `"${publicUrl}/shapes/${gem.shape}.svg"`,
  shape_icon_url_png: (gem, publicUrl) => `"${publicUrl}/shapes/${gem.shape}.png"`,
  shape_image_url: (gem, publicUrl) => `"${publicUrl}/shapes/${gem.shape}.png"`,
}

const WRITERS = STONE_FIELDS.map((name, position) => writerOf(name, position === 0 ? '{' : ','))
const EXTENSION_WRITERS = EXTENSION_FIELDS.map((name) => writerOf(name, ','))

function writerOf(name: StoneField | ExtensionField, before: '{' | ','): Writer {
  const key = `${before}${JSON.stringify(name)}:`
  if (isComputed(name)) {
    const compute = COMPUTED[name]
    return (gem, publicUrl) => key + compute(gem, publicUrl)
  }
  const write = JSON_OF[GEM_FIELDS[name].shown]
  return (gem) => {
    const value = gem[name]
    return key + (value === null ? 'null' : write(value))
  }
}

function isMelee(gem: Pick<Gem, 'product_type'>): boolean {
  return gem.product_type === 'melee'
}

export const CUT_GRADE_WORDS: Record<string, string> = {
  IDL: 'Ideal',
  EX: 'Excellent',
  VG: 'Very Good',
  G: 'Good',
  F: 'Fair',
  P: 'Poor',
}

/** The colors and clarities of a parcel, best first: `D-F/VVS1-VS2`; unknown ones are left out. */
export function qualityOf(gem: Pick<Gem, 'color' | 'color_max' | 'clarity' | 'clarity_max'>) {
  const { color, color_max, clarity, clarity_max } = gem
  return [
    [color_max, color],
    [clarity_max, clarity],
  ]
    .filter(([best]) => best !== null)
    .map((range) => range.join('-'))
    .join('/')
}

/** What depends on the caller or the clock. Amounts in cents, off_rap in 1/100 of a percent. */
export interface Terms {
  base_retail_price: number
  base_wholesale_price: number
  retail_price: number
  wholesale_price: number
  off_rap: number | null
  on_hold: boolean
}

export function pricedFrom(gem: Gem, rules: PriceRules): Omit<Terms, 'on_hold'> {
  const weight = Math.round(Number(gem.weight) * 10 ** WEIGHT_DECIMALS)
  const listPrice = gem.list_price === null ? null : centsFrom(gem.list_price)
  const priced = priceStone(rules, gem.type as GemType, weight, wholesaleOf(gem, rules.list))
  return { ...priced, off_rap: offRapHundredths(priced.base_wholesale_price, listPrice) }
}

export function renderTerms(terms: Terms, rules: PriceRules) {
  return {
    base_currency_code: BASE_CURRENCY,
    currency_code: rules.currency_code,
    exchange_rate: rules.exchange_rate,
    base_retail_price: amountFrom(terms.base_retail_price),
    base_wholesale_price: amountFrom(terms.base_wholesale_price),
    retail_price: amountFrom(terms.retail_price),
    wholesale_price: amountFrom(terms.wholesale_price),
    off_rap_percentage: terms.off_rap === null ? null : amountFrom(terms.off_rap),
    on_hold: terms.on_hold,
  }
}

/** The fields of a search result that depend on the caller or the clock. */
export type TermsField = keyof ReturnType<typeof renderTerms> | keyof typeof NO_TEMPLATE

/** Filled in by curated search only. */
export const NO_TEMPLATE = {
  merchant_template_group: null,
  merchant_template_label: null,
  merchant_template_position: null,
  merchant_template_uuid: null,
} as const
