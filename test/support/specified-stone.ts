/** The specification's Gem product fields, without those of order data and the supplier's. */
// biome-ignore format: a list of names
export const SPECIFIED = [
  'id', 'sku', 'product_type', 'type', 'parcel', 'stone_type', 'quality',
  'base_currency_code', 'currency_code', 'exchange_rate', 'base_retail_price',
  'base_wholesale_price', 'retail_price', 'wholesale_price', 'off_rap_percentage',
  'shape', 'cut_code', 'weight', 'length', 'width', 'depth', 'ratio', 'ratio_group',
  'depth_percentage', 'table_percentage', 'crown_angle', 'pavilion_angle', 'pavilion_depth',
  'culet_size', 'girdle_min', 'girdle_max', 'color', 'color_max', 'clarity', 'clarity_max',
  'fancy_color_intensity', 'overtone', 'is_fancy', 'cut_grade', 'cut_grade_description',
  'polish_grade', 'symmetry_grade', 'fluorescence', 'eye_clean', 'grow_method',
  'lab', 'cert_num', 'cert_url', 'country_code',
  'quantity', 'enabled', 'on_hold', 'can_hold', 'memo', 'returnable', 'is_manual',
  'is_sustainable', 'sustainability_details', 'memo_days_to_return', 'days_to_return',
  'delivery_days_min', 'delivery_days_max', 'created_on', 'updated_on',
  'image_top_url', 'image_bottom_url', 'video_url', 'ux_url', 'v360_info', 'v360_json_base_url',
  'shape_icon_url', 'shape_icon_url_png', 'shape_image_url', 'media_requested',
  'original_imported_ext_url',
  'merchant_template_group', 'merchant_template_label', 'merchant_template_position',
  'merchant_template_uuid',
]
