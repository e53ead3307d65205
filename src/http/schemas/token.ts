import { Type } from 'typebox'
import { ORDERS_PER_DAY_MAX, RATE_LIMIT_MAX, TOKEN_TYPES } from '../../merchants/token.ts'
import { ALLOWED_ADDRESSES_MAX } from '../../merchants/token-addresses.ts'
import { ORIGIN_LENGTH_MAX, ORIGINS_MAX } from '../../merchants/token-origins.ts'
import { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from '../../merchants/token-rotation.ts'
import {
  MERCHANT_SCOPES,
  PUBLISHABLE_SCOPES,
  SCOPES,
  type Scope,
  SUPPLIER_SCOPES,
} from '../../reference/roles.ts'
import {
  inlineObject,
  integer,
  line,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from './fields.ts'
import { dollars } from './orders/money.ts'

const scopesOf = (description: string, scopes: readonly Scope[] = SCOPES) =>
  Type.Optional(list(oneOf(scopes, 'A scope'), description, { minItems: 1, uniqueItems: true }))

/** The longest form of a network has 43 characters. */
const ADDRESS_LENGTH_MAX = 64
const address = text('An IPv4 or IPv6 address, or a network in CIDR notation', '203.0.113.0/24', {
  maxLength: ADDRESS_LENGTH_MAX,
})
const allowedAddresses = Type.Optional(
  list(address, 'Where the token may be used from; from anywhere unless given', {
    minItems: 1,
    maxItems: ALLOWED_ADDRESSES_MAX,
    uniqueItems: true,
  }),
)

const budget = Type.Optional(
  inlineObject(
    {
      orders_per_day: Type.Optional(
        integer('Orders a day', 20, { minimum: 0, maximum: ORDERS_PER_DAY_MAX }),
      ),
      amount_per_day: Type.Optional(dollars('Wholesale value of the orders of a day', 25_000)),
      amount_per_order: Type.Optional(dollars('Wholesale value of one order', 10_000)),
    },
    {
      title: 'NewBudget',
      minProperties: 1,
      description:
        'What may be ordered with the token, also by what is made with it; a day ends at ' +
        'midnight UTC. Without limits unless given, or with those of the token that makes this one',
    },
  ),
)

const originsField = Type.Optional(
  list(
    text('Scheme, host and port of a page', 'https://shop.example', {
      maxLength: ORIGIN_LENGTH_MAX,
    }),
    'Web pages that a publishable key may be used on; required for the type publishable',
    { minItems: 1, maxItems: ORIGINS_MAX, uniqueItems: true },
  ),
)

/** The types of the keys that a merchant makes for itself. */
export const KEY_TYPES = ['api_key', 'publishable'] as const

/** A token that the operator makes, for itself, for a merchant or for a supplier. */
export const TokenBody = inlineObject(
  {
    type: oneOf(TOKEN_TYPES, 'Who will call with the token'),
    merchant_uuid: Type.Optional(
      uuid('Merchant that the token belongs to; for api_key, merchant and publishable'),
    ),
    supplier_uuid: Type.Optional(uuid('Supplier that the token belongs to; for supplier')),
    name: Type.Optional(line('What the token is for', 'shop software')),
    scopes: scopesOf(
      'What the token may do; everything unless given, but keys:write only for admin tokens. A ' +
        `supplier can have ${SUPPLIER_SCOPES.join(', ')}; a publishable key ` +
        PUBLISHABLE_SCOPES.join(', '),
    ),
    expires_on: Type.Optional(
      text('When the token expires', '2027-01-31T00:00:00Z', { format: 'date-time' }),
    ),
    rate_limit_per_minute: Type.Optional(
      integer("The token's own rate limit; 0 means no limit", 600, {
        minimum: 0,
        maximum: RATE_LIMIT_MAX,
      }),
    ),
    allowed_addresses: allowedAddresses,
    budget,
    origins: originsField,
  },
  { title: 'NewToken' },
)

/** A key that a merchant makes for itself. */
export const KeyBody = inlineObject(
  {
    name: Type.Optional(line('What the key is for', 'shop software')),
    type: Type.Optional(
      oneOf(KEY_TYPES, 'publishable for the web pages of a shop; api_key unless given'),
    ),
    scopes: scopesOf(
      'What the key may do, within what the caller itself may do; all of that except keys:write ' +
        'unless given',
      MERCHANT_SCOPES,
    ),
    expires_in_days: Type.Optional(
      integer('Days until the key expires', 90, { minimum: 1, maximum: 3650 }),
    ),
    allowed_addresses: allowedAddresses,
    budget,
    origins: originsField,
  },
  { title: 'NewKey' },
)

export const RotationBody = inlineObject(
  {
    overlap_seconds: integer(
      'How long the old token still works; 0 revokes it at once',
      OVERLAP_SECONDS_DEFAULT,
      { minimum: 0, maximum: OVERLAP_SECONDS_MAX, default: OVERLAP_SECONDS_DEFAULT },
    ),
  },
  { title: 'Rotation' },
)

const tokenFields = {
  uuid: uuid('UUID of the token, for lists and revocation'),
  merchant_uuid: nullable(uuid('Merchant that the token belongs to, if it does')),
  supplier_uuid: nullable(uuid('Supplier that the token belongs to, if it does')),
  type: oneOf(TOKEN_TYPES, 'Who calls with the token'),
  name: text('What the token is for', 'shop software'),
  scopes: list(text('A scope', 'search'), 'What the token may do'),
  hint: text('The last four characters of the token', 'x7Qa'),
  rate_limit_per_minute: nullable(integer("The token's own rate limit", 600)),
  created_on: timestamp('When the token was created'),
  expires_on: nullable(timestamp('When the token expires')),
  revoked_on: nullable(timestamp('When the token was revoked')),
  last_used_on: nullable(timestamp('When the token was last used')),
  made_by: nullable(uuid('Token that made this one, which ends with it; null if a person did')),
  allowed_addresses: list(
    text('An address or a network', '203.0.113.0/24'),
    'Where the token may be used from; from anywhere when empty',
  ),
  budget: nullable(
    inlineObject(
      {
        orders_per_day: nullable(integer('Orders a day; null without a limit', 20)),
        amount_per_day: nullable(number('US dollars a day, wholesale', 25_000)),
        amount_per_order: nullable(number('US dollars in one order, wholesale', 10_000)),
      },
      { description: 'What may be ordered with the token; null without limits' },
    ),
  ),
  origins: list(
    text('An origin', 'https://shop.example'),
    'Web pages that a publishable key may be used on; empty for other types',
  ),
}
export const TokenSchema = object('Token', tokenFields)
export const CreatedTokenSchema = object('CreatedToken', {
  ...tokenFields,
  token: text('The token itself, shown only this once', 'pav_live_…'),
})
