import { Type } from 'typebox'
import { SCOPES } from '../../merchants/token.ts'
import {
  inlineObject,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../schemas/fields.ts'

export const SessionBody = inlineObject(
  {
    code: Type.Optional(
      text('From a one-time link', 'q7RtW2mZ…', { minLength: 8, maxLength: 100 }),
    ),
    key: Type.Optional(text('A key', 'pav_live_…', { minLength: 8, maxLength: 200 })),
  },
  { title: 'NewSession', examples: [{ key: 'pav_live_…' }] },
)

const SessionMerchantSchema = object('SessionMerchant', {
  uuid: uuid('The merchant'),
  legal_dba: text('The name it trades under', 'Facet Street Jewelers'),
  email: text('Its email', 'buyer@shop.example'),
  country_code: text('Two letters', 'US'),
  currency_code: text('What it sees prices in', 'USD'),
  margin_mode: oneOf(['weight', 'price'], 'What its margin tiers go by'),
  price_list: oneOf(['default', 'us'], 'The wholesale price list it buys from'),
})

const sessionFields = {
  role: oneOf(['merchant', 'operator'], 'Who is signed in'),
  market: oneOf(['production', 'sandbox'], 'Which market this address serves'),
  scopes: list(text('A scope', 'search'), 'What the session may do'),
  expires_on: nullable(timestamp('When the session ends')),
  merchant: nullable(SessionMerchantSchema),
}
export const SessionSchema = object('Session', sessionFields)
export const OpenedSessionSchema = object('OpenedSession', {
  ...sessionFields,
  token: text('The session itself, shown this once', 'pav_live_…'),
})

export const KeyBody = inlineObject(
  {
    name: text('What it is for', 'shop software', { minLength: 1, maxLength: 200 }),
    scopes: Type.Optional(
      list(oneOf(SCOPES, 'A scope'), 'What it may do; at most what the caller may do itself', {
        minItems: 1,
        uniqueItems: true,
      }),
    ),
    expires_in_days: Type.Optional(
      integer('Ends after so many days', 90, { minimum: 1, maximum: 3650 }),
    ),
  },
  { title: 'NewKey' },
)
