import { Type } from 'typebox'
import { HOLD_MINUTES_MAX } from '../../gems/holds/place-hold.ts'
import { CONFLICT_SORTS } from '../../gems/list-conflicts.ts'
import { PRICES_MAX } from '../../gems/price-changes.ts'
import { PRODUCT_KINDS } from '../../market-feed/product-kinds.ts'
import { FRAMES_MAX, MEDIA_TYPES, MEDIA_VIEWS } from '../../reference/media.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  tradeOnly,
  uuid,
} from './fields.ts'
import { GemV3Schema } from './gem.ts'
import { ParcelListingSchema } from './gem-parcel.ts'
import { GemstoneSchema } from './gem-search.ts'
import { SupplierPageQuery, sortFields, waitField } from './page.ts'
import { ProblemSchema } from './problem.ts'
import { VariantListingSchema } from './product.ts'

export const HoldBody = inlineObject(
  {
    sku: text('SKU of the stone', 'PV-7Q2M4K', { minLength: 1, maxLength: 100 }),
    minutes: number('How long to hold it; fractions are allowed', 60, {
      exclusiveMinimum: 0,
      maximum: HOLD_MINUTES_MAX,
      default: 60,
    }),
  },
  { title: 'NewHold' },
)

export const HoldSchema = object('Hold', {
  uuid: uuid('UUID of the hold'),
  sku: text('SKU of the stone', 'PV-7Q2M4K'),
  merchant_uuid: uuid('Merchant that holds the stone'),
  created_on: timestamp('When the hold was placed'),
  expires_on: timestamp('When the hold expires'),
})

const includeTreated = flag('Whether treated diamonds are in it, too', false, { default: false })

export const StoneParams = inlineObject({
  sku: text('SKU of the stone', 'PV-7Q2M4K', { minLength: 1, maxLength: 100 }),
})

export const MediaParams = inlineObject({
  sku: text('SKU of the stone or the variant', 'PV-7Q2M4K', { minLength: 1, maxLength: 100 }),
  view: oneOf(MEDIA_VIEWS, 'What it shows'),
})

export const FrameParams = inlineObject({
  sku: MediaParams.properties.sku,
  frame: integer('Number of the frame, from 0', 0, { minimum: 0, maximum: FRAMES_MAX - 1 }),
})

const binary = { schema: { type: 'string', format: 'binary' } }
/** The bytes of a picture, a video or a PDF, which no JSON schema describes. */
export const MediaSchema = {
  description: 'The file, with the type that its first bytes have.',
  content: Object.fromEntries([...MEDIA_TYPES, 'image/svg+xml'].map((type) => [type, binary])),
}

export const StoneQuery = inlineObject({
  currency_code: Type.Optional(
    text("Currency of all prices; the merchant's own unless given", 'EUR', {
      pattern: '^[A-Z]{3}$',
    }),
  ),
  include_treated: flag('Whether a treated diamond is returned, too', false, { default: false }),
})

export const StoneSchema = object('Stone', {
  ...GemV3Schema.properties,
  species: Type.Optional(nullable(text('Species, of a gemstone', 'sapphire'))),
  origin: Type.Optional(nullable(text('Country of origin, of a gemstone', 'Sri Lanka'))),
  price_history: tradeOnly(
    list(
      object('PriceSince', {
        changed_on: timestamp('From when on the stone has cost this'),
        wholesale_price: number('Wholesale price', 920),
        retail_price: number('Retail price at the present margins', 1242),
      }),
      `Newest first, beginning with the present price; at most ${PRICES_MAX}`,
    ),
  ),
})

const productTypes = list(
  oneOf(PRODUCT_KINDS, 'A kind of product'),
  'Kinds of product: diamond unless given',
  { minItems: 1, maxItems: PRODUCT_KINDS.length, default: ['diamond'] },
)

