/** As `Gem` in /openapi/v2.json. */
export interface Gem {
  id: number
  sku: string
  product_type: string
  type: string
  stone_type: string | null
  shape: string
  cut_code: string
  weight: number
  length: number | null
  width: number | null
  depth: number | null
  ratio: number | null
  depth_percentage: number | null
  table_percentage: number | null
  crown_angle: number | null
  pavilion_angle: number | null
  pavilion_depth: number | null
  culet_size: string | null
  girdle_min: string | null
  girdle_max: string | null
  color: string | null
  clarity: string | null
  fancy_color_intensity: string | null
  overtone: string | null
  is_fancy: boolean
  cut_grade: string | null
  polish_grade: string | null
  symmetry_grade: string | null
  fluorescence: string | null
  eye_clean: string | null
  grow_method: string | null
  lab: string | null
  cert_num: string | null
  cert_url: string | null
  country_code: string | null
  quantity: number
  on_hold: boolean
  can_hold: boolean
  memo: boolean
  returnable: boolean
  is_sustainable: boolean | null
  memo_days_to_return: number | null
  days_to_return: number | null
  delivery_days_min: number | null
  delivery_days_max: number | null
  created_on: string
  updated_on: string
  image_top_url: string | null
  image_bottom_url: string | null
  video_url: string | null
  ux_url: string | null
  base_currency_code: string
  currency_code: string
  exchange_rate: number
  base_retail_price: number
  base_wholesale_price: number
  retail_price: number
  wholesale_price: number
  off_rap_percentage: number | null
  merchant_template_group: string | null
  merchant_template_label: string | null
  merchant_template_position: number | null
}

/** `1.02 ct round F VS1`, or what a coloured stone is. */
export function gemName(gem: Gem, weight: string): string {
  if (gem.product_type === 'gemstone') {
    return [weight, gem.color, gem.stone_type ?? 'gemstone', gem.shape.replaceAll('_', ' ')]
      .filter(Boolean)
      .join(' ')
  }
  const color = gem.is_fancy
    ? `fancy ${[gem.fancy_color_intensity, gem.color].filter(Boolean).join(' ')}`
    : gem.color
  return [weight, gem.shape.replaceAll('_', ' '), color, gem.clarity].filter(Boolean).join(' ')
}
