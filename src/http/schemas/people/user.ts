import { Type } from 'typebox'
import { MAIL_ADDRESS_LENGTH_MAX } from '../../../lib/smtp-url.ts'
import { ALL_ROLES } from '../../../reference/roles.ts'
import {
  flag,
  inlineObject,
  line,
  list,
  nullable,
  ONE_LINE,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { ListQuery, pageOf } from '../page.ts'

export const emailField = text(
  'E-mail address; upper and lower case are the same',
  'buyer@shop.example',
  {
    format: 'email',
    maxLength: MAIL_ADDRESS_LENGTH_MAX,
  },
)
const role = oneOf(
  ALL_ROLES,
  'What the user may do. Merchants: owner, buyer, viewer. Suppliers: owner, viewer. ' +
    'The operator: admin, sales, stock',
)
const oneLine = { pattern: ONE_LINE }
const name = line('What the user is called; one line', 'Buyer of Facet Street', oneLine)

const invitationFields = {
  email: emailField,
  name: Type.Optional(name),
  role,
}
export const InvitationBody = inlineObject(invitationFields, {
  title: 'Invitation',
  examples: [{ email: 'buyer@shop.example', name: 'Buyer of Facet Street', role: 'buyer' }],
})

const ownerFields = {
  merchant_uuid: Type.Optional(uuid('The merchant whose user it is')),
  supplier_uuid: Type.Optional(uuid('The supplier whose user it is')),
}
export const OperatorInvitationBody = inlineObject(
  { ...invitationFields, ...ownerFields },
  {
    title: 'OperatorInvitation',
    examples: [{ email: 'stock@market.example', name: 'Stock of the market', role: 'stock' }],
  },
)

export const UserPatch = inlineObject(
  {
    name: Type.Optional(
      line('What the user is called; one line', 'Buyer of Facet Street', {
        ...oneLine,
        minLength: 1,
      }),
    ),
    role: Type.Optional(role),
    active: Type.Optional(flag('Whether the user can sign in; false ends its sessions', false)),
  },
  { title: 'UserChange', examples: [{ role: 'viewer' }] },
)

const userFields = {
  uuid: uuid('UUID of the user'),
  email: text('E-mail address', 'buyer@shop.example'),
  name: text('What the user is called', 'Buyer of Facet Street'),
  role,
  scopes: list(text('A scope', 'search'), 'What the role allows'),
  active: flag('Whether the user can sign in', true),
  has_password: flag('Whether the user has set a password', true),
  invited_until: nullable(timestamp('Until when the open invitation can be used')),
  created_on: timestamp('When the user was invited first'),
  updated_on: timestamp('When the user was last changed'),
  last_sign_in_on: nullable(timestamp('When the user last signed in')),
}
const linkFields = {
  link: text('Signs the user in, once; shown only here', 'https://market.example/sign-in#q7Rt…'),
  link_expires_on: timestamp('When the link expires'),
  mailed: flag('Whether the link was mailed, too', false),
}
const ofOwner = {
  merchant_uuid: nullable(uuid('The merchant whose user it is')),
  supplier_uuid: nullable(uuid('The supplier whose user it is')),
}

/** A user as the people of its own side see it, and as the operator sees it. */
export const UserSchema = object('User', userFields)
export const UserPage = pageOf('UserPage', 'users', UserSchema)
export const InvitedUserSchema = object('InvitedUser', { ...userFields, ...linkFields })
export const OperatorUserSchema = object('OperatorUser', { ...userFields, ...ofOwner })
export const OperatorUserPage = pageOf('OperatorUserPage', 'users', OperatorUserSchema)
export const OperatorInvitedSchema = object('InvitedOperatorUser', {
  ...userFields,
  ...ofOwner,
  ...linkFields,
})

const queryFields = {
  ...ListQuery.properties,
  q: Type.Optional(line('Part of the e-mail address or the name', 'buyer', { minLength: 1 })),
  active: Type.Optional(flag('Only users who can sign in, or only others', true)),
}
export const UserQuery = inlineObject(queryFields)
export const OperatorUserQuery = inlineObject({
  ...queryFields,
  merchant_uuid: Type.Optional(uuid("Users of this merchant instead of the operator's")),
  supplier_uuid: Type.Optional(uuid("Users of this supplier instead of the operator's")),
})
