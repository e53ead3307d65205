import { Type } from 'typebox'
import { integer, list, nullable, number, object, oneOf } from './fields.ts'
import { AddressBody, percent, TemplateBody } from './operator.ts'
import { MarginSchema } from './settings.ts'

const change = { additionalProperties: false, minProperties: 1 } as const

export const AddressChange = Type.Partial(AddressBody, { ...change, title: 'AddressChange' })
export const TemplateChange = Type.Partial(TemplateBody, { ...change, title: 'TemplateChange' })

const productType = oneOf(['diamond', 'gemstone'], 'The kind of product', { default: 'diamond' })
const bound = (description: string, example: number) =>
  number(description, example, { minimum: 0, maximum: 1e9 })

const tierFields = {
  weight_min: bound('From this weight in carats, on weight tiers', 0),
  weight_max: bound('To this weight in carats, inclusive, on weight tiers', 0.75),
  price_min: bound('From this wholesale price in USD, on price tiers', 0),
  price_max: bound('To this wholesale price in USD, inclusive, on price tiers', 0),
  mined_percent: percent('Added to the wholesale price of mined stones', 35),
  lab_percent: percent('Added to the wholesale price of lab grown stones', 50),
}
const { mined_percent, lab_percent, ...bounds } = tierFields

export const NewMargin = Type.Object(
  {
    product_type: productType,
    weight_or_price: oneOf(['weight', 'price'], 'What the bounds measure', { default: 'weight' }),
    ...Type.Partial(Type.Object(bounds)).properties,
    mined_percent,
    lab_percent,
  },
  { additionalProperties: false, title: 'NewProfitMargin' },
)

export const MarginChange = Type.Partial(Type.Object(tierFields), {
  ...change,
  title: 'ProfitMarginChange',
})

export const MarginTableSchema = object('ProfitMargins', {
  margin_mode: oneOf(['weight', 'price'], 'What the tiers go by'),
  profit_margins: list(MarginSchema, 'From low to high'),
})

const share = (description: string, example: number) =>
  number(description, example, { minimum: 0, maximum: 1 })

export const MarginPreviewSchema = object('MarginPreview', {
  stones: integer('Stones on sale that were looked at; a large market is sampled', 20_000),
  share_up: share('Share of them whose retail price would rise', 0.62),
  share_down: share('Share of them whose retail price would fall', 0.3),
  share_same: share('Share of them whose retail price would stay', 0.08),
  median_change_percent: nullable(number('The middle change; null without stones', 1.85)),
})
