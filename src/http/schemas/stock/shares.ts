import { Type } from 'typebox'
import {
  SHARE_DAYS_DEFAULT,
  SHARE_DAYS_MAX,
  SHARE_STONES_MAX,
} from '../../../saved-searches/selections/shares.ts'
import {
  inlineObject,
  integer,
  list,
  nullable,
  ONE_LINE,
  object,
  oneOf,
  SEVERAL_LINES,
  text,
  timestamp,
  uuid,
} from '../fields.ts'

/** Links that show stones to a merchant's customer at retail prices. */
const SHARE_STATUSES = ['active', 'expired', 'revoked'] as const

const sku = text('SKU of a diamond or a gemstone', 'PV-7Q2M4K', { minLength: 1, maxLength: 100 })
const title = text('Heading of the page; one line', 'Stones for your ring', {
  minLength: 1,
  maxLength: 120,
  pattern: ONE_LINE,
})
const note = text('What the page says above the stones', 'The second one sparkles most.', {
  minLength: 1,
  maxLength: 1000,
  pattern: SEVERAL_LINES,
})

export const ShareBody = inlineObject(
  {
    skus: list(sku, 'The stones, in the order in which they are shown', {
      minItems: 1,
      maxItems: SHARE_STONES_MAX,
      uniqueItems: true,
    }),
    expires_in_days: Type.Optional(
      integer('For how many days the link works', 14, {
        minimum: 1,
        maximum: SHARE_DAYS_MAX,
        default: SHARE_DAYS_DEFAULT,
      }),
    ),
    title: Type.Optional(title),
    note: Type.Optional(note),
  },
  { title: 'NewShare' },
)

const fields = {
  uuid: uuid('UUID of the share'),
  skus: list(sku, 'The stones, in the order in which they are shown'),
  title: nullable(title),
  note: nullable(note),
  status: oneOf(SHARE_STATUSES, 'Whether the link works'),
  created_by: text('Who made it', 'Ada Brilliant'),
  created_on: timestamp('When it was made'),
  expires_on: timestamp('Until when the link works'),
  revoked_on: nullable(timestamp('When it was revoked; null: it was not')),
}

export const ShareSchema = object('Share', fields)

export const NewShareSchema = object('ShareWithLink', {
  ...fields,
  url: text(
    'The link for the customer. It is shown here only',
    'https://market.example/share/8hTqkW3mXv7dRpZy2CbNsE',
  ),
})
