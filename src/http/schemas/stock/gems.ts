import { type TSchema, Type } from 'typebox'
import {
  EXTENSION_FIELDS,
  type ExtensionField,
  STONE_FIELDS,
  type StoneField,
} from '../../../gems/gem.ts'
import { LIFE_STATES } from '../../../gems/gem-life.ts'
import { ACTOR_KINDS, HISTORY_MAX } from '../../../gems/operator/gem-history.ts'
import { GEM_SORTS } from '../../../gems/operator/list-gems.ts'
import type { OverrideField } from '../../../gems/operator/override-fields.ts'
import { OVERRIDE_URL_CHARS_MAX } from '../../../gems/operator/override-fields.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  NOT_BLANK,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { GemSchema, GemV3Schema } from '../gem.ts'
import { listLimit, offsetField, pageOf, sortFields } from '../page.ts'

/** Stones as the operator sees and changes them. */
const PRODUCT_TYPES = ['diamond', 'melee', 'gemstone'] as const
const QUERY_CHARS_MAX = 100

export const SkuParams = inlineObject({
  sku: text('SKU of the stone', 'K7Q2M9X4TB', { minLength: 1, maxLength: QUERY_CHARS_MAX }),
})

const STATE =
  'held: a hold is running. gone: its feed no longer lists it. disabled: the operator took it ' +
  'off sale'

export const GemListQuerySchema = inlineObject({
  q: Type.Optional(
    text(
      "Beginning of a SKU, of a supplier's stock number or of a certificate's number, which may " +
        'follow its laboratory; letter case does not count',
      'GIA 2141438171',
      { minLength: 1, maxLength: QUERY_CHARS_MAX, pattern: NOT_BLANK },
    ),
  ),
  // A name that no supplier can have is refused here, where the parameter is named.
  supplier: Type.Optional(
    text('Name of the supplier', 'Surat Gems', {
      minLength: 1,
      maxLength: 120,
      pattern: NOT_BLANK,
    }),
  ),
  state: Type.Optional(oneOf(LIFE_STATES, STATE)),
  product_type: Type.Optional(oneOf(PRODUCT_TYPES, 'Kind of product')),
  ...sortFields(GEM_SORTS, { col: 'created_on', order: 'asc' }),
  limit: listLimit,
  offset: offsetField,
})

const anything = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  })

const overrides = anything('What the operator set, by field; it stands whatever the feed says')

/** What the list and the single stone have in common. */
const identity = {
  supplier: text('Name of the supplier', 'Surat Gems'),
  vendor_sku: text("The supplier's stock number", 'A-1'),
  wholesale_price: number('US dollars, default list; of a parcel per carat', 4200),
  wholesale_price_us: number('US dollars, US list; of a parcel per carat', 4300),
  state: oneOf(LIFE_STATES, STATE),
  enabled: flag('Whether it may be sold; false when the operator disabled it', true),
  note: nullable(text("The operator's note", 'Chip at the girdle, ask for a new picture')),
  overrides,
  created_on: timestamp('When it was added to the market'),
  updated_on: timestamp('When it last changed'),
}

const ListedGemSchema = object('ListedGem', {
  sku: text('SKU', 'K7Q2M9X4TB'),
  product_type: oneOf(PRODUCT_TYPES, 'Kind of product'),
  type: text('mined or lab grown', 'mined'),
  species: nullable(text('Species of a gemstone', 'sapphire')),
  shape: text('Shape', 'round'),
  weight: number('Carats', 1.01),
  color: nullable(text('Color', 'G')),
  clarity: nullable(text('Clarity', 'VS1')),
  lab: nullable(text('Laboratory, as the supplier wrote it if it is not in our list', 'GIA')),
  cert_num: nullable(text('Certificate number', '2141438171')),
  quantity: integer('Quantity in stock', 1),
  is_manual: flag('Whether the operator set something', false),
  ...identity,
})

export const GemPageSchema = pageOf('GemPage', 'gems', ListedGemSchema)

const fieldChanges = Type.Record(
  Type.String(),
  inlineObject({
    from: Type.Unsafe<unknown>({ description: 'Before' }),
    to: Type.Unsafe<unknown>({ description: 'After' }),
  }),
  { description: 'What changed, by field' },
)

const HistoryEntrySchema = object('GemHistoryEntry', {
  changed_on: timestamp('When it happened'),
  action: text(
    'gem.list, gem.set, gem.release, conflict.decide, quarantine.release, import.change, ' +
      'price.change, or the event of a hold or an order',
    'gem.set',
  ),
  actor: inlineObject(
    {
      kind: oneOf(ACTOR_KINDS, 'Who did it; system: no person, or not recorded'),
      uuid: nullable(uuid('UUID of the token, the merchant or the supplier, if recorded')),
      name: nullable(text('Name, if recorded', 'Office key')),
    },
    { description: 'Who did it' },
  ),
  changes: fieldChanges,
  subject: Type.Unsafe<{ kind: string; uuid: string } | null>({
    ...inlineObject({
      kind: oneOf(['order', 'hold', 'import'], 'What it is part of'),
      uuid: uuid('Its UUID'),
    }),
    type: ['object', 'null'],
    description: 'The order, hold or import that it is part of',
  }),
})

