import { Type } from 'typebox'
import { ALL_ROLES } from '../../../reference/roles.ts'
import {
  flag,
  inlineObject,
  list,
  nullable,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { passwordField } from './session.ts'
import { emailField } from './user.ts'

/** Exactly one of the three ways; the handler checks this, because the message is clearer. */
export const SessionBody = inlineObject(
  {
    code: Type.Optional(
      text('Code of a one-time link', 'q7RtW2mZ…', { minLength: 8, maxLength: 100 }),
    ),
    key: Type.Optional(text('An API key', 'pav_live_…', { minLength: 8, maxLength: 200 })),
    email: Type.Optional(emailField),
    password: Type.Optional(passwordField),
    merchant_uuid: Type.Optional(uuid('With a password: the account at this merchant')),
    supplier_uuid: Type.Optional(uuid('With a password: the account at this supplier')),
  },
  { title: 'NewSession', examples: [{ key: 'pav_live_…' }] },
)

const SessionMerchantSchema = object('SessionMerchant', {
  uuid: uuid('UUID of the merchant'),
  legal_dba: text('Name that the merchant trades under', 'Facet Street Jewelers'),
  email: text('Email address', 'buyer@shop.example'),
  country_code: text('Country code of two letters', 'US'),
  currency_code: text('Currency in which the merchant sees prices', 'USD'),
  margin_mode: oneOf(['weight', 'price'], 'What the margin tiers are based on'),
  price_list: oneOf(['default', 'us'], 'Wholesale price list that the merchant buys from'),
})

const SessionUserSchema = object('SessionUser', {
  uuid: uuid('UUID of the user'),
  name: text('What the user is called', 'Buyer of Facet Street'),
  email: text('E-mail address of the user', 'buyer@shop.example'),
  role: oneOf(ALL_ROLES, 'Role of the user'),
})

const sessionFields = {
  role: oneOf(['merchant', 'operator', 'supplier'], 'Who is signed in'),
  market: oneOf(['production', 'sandbox'], 'Which market this address serves'),
  scopes: list(text('A scope', 'search'), 'What the session may do'),
  shows_media: flag(
    "Whether the market shows suppliers' pictures by /api/v3/inventory/media",
    false,
  ),
  expires_on: nullable(timestamp('When the session ends')),
  merchant: nullable(SessionMerchantSchema),
  supplier_uuid: nullable(uuid('UUID of the supplier whose token it is')),
  user: nullable(SessionUserSchema),
}
export const SessionSchema = object('Session', sessionFields)
export const OpenedSessionSchema = object('OpenedSession', {
  ...sessionFields,
  token: text('The token of the session, shown only this once', 'pav_live_…'),
})
