import { Type } from 'typebox'
import { inlineObject, integer, list, nullable, number, object, oneOf, uuid } from './fields.ts'

/** A merchant's margin tiers: as they are shown, added, changed and previewed. */
const MODES = ['weight', 'price'] as const
const productType = oneOf(['diamond', 'gemstone'], 'Kind of product', { default: 'diamond' })
const percent = (description: string, example: number) =>
  number(description, example, { minimum: 0, maximum: 10_000, multipleOf: 0.01 })
const bound = (description: string, example: number) =>
  number(description, example, { minimum: 0, maximum: 1e9 })

export const MarginSchema = object('ProfitMargin', {
  uuid: uuid('UUID of the tier'),
  merchant_uuid: uuid('Merchant that the tier belongs to'),
  lab_percent: number('Added to the wholesale price of lab grown stones', 50),
  mined_percent: number('Added to the wholesale price of mined stones', 35),
  weight_min: number('From this weight in carats; 0 on price tiers', 0),
  weight_max: number('To this weight in carats; 0 on price tiers', 0.75),
  price_min: number('From this wholesale price in USD; 0 on weight tiers', 0),
  price_max: number('To this wholesale price in USD; 0 on weight tiers', 0),
  weight_or_price: oneOf(MODES, 'What the bounds measure'),
})

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
    weight_or_price: oneOf(MODES, 'What the bounds measure', { default: 'weight' }),
    ...Type.Partial(Type.Object(bounds)).properties,
    mined_percent,
    lab_percent,
  },
  { additionalProperties: false, title: 'NewProfitMargin' },
)

export const MarginChange = Type.Partial(Type.Object(tierFields), {
  additionalProperties: false,
  minProperties: 1,
  title: 'ProfitMarginChange',
})

/** A whole table of tiers, which replaces the one before. */
export const MarginsBody = inlineObject(
  {
    mode: oneOf(MODES, 'What the bounds measure', { default: 'weight' }),
    product_type: productType,
    tiers: list(
      object('NewTier', {
        min: bound('Lower bound, in carats or US dollars', 0),
        max: bound('Upper bound, inclusive', 0.75),
        mined_percent: percent('Added to mined stones', 35),
        lab_percent: percent('Added to lab grown stones', 50),
      }),
      'Must not overlap; gaps are allowed. An empty list restores the default tiers',
      { maxItems: 50 },
    ),
  },
  { title: 'NewMargins' },
)

/** Which tables of tiers a list shows. */
export const MarginFilter = inlineObject({
  product_type: Type.Optional(
    list(oneOf(['diamond', 'gemstone'], 'Kind of product'), 'Only margins for these products', {
      minItems: 1,
      maxItems: 10,
    }),
  ),
})

const tableFields = {
  margin_mode: oneOf(MODES, 'What the tiers are based on'),
  profit_margins: list(MarginSchema, 'From low to high'),
}
export const MarginTableSchema = object('ProfitMargins', tableFields)
export const OperatorMarginTableSchema = object('OperatorMargins', tableFields)

const share = (description: string, example: number) =>
  number(description, example, { minimum: 0, maximum: 1 })

export const MarginPreviewSchema = object('MarginPreview', {
  stones: integer('Stones on sale that were compared; of a large market, a sample', 20_000),
  share_up: share('Share of them whose retail price would rise', 0.62),
  share_down: share('Share of them whose retail price would fall', 0.3),
  share_same: share('Share of them whose retail price would not change', 0.08),
  median_change_percent: nullable(number('Median change; null without stones', 1.85)),
})
