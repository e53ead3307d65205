import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import {
  getMail,
  listMails,
  type MailSummary,
  retryMails,
} from '../../notices/outbox/mail-store.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import { MailPage, MailQuery, MailSchema } from '../schemas/events/notice.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import type { Services } from '../services.ts'

const tags = ['Notices']

/** What became of e-mails, for the operator. Their texts are not shown: they may contain links. */
export function registerMails(app: App, { db }: Services): void {
  app.get(
    '/api/operator/mails',
    {
      config: { access: operatorWith('settings:read'), conditional: true },
      schema: {
        tags,
        summary: 'Lists e-mails of the last 30 days, newest first, without their texts',
        querystring: MailQuery,
        response: { 200: MailPage },
      },
    },
    async ({ query }) => {
      const { mails, total } = await listMails(db, query)
      const { limit, offset } = query
      return { mails: mails.map(renderMailSummary), total, offset, limit }
    },
  )

  app.post(
    '/api/operator/mails/:uuid/retry',
    {
      config: { access: operatorWith('settings:write') },
      schema: {
        tags,
        summary: 'Sends an e-mail again that was given up or waits for its next attempt',
        params: inlineObject({ uuid: uuid('UUID of the e-mail') }),
        response: { 200: MailSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) => {
        await retryMails(tx, request.params.uuid)
        return renderMailSummary(await getMail(tx, request.params.uuid))
      }),
  )
}

export function renderMailSummary(mail: MailSummary) {
  const { uuid, kind, recipient, subject, state, attempts, last_status, last_error } = mail
  return {
    uuid,
    kind,
    recipient,
    subject,
    state,
    attempts,
    due_on: state === 'pending' ? isoWithOffset(mail.due_on) : null,
    sent_on: isoOrNull(mail.sent_on),
    last_status,
    last_error,
    created_on: isoWithOffset(mail.created_on),
  }
}
