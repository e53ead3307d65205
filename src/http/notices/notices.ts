import { Refusal } from '../../lib/refusal.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { listNotices, type Notice } from '../../notices/notice-store.ts'
import { changeSettings, readSettings, type SettingOwner } from '../../notices/settings-store.ts'
import type { Side } from '../../reference/notice-kinds.ts'
import { hasScope } from '../../reference/roles.ts'
import { write } from '../request/acting.ts'
import {
  type Access,
  type App,
  type Caller,
  merchantWith,
  operatorWith,
  supplierWith,
} from '../route.ts'
import {
  NoticePage,
  NoticeQuery,
  notificationsBody,
  notificationsSchema,
  type RenderedNotice,
} from '../schemas/events/notice.ts'
import type { Services } from '../services.ts'

const tags = ['Notices']

/** Everyone who reads orders reads notices, and decides about the e-mails to itself. */
const SIDES: { side: Side; prefix: string; access: Access }[] = [
  { side: 'merchant', prefix: '/api/v3', access: merchantWith('orders:read') },
  { side: 'operator', prefix: '/api/operator', access: operatorWith('orders:read') },
  { side: 'supplier', prefix: '/api/supplier', access: supplierWith('orders:read') },
]

/** Merchants, suppliers and the operator have the same routes, each with its own notices. */
export function registerNotices(app: App, { db, publicUrl }: Services): void {
  for (const { side, prefix, access } of SIDES) {
    app.get(
      `${prefix}/notices`,
      {
        config: { access, conditional: true },
        schema: {
          tags,
          summary: 'Lists what happened, newest first, as it is sent by e-mail',
          description:
            'Notices are kept for 90 days, with and without a mail server. `subject` and `text` ' +
            'are in English; `details` has what they say as data, for a text in another language.',
          querystring: NoticeQuery,
          response: { 200: NoticePage },
        },
      },
      async ({ caller, query }) => {
        const { notices, total } = await listNotices(db, caller.token, query)
        const { limit, offset } = query
        return { notices: notices.map((each) => render(each, publicUrl)), total, offset, limit }
      },
    )

    app.get(
      `${prefix}/notifications`,
      {
        config: { access },
        schema: {
          tags,
          summary: 'Returns which kinds of e-mails you get',
          description: WHOSE,
          response: { 200: notificationsSchema(side) },
        },
      },
      ({ caller }) => readSettings(db, ownerOf(caller)),
    )

    app.put(
      `${prefix}/notifications`,
      {
        config: { access },
        schema: {
          tags,
          summary: 'Switches kinds of e-mails on or off',
          description: `${WHOSE} Kinds that are not named stay as they are.`,
          body: notificationsBody(side),
          response: { 200: notificationsSchema(side) },
        },
      },
      (request) => {
        const { caller, body } = request
        const owner = ownerOf(caller)
        if (owner.user_uuid === null && Object.keys(body).length > 0)
          refuseUnlessSetter(caller, side)
        return write(db, request, async (tx) => {
          await changeSettings(tx, owner, body)
          return readSettings(tx, owner)
        })
      },
    )
  }
}

const WHOSE =
  'All kinds are on unless they are switched off. A session of a user has the settings of this ' +
  'user; a key without a user has those of all users who have not decided themselves, and needs ' +
  'the scope `settings:write` (of a supplier: `orders:write`) to change them.'

function ownerOf({ token }: Caller): SettingOwner {
  const { merchant_uuid, supplier_uuid } = token
  return { user_uuid: token.user?.uuid ?? null, merchant_uuid, supplier_uuid }
}

function refuseUnlessSetter({ token }: Caller, side: Side): void {
  const scope = side === 'supplier' ? 'orders:write' : 'settings:write'
  if (hasScope(token.scopes, scope)) return
  const detail = `The token does not have the scope ${scope}, which the settings of all users need.`
  throw new Refusal('missing_scope', detail)
}

function render(notice: Notice, publicUrl: string): RenderedNotice {
  const { uuid, kind, subject, content, path, event_uuid, created_on } = notice
  return {
    uuid,
    kind: kind as RenderedNotice['kind'],
    subject,
    text: content.lead,
    items: content.items,
    more: content.more,
    details: content.details ?? null,
    url: `${publicUrl}${path}`,
    event_uuid,
    created_on: isoWithOffset(created_on),
  }
}
