import type { Selectable } from 'kysely'
import type { GemTable } from '../database/tables/gems.ts'
import { amountFrom, centsFrom } from '../lib/money.ts'
import { millisecondsOf, spacedTimestamp } from '../lib/timestamps.ts'
import { BASE_CURRENCY } from '../pricing/exchange-rates.ts'
import { wholesaleOf } from '../pricing/price-list.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../pricing/price-rules.ts'
import { offRapHundredths, priceStone } from '../pricing/prices.ts'
import type { GemType } from '../reference/attributes.ts'

export type Gem = Selectable<GemTable>

/**
 * A gem as a merchant sees it in search. What does not depend on the caller or the clock comes
 * first: search renders that part once per version of a stone and keeps its bytes.
 */
export function renderGem(gem: Gem, rules: PriceRules, publicUrl: string, nowMs = Date.now()) {
  return {
    ...renderStone(gem, publicUrl),
    ...renderTerms({ ...pricedFrom(gem, rules), on_hold: isHeld(gem, nowMs) }, rules),
    ...NO_TEMPLATE,
  }
}

export function isHeld(gem: Pick<Gem, 'hold_expires_on'>, nowMs: number): boolean {
  return gem.hold_expires_on !== null && millisecondsOf(gem.hold_expires_on) > nowMs
}

export const CUT_GRADE_WORDS: Record<string, string> = {
  IDL: 'Ideal',
  EX: 'Excellent',
  VG: 'Very Good',
  G: 'Good',
  F: 'Fair',
  P: 'Poor',
}

/** What every merchant sees alike. `cost`, `supplier_id` and `vendor_sku` are nobody's business. */
export function renderStone(gem: Gem, publicUrl: string) {
  return {
    id: gem.id,
    sku: gem.sku,
    product_type: gem.product_type,
    type: gem.type,
    parcel: gem.product_type === 'melee',
    stone_type: gem.species,
    quality: gem.product_type === 'melee' ? qualityOf(gem) : null,
    shape: gem.shape,
    cut_code: gem.cut_code,
    weight: Number(gem.weight),
    length: numberOrNull(gem.length),
    width: numberOrNull(gem.width),
    depth: numberOrNull(gem.depth),
    ratio: numberOrNull(gem.ratio),
    ratio_group: gem.ratio_group,
    depth_percentage: numberOrNull(gem.depth_percentage),
    table_percentage: numberOrNull(gem.table_percentage),
    crown_angle: numberOrNull(gem.crown_angle),
    pavilion_angle: numberOrNull(gem.pavilion_angle),
    pavilion_depth: numberOrNull(gem.pavilion_depth),
    culet_size: gem.culet_size,
    girdle_min: gem.girdle_min,
    girdle_max: gem.girdle_max,
    color: gem.color,
    color_max: gem.color_max,
    clarity: gem.clarity,
    clarity_max: gem.clarity_max,
    fancy_color_intensity: gem.fancy_color_intensity,
    overtone: gem.overtone,
    is_fancy: gem.is_fancy,
    cut_grade: gem.cut_grade,
    cut_grade_description: gem.cut_grade === null ? null : CUT_GRADE_WORDS[gem.cut_grade],
    polish_grade: gem.polish_grade,
    symmetry_grade: gem.symmetry_grade,
    fluorescence: gem.fluorescence,
    eye_clean: gem.eye_clean,
    grow_method: gem.grow_method,
    lab: gem.lab,
    cert_num: gem.cert_num,
    cert_url: gem.cert_url,
    country_code: gem.country_code,
    quantity: gem.quantity,
    enabled: true,
    can_hold: gem.can_hold,
    memo: gem.memo,
    returnable: gem.returnable,
    is_manual: gem.is_manual,
    is_sustainable: gem.is_sustainable ?? false,
    sustainability_details: gem.sustainability_details,
    memo_days_to_return: gem.memo_days_to_return,
    days_to_return: gem.days_to_return,
    delivery_days_min: gem.delivery_days_min,
    delivery_days_max: gem.delivery_days_max,
    created_on: spacedTimestamp(gem.created_on),
    updated_on: spacedTimestamp(gem.updated_on),
    ...renderMedia(gem, publicUrl),
  }
}

function renderMedia(gem: Gem, publicUrl: string) {
  const picture = `${publicUrl}/shapes/${gem.shape}`
  return {
    image_top_url: gem.image_top_url,
    image_bottom_url: gem.image_bottom_url,
    video_url: gem.video_url,
    ux_url: gem.ux_url,
    v360_info: gem.v360_info,
    v360_json_base_url: gem.v360_json_base_url,
    shape_icon_url: `${picture}.svg`,
    shape_icon_url_png: `${picture}.png`,
    shape_image_url: `${picture}.png`,
    media_requested: gem.media_requested,
    original_imported_ext_url: gem.original_imported_ext_url,
  }
}

/** The colors and clarities of a parcel, best first: `D-F/VVS1-VS2`; a range not known is left out. */
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

function numberOrNull(digits: string | null): number | null {
  return digits === null ? null : Number(digits)
}

/** What a caller's terms make of a stone; amounts in cents, off_rap in hundredths of a percent. */
export interface Terms {
  base_retail_price: number
  base_wholesale_price: number
  retail_price: number
  wholesale_price: number
  off_rap: number | null
  on_hold: boolean
}

export function pricedFrom(gem: Gem, rules: PriceRules): Omit<Terms, 'on_hold'> {
  const base = wholesaleOf(gem, rules.list)
  const weight = Math.round(Number(gem.weight) * 10 ** WEIGHT_DECIMALS)
  const listPrice = gem.list_price === null ? null : centsFrom(gem.list_price)
  return {
    ...priceStone(rules, gem.type as GemType, weight, base),
    off_rap: offRapHundredths(base, listPrice),
  }
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

/** Filled in by curated search only. */
export const NO_TEMPLATE = {
  merchant_template_group: null,
  merchant_template_label: null,
  merchant_template_position: null,
  merchant_template_uuid: null,
} as const