export const ChangesQuery = inlineObject({
  after: integer('The sequence of a snapshot, or `next` of the last response', 4711, {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  limit: integer('Maximum number of changes', 1000, {
    minimum: 1,
    maximum: 1000,
    default: 1000,
  }),
  wait: waitField('a change'),
  product_types: productTypes,
  include_treated: includeTreated,
})

export const SnapshotQuery = inlineObject({
  product_types: productTypes,
  include_treated: includeTreated,
})

const KINDS = [
  'new',
  'price',
  'media',
  'details',
  'hold',
  'release',
  'sold',
  'memo',
  'gone',
  'back',
  'prices',
] as const

export const ChangesSchema = object('Changes', {
  changes: list(
    object('Change', {
      sequence: integer('Number of the change', 4712),
      kind: oneOf(
        KINDS,
        'What happened. `prices` means that all of your prices changed: take a new snapshot',
      ),
      sku: nullable(text('SKU of the product; null when the kind is `prices`', 'D-4711')),
      product_type: nullable(
        oneOf(PRODUCT_KINDS, 'Kind of product; null when the kind is `prices`'),
      ),
      gem: Type.Unsafe<unknown>({
        anyOf: [
          GemV3Schema,
          GemstoneSchema,
          ParcelListingSchema,
          VariantListingSchema,
          { type: 'null' },
        ],
        description:
          'The product as it is now at your prices, as its line of a snapshot; null when you no ' +
          'longer see it',
      }),
      changed_on: timestamp('When it happened'),
    }),
    'Oldest first',
  ),
  next: integer('What to send as `after` in the next request', 4712),
  more: flag('Whether there are more changes after `next` already', false),
})

/** The lines of a snapshot differ in shape, so the document describes them in words. */
export const SnapshotSchema = {
  description:
    'Lines of JSON: first `{"kind": "snapshot", "sequence": N, "currency_code": "USD"}`, then ' +
    'one visible product per line, last `{"kind": "end", "count": M}`. Without the last line the ' +
    'snapshot is incomplete. Diamonds and gemstones have the fields of a search result, parcels ' +
    'those of a MeleeParcelListing, and of jewelry and watches every variant in stock is a line, ' +
    'a VariantListing. All have `sku` and `product_type`.',
  content: {
    'application/x-ndjson': {
      schema: {
        type: 'string',
        description: 'One JSON object per line',
        examples: ['{"kind":"snapshot","sequence":4711,"currency_code":"USD"}'],
      },
    },
  },
}

export const ChangesExpired = {
  description:
    'The change log no longer goes back that far (`changes_expired`): take a new snapshot. ' +
    '`oldest_sequence` is the oldest number that can still be continued after.',
  content: { 'application/problem+json': { schema: ProblemSchema } },
}

const certificate = {
  lab: text('Laboratory, in upper case with letters and digits only', 'GIA'),
  cert_num: text('Certificate number, in upper case with letters and digits only', '2141438171'),
}

export const ConflictQuery = inlineObject({
  ...SupplierPageQuery.properties,
  ...sortFields(CONFLICT_SORTS, { col: 'cert_num', order: 'asc' }),
})

export const ConflictSchema = object('CertificateConflict', {
  ...certificate,
  contradicts: list(
    text('A field', 'weight'),
    'Fields in which the offers differ: weight (by more than 0.01 ct), shape, color, clarity, type',
  ),
  suppliers: integer('Number of suppliers', 2),
  stones: list(
    object('ConflictingStone', {
      sku: text('SKU of the offer', 'K7Q2M9X4TB'),
      supplier: text('Name of the supplier', 'Surat Gems'),
      vendor_sku: text("The supplier's SKU", 'A-1'),
      weight: number('Carats', 1.01),
      shape: text('Shape', 'round'),
      color: nullable(text('Color', 'G')),
      clarity: nullable(text('Clarity', 'VS1')),
      type: text('Type', 'mined'),
      state: text('State of the offer', 'available'),
    }),
    'Offers that have the certificate, without those that are gone or disabled',
  ),
})

const CERTIFICATE_CHARS_MAX = 100
const part = (description: string, example: string) =>
  text(description, example, { minLength: 1, maxLength: CERTIFICATE_CHARS_MAX })

export const CertificateParams = inlineObject({
  lab: part('Laboratory; letter case and punctuation do not count', 'GIA'),
  cert_num: part('Certificate number; letter case and punctuation do not count', '2141438171'),
})

const DECISIONS = ['keep', 'apart'] as const

export const ConflictDecisionBody = inlineObject({
  decision: oneOf(
    DECISIONS,
    'keep: one offer is right, and the others are disabled. apart: they are different stones, ' +
      'each sold by itself, also in later files',
  ),
  sku: Type.Optional(text('SKU of the offer to keep; only with keep', 'K7Q2M9X4TB')),
})

export const DecidedConflictSchema = object('DecidedConflict', {
  ...certificate,
  decision: oneOf(DECISIONS, 'What was decided'),
  sku: nullable(text('SKU of the offer that was kept', 'K7Q2M9X4TB')),
  disabled: list(text('SKU', 'M3V8Q1Z7XA'), 'SKUs of the offers that are not on sale any more'),
  decided_on: timestamp('When it was decided'),
})
