import type { Selectable } from 'kysely'
import type { GemTable } from '../database/tables.ts'
import { offRapHundredths, type PriceRules, priceStone, WEIGHT_DECIMALS } from '../gems/prices.ts'
import { amountFrom, centsFrom, scaledFrom } from '../lib/money.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { BASE_CURRENCY } from '../merchants/exchange-rates.ts'
import type { GemType } from '../reference/attributes.ts'

export type GemRow = Selectable<GemTable>

/** The wholesale price in the buyer's list, in cents: of the stone, or of a carat of melee. */
export function baseCentsOf(gem: GemRow, rules: PriceRules): number {
  return centsFrom(rules.list === 'us' ? gem.wholesale_price_us : gem.wholesale_price)
}

export function scaledWeightOf(gem: Pick<GemRow, 'weight'>): number {
  return Number(scaledFrom(gem.weight, WEIGHT_DECIMALS))
}

/** The fields of a gem that an order keeps, at the buyer's prices of this moment. */
export function copyGem(gem: GemRow, rules: PriceRules): Record<string, unknown> {
  const { id, sku, product_type, type, country_code, lab, cert_num, cert_url } = gem
  return {
    id,
    sku,
    product_type,
    type,
    parcel: product_type === 'melee',
    stone_type: gem.species,
    quality: qualityOf(gem),
    ...pricesOf(gem, rules),
    ...stoneOf(gem),
    lab,
    cert_num,
    cert_url,
    country_code,
    ...availabilityOf(gem),
    ...mediaOf(gem),
  }
}

function pricesOf(gem: GemRow, rules: PriceRules) {
  const base = baseCentsOf(gem, rules)
  const priced = priceStone(rules, gem.type as GemType, scaledWeightOf(gem), base)
  const offList = offRapHundredths(base, gem.list_price === null ? null : centsFrom(gem.list_price))
  return {
    base_currency_code: BASE_CURRENCY,
    currency_code: rules.currency_code,
    exchange_rate: rules.exchange_rate,
    base_retail_price: amountFrom(priced.base_retail_price),
    base_wholesale_price: amountFrom(priced.base_wholesale_price),
    retail_price: amountFrom(priced.retail_price),
    wholesale_price: amountFrom(priced.wholesale_price),
    off_rap_percentage: offList === null ? null : amountFrom(offList),
    off_rap_price: numberOrNull(gem.list_price),
  }
}

function stoneOf(gem: GemRow) {
  return {
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
    cut_grade_description: gem.cut_grade === null ? null : CUT_WORDS[gem.cut_grade],
    polish_grade: gem.polish_grade,
    symmetry_grade: gem.symmetry_grade,
    fluorescence: gem.fluorescence,
    eye_clean: gem.eye_clean,
    grow_method: gem.grow_method,
  }
}

const CUT_WORDS: Record<string, string> = {
  IDL: 'Ideal',
  EX: 'Excellent',
  VG: 'Very Good',
  G: 'Good',
  F: 'Fair',
  P: 'Poor',
}

/** The quantity is what was in stock just before; the hold is the order's to consume. */
function availabilityOf(gem: GemRow) {
  return {
    quantity: gem.quantity,
    enabled: gem.state !== 'disabled',
    on_hold: false,
    can_hold: gem.can_hold,
    memo: gem.memo,
    returnable: gem.returnable,
    is_manual: gem.is_manual,
    is_sustainable: gem.is_sustainable,
    sustainability_details: gem.sustainability_details,
    memo_days_to_return: gem.memo_days_to_return,
    days_to_return: gem.days_to_return,
    delivery_days_min: gem.delivery_days_min,
    delivery_days_max: gem.delivery_days_max,
    created_on: isoWithOffset(gem.created_on),
    updated_on: isoWithOffset(gem.updated_on),
    supplier_id: gem.supplier_id,
    vendor_sku: gem.vendor_sku,
  }
}

function mediaOf(gem: GemRow) {
  return {
    image_top_url: gem.image_top_url,
    image_bottom_url: gem.image_bottom_url,
    video_url: gem.video_url,
    ux_url: gem.ux_url,
    v360_info: gem.v360_info,
    v360_json_base_url: gem.v360_json_base_url,
    media_requested: gem.media_requested,
    original_imported_ext_url: gem.original_imported_ext_url,
  }
}

/** The color and clarity range of a parcel: `D-F/VVS1-VS1`. */
function qualityOf(gem: GemRow): string | null {
  if (gem.product_type !== 'melee') return null
  const { color_max, color, clarity_max, clarity } = gem
  return `${color_max ?? color}-${color}/${clarity_max ?? clarity}-${clarity}`
}

function numberOrNull(digits: string | null): number | null {
  return digits === null ? null : Number(digits)
}
