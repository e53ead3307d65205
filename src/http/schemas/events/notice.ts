import { type Static, Type } from 'typebox'
import { MAIL_STATES } from '../../../database/tables/mail.ts'
import { KINDS_OF, labelOf, NOTICE_KINDS, type Side } from '../../../reference/notice-kinds.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { listLimit, offsetField, pageOf } from '../page.ts'
import { NoticeDetailsSchema } from './notice-details.ts'

export const NoticeQuery = inlineObject({
  limit: listLimit,
  offset: offsetField,
  kind: Type.Optional(oneOf(NOTICE_KINDS, 'Only notices of this kind')),
})

const NoticeSchema = object('Notice', {
  uuid: uuid('UUID of the notice'),
  kind: oneOf(NOTICE_KINDS, 'What the notice is about'),
  subject: text('One line, in English', 'Order PO-2026-17 was placed'),
  text: text(
    'What happened, in English sentences',
    'We received order PO-2026-17: 1 item, $1,700.00.',
  ),
  items: list(
    inlineObject({
      title: text('SKU or stock number', 'K7Q2M9X4TB'),
      detail: text('What it is; may be empty', '1.02 ct Round D VVS1, $1,700.00 each'),
    }),
    'The products that the notice is about, at most ten',
  ),
  more: integer('Products that are left out', 0),
  details: nullable(NoticeDetailsSchema),
  url: text('The page of the console', 'https://gems.example/orders/0198a6c2-5f0e-7c31-9d44'),
  event_uuid: uuid('UUID of the event that the notice tells of'),
  created_on: timestamp('When the event happened'),
})

export const NoticePage = pageOf('NoticePage', 'notices', NoticeSchema)
export type RenderedNotice = Static<typeof NoticeSchema>

const TITLES: Record<Side, string> = {
  merchant: 'Notifications',
  operator: 'OperatorNotifications',
  supplier: 'SupplierNotifications',
}

/** Every kind that the side gets, flat. */
export function notificationsSchema(side: Side) {
  return object(
    TITLES[side],
    switches(side, (schema) => schema),
  )
}

export function notificationsBody(side: Side) {
  return object(`${TITLES[side]}Change`, switches(side, Type.Optional))
}

function switches<T>(side: Side, as: (schema: ReturnType<typeof flag>) => T) {
  const kinds: readonly (typeof NOTICE_KINDS)[number][] = KINDS_OF[side]
  return Object.fromEntries(
    kinds.map((kind) => [kind, as(flag(`Whether e-mails about ${labelOf(kind)} are sent`, true))]),
  )
}

export const MailQuery = inlineObject({
  limit: listLimit,
  offset: offsetField,
  state: Type.Optional(oneOf(MAIL_STATES, 'Only e-mails in this state')),
})

export const MailSchema = object('Mail', {
  uuid: uuid('UUID of the e-mail, which is in its Message-ID'),
  kind: text('What it is about; `digest` for several notices in one', 'order_placed'),
  recipient: text('Who gets it', 'buyer@shop.example'),
  subject: text('Its subject', 'Order PO-2026-17 was placed'),
  state: oneOf(MAIL_STATES, '`expired`: its link ended before it was sent'),
  attempts: integer('Attempts to hand it over', 1),
  due_on: nullable(timestamp('When the next attempt is due; null when there is none')),
  sent_on: nullable(timestamp('When the mail server accepted it')),
  last_status: nullable(integer("The mail server's last refusal", 550)),
  last_error: nullable(text('The same in words', '550 No such user here')),
  created_on: timestamp('When it was written'),
})

export const MailPage = pageOf('MailPage', 'mails', MailSchema)
