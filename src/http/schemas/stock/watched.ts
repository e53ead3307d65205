import { Type } from 'typebox'
import { STONE_STATUSES } from '../../../saved-searches/selections/chosen-stones.ts'
import { WATCHED_AT_ONCE_MAX } from '../../../saved-searches/selections/watched.ts'
import { inlineObject, list, nullable, number, object, oneOf, text, timestamp } from '../fields.ts'
import { GemV3Schema } from '../gem.ts'
import { listLimit, offsetField } from '../page.ts'

/** Stones that a merchant watches. */
const sku = text('SKU of a diamond or a gemstone', 'PV-7Q2M4K', { minLength: 1, maxLength: 100 })

export const WatchBody = inlineObject(
  {
    skus: list(sku, 'The stones', {
      minItems: 1,
      maxItems: WATCHED_AT_ONCE_MAX,
      uniqueItems: true,
    }),
  },
  { title: 'NewWatchedStones' },
)

const price = (description: string) =>
  nullable(
    Type.Object(
      {
        wholesale_price: number('Wholesale price in your currency', 5000),
        retail_price: number('Retail price in your currency', 6500),
      },
      { description, additionalProperties: false },
    ),
  )

const { product_type, type, shape, weight, color, clarity, is_fancy } = GemV3Schema.properties
const { fancy_color_intensity, overtone, stone_type, lab, cert_num } = GemV3Schema.properties
const grades = { color, clarity, is_fancy, fancy_color_intensity, overtone, lab, cert_num }

export const WatchedSchema = object('WatchedStone', {
  sku,
  stone: nullable(
    Type.Object(
      { product_type, type, shape, weight, stone_type, ...grades },
      {
        description: 'What it is, also when it is sold; null: it was deleted',
        additionalProperties: false,
      },
    ),
  ),
  status: oneOf(STONE_STATUSES, 'What became of it'),
  price_then: price('What it cost when you marked it, at your present margins and rate'),
  price_now: price('What it costs now; null: it is not on sale'),
  currency_code: text('Your currency', 'USD'),
  back_on: nullable(timestamp('When it was last on sale again after it was gone; null: never')),
  created_by: text('Who marked it', 'Ada Brilliant'),
  created_on: timestamp('When it was marked'),
})

export const WatchedList = object('WatchedStones', {
  watched: list(WatchedSchema, 'The stones that the request names'),
})

/** As many as there can be. */
export const WatchedQuery = inlineObject({
  limit: listLimit,
  offset: offsetField,
  sku: Type.Optional(text('Only this stone', 'PV-7Q2M4K', { maxLength: 100 })),
})
