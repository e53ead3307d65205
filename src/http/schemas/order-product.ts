import { Type } from 'typebox'
import { flag, integer, nullable, number, text, timestamp } from './fields.ts'

const words = (description: string, example: string) => nullable(text(description, example))
const amount = (description: string, example: number) => number(description, example)
const millimetres = (description: string, example: number) => nullable(number(description, example))
const degrees = (description: string, example: number) => nullable(number(description, example))
const days = (description: string, example: number) => nullable(integer(description, example))

const product = Type.Partial(
  Type.Object({
    id: Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      description: "A gem's number, or a variant's uuid",
      examples: [4711],
    }),
    sku: text('What it is ordered by', 'K7Q2M4X9TB'),
    product_type: text('diamond, melee, gemstone, jewelry or watch', 'diamond'),
    type: text('mined or lab grown', 'lab grown'),
    parcel: flag('Sold by the stone out of a parcel', false),
    stone_type: words('The species of a coloured stone', 'sapphire'),
    quality: words('Color and clarity range of a parcel', 'D-F/VVS1-VS1'),
    base_currency_code: text('The currency of the base prices', 'USD'),
    currency_code: text("The merchant's currency", 'EUR'),
    exchange_rate: number('Units of it for one base unit', 0.92),
    base_retail_price: amount('Retail price in the base currency', 2295),
    base_wholesale_price: amount('Wholesale price in the base currency; melee: per carat', 1700),
    retail_price: amount("Retail price in the merchant's currency", 2111.4),
    wholesale_price: amount("Wholesale price in the merchant's currency", 1564),
    off_rap_percentage: nullable(number('Above or below the reference list price', -32.5)),
    off_rap_price: nullable(number('The reference list price in US dollars', 2518.5)),
    cost: number('What the caller pays in US dollars; lists and searches only', 1700),
    shape: text('Outline', 'round'),
    cut_code: text('Cut', 'brilliant_cut'),
    weight: number('Carats; of one stone of a parcel', 1.52),
    length: millimetres('Millimetres', 7.41),
    width: millimetres('Millimetres', 7.38),
    depth: millimetres('Millimetres', 4.55),
    ratio: nullable(number('Length / width', 1.004)),
    ratio_group: words('square or rectangular', 'square'),
    depth_percentage: nullable(number('Depth in percent of the width', 61.5)),
    table_percentage: nullable(number('Table in percent of the width', 57)),
    crown_angle: degrees('Degrees', 34.5),
    pavilion_angle: degrees('Degrees', 40.8),
    pavilion_depth: nullable(number('Percent of the width', 43)),
    culet_size: words('Culet', 'N'),
    girdle_min: words('The thin end of the girdle', 'TN'),
    girdle_max: words('The thick end of the girdle', 'MD'),
    color: words('Grade, hue or word; the worst of a parcel', 'F'),
    color_max: words('The best of a parcel', 'D'),
    clarity: words('Grade; the worst of a parcel', 'VS1'),
    clarity_max: words('The best of a parcel', 'VVS1'),
    fancy_color_intensity: words('Of a fancy color', 'INT'),
    overtone: words('Of a fancy color', 'orangy'),
    is_fancy: flag('Whether color is a hue', false),
    cut_grade: words('Grade of the cut', 'EX'),
    cut_grade_description: words('The same in words', 'Excellent'),
    polish_grade: words('Grade of the polish', 'EX'),
    symmetry_grade: words('Grade of the symmetry', 'EX'),
    fluorescence: words('Fluorescence', 'None'),
    eye_clean: words('yes, borderline or no', 'yes'),
    grow_method: words('CVD or HPHT', 'CVD'),
    lab: words('Who certified it', 'IGI'),
    cert_num: words('Number of the certificate', 'LG598312345'),
    cert_url: words('Where the certificate is', 'https://reports.example/LG598312345'),
    country_code: words('Where it lies, three letters', 'IND'),
    quantity: integer('In stock just before the order', 1),
    enabled: flag('Whether it was on sale', true),
    on_hold: flag('Whether it was held; an order consumes the hold', false),
    can_hold: flag('Whether it may be held', true),
    memo: flag('Whether it is offered on memo', true),
    returnable: flag('Whether it may be returned', true),
    is_manual: flag('Entered by hand', false),
    is_sustainable: nullable(flag('Whether it is certified as sustainable', true)),
    sustainability_details: nullable(
      Type.Object({}, { additionalProperties: true, description: 'How it is sustainable' }),
    ),
    memo_days_to_return: days('Days on memo', 14),
    days_to_return: days('Days to return it', 14),
    delivery_days_min: days('Business days, at least', 3),
    delivery_days_max: days('Business days, at most', 7),
    created_on: timestamp('When it came to the market'),
    updated_on: timestamp('When it was last changed before the order'),
    supplier_id: integer('Whose stone it is', 3),
    vendor_sku: text("The supplier's number", 'NL-100482'),
    image_top_url: words('Picture from above', 'https://media.example/1/top.jpg'),
    image_bottom_url: words('Picture from below', 'https://media.example/1/bottom.jpg'),
    video_url: words('Video', 'https://media.example/1.mp4'),
    ux_url: words('360 degree viewer', 'https://media.example/1/view'),
    v360_info: nullable(
      Type.Object({}, { additionalProperties: true, description: 'Frames of the 360 view' }),
    ),
    v360_json_base_url: words('Base address of the frames', 'https://media.example/1/'),
    media_requested: flag('Whether media were asked for', false),
    original_imported_ext_url: words('Media address of the feed', 'https://media.example/1'),
  }),
  { title: 'OrderProduct', additionalProperties: true },
)

/**
 * The product as it was when it was ordered. A certificate has none of these fields, and jewelry
 * has those of a variant, so each of them may be absent.
 */
export const OrderProductSchema = Type.Unsafe<Record<string, unknown>>(product)