const OfferSchema = object('GemOffer', {
  sku: text('SKU of the offer', 'K7Q2M9X4TB'),
  supplier: identity.supplier,
  vendor_sku: identity.vendor_sku,
  state: identity.state,
  quantity: integer('Quantity in stock', 1),
  wholesale_price: identity.wholesale_price,
  wholesale_price_us: identity.wholesale_price_us,
  leads: flag('Whether merchants of the default list see this offer of the stone', true),
  leads_us: flag('Whether merchants of the US list see it', true),
  created_on: identity.created_on,
})

const HeldSchema = Type.Unsafe<Record<string, unknown> | null>({
  ...inlineObject({
    uuid: uuid('UUID of the hold'),
    merchant_uuid: uuid('Merchant that holds the stone'),
    merchant: text('Its trading name', 'Facet Street'),
    created_on: timestamp('When the hold was placed'),
    expires_on: timestamp('When the hold expires'),
  }),
  type: ['object', 'null'],
  description: 'The running hold on this offer',
})

/** As merchants see them; the values come from `renderStone`. */
const stoneFields = Object.fromEntries(
  STONE_FIELDS.map((name) => [name, Type.Unsafe<unknown>(GemSchema.properties[name])]),
) as Record<StoneField, ReturnType<typeof Type.Unsafe<unknown>>>

const extensionFields = Object.fromEntries(
  EXTENSION_FIELDS.map((name) => [name, GemV3Schema.properties[name]]),
) as Pick<typeof GemV3Schema.properties, ExtensionField>

const words = (description: string, example: string) => nullable(text(description, example))

export const OperatorGemSchema = object('OperatorGem', {
  ...stoneFields,
  ...identity,
  is_manual: flag('Whether the operator set something: `overrides` is not empty', false),
  is_sustainable: nullable(flag('Whether it is marked as sustainable', true)),
  species: words('Species of a gemstone', 'sapphire'),
  origin: words('Origin of a gemstone', 'Ceylon'),
  ...extensionFields,
  certificate: words('Laboratory and number, as offers are compared by', 'GIA/2141438171'),
  supplier_id: integer('Number of the supplier', 7),
  cost: number("The supplier's price in US dollars", 4000),
  off_rap_price: nullable(number('List price in US dollars', 7000)),
  off_rap_price_from_grid: flag('Whether it is that of a price grid', false),
  on_hold: flag('Whether a merchant holds this offer now', false),
  hold: HeldSchema,
  internal_days_to_return: nullable(integer('Days to return it to the supplier', 21)),
  tolerance_positive: nullable(number('Upper size tolerance of a parcel in millimetres', 0.02)),
  tolerance_negative: nullable(number('Lower size tolerance of a parcel in millimetres', 0.02)),
  cached_ux_url: words('360 degree viewer, from a cache', 'https://media.example/view'),
  pair_vendor_sku: words("The supplier's stock number of its pair", 'A-2'),
  feed_values: anything('What the feed says of the overridden fields'),
  offers: list(OfferSchema, 'All listings of the stone, this one included, cheapest first'),
  history: list(HistoryEntrySchema, `What is recorded of it, newest first, at most ${HISTORY_MAX}`),
})

const NOTE_CHARS_MAX = 2000
const PRICE_MAX = 9_999_999_999.99
const MILLIMETRES_MAX = 99.999

const flagOrNull = (description: string) => nullable(flag(description, true))
const price = (list: string) =>
  nullable(
    number(`US dollars, ${list}; of a parcel per carat`, 4250, {
      minimum: 0.01,
      maximum: PRICE_MAX,
      multipleOf: 0.01,
    }),
  )
const tolerance = (end: string) =>
  nullable(
    number(`${end} size tolerance of a parcel in millimetres`, 0.02, {
      minimum: 0,
      maximum: MILLIMETRES_MAX,
      multipleOf: 0.001,
    }),
  )
const address = (description: string) =>
  nullable(
    text(`${description}; an empty text shows none`, 'https://media.example/top.jpg', {
      maxLength: OVERRIDE_URL_CHARS_MAX,
      pattern: '^(https?://\\S+)?$',
    }),
  )
const objectOrNull = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  })

const overridable = {
  enabled: flagOrNull('false takes it off sale; orders that have it keep it'),
  can_hold: flagOrNull('Whether it can be held'),
  memo: flagOrNull('Whether it can be taken on memo'),
  returnable: flagOrNull('Whether it can be returned'),
  wholesale_price: price('default list'),
  wholesale_price_us: price('US list'),
  is_sustainable: flagOrNull('Whether it is marked as sustainable'),
  sustainability_details: objectOrNull('Evidence for the claim'),
  tolerance_positive: tolerance('Upper'),
  tolerance_negative: tolerance('Lower'),
  media_requested: flagOrNull('Whether pictures were requested'),
  image_top_url: address('Picture from the top'),
  image_bottom_url: address('Picture from below'),
  video_url: address('Video'),
  ux_url: address('360 degree viewer'),
  cached_ux_url: address('360 degree viewer, from a cache'),
  v360_json_base_url: address('Base address of the frames'),
  v360_info: objectOrNull('Frames of the 360 degree view'),
  cert_url: address('Address of the certificate'),
  original_imported_ext_url: address("The supplier's own page of the stone"),
} satisfies Record<OverrideField, TSchema>

export const GemPatch = Type.Partial(
  inlineObject({
    ...overridable,
    note: nullable(
      text("The operator's note; null removes it", 'Chip at the girdle', {
        maxLength: NOTE_CHARS_MAX,
      }),
    ),
  }),
  { title: 'GemPatch', additionalProperties: false, minProperties: 1 },
)
