import { Type } from 'typebox'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../../people/password.ts'
import { flag, inlineObject, nullable, object, oneOf, text, timestamp, uuid } from '../fields.ts'
import { ListQuery, pageOf } from '../page.ts'
import { emailField } from './user.ts'

const passwordLimits = { minLength: 1, maxLength: PASSWORD_LENGTH_MAX }
export const passwordField = text('The password', 'correct horse battery', passwordLimits)

export const PasswordBody = inlineObject(
  {
    password: text('The new password', 'correct horse battery', {
      minLength: PASSWORD_LENGTH_MIN,
      maxLength: PASSWORD_LENGTH_MAX,
    }),
    current_password: Type.Optional(
      text('The password so far; not needed after signing in with a link', '', {
        maxLength: PASSWORD_LENGTH_MAX,
      }),
    ),
  },
  { title: 'NewPassword', examples: [{ password: 'correct horse battery' }] },
)

export const LinkBody = inlineObject({ email: emailField }, { title: 'LinkRequest' })
export const LinkSchema = object('RequestedLink', {
  detail: text('What happens next', 'If the address has an account, a link is on its way.'),
})

const ListedSessionSchema = object('ListedSession', {
  uuid: uuid('UUID of the session'),
  user_uuid: nullable(uuid('Whose session it is; null if a link of the command line opened it')),
  user_name: nullable(text('What the user is called', 'Buyer of Facet Street')),
  user_email: nullable(text('E-mail address of the user', 'buyer@shop.example')),
  opened_with: nullable(oneOf(['link', 'password', 'key'], 'How the person signed in')),
  current: flag('Whether it is the session that asks', true),
  created_on: timestamp('When it was opened'),
  expires_on: nullable(timestamp('When it ends')),
  last_used_on: nullable(timestamp('When it was last used, within half a minute')),
})
export const SessionPage = pageOf('SessionPage', 'sessions', ListedSessionSchema)
export const SessionQuery = inlineObject({
  ...ListQuery.properties,
  user_uuid: Type.Optional(uuid('Only sessions of this user')),
})
